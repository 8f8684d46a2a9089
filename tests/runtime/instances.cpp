// instances: members of several instances of a class under one name: the last one, each for itself, or all as a sum.
// Stores are counted by hand in instances.sh.
#include <cstdlib>

static void fill(volatile double *p, int n)
{
	for (int i = 0; i < n; i++)
		p[i] = i;
}

struct Matrix {
	double *last, *own, *all;
	int n;
	explicit Matrix(int size) : n(size)
	{
		last = new double[n];
		own = new double[n];
		all = new double[n];
#pragma pomp inst data(last, n * sizeof *last, "last")
#pragma pomp inst data(own, n * sizeof *own, "m") each
#pragma pomp inst data(all, n * sizeof *all, "all") sum
	}
	~Matrix()
	{
		delete[] last;
		delete[] own;
		delete[] all;
	}
	void resize(int size)
	{
		delete[] own;
		n = size;
		own = new double[n];
#pragma pomp inst data(own, n * sizeof *own, "m") each
	}
	void use(int times)
	{
		fill(last, times);
		fill(own, times);
		fill(all, times);
	}
};

int main()
{
	Matrix *a = new Matrix(1000), *b = new Matrix(1000), c(500);
	double **blocks = static_cast<double **>(calloc(20, sizeof *blocks));

	a->use(10);
	b->use(20);
	c.use(40);
	b->resize(2000);
	fill(b->own, 2000);             // m[1] still
	delete a;
	for (int i = 0; i < 20; i++) {
		Matrix temporary(10 + i);       // m[0], again and again

		temporary.use(5);
	}
	for (int i = 0; i < 20; i++) {
		blocks[i] = static_cast<double *>(malloc(100 * sizeof(double)));
#pragma pomp inst data(blocks[i], 100 * sizeof(double), "block") sum
	}
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < 20; i++)
		fill(blocks[i], 100);
#pragma pomp inst data end("block")
	fill(blocks[0], 1);
	fill(blocks[19], 1);
#pragma pomp inst data(blocks[0], 100 * sizeof(double), "part") sum
#pragma pomp inst data(blocks[0] + 50, 10 * sizeof(double), "part") sum
	fill(blocks[0], 100);           // the second one has replaced the first, which it meets
#pragma pomp inst data end("m")
	fill(b->own, 7);
	for (int i = 0; i < 20; i++)
		free(blocks[i]);
	free(blocks);
	delete b;
	return 0;
}

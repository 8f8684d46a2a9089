// Constructs in members, constructors, inline and constexpr neighbours, and braces that close on one line.
// Regions: PARALLEL 2, PARALLEL 2, PARALLEL LOOP 2.
constexpr int square(int x) { return x * x; }
inline int both()
{
	int sum = 0;
#pragma omp parallel reduction(+ : sum) num_threads(2)
	sum += square(2);
	return sum;
}
struct counter {
	int n = 0;
	counter()
	{
#pragma omp parallel num_threads(2)
		{}
	}
	void run()
	{
#pragma omp parallel for reduction(+ : n) num_threads(2)
		for (int i = 0; i < 3; i++) { n += i; } }
};

int main()
{
	counter c;

	c.run();
	return c.n != 3 || both() != 8;
}

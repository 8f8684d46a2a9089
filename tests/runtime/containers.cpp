// containers: names follow the data of containers, in serial parts and in parallel ones.  Stores by fill() into what a
// container holds at that time are counted by hand, as "name stores" on stdout: what the report must show.  Containers grow
// by reserve(), which stores nothing but into blocks that are not theirs yet.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>
#if __cplusplus >= 202002L
#include <span>
#endif

#include <ompp.h>
#include <omp.h>

static void store(double *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		static_cast<volatile double *>(p)[i] = i;
}

// As a function of another source: what the compiler can see to the end of, it may leave unchanged in memory.
static void (*volatile fill)(double *, size_t) = store;

// What other libraries call a view: no capacity, and it owns nothing.
struct View {
	double *first;
	size_t n;
	double *data() const { return first; }
	size_t size() const { return n; }
};

static void grow()
{
	std::vector<double> v;          // 20 + 1000 + 50 + 3000
#pragma pomp inst data(v, "grow")
	for (int i = 0; i < 20; i++) {
		if (v.size() == v.capacity())
			v.reserve(v.size() + 3);
		v.push_back(i);
	}
	v.reserve(1000);
	fill(v.data(), 1000);
	v.reserve(100000);
	fill(v.data() + 90000, 50);
	std::vector<double> empty;
	v = std::move(empty);
	fill(empty.data(), 0);
	v.reserve(3000);
	fill(v.data(), 3000);
	v.clear();
	v.shrink_to_fit();
}

static void change_places()
{
	std::vector<double> a(100), b(2000);    // 10 + 500 + 7, 20 + 30
#pragma pomp inst data(a, "left")
#pragma pomp inst data(b, "right")
	fill(a.data(), 10);
	fill(b.data(), 20);
	std::swap(a, b);
	fill(a.data(), 500);
	fill(b.data(), 30);
	std::vector<double> c(std::move(a));
	fill(c.data(), 40);
	a.reserve(7);
	fill(a.data(), 7);
}

// One thread lets it grow between loops of all.
static void team()
{
	std::vector<double> v(10);      // 400 * (1 + 2 + … + 10)
#pragma pomp inst data(v, "team")
#pragma omp parallel num_threads(2)
	for (int k = 1; k <= 10; k++) {
#pragma omp single
		v.reserve(100 * k);
		fill(v.data() + 50 * k * omp_get_thread_num(), 50 * k);
#pragma omp barrier
#pragma omp for schedule(static, 1)
		for (int i = 0; i < 100 * k; i++)
			fill(&v.data()[i], 1);
#pragma omp critical
		fill(v.data(), 100 * k);
#pragma omp barrier
	}
}

// What is held back for a while when an event comes belongs to the region before it.
static void regions()
{
	std::vector<double> v(100);             // 50 in SINGLE, 300 in CRITICAL
#pragma pomp inst data(v, "regions")
#pragma omp parallel num_threads(2)
	for (int k = 0; k < 50; k++) {
#pragma omp single
		{
			v.resize(99 - k);
			fill(v.data(), 1);
		}
#pragma omp critical
		fill(v.data(), 3);
	}
}

// Each thread has one of its own, which grows while the others count.
static void own()
{
#pragma omp parallel num_threads(4)
	{
		std::vector<double> mine;       // 4 * (16 + 32 + … + 16384)
#pragma pomp inst data(mine, "mine")
		for (size_t n = 16; n <= 16384; n *= 2) {
			mine.reserve(n);
			fill(mine.data(), n);
		}
	}
}

struct Field {
	std::vector<double> x, y;
	Field()
	{
#pragma pomp inst data(x, "x") each
#pragma pomp inst data(this->y, "y") sum
	}
	void use(size_t n)
	{
		x.reserve(n);
		y.reserve(n);
		fill(x.data(), n);
		fill(y.data(), n / 2);
	}
};

static void members()
{
	std::unique_ptr<Field> a(new Field), b(new Field);

	a->use(10);
	b->use(20);
	a->use(1000);
	b->use(3000);
	a.reset();
	void *block = malloc(sizeof(Field));    // where a was, as a rule
	fill(static_cast<double *>(block), sizeof(Field) / sizeof(double));
	free(block);
	a.reset(new Field);             // x[0] again
	a->use(500);
}

static void views()
{
	std::vector<double> low(100), high(100);
	View view = { low.data(), 50 };         // 50 + 60 + 1
#pragma pomp inst data(view)
	fill(view.data(), 50);
	fill(low.data() + 50, 50);
	view.n = 60;
	fill(view.data(), 60);
	view.first = high.data();
	fill(low.data(), 50);
	view.n = 1;
	fill(high.data(), 100);
#if __cplusplus >= 202002L
	std::span<double> span(low);            // 100 + 5
#pragma pomp inst data(span)
	fill(span.data(), 100);
	span = std::span<double>(high).subspan(90, 5);
	fill(low.data(), 100);
	fill(high.data(), 100);
	printf("span %d\nview %d\n", 100 + 5, 50 + 60 + 1 + 1);
#else
	printf("view %d\n", 50 + 60 + 1);
#endif
}

static void recurse(int depth)
{
	std::vector<double> local(depth);       // 1 + 2 + … + 20, twice
#pragma pomp inst data(local)
	fill(local.data(), depth);
	if (depth > 1)
		recurse(depth - 1);
	fill(local.data(), depth);
}

static void off()
{
	std::vector<double> v(10);              // 10 + 2000
#pragma pomp inst data(v, "off")
	fill(v.data(), 10);
	ompp_off();
	v.reserve(2000);
	fill(v.data(), 1000);
	ompp_on();
	fill(v.data(), 2000);
}

// What holds its data itself, and what does so while it is short.
static void inside()
{
	struct { double a[8]; double *data() { return a; } size_t size() { return 8; } } fixed;         // 8
	struct Short {
		double *p, a[2];
		size_t n;
		Short() : p(a), n(2) {}
		double *data() { return p; }
		size_t size() { return n; }
	} few;                                  // 2 + 6
#pragma pomp inst data(fixed)
#pragma pomp inst data(few)
	fill(fixed.data(), 8);
	fill(few.data(), 2);
	std::unique_ptr<double[]> more(new double[6]);
	few.p = more.get();
	few.n = 6;
	fill(few.data(), 6);
	fill(few.a, 2);
}

template <typename T> struct Box {
	std::vector<T> v;
	std::array<T, 4> four;
	explicit Box(size_t n) : v(n)
	{
#pragma pomp inst data(v, "box") sum
#pragma pomp inst data(four) sum
	}
};

template <typename V> static void fill_all(V &v)
{
#pragma pomp inst data(v, "all")
	fill(v.data(), v.size());
	v.reserve(10 * v.size());
	fill(v.data(), 10 * v.size());
}

// What moves away from a container with its object is the other object's, which has no name.
static void templates()
{
	Box<double> a(30), b(5);                // box: 30 + 5 + 4; four: 4 + 4
	std::vector<double> v(12);              // all: 12 + 120 + 100

	fill(a.v.data(), 30);
	fill(b.v.data(), 5);
	fill(a.four.data(), 4);
	fill(b.four.data(), 4);
	fill_all(v);
	fill(v.data(), 100);                    // named by a reference, it stays named
	Box<double> c(std::move(a));
	fill(c.v.data(), 30);
	a.v.reserve(4);
	fill(a.v.data(), 4);
}

int main(int argc, char **)
{
	for (int k = 0; k < 3; k++)
		grow();
	change_places();
	team();
	regions();
	own();
	members();
	views();
	recurse(20);
	if (argc < 2)
		off();
	inside();
	templates();                            // at last: its objects' members stay named
	printf("grow %d\n", 3 * (20 + 1000 + 50 + 3000));
	printf("left %d\nright %d\n", 10 + 500 + 7, 20 + 30);
	printf("team %d\n", (2 * 50 + 100 + 2 * 100) * 55);
	printf("regions %d\n", 50 + 2 * 50 * 3);
	printf("mine %d\n", 4 * (32768 - 16));
	printf("x[0] %d\nx[1] %d\ny %d\n", 10 + 1000 + 500, 20 + 3000, (10 + 1000 + 500 + 20 + 3000) / 2);
	printf("local %d\n", 20 * 21);
	if (argc < 2)
		printf("off %d\n", 10 + 2000);
	printf("box %d\nall %d\n", 30 + 5 + 4, 12 + 120 + 100);
	printf("fixed 8\nfew 8\nfour 8\n");
	return 0;
}

# braces: constructs whose block has no braces compute what the plain build computes
. "$srcdir/tests/kinst/kinst.sh"

cat >shapes.c <<'EOF'
#include <omp.h>
#include <stdio.h>

#define LOOP(i, n) for (int i = 0; i < (n); i++)
static int sum, other;
static void add(int n)
{
#pragma omp atomic
	sum += n;
}
static void show(const char *what)
{
	printf("%s %d %d\n", what, sum, other);
	sum = other = 0;
}

int main(void)
{
	int i, j;
	omp_lock_t lock;

	omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 99)
		add(100);
	else
		add(1);
	show("if else in parallel");

#pragma omp parallel for num_threads(2) private(j)
	for (i = 0; i < 10; i++)
		if (i & 1)
			for (j = 0; j < 2; j++)
				if (j)
					add(1);
				else
					add(10);
		else if (i == 4)
			add(1000);
		else
			do
				add(100);
			while (0);
	show("nested if else in for");

#pragma omp parallel num_threads(2)
	{
#pragma omp for nowait
		for (i = 0; i < 10; i++)
			if (i < 3) add(1); else add(2);
#pragma omp single
		if (sum < 0) add(7); else
#pragma omp task
		if (sum > -1) add(3); else add(4);
#pragma omp master
		while (other < 5)
			other++;
#pragma omp barrier
#pragma omp critical (name)
		switch (omp_get_thread_num())
		case 0:
			add(5);
	}
	show("for, single, task, master, critical");

	for (i = 0; i < 2; i++)
		if (i)
#pragma omp parallel num_threads(2)
			add(1);
		else
#pragma omp parallel num_threads(2)
#pragma omp critical
			if (i) add(50); else add(20);
	if (i == 2)
#pragma omp atomic
		sum++;
	else
#pragma omp atomic
		sum--;
	show("constructs as bodies");

#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task
#pragma omp critical
	for (int k = 0; k < 2; k++)
		add(k ? 1 : 2);
	show("one in another");

#pragma omp parallel for collapse(2) num_threads(2)
	LOOP(a, 3)
		LOOP(b, 3)
			if (a == b) add(1); else add(10);
	show("collapse, loop from a macro");

#pragma omp parallel sections num_threads(2)
	{
		if (sum > 100) add(1); else add(2);
#pragma omp section
		if (sum > 100) add(3); else add(4);
#pragma omp section
		add(5); }
	show("sections"); if (sum) { add(1); }

#pragma omp parallel num_threads(2)
	{ omp_set_lock(&lock); other++; omp_unset_lock(&lock); } { add(other); }
	show("same line");

#pragma omp parallel num_threads(2)
	{
#pragma omp for ordered
		for (i = 0; i < 4; i++)
#pragma omp ordered
			if (i & 1) add(1); else add(2); }
	show("ordered");

#pragma omp parallel num_threads(2)
	again: if (sum < 0) goto again; else add(1);
	show("label");

	if (sum)
#pragma pomp inst begin(bare)
		add(1);
	else
		add(2);
#pragma pomp inst end(bare)
	show("user region as a body");

#pragma omp parallel num_threads(2)
	__extension__ ({ if (sum < 0) add(9); else add(1); });
	show("statement expression");
	puts("\"{;}\" // /* no comment */"); /* a } in a comment */ // {
	return 0;
}
EOF
for c in gcc clang; do
	command -v $c >/dev/null || continue
	for flags in -O0 "-O2 -std=gnu89 -fgnu89-inline -std=gnu99"; do
		$c -w $flags -fopenmp shapes.c -o p
		"$kinst" --strict $c -w $flags -fopenmp shapes.c -o k
		instrumented k
		./p >p.txt
		./k >k.txt
		same "$c $flags" p.txt k.txt
	done
done

command -v g++ >/dev/null || exit 0
cat >shapes.cc <<'EOF'
#include <cstdio>
#include <stdexcept>
#include <vector>
static int sum;
static void add(int n)
{
#pragma omp atomic
	sum += n;
}
template <typename T> struct Box {
	T t{};
	void run() {
#pragma omp parallel num_threads(2)
		if constexpr (sizeof(T) > 4) add(8); else add(4); }
};
static int show(const char *what) { std::printf("%s %d\n", what, sum); return sum = 0; }
int main()
{
	std::vector<int> v{1, 2, 3};
	Box<int>().run();
	Box<double>().run();
	show("template");
#pragma omp parallel num_threads(2)
	try {
		if (sum < 0) throw std::runtime_error("x"); else add(1);
	} catch (const std::exception &) {
		add(100);
	} catch (...) { add(200); }
	show("try");
#pragma omp parallel num_threads(2)
	for (int x : v) if (x & 1) add(x); else add(10 * x);
	show("range for");
	auto lambda = [&](int n) {
#pragma omp parallel for num_threads(2)
		for (int i = 0; i < n; i++) if (i) add([](int k) { if (k) return 1; else return 2; }(i)); else add(7); };
	lambda(4);
	show("lambda");
	std::printf("%s %d %c\n", R"(a"b}{)", 1'234, '"');
#pragma omp parallel num_threads(2)
	[&] { if (sum < 0) add(1); else add(2); }();
	return show("call");
}
EOF
for c in g++ clang++; do
	command -v $c >/dev/null || continue
	$c -w -std=c++17 -fopenmp shapes.cc -o p
	"$kinst" --strict $c -w -std=c++17 -fopenmp shapes.cc -o k
	instrumented k
	./p >p.txt
	./k >k.txt
	same "$c" p.txt k.txt
done
clean

/*
 * pauses: loops that the plug-ins count as a whole although they call, in blocks that are rare, what it does not
 * know. What is called ends the loop, or the region, the object or the counting that its accesses belong to.
 */
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <omp.h>
#include <ompp.h>

#define NOINLINE     __attribute__((noinline, noclone))
#define SELDOM(what) __builtin_expect(what, 0)

enum { N = 1000 };

static double a[N], b[N], moving[N];
static int at[N];
static std::jmp_buf back;

/* Not known to the compiler where it compiles the loops. */
struct unknown {
	void (*raise)(int i);
	void (*jump)(int i);
	void (*stop)(double sum);
	double *(*renew)(double *old, int n);
	void (*name)(int i);
	void (*pause_counting)(bool counts);
	double (*again)(int depth);
};
static const unknown *volatile functions;

static NOINLINE void prepare()
{
	for (int i = 0; i < N; i++) {
		a[i] = i % 7;
		b[i] = i % 5;
		moving[i] = i % 3;
		at[i] = i * 37 % N;
	}
}

/* An exception goes on to the caller, with the loop half done. */
static NOINLINE double thrown(const unknown *of, int last)
{
	double sum = 0;

	for (int i = 0; i < N; i++) {
		sum += a[i] * b[at[i]];
		if (SELDOM(i == last))
			of->raise(i);
		b[i] = sum;
	}
	return sum;
}

/* An exception is caught in the loop, which goes on. */
static NOINLINE double caught(const unknown *of)
{
	double sum = 0;

	for (int i = 0; i < N; i++) {
		sum += a[i];
		if (SELDOM(i % 100 == 50)) {
			try {
				of->raise(i);
			} catch (int number) {
				b[number] += sum;
			}
		}
		b[i] += a[i];
	}
	return sum;
}

static NOINLINE double jumped(const unknown *of, int last)
{
	double sum = 0;

	for (int i = 0; i < N; i++) {
		sum += a[i] + b[N - 1 - i];
		if (SELDOM(i == last))
			of->jump(i);
	}
	return sum;
}

/* The region that the pause enters has its own accesses, and none of the loop's. */
static NOINLINE double entered()
{
	double sum = 0;

	for (int i = 0; i < N; i++) {
		sum += a[i] * 2;
		if (SELDOM(a[i] + i > 990)) {
#pragma pomp inst begin(inner)
			b[i] += sum;
#pragma pomp inst end(inner)
		}
		b[i] += 1;
	}
	return sum;
}

/* What is read before the pause has another name than what is read behind it. */
static NOINLINE double named(const unknown *of)
{
	double sum = 0;

	for (int i = 0; i < N; i++) {
		sum += moving[i] + moving[N - 1 - i];
		if (SELDOM(i % 64 == 63))
			of->name(i);
	}
	return sum;
}

/* Memory is freed, and comes again as another's. */
static NOINLINE double renewed(const unknown *of)
{
	double sum = 0, *memory = of->renew(NULL, 100);

	for (int i = 0; i < N; i++) {
		memory[i % 100] = a[i];
		sum += memory[i % 50];
		if (SELDOM(i % 200 == 199))
			memory = of->renew(memory, 100);
	}
	of->renew(memory, 0);
	return sum;
}

static NOINLINE double grown()
{
	std::vector<double> numbers;
	double sum = 0;

	for (int i = 0; i < N; i++) {
		numbers.push_back(a[i]);
		sum += numbers[static_cast<std::size_t>(i / 2)];
	}
	return sum;
}

static NOINLINE double not_counted(const unknown *of)
{
	double sum = 0;

	for (int i = 0; i < N; i++) {
		sum += a[i] + b[at[i]];
		if (SELDOM(i % 400 == 399))
			of->pause_counting(i == 799);
	}
	return sum;
}

static NOINLINE double recursive(const unknown *of, int depth)
{
	double sum = 0;

	for (int i = 0; i < 100; i++) {
		sum += a[i + depth] * b[at[i]];
		if (SELDOM(depth && i % 30 == 29))
			sum += of->again(depth - 1);
		b[i + depth] = sum / 1024;
	}
	return sum;
}

/* The sum is no double, as the threads may have to try several times to add one. */
static NOINLINE double in_threads(const unknown *of)
{
	long sum = 0;

#pragma omp parallel num_threads(2) reduction(+ : sum)
	{
#pragma omp for schedule(static)
		for (int i = 0; i < N; i++) {
			sum += static_cast<long>(a[i]);
			if (SELDOM(i % 100 == 99))
				sum += static_cast<long>(of->again(-1));
			moving[i] = a[i];
		}
	}
	return static_cast<double>(sum);
}

static NOINLINE double locked()
{
	double sum = 0;

	for (int i = 0; i < N; i++) {
		sum += a[i];
		if (SELDOM(i % 128 == 5)) {
#pragma omp critical
			b[i] += sum;
		}
	}
	return sum;
}

static NOINLINE double stopped(const unknown *of)
{
	double sum = 0;

	for (int i = 0; i < N; i++) {
		sum += a[i] + b[at[i]];
		if (SELDOM(i == 777))
			of->stop(sum);
	}
	return sum;
}

/* ---- what is called ---- */

static void raise(int i)
{
	throw i;
}
static void jump(int i)
{
	std::longjmp(back, i);
}

static void stop(double sum)
{
	std::printf("stopped %.17g\n", sum);
	std::exit(3);
}

static double *renew(double *old, int n)
{
	double *memory = NULL;

	std::free(old);
	if (n) {
		memory = static_cast<double *>(std::calloc(static_cast<std::size_t>(n), sizeof(*memory)));
		if (!memory)
			std::abort();
#pragma pomp inst data(memory, n * sizeof(double), "renewed")
	}
	return memory;
}

static void name(int i)
{
#pragma pomp inst data(&moving[i - i % 2], 8 * sizeof(double), "part")
}

static void pause_counting(bool counts)
{
	if (counts)
		ompp_on();
	else
		ompp_off();
}

static double again(int depth)
{
	return depth < 0 ? a[N + depth] : recursive(functions, depth);
}

static const unknown those = { raise, jump, stop, renew, name, pause_counting, again };

static void say(const char *what, double sum)
{
	std::printf("%s %.17g\n", what, sum);
}

int main()
{
	functions = &those;
#pragma pomp inst data(a)
#pragma pomp inst data(b)
#pragma pomp inst data(moving)
#pragma pomp inst data(at)
	prepare();
#pragma pomp inst begin(thrown)
	for (int last = 0; last < N + 100; last += 100) {
		try {
			say("thrown", thrown(functions, last));
		} catch (int i) {
			say("caught at", i);
		}
	}
#pragma pomp inst end(thrown)
	prepare();
#pragma pomp inst begin(caught)
	say("caught", caught(functions));
#pragma pomp inst end(caught)
#pragma pomp inst begin(jumped)
	for (volatile int last = 1; last < N + 200; last += 200)
		if (int i = setjmp(back))
			say("jumped at", i);
		else
			say("jumped", jumped(functions, last));
#pragma pomp inst end(jumped)
#pragma pomp inst begin(entered)
	say("entered", entered());
#pragma pomp inst end(entered)
#pragma pomp inst begin(named)
	say("named", named(functions));
#pragma pomp inst end(named)
#pragma pomp inst begin(renewed)
	say("renewed", renewed(functions));
#pragma pomp inst end(renewed)
#pragma pomp inst begin(grown)
	say("grown", grown());
#pragma pomp inst end(grown)
#pragma pomp inst begin(not_counted)
	say("not counted", not_counted(functions));
#pragma pomp inst end(not_counted)
	prepare();
#pragma pomp inst begin(recursive)
	say("recursive", recursive(functions, 3));
#pragma pomp inst end(recursive)
	prepare();
	say("in threads", in_threads(functions));
	say("locked", locked());
#pragma pomp inst begin(stopped)
	say("stopped", stopped(functions));
#pragma pomp inst end(stopped)
	return 0;
}

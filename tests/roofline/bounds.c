/* bounds: kernels of one thread whose bound is known; the comment at each region says which (bounds.py). */
#include <stdio.h>
#include <stdlib.h>

#ifndef LARGE
#define LARGE 6000000 /* elements of vectors that no cache holds */
#endif
enum { SMALL = 1024, VISITS = 4, ROUNDS = 2000000 };

static double *a, *b, *c;
static double s1[SMALL], s2[SMALL];
static float f1[SMALL];
static int *next;
static volatile double seed = 1.000000001;

/* One cycle through n elements in an order of chance (Sattolo). */
static void shuffle(int n)
{
	unsigned int random = 1;

	for (int i = 0; i < n; i++)
		next[i] = i;
	for (int i = n - 1; i > 0; i--) {
		random = random * 1664525u + 1013904223u;
		int k = (int)((unsigned long long)random * (unsigned int)i >> 32), swap = next[i];
		next[i] = next[k];
		next[k] = swap;
	}
}

static int chase(int n, int steps)
{
	int at = 0;

#pragma pomp inst begin(chase) /* latency */
	for (int i = 0; i < steps; i++)
		at = next[at];
#pragma pomp inst end(chase)
	return at + n;
}

static double streams(void)
{
#pragma omp parallel for num_threads(1) /* memory */
	for (int i = 0; i < LARGE; i++)
		c[i] = a[i];
#pragma omp parallel for num_threads(1) /* memory */
	for (int i = 0; i < LARGE; i++)
		b[i] = 3 * c[i];
#pragma omp parallel for num_threads(1) /* memory */
	for (int i = 0; i < LARGE; i++)
		c[i] = a[i] + b[i];
#pragma omp parallel for num_threads(1) /* memory */
	for (int i = 0; i < LARGE; i++)
		a[i] = b[i] + 3 * c[i];
	double sum = 0;
#pragma omp parallel for num_threads(1) reduction(+ : sum) /* latency */
	for (int i = 0; i < LARGE; i++)
		sum += a[i];
	double many[8] = { 0 };
#pragma omp parallel num_threads(1) /* memory */
	for (int i = 0; i < LARGE; i += 8) {
		many[0] += a[i], many[1] += a[i + 1], many[2] += a[i + 2], many[3] += a[i + 3];
		many[4] += a[i + 4], many[5] += a[i + 5], many[6] += a[i + 6], many[7] += a[i + 7];
	}
#pragma omp parallel for num_threads(1) /* memory */
	for (int i = 0; i < LARGE; i++)
		b[i] += 1;
#pragma omp parallel for num_threads(1) /* memory */
	for (int i = 0; i < LARGE; i++)
		c[i] = 2;
#pragma omp parallel for num_threads(1) /* memory */
	for (int i = 0; i < LARGE; i += 8)
		c[i] += 1; /* one element of each line */
	for (int k = 0; k < 8; k++)
		sum += many[k];
	return sum;
}

static double arithmetic(void)
{
	double x = seed, y = seed, sum = 0;
	float z = 1, w = 0.5f;

#pragma omp parallel for num_threads(1) firstprivate(z, w) reduction(+ : sum) /* latency */
	for (int i = 0; i < ROUNDS; i++) {
		z = z * w + 1; /* a chain in single precision */
		if (i == ROUNDS - 1)
			sum += z;
	}
#pragma omp parallel for num_threads(1) /* division */
	for (int k = 0; k < ROUNDS / SMALL; k++)
		for (int i = 0; i < SMALL; i++)
			f1[i] = __builtin_sqrtf(f1[i] + 1);
#pragma omp parallel for num_threads(1) firstprivate(x, y) reduction(+ : sum) /* latency */
	for (int i = 0; i < ROUNDS; i++) {
		x = x * y + 1e-9; /* a chain */
		if (i == ROUNDS - 1)
			sum += x;
	}
#pragma omp parallel for num_threads(1) /* division */
	for (int k = 0; k < ROUNDS / SMALL; k++)
		for (int i = 0; i < SMALL; i++)
			s1[i] = x / s2[i];
#pragma omp parallel for num_threads(1) /* division */
	for (int k = 0; k < ROUNDS / SMALL; k++)
		for (int i = 0; i < SMALL; i++)
			s1[i] = __builtin_sqrt(s2[i]);
#pragma omp parallel for num_threads(1) /* division */
	for (int k = 0; k < ROUNDS / SMALL; k++)
		for (int i = 0; i < SMALL; i++)
			f1[i] = 3.5f / (f1[i] + 1);
#pragma omp parallel for num_threads(1) firstprivate(x) reduction(+ : sum) /* latency */
	for (int i = 0; i < ROUNDS / 4; i++) {
		x = 1.5 / x; /* a chain of divisions */
		if (i == ROUNDS / 4 - 1)
			sum += x;
	}
	return sum;
}

/* As many chains as hide the latency, each by itself. */
#define SIX(DO)  DO(0) DO(1) DO(2) DO(3) DO(4) DO(5)
#define EACH(DO) SIX(DO) DO(6) DO(7) DO(8) DO(9)
#if defined(__x86_64__)
#define KEEP(v) __asm__ volatile("" : "+x"(v));
#else
#define KEEP(v) __asm__ volatile("" : "+w"(v));
#endif

static double scalars(void)
{
	double one = seed, little = seed - 1, sum = 0;

#pragma omp parallel for num_threads(1) reduction(+ : sum) /* operations */
	for (int k = 0; k < 4; k++) {
#define BEGIN(i) double x##i = one, y##i = one;
		SIX(BEGIN)
		for (int i = 0; i < ROUNDS; i++) {
#define STEP(i) x##i += little; KEEP(x##i) y##i *= one; KEEP(y##i)
			SIX(STEP)
		}
#define END(i) sum += x##i + y##i;
		SIX(END)
	}
	return sum;
}

typedef double vector __attribute__((vector_size(WIDTH)));
typedef float narrow __attribute__((vector_size(WIDTH)));

static double vectors(void)
{
	double sum = 0, one = seed;
	vector factor = (vector){ 0 } + one, little = (vector){ 0 } + (one - 1);

#pragma omp parallel for num_threads(1) reduction(+ : sum) /* vectors */
	for (int k = 0; k < 4; k++) {
#define VECTOR(i) vector x##i = factor;
		EACH(VECTOR)
		for (int i = 0; i < ROUNDS; i++) {
#define FUSE(i) x##i = x##i * factor + little; KEEP(x##i)
			EACH(FUSE)
		}
#define LAST(i) sum += x##i[0];
		EACH(LAST)
	}
	narrow once = (narrow){ 0 } + (float)one, some = (narrow){ 0 } + (float)(one - 1);
#pragma omp parallel for num_threads(1) reduction(+ : sum) /* vectors */
	for (int k = 0; k < 4; k++) {
#define NARROW(i) narrow x##i = once;
		EACH(NARROW)
		for (int i = 0; i < ROUNDS; i++) {
#define JOIN(i) x##i = x##i * once + some; KEEP(x##i)
			EACH(JOIN)
		}
		EACH(LAST)
	}
	return sum;
}

int main(void)
{
	double sum = 0;
	int at = 0;

	a = calloc(LARGE, sizeof *a), b = calloc(LARGE, sizeof *b), c = calloc(LARGE, sizeof *c);
	next = malloc(LARGE * sizeof *next);
	if (!a || !b || !c || !next)
		return 1;
#pragma pomp inst data(a, LARGE * sizeof *a, "a")
#pragma pomp inst data(b, LARGE * sizeof *b, "b")
#pragma pomp inst data(c, LARGE * sizeof *c, "c")
#pragma pomp inst data(s1, sizeof s1, "s1")
#pragma pomp inst data(f1, sizeof f1, "f1")
	for (int i = 0; i < LARGE; i++)
		a[i] = b[i] = c[i] = 1;
	for (int i = 0; i < SMALL; i++)
		s2[i] = 1 + i, f1[i] = 1;
	for (int k = 0; k < VISITS; k++)
		sum += streams() + arithmetic() + scalars() + vectors();
	shuffle(LARGE);
	for (int k = 0; k < VISITS; k++)
		at += chase(LARGE, 200000);
	printf("%g %d\n", sum, at);
	return 0;
}

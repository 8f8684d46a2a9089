/* pages: what tests/runtime/pages.sh traces.  Arrays begin at a page; each has N pages of doubles. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { N = 64, PAGE = 4096, EACH = PAGE / sizeof(double), ALL = N * EACH };

static double *make(void)
{
	void *memory;

	if (posix_memalign(&memory, PAGE, N * PAGE))
		exit(2);
	return memory;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Stores to all of an array until the time is over. */
static void work(double *a, double seconds)
{
	double end = now() + seconds;

	while (now() < end)
		for (int i = 0; i < ALL; i++)
			a[i] += 1;
}

/* Two phases, one after the other, each of another array; says when each began and ended. */
static void phases(double *a, double *b)
{
	double times[4];

	memset(a, 0, N * PAGE);
	memset(b, 0, N * PAGE);
	times[0] = now();
#pragma omp parallel num_threads(2)
	work(a, 0.12);
	times[1] = now();
	usleep(60000);
	times[2] = now();
#pragma omp parallel num_threads(2)
	work(b, 0.12);
	times[3] = now();
	printf("%.9f %.9f %.9f %.9f\n", times[0], times[1], times[2], times[3]);
}

/* Prints the address and the physical address of each page, as the kernel tells them. */
static void frames(const double *b)
{
	FILE *pagemap = fopen("/proc/self/pagemap", "rb");
	uint64_t word;

	for (uintptr_t page = (uintptr_t)b; pagemap && page < (uintptr_t)(b + ALL); page += PAGE)
		if (!fseek(pagemap, (long)(page / PAGE * sizeof(word)), SEEK_SET) &&
		    fread(&word, sizeof(word), 1, pagemap) == 1 && word & ((UINT64_C(1) << 55) - 1))
			printf("0x%" PRIxPTR ",0x%" PRIx64 "\n", page, (word & ((UINT64_C(1) << 55) - 1)) * PAGE);
}

int main(int argc, char **argv)
{
	double *a = make(), *b = make(), *c = make(), sum = 0;
	const char *what = argc > 1 ? argv[1] : "";

#pragma omp inst data(a, N * PAGE, "a")
#pragma omp inst data(b, N * PAGE, "b")
#pragma omp inst data(c, N * PAGE, "<c> & \"d\"")
	if (!strcmp(what, "phases")) {
		phases(a, b);
		return 0;
	}
	for (int i = 0; i < ALL; i++)
		a[i] = i;
#pragma omp parallel for schedule(static) num_threads(4)
	for (int i = 0; i < ALL; i++)
		b[i] = a[i];
#pragma omp parallel for schedule(static) num_threads(4) reduction(+ : sum)
	for (int i = 0; i < ALL; i++)
		sum += b[i] + a[ALL - 1 - i];
	for (int i = 0; i < ALL; i += EACH)
		c[i] = sum;
	printf("%g\n", sum + c[0]);
	fflush(stdout);
	if (!strcmp(what, "physical"))
		frames(b);
	if (!strcmp(what, "killed")) {
		work(c, 0.1);
		raise(SIGKILL);
	}
	if (!strcmp(what, "forks")) {
		pid_t child = fork();

		if (!child) {
			for (int i = 0; i < 3 * EACH; i += EACH)
				c[i] = 1;
			exit(0);
		}
		waitpid(child, NULL, 0);
	}
	return 0;
}

/* page_writes: what tests/runtime/page_writes.sh traces without hooks.  Each array begins at a page and has N pages; each is
 * written in a phase of its own, and what each phase was is said on stderr: name, address, begin, end (CLOCK_MONOTONIC). */
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { N = 256, PAGE = 4096, ALL = N * PAGE, PHASES = 9 };

void ompp_data_begin(const void *address, size_t n_bytes, const char *name) __attribute__((weak));

static char in_data[ALL] __attribute__((aligned(PAGE))) = { 1 };
static char in_bss[ALL] __attribute__((aligned(PAGE)));
static int rest_ms;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static uint64_t next(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

static void stream(char *a)
{
#pragma omp parallel for
	for (int i = 0; i < ALL; i++)
		a[i] = (char)(a[i] + i);
}

static void strided(char *a)
{
#pragma omp parallel for
	for (int i = 0; i < ALL; i += 3 * PAGE + 8)
		a[i]++;
}

static void random_places(char *a)
{
#pragma omp parallel for
	for (int t = 0; t < 16; t++) {
		uint64_t state = (uint64_t)t + 1;

		for (int i = 0; i < 8; i++)
			__atomic_fetch_add(&a[next(&state) % ALL], 1, __ATOMIC_RELAXED);
	}
}

static void tasks(char *a)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < N; i += 5) {
#pragma omp task firstprivate(i)
		a[i * PAGE + 17] = (char)i;
	}
}

static void in_library(char *a)
{
	memset(a + PAGE / 2, 3, 20 * PAGE);
	snprintf(a + 100 * PAGE, PAGE, "%d", N);
	memmove(a + 200 * PAGE, a + 90 * PAGE, 30 * PAGE);
}

static void reads(char *a)
{
	volatile char sum = 0;

	for (int i = 0; i < ALL; i += PAGE)
		sum = (char)(sum + a[i]);
	a[7 * PAGE] = sum;
}

/* Pages that the kernel writes, which valgrind does not tell: so they are written here, too. */
static void system_calls(char *a)
{
	int fd = open("/dev/zero", O_RDONLY);

	if (fd < 0 || read(fd, a + 3 * PAGE + 5, 2 * PAGE) != 2 * PAGE || pread(fd, a + 99 * PAGE, 1, 0) != 1)
		exit(2);
	close(fd);
	if (getenv("ALL_BY_THE_PROGRAM"))
		for (int i = 3; i < 6; i++)
			a[i * PAGE + 6] = a[99 * PAGE] = 1;
}

static void phase(const char *name, char *a, void (*work)(char *a))
{
	double begin = now();

	work(a);
	fprintf(stderr, "%s 0x%" PRIxPTR " %.9f %.9f\n", name, (uintptr_t)a, begin, now());
	usleep((unsigned int)rest_ms * 1000);
}

int main(int argc, char **argv)
{
	static const char *const names[PHASES] = { "stream", "strided", "random", "tasks", "library",
		                                   "reads",  "calls",   "data",   "bss" };
	static void (*const works[PHASES])(char *a) = { stream, strided,      random_places, tasks, in_library,
		                                        reads,  system_calls, strided,       tasks };
	char *a[PHASES], *big = mmap(NULL, (size_t)PHASES * ALL, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const char *what = argc > 2 ? argv[2] : "";

	rest_ms = argc > 1 ? atoi(argv[1]) : 0;
	if (big == MAP_FAILED)
		return 2;
	for (int i = 0; i < PHASES; i++)
		a[i] = big + (size_t)i * ALL;
	a[PHASES - 2] = in_data;
	a[PHASES - 1] = in_bss;
	memset(a[5], 1, ALL); /* so that there is something to read */
	for (int i = 0; i < PHASES && ompp_data_begin; i++)
		ompp_data_begin(a[i], ALL, names[i]);
	usleep((unsigned int)rest_ms * 1000);
	for (int i = 0; i < PHASES; i++)
		phase(names[i], a[i], works[i]);
	if (!strcmp(what, "off")) {
#pragma pomp inst off
		usleep((unsigned int)rest_ms * 1000);
		memset(a[1], 9, ALL); /* of which the phase has written every third page */
		usleep((unsigned int)rest_ms * 1000);
#pragma pomp inst on
	}
	if (!strcmp(what, "killed"))
		raise(SIGKILL);
	if (!strcmp(what, "forks")) {
		if (!fork()) {
			memset(a[1], 5, 3 * PAGE);
			exit(0);
		}
		wait(NULL);
		memset(a[1] + 10 * PAGE, 5, PAGE);
	}
	if (!strcmp(what, "execs"))
		execl("/bin/true", "true", (char *)NULL);
	return 0;
}

/*
 * Counters: programs whose counts are known, or that count for themselves what they ask of the kernel.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long page_bytes;

static volatile char *room(long pages)
{
	size_t n_bytes = (size_t)(pages * page_bytes);
	void *p = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		exit(3);
	madvise(p, n_bytes, MADV_NOHUGEPAGE);
	return p;
}

static void touch(volatile char *p, long pages)
{
	long i;

	for (i = 0; i < pages; i++)
		p[i * page_bytes] = 1;
}

static long own_faults(void)
{
	struct rusage use;

	getrusage(RUSAGE_THREAD, &use);
	return use.ru_minflt + use.ru_majflt;
}

static long own_switches(void)
{
	struct rusage use;

	getrusage(RUSAGE_THREAD, &use);
	return use.ru_nvcsw + use.ru_nivcsw;
}

static long own_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Each thread touches n pages, thread 1 twice as many; prints what getrusage saw of it. */
static void faults(long n)
{
#pragma omp parallel num_threads(2)
	{
		long mine = n * (omp_get_thread_num() + 1), before = own_faults(), after = before;
		volatile char *p = room(mine);

#pragma omp critical
		{
			before = own_faults();
			touch(p, mine);
			after = own_faults();
		}
#pragma omp critical(print)
		printf("%d %ld\n", omp_get_thread_num(), after - before);
	}
}

/* Each thread computes for n ms, by its own clock. */
static void clocks(long n)
{
#pragma omp parallel num_threads(2)
	{
		long start = 0, end = 0;

#pragma omp critical
		{
			start = own_ns();
			do
				end = own_ns();
			while (end - start < n * 1000000);
		}
#pragma omp critical(print)
		printf("%d %ld\n", omp_get_thread_num(), end - start);
	}
}

/* n sleeps: as many times the thread leaves the processor, at least. */
static void sleeps(long n)
{
#pragma omp parallel num_threads(1)
	{
		long before = 0, after = 0, i;

#pragma omp critical
		{
			struct timespec little = { 0, 100000 };

			before = own_switches();
			for (i = 0; i < n; i++)
				nanosleep(&little, NULL);
			after = own_switches();
		}
		printf("0 %ld\n", after - before);
	}
}

/* n critical sections, atomics, barriers and loops. */
static void events(long n)
{
	static long sum;

#pragma omp parallel num_threads(1)
	{
		long i;

		for (i = 0; i < n; i++) {
#pragma omp critical
			sum++;
#pragma omp atomic
			sum++;
#pragma omp barrier
		}
	}
	printf("%ld\n", sum);
}

/* The region is open when the process forks: each has its own pages in it. */
static void forks(long n)
{
	volatile char *p = room(3 * n);

#pragma omp parallel num_threads(1)
	{
#pragma omp critical(before)
		touch(p, n);
#pragma omp critical(both)
		{
			if (fork() == 0) {
				touch(p + n * page_bytes, n / 2);
			} else {
				wait(NULL);
				touch(p + n * page_bytes, n);
			}
		}
#pragma omp critical(after)
		touch(p + 2 * n * page_bytes, n / 2);
	}
}

static volatile char *given;

static void *runs(void *arg)
{
	(void)arg;
#pragma omp critical
	touch(given, 3);
	given += 3 * page_bytes;
	return NULL;
}

static int n_descriptors(void)
{
	int i, n = 0;

	for (i = 0; i < 4096; i++)
		n += fcntl(i, F_GETFD) >= 0;
	return n;
}

/* n threads, one after the other; prints how many descriptors more are open after them than after the first. */
static void threads(long n)
{
	int first = 0;
	pthread_t t;
	long i;

	given = room(3 * n);
	for (i = 0; i < n; i++) {
		pthread_create(&t, NULL, runs, NULL);
		pthread_join(t, NULL);
		if (i == 0)
			first = n_descriptors();
	}
	printf("%d\n", n_descriptors() - first);
}

/* The program closes what it did not open, and takes the numbers for files of its own. */
static void closes(long n)
{
	volatile char *p = room(3 * n);
	int fd, i;

#pragma omp parallel num_threads(1)
	{
#pragma omp critical(before)
		touch(p, n);
#pragma omp critical(during)
		{
			touch(p + n * page_bytes, n);
			for (i = 3; i < 4096; i++)
				close(i);
		}
#pragma omp critical(after)
		touch(p + 2 * n * page_bytes, n);
		for (i = 0; i < 1000; i++) {
			fd = open("/dev/zero", O_RDONLY);
			if (fd < 0)
				break;
		}
#pragma omp critical(after)
		i = 0;
	}
}

/* Tasks touch pages wherever they run. */
static void tasks(long n)
{
	volatile char *p = room(10 * n);
	long i;

#pragma omp parallel num_threads(2)
#pragma omp single
	for (i = 0; i < 10; i++) {
#pragma omp task untied firstprivate(i)
		touch(p + i * n * page_bytes, n);
	}
}

/* Each task touches n pages, makes one more task and waits for it: none counts another's. */
static void nest(volatile char *p, long n, int depth)
{
	touch(p, n);
	if (depth > 1) {
#pragma omp task
		nest(p + n * page_bytes, n, depth - 1);
#pragma omp taskwait
	}
}

static void nested(long n)
{
	volatile char *p = room(9 * n);

#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp task
		nest(p, n, 9);
	}
}

/* A region is open when the program ends. */
static void ends(long n)
{
	volatile char *p = room(n);

#pragma omp parallel num_threads(1)
	{
#pragma omp critical
		{
			touch(p, n);
			exit(0);
		}
	}
}

int main(int argc, char **argv)
{
	static const struct { const char *name; void (*run)(long n); } runs_of[] = {
		{ "faults", faults }, { "clocks", clocks }, { "sleeps", sleeps }, { "events", events }, { "forks", forks },
		{ "threads", threads }, { "closes", closes }, { "tasks", tasks }, { "nested", nested },
		{ "ends", ends }
	};
	size_t i;

	page_bytes = sysconf(_SC_PAGESIZE);
	for (i = 0; argc == 3 && i < sizeof(runs_of) / sizeof(runs_of[0]); i++)
		if (!strcmp(argv[1], runs_of[i].name)) {
			runs_of[i].run(atol(argv[2]));
			return 0;
		}
	return 2;
}

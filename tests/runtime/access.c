/*
 * access: accesses from everywhere that code of a program can run, in known numbers: a constructor, a signal handler in
 * the midst of other accesses, after longjmp, a tail recursion that only constant stack survives, a thread that is
 * ending, a forked child, inside and outside of teams, while measuring is off; and blocks that are freed and moved.
 * Writes the number of signals to the file "ticks".
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ompp.h>

enum { N = 1000, ROUNDS = 3000, DEPTH = 10000000, OWN = 64 };

static volatile long early[16];          /* or clang runs the constructor itself */
static long work[N], jumped[8], deep[N], shared[N];
static volatile long ticks, handled[8];
static pthread_key_t key;

#pragma omp inst data(early)
#pragma omp inst data(jumped)

__attribute__((constructor)) static void first(void)
{
	for (int i = 0; i < 16; i++)
		early[i] = i;
}

static void tick(int signal)
{
	(void)signal;
	ticks++;
	handled[ticks % 8]++;
}

__attribute__((noinline)) static long fall(long n, long sum)
{
	if (!n)
		return sum;
	deep[n % N] = sum;
	return fall(n - 1, sum + 1);
}

static void at_end(void *p)
{
	for (int i = 0; i < OWN; i++)
		((long *)p)[i]++;
}

static void *thread(void *p)
{
	pthread_setspecific(key, p);
	return p;
}

static void interrupted(void)
{
	struct itimerval often = { { 0, 100 }, { 0, 100 } }, never = { { 0, 0 }, { 0, 0 } };

#pragma omp inst data(work)
#pragma omp inst data(handled)
	signal(SIGALRM, tick);
	setitimer(ITIMER_REAL, &often, NULL);
	for (int k = 0; k < ROUNDS || ticks < 5; k++)
		for (int i = 0; i < N; i++)
			work[i] += k;
	setitimer(ITIMER_REAL, &never, NULL);
	signal(SIGALRM, SIG_DFL);
}

static void jump(void)
{
	jmp_buf where;
	volatile int n = 0;

	if (setjmp(where) < 3) {
		jumped[n] = n;
		n++;
		longjmp(where, n);
	}
}

static void ending_thread(void)
{
	long *own = calloc(OWN, sizeof(*own));
	pthread_t t;

	pthread_key_create(&key, at_end);
#pragma omp inst data(own, OWN * sizeof(*own), "own")
	pthread_create(&t, NULL, thread, own);
	pthread_join(t, NULL);
	free(own);
}

/* Counted under the name: 10 in the block, 20 after it moved, 30 in what it grew by; not the 40 in what came after it
 * was freed. */
static void moving(void)
{
	volatile long *block = malloc(N * sizeof(*block)), *more;

#pragma omp inst data(block, N * sizeof(*block), "block")
	for (int i = 0; i < 10; i++)
		block[i] = i;
	more = malloc(100);                     /* so that it has to move */
	block = realloc((void *)(size_t)block, 1000 * N * sizeof(*block));
	for (int i = 0; i < 20; i++)
		block[i] = i;
	for (int i = 0; i < 30; i++)
		block[N + i] = i;
	free((void *)(size_t)block);
	free((void *)(size_t)more);
	block = malloc(1000 * N * sizeof(*block));
	for (int i = 0; i < 40; i++)
		block[i] = i;
	free((void *)(size_t)block);
}

/* Recursion with an array of its own each: 3 + 2 + 1 stores. */
static void automatic(int n)
{
	volatile long local[8];

#pragma omp inst data(local)
	for (int i = 0; i < n; i++)
		local[i] = i;
	if (n > 1)
		automatic(n - 1);
}

static void child(void)
{
	pid_t pid;
	int status;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		for (int i = 0; i < 10; i++)
			work[i] = i;
#pragma omp parallel num_threads(2)
		((volatile long *)work)[500]++;
		exit(3);
	}
	waitpid(pid, &status, 0);
	printf("child %d\n", WEXITSTATUS(status));
}

int main(void)
{
	FILE *f;

	interrupted();
	jump();
	printf("fallen %ld\n", fall(DEPTH, 0));
	ending_thread();
	moving();
	automatic(3);
	child();
#pragma omp inst data(shared)
#pragma omp inst data(shared + N / 2, N / 2 * sizeof(long), "half")
#pragma omp parallel for num_threads(2) schedule(static)
	for (int i = 0; i < N; i++)
		shared[i] = i;
	ompp_off();
	for (int i = 0; i < N; i++)
		shared[i]++;
	ompp_on();
#pragma omp inst data end("shared")
	for (int i = 0; i < N; i++)
		shared[i] ^= i;                 /* the half alone */
	f = fopen("ticks", "w");
	fprintf(f, "%ld\n", ticks);
	fclose(f);
	return 0;
}

/*
 * Storm: one construct very often with next to nothing inside, in the ways that programs have it.
 * Usage: storm KIND N [DEPTH]; prints the CPU time in seconds that the threads of the parallel region took.
 *
 *   fib      N as in fib(N): a task a call but for the smallest, recursion and taskwait; other threads steal
 *   chain    N tasks below DEPTH tasks that enclose each other
 *   spawn    N tasks of one thread for all
 *   miss     N tasks beside loads from DEPTH MiB in no order, none of which waits for another
 *   atomic   N additions to one variable by each thread          alone   to a variable of its own
 *   critical N by each thread
 *   queens   N queens on a board, a task for each that is put there; each copies the board
 *   uts      an unbalanced tree of some N nodes, a task for each: how many children one has is drawn by its place
 *   sort     N numbers, merged, a task for each half down to 32
 *   blocks   N rows of blocks of a triangle, which are worked on as LU does, a task for each, by depend
 *   health   N days of villages in a tree of four levels, a task for each village and day
 *            of these, "# " and how many tasks they were is printed, too
 *   loop     N worksharing loops of two iterations a thread
 *   barrier  N
 */
#define _GNU_SOURCE
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static long n, depth, shared_sum;
static volatile int sink;
static double before; /* of each thread: where the construct's own work began */
#pragma omp threadprivate(before)

static double thread_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static long fib(long i)
{
	long a, b;

	if (i < 2)
		return i;
#pragma omp task shared(a)
	a = fib(i - 1);
#pragma omp task shared(b)
	b = fib(i - 2);
#pragma omp taskwait
	return a + b;
}

static void chain(long level)
{
	long i;

	if (level) {
#pragma omp task if(0)
		chain(level - 1);
		return;
	}
	for (i = 0; i < n; i++) {
#pragma omp task if(0)
		sink;
	}
}

static void run_fib(void)
{
#pragma omp single
	printf("# %ld\n", fib(n));
}

static void run_chain(void)
{
#pragma omp single
	chain(depth);
}

static void run_spawn(void)
{
	long i;

#pragma omp single
	for (i = 0; i < n; i++) {
#pragma omp task
		sink;
	}
}

static void run_miss(void)
{
	size_t n_lines = (size_t)depth << 14, at = 1;
	char *lines = malloc(n_lines * 64);

	memset(lines, 1, n_lines * 64);
	before = thread_seconds();
	for (long i = 0; i < n; i++) {
		at = at * 6364136223846793005u + 1442695040888963407u;
#pragma omp task if(0) firstprivate(at)
		shared_sum += lines[(at >> 32) % n_lines * 64];
	}
	free(lines);
}

static long n_tasks; /* of the kinds that follow; each task adds what is below it to what it returns */

enum { MOST_QUEENS = 16, SORT_LEAST = 32, BLOCK = 4, VILLAGES = 5, LEVELS = 4 };

static long queens(long row, const signed char *board)
{
	long count[MOST_QUEENS] = { 0 }, all = 1;

	for (signed char column = 0; row < n && column < n; column++) {
		int is_free = 1;

		for (long i = 0; i < row; i++)
			is_free &= board[i] != column && labs(board[i] - column) != row - i;
		if (!is_free)
			continue;
#pragma omp task shared(count) firstprivate(column)
		{
			signed char next[MOST_QUEENS];

			memcpy(next, board, (size_t)row);
			next[row] = column;
			count[column] = queens(row + 1, next);
		}
	}
#pragma omp taskwait
	for (long i = 0; i < n; i++)
		all += count[i];
	return all;
}

static void run_queens(void)
{
	static const signed char board[MOST_QUEENS];

#pragma omp single
	n_tasks = queens(0, board) - 1;
}

static unsigned long drawn(unsigned long state)
{
	state = (state ^ state >> 29) * 0xBF58476D1CE4E5B9ul;
	return state ^ state >> 32;
}

/* A node has no child four times of five, else five: so trees have all sizes. */
static long uts(unsigned long state)
{
	long count[5] = { 0 };

	if (drawn(state) % 1000 >= 199)
		return 1;
	for (int i = 0; i < 5; i++) {
#pragma omp task shared(count) firstprivate(i)
		count[i] = uts(drawn(state * 5 + (unsigned long)i + 1));
	}
#pragma omp taskwait
	return 1 + count[0] + count[1] + count[2] + count[3] + count[4];
}

static void run_uts(void)
{
#pragma omp single
	{
		long all = 0;

		for (unsigned long root = 1; all < n; root++) {
			long one = 0;

#pragma omp task shared(one)
			one = uts(drawn(root * 77));
#pragma omp taskwait
			all += one;
		}
		n_tasks = all;
	}
}

static long sort(int *from, int *to, long length)
{
	long half = length / 2, low = 0, high = half, a = 0, b = 0;

	if (length <= SORT_LEAST) {
		for (long i = 1; i < length; i++)
			for (long k = i; k && from[k - 1] > from[k]; k--) {
				int t = from[k];

				from[k] = from[k - 1];
				from[k - 1] = t;
			}
		return 1;
	}
#pragma omp task shared(a)
	a = sort(from, to, half);
#pragma omp task shared(b)
	b = sort(from + half, to + half, length - half);
#pragma omp taskwait
	for (long i = 0; i < length; i++)
		to[i] = low < half && (high == length || from[low] <= from[high]) ? from[low++] : from[high++];
	memcpy(from, to, (size_t)length * sizeof(*from));
	return 1 + a + b;
}

static void run_sort(void)
{
#pragma omp single
	{
		int *numbers = malloc(2 * (size_t)n * sizeof(*numbers));

		for (long i = 0; i < n; i++)
			numbers[i] = (int)(drawn((unsigned long)i + 1) >> 33);
		n_tasks = sort(numbers, numbers + n, n) - 1;
		free(numbers);
	}
}

static void work_on(double *block, const double *left, const double *above)
{
	for (int i = 0; i < BLOCK; i++)
		for (int k = 0; k < BLOCK; k++)
			block[i * BLOCK + k] -= left[i * BLOCK + k] * above[k * BLOCK + i] * 0.01;
}

static void run_blocks(void)
{
#pragma omp single
	{
		double(*all)[BLOCK * BLOCK] = calloc((size_t)(n * n), sizeof(*all));
		long count = 0;

		for (long k = 0; k < n; k++) {
#pragma omp task depend(inout : all[k * n + k])
			work_on(all[k * n + k], all[k * n + k], all[k * n + k]);
			for (long i = k + 1; i < n; i++) {
#pragma omp task depend(in : all[k * n + k]) depend(inout : all[i * n + k])
				work_on(all[i * n + k], all[i * n + k], all[k * n + k]);
			}
			for (long i = k + 1; i < n; i++) {
#pragma omp task depend(in : all[i * n + k], all[k * n + k]) depend(inout : all[i * n + i])
				work_on(all[i * n + i], all[i * n + k], all[k * n + k]);
			}
			count += 1 + 2 * (n - k - 1);
		}
#pragma omp taskwait
		n_tasks = count;
		free(all);
	}
}

static long village(long level, unsigned long state)
{
	long count[VILLAGES] = { 0 }, all = 1;
	int sick = 0;

	for (int i = 0; level && i < VILLAGES; i++) {
#pragma omp task shared(count) firstprivate(i)
		count[i] = village(level - 1, drawn(state + (unsigned long)i));
	}
	for (int i = 0; i < 20; i++)
		sick += drawn(state * 31 + (unsigned long)i) % 100 < 3;
	sink = sick;
#pragma omp taskwait
	for (int i = 0; i < VILLAGES; i++)
		all += count[i];
	return all;
}

static void run_health(void)
{
#pragma omp single
	for (long day = 0; day < n; day++)
		n_tasks += village(LEVELS, (unsigned long)day + 1) - 1;
}

static void run_atomic(void)
{
	long i;

	for (i = 0; i < n; i++) {
#pragma omp atomic
		shared_sum++;
	}
}

static void run_alone(void)
{
	long sum = 0, i;

	for (i = 0; i < n; i++) {
#pragma omp atomic
		sum++;
	}
	sink = sum != n;
}

static void run_critical(void)
{
	long i;

	for (i = 0; i < n; i++) {
#pragma omp critical
		shared_sum++;
	}
}

static void run_loop(void)
{
	long i, k;

	for (i = 0; i < n; i++) {
#pragma omp for nowait
		for (k = 0; k < 2 * omp_get_num_threads(); k++)
			sink;
	}
}

static void run_barrier(void)
{
	long i;

	for (i = 0; i < n; i++) {
#pragma omp barrier
	}
}

int main(int argc, char **argv)
{
	static const struct { const char *name; void (*run)(void); } all[] = {
		{ "fib", run_fib }, { "chain", run_chain }, { "spawn", run_spawn }, { "atomic", run_atomic },
		{ "alone", run_alone }, { "critical", run_critical }, { "loop", run_loop },
		{ "barrier", run_barrier }, { "queens", run_queens }, { "uts", run_uts }, { "sort", run_sort },
		{ "blocks", run_blocks }, { "health", run_health }, { "miss", run_miss },
	};
	double seconds = 0;
	size_t i;

	if (argc < 3)
		return 2;
	n = atol(argv[2]);
	depth = argc > 3 ? atol(argv[3]) : 0;
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (!strcmp(argv[1], all[i].name)) {
			void (*run)(void) = all[i].run;

#pragma omp parallel reduction(+ : seconds)
			{
				before = thread_seconds();
				run();
#pragma omp barrier
				seconds += thread_seconds() - before;
			}
			if (n_tasks)
				printf("# %ld\n", n_tasks);
			printf("%.9f\n", seconds);
			return 0;
		}
	return 2;
}

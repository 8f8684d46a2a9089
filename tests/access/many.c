/*
 * many: 64 threads count accesses to 100,000 objects, while all of them set, move and end ranges.
 *
 * Object k is loaded by thread k % THREADS and stored to by thread (k + 1) % THREADS, word by word, in each round.  Each
 * thread has a range `mine` that it moves between two buffers: what it does with the buffer that has the name counts, with
 * the other not.  And each names objects of its own that have never been there before, and ends them.
 *
 * `many` prints what is to be counted: lines "name-pattern objects loads stores", loads and stores of each object.
 */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <ompp.h>

enum { THREADS = 64, OBJECTS = 100000, WORDS = 8, ROUNDS = 3, EACH = 100, BUFFER = 24, NEW = 10 };

static uint64_t pool[OBJECTS][WORDS], sums[THREADS][8], buffers[THREADS][2][BUFFER], news[THREADS][NEW][BUFFER];

static uint64_t load(const volatile uint64_t *words, int n)
{
	uint64_t sum = 0;
	int i;

	for (i = 0; i < n; i++)
		sum += words[i];
	return sum;
}

static void store(volatile uint64_t *words, int n, uint64_t value)
{
	int i;

	for (i = 0; i < n; i++)
		words[i] = value;
}

/* The range is at buffer k after the call; the other one is no longer counted. */
static uint64_t move(int thread, int k)
{
	ompp_data_begin(buffers[thread][k], sizeof(buffers[thread][k]), "mine");
	store(buffers[thread][k], BUFFER, 1);
	store(buffers[thread][!k], BUFFER, 1);
	return load(buffers[thread][k], BUFFER) + load(buffers[thread][!k], BUFFER);
}

static uint64_t name_new(int thread, int k)
{
	char name[32];
	uint64_t sum;

	snprintf(name, sizeof(name), "new.%d.%d", thread, k);
	ompp_data_begin(news[thread][k], sizeof(news[thread][k]), name);
	sum = load(news[thread][k], BUFFER);
	ompp_data_end(name);
	return sum + load(news[thread][k], BUFFER);
}

static void work(int thread)
{
	uint64_t sum = 0;
	int round, k, n_moves = 0;

	for (round = 0; round < ROUNDS; round++) {
		for (k = thread; k < OBJECTS; k += THREADS) {
			sum += load(pool[k], WORDS);
			if (k / THREADS % EACH == 0)
				sum += move(thread, n_moves++ & 1);
		}
		for (k = (thread + THREADS - 1) % THREADS; k < OBJECTS; k += THREADS) {
			store(pool[k], WORDS, sum);
			if (k / THREADS % (OBJECTS / THREADS / NEW) == 0 && k / THREADS / (OBJECTS / THREADS / NEW) < NEW &&
			    round == ROUNDS - 1)
				sum += name_new(thread, k / THREADS / (OBJECTS / THREADS / NEW));
		}
	}
	sums[thread][0] = sum;
}

int main(void)
{
	char name[32];
	uint64_t n_moves = 0;
	int k;

	for (k = 0; k < OBJECTS; k++) {
		snprintf(name, sizeof(name), "o.%d", k);
		ompp_data_begin(pool[k], sizeof(pool[k]), name);
		n_moves += k / THREADS % EACH == 0;
	}
#pragma omp parallel num_threads(THREADS)
	{
		if (omp_get_num_threads() != THREADS)
			abort();
		work(omp_get_thread_num());
	}
	printf("o. %d %d %d\n", OBJECTS, ROUNDS * WORDS, ROUNDS * WORDS);
	printf("mine 1 %lu %lu\n", (unsigned long)(ROUNDS * n_moves * BUFFER), (unsigned long)(ROUNDS * n_moves * BUFFER));
	printf("new. %d %d %d\n", THREADS * NEW, BUFFER, 0);
	return 0;
}

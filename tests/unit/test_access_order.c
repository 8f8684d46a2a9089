/*
 * Access, order: loops whose accesses are known before they run, by chance, over objects that begin and end anywhere in
 * lines.  What they count and how they miss in the modelled caches is what the same accesses give one by one, in
 * another process.
 */
#include "tests/unit/steps.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/access/access.h"
#include "runtime/data/order.h"
#include "runtime/data/segment.h"
#include "runtime/data/tally.h"
#include "runtime/ompp.h"

enum { BYTES = 1 << 16, N_LOOPS = 4000, FEW = 6, MANY = 40, MOST_SIZE = 4, MOST_STEP = 300 };

static char memory[BYTES] __attribute__((aligned(4096)));
static uint64_t state;

static uint64_t random_below(uint64_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 20) % n;
}

/* Names memory from anywhere to anywhere, so that lines have several objects, and none. */
static void name_by_chance(void)
{
	static const char *const names[] = { "a", "b", "c", "d", "e", "f" };
	size_t lo = random_below(BYTES - 1), n = 1 + random_below(random_below(2) ? 100 : BYTES - lo);

	ompp_data_begin(memory + lo, n < BYTES - lo ? n : BYTES - lo, names[random_below(OMPP_COUNT_OF(names))]);
}

/* Chooses an access whose n times stay in memory; often it is aligned, as programs' are. */
static struct ompp_ordered_access access_by_chance(size_t n)
{
	uint64_t size = random_below(MOST_SIZE + 1), unit = random_below(4) ? UINT64_C(1) << size : 1;
	int64_t step = ((int64_t)random_below(2 * MOST_STEP) - MOST_STEP) / (int64_t)unit * (int64_t)unit;
	int64_t all = (int64_t)(n ? n - 1 : 0) * step;
	uint64_t from;

	while (all > BYTES / 2 || all < -BYTES / 2) {
		step = step / 2 / (int64_t)unit * (int64_t)unit;
		all = (int64_t)(n - 1) * step;
	}
	from = random_below((uint64_t)(BYTES - 16 - (all < 0 ? -all : all))) / unit * unit;
	return (struct ompp_ordered_access){ .base = (uintptr_t)memory + from + (uint64_t)(all < 0 ? -all : 0),
		                             .step = (size_t)step,
		                             .n = n,
		                             .how = size | (random_below(2) ? OMPP_ORDERED_STORE : 0) };
}

static void loop_by_chance(void)
{
	struct ompp_ordered_access list[MANY];
	size_t n_list = 1 + random_below(random_below(100) ? FEW : MANY), n = random_below(random_below(4) ? 40 : 400);

	for (size_t i = 0; i < n_list; i++)
		list[i] = access_by_chance(random_below(4) ? n : random_below(n + 1));
	for (uint64_t again = 1 + random_below(3); again > 0; again--) /* loops in loops come again */
		ompp_access_in_order(list, n_list, 1);
}

/* Writes each other page before all others do, in a thread. */
static void *write_pages(void *unused)
{
	struct ompp_ordered_access store = { (uintptr_t)memory, 2 * 4096, BYTES / (2 * 4096), OMPP_ORDERED_STORE };

	(void)unused;
	ompp_access_in_order(&store, 1, 1);
	return NULL;
}

/* Makes all accesses, and writes what the profile has of them. */
static void make_accesses(const char *caches, int in_order, int fd)
{
	const struct ompp_profile *p;
	pthread_t other;

	option("OMPP_CACHE", caches);
	state = 88172645463325252u;
	ompp_access_made(0);
	name_by_chance();
	if (!ompp_access_ordered)
		_exit(2);
	ompp_access_ordered = in_order;
	if (pthread_create(&other, NULL, write_pages, NULL) || pthread_join(other, NULL))
		_exit(3);
	for (int i = 0; i < N_LOOPS; i++) {
		if (!random_below(20))
			name_by_chance();
		loop_by_chance();
	}
	p = collect();
	for (size_t i = 0; i < p->n_accesses; i++) {
		dprintf(fd, "%s:", p->objects[p->accesses[i].object].name);
		for (int k = 0; k < OMPP_N_ACCESS_FIELDS; k++)
			dprintf(fd, " %" PRId64, p->accesses[i].values[k]);
		dprintf(fd, "\n");
	}
	/* the steps from miss to miss, of which the profile has only clear ones */
	for (const struct ompp_tally *y = ompp_access_tally; y; y = y->older)
		for (uint32_t cover = 0; cover < y->n_rows; cover++) {
			const uint64_t *words = (const uint64_t *)(const void *)((const char *)y +
			                                                         ompp_cover_row(cover));

			for (int k = OMPP_SLOT_MISS; k < OMPP_N_MODEL_SLOTS; k++)
				dprintf(fd, "%" PRIu64 "%c", words[k], k == OMPP_N_MODEL_SLOTS - 1 ? '\n' : ' ');
		}
}

/* Returns how many bytes a process wrote that made all accesses. */
static size_t read_accesses(const char *caches, int in_order, char *to, size_t n_bytes)
{
	int ends[2], status;
	size_t n = 0;
	ssize_t more;
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		make_accesses(caches, in_order, ends[1]);
		_exit(0);
	}
	close(ends[1]);
	while ((more = read(ends[0], to + n, n_bytes - n)) > 0)
		n += (size_t)more;
	close(ends[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	return n;
}

static void test_order(void **unused)
{
	/* sets of two ways, of ways with an order, and of one; of short lines, and with further levels; and what the
	 * shorter way does not know: another number of sets, long lines */
	static const char *const caches[] = { "L1=1K/2/64",   "L1=2K/8/64,L2=8K/4/64",
		                              "L1=128/1/64",  "L1=512/4/32,L3=4K/8/64",
		                              "L1=1536/2/64", "L1=4K/4/512" };
	static char in_order[1 << 16], each[1 << 16];

	(void)unused;
	for (size_t i = 0; i < OMPP_COUNT_OF(caches); i++) {
		size_t n = read_accesses(caches[i], 1, in_order, sizeof(in_order) - 1);

		in_order[n] = '\0';
		assert_true(n > 0 && n < sizeof(in_order) - 1);
		each[read_accesses(caches[i], 0, each, sizeof(each) - 1)] = '\0';
		assert_string_equal(in_order, each);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

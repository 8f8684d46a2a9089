/*
 * Journal: readers get each line once and in order, behind what it needs; the oldest lines go, and who was too slow is
 * told so.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reports/watch/journal.h"

#define HEADER  "{\"ompp\":\"recording\",\"version\":1}\n"
#define SENSORS "{\"sensor\":\"a\"}\n{\"sensor\":\"b\"}\n{\"columns\":[]}\n"
#define OTHERS  "{\"sensor\":\"c\"}\n{\"columns\":[]}\n"

static char got[1 << 16];

static void take(void *to, const struct ompp_journal_piece *piece)
{
	size_t n = strlen(got);

	(void)to;
	snprintf(got + n, sizeof(got) - n, "%d %llu %.*s|", (int)piece->kind, (unsigned long long)piece->number,
	         (int)piece->n_bytes, piece->text);
}

static const char *read_all(struct ompp_journal *j, struct ompp_journal_cursor *c)
{
	got[0] = '\0';
	while (ompp_journal_read(j, c, take, NULL))
		;
	return got;
}

static void add(struct ompp_journal *j, const char *lines)
{
	ompp_journal_add(j, lines, strlen(lines));
}

static void test_order(void **state)
{
	struct ompp_journal *j = ompp_journal_open(1 << 20, 0);
	struct ompp_journal_cursor first = { 0 }, late = { 0 }, back = { .next = 3 };

	(void)state;
	assert_string_equal(read_all(j, &first), "");
	add(j, HEADER);
	assert_string_equal(read_all(j, &first), ""); /* nothing needs it yet */
	add(j, SENSORS "{\"t\":1}\n");
	assert_string_equal(read_all(j, &first), "0 0 " HEADER "|0 0 " SENSORS "|0 1 {\"t\":1}\n|");
	assert_string_equal(read_all(j, &first), "");
	add(j, "{\"t\":2}\n{\"label\":\"x\"}\n");
	assert_string_equal(read_all(j, &first), "0 2 {\"t\":2}\n|0 3 {\"label\":\"x\"}\n|");
	/* Other columns stand before the first line that needs them, for each reader. */
	add(j, OTHERS "{\"t\":4}\n");
	assert_string_equal(read_all(j, &first), "0 0 " OTHERS "|0 4 {\"t\":4}\n|");
	assert_string_equal(read_all(j, &late),
	                    "0 0 " HEADER "|0 0 " SENSORS
	                    "|0 1 {\"t\":1}\n|0 2 {\"t\":2}\n|0 3 {\"label\":\"x\"}\n|0 0 " OTHERS "|0 4 {\"t\":4}\n|");
	assert_string_equal(read_all(j, &back),
	                    "0 0 " HEADER "|0 0 " SENSORS "|0 3 {\"label\":\"x\"}\n|0 0 " OTHERS "|0 4 {\"t\":4}\n|");
	/* Another recording has columns of its own. */
	add(j, HEADER "{\"t\":0}\n");
	assert_string_equal(read_all(j, &first), "0 0 " HEADER "|0 5 {\"t\":0}\n|");
	ompp_journal_close(j);
}

static void test_state(void **state)
{
	struct ompp_journal *j = ompp_journal_open(1 << 20, 0);
	struct ompp_journal_cursor c = { 0 };

	(void)state;
	ompp_journal_set(j, OMPP_JOURNAL_CATALOG, "all", 3);
	ompp_journal_set(j, OMPP_JOURNAL_STATE, "one", 3);
	add(j, HEADER SENSORS "{\"t\":1}\n");
	assert_string_equal(read_all(j, &c), "1 0 one|2 0 all|0 0 " HEADER "|0 0 " SENSORS "|0 1 {\"t\":1}\n|");
	ompp_journal_set(j, OMPP_JOURNAL_STATE, "two", 3);
	ompp_journal_set(j, OMPP_JOURNAL_STATE, "three", 5);
	assert_string_equal(read_all(j, &c), "1 0 three|");
	ompp_journal_close(j);
}

/* Adds a sample whose numbers compress badly, and are known by its time. */
static void add_sample(struct ompp_journal *j, void (*to)(void *, const char *, size_t), unsigned long long t)
{
	char line[64];
	unsigned long long mixed = t * 0x9e3779b97f4a7c15ULL;

	mixed ^= mixed >> 29;
	to(j, line,
	   (size_t)snprintf(line, sizeof(line), "{\"t\":%llu,\"dt\":%016llx}\n", t, mixed * 0xbf58476d1ce4e5b9ULL));
}

static unsigned long long n_samples, last_time;
static int is_disordered;

/* Counts samples, which come in order, and are whole. */
static void count(void *to, const struct ompp_journal_piece *piece)
{
	unsigned long long t;
	char wanted[64];

	(void)to;
	if (piece->kind != OMPP_JOURNAL_LINE || sscanf(piece->text, "{\"t\":%llu", &t) != 1)
		return;
	snprintf(wanted, sizeof(wanted), "{\"t\":%llu,\"dt\":%016llx}\n", t,
	         ((t * 0x9e3779b97f4a7c15ULL) ^ ((t * 0x9e3779b97f4a7c15ULL) >> 29)) * 0xbf58476d1ce4e5b9ULL);
	is_disordered |= (t <= last_time && n_samples) || piece->n_bytes != strlen(wanted) ||
	                 memcmp(piece->text, wanted, piece->n_bytes) != 0;
	last_time = t;
	n_samples++;
}

static void read_samples(struct ompp_journal *j, struct ompp_journal_cursor *c)
{
	n_samples = last_time = 0;
	is_disordered = 0;
	while (ompp_journal_read(j, c, count, NULL))
		;
	assert_false(is_disordered);
}

static void test_bound(void **state)
{
	struct ompp_journal *j = ompp_journal_open(200000, 0);
	struct ompp_journal_cursor slow = { 0 }, late = { 0 }, future = { .next = 1000000 };
	char wanted[200];
	uint64_t n_gone;

	(void)state;
	add(j, HEADER SENSORS);
	add_sample(j, ompp_journal_add, 0);
	read_all(j, &slow);
	for (unsigned int i = 1; i < 50000; i++)
		add_sample(j, ompp_journal_add, i);
	n_gone = ompp_journal_n_gone(j);
	assert_in_range(n_gone, 10000, 46000);
	snprintf(wanted, sizeof(wanted), "3 0 %llu|0 %llu {\"t\":%llu,", (unsigned long long)n_gone - 1,
	         (unsigned long long)n_gone + 1, (unsigned long long)n_gone);
	assert_memory_equal(read_all(j, &slow), wanted, strlen(wanted));
	/* Who comes late begins with what there is, and misses nothing; the lines that it needs are still there. */
	snprintf(wanted, sizeof(wanted), "0 0 " HEADER "|0 0 " SENSORS "|0 %llu ", (unsigned long long)n_gone + 1);
	assert_memory_equal(read_all(j, &late), wanted, strlen(wanted));
	assert_memory_equal(read_all(j, &future), wanted, strlen(wanted));
	assert_int_equal(late.next, 50001);
	late = (struct ompp_journal_cursor){ 0 };
	read_samples(j, &late);
	assert_int_equal(n_samples, 50000 - n_gone);
	assert_int_equal(last_time, 49999);
	ompp_journal_close(j);
}

/* What has gone is there as older lines: to who comes late, and behind what it has had to who was too slow. */
static void test_older(void **state)
{
	struct ompp_journal *j = ompp_journal_open(200000, 100000);
	struct ompp_journal_cursor slow = { 0 }, late = { 0 };
	uint64_t n_gone;

	(void)state;
	add(j, HEADER SENSORS);
	ompp_journal_add_older(j, HEADER SENSORS, strlen(HEADER SENSORS));
	for (unsigned int i = 1; i <= 50000; i++) {
		add_sample(j, ompp_journal_add, i);
		if (i % 100 == 0)
			add_sample(j, ompp_journal_add_older, i);
		if (i == 5050) {
			read_samples(j, &slow);
			assert_int_equal(n_samples, 5050); /* none of them older, as nothing has gone */
		}
	}
	n_gone = ompp_journal_n_gone(j); /* the last one has the time n_gone */
	assert_in_range(n_gone, 10000, 46000);
	read_samples(j, &late);
	/* Up to the first that is not before what is there; what is in that one does not come again. */
	assert_int_equal(n_samples, n_gone / 100 + 1 + 50000 - (n_gone / 100 + 1) * 100);
	assert_int_equal(last_time, 50000);
	read_samples(j, &late);
	assert_int_equal(n_samples, 0);
	read_samples(j, &slow);
	assert_int_equal(n_samples, n_gone / 100 + 1 - 50 + 50000 - (n_gone / 100 + 1) * 100);
	add_sample(j, ompp_journal_add, 50001);
	read_samples(j, &slow);
	assert_int_equal(n_samples, 1);
	/* Threads have the time of their sample, and come behind it. */
	add(j, "{\"t\":50001,\"regions\":[]}\n");
	assert_string_equal(read_all(j, &slow), "0 50002 {\"t\":50001,\"regions\":[]}\n|");
	ompp_journal_close(j);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_order), cmocka_unit_test(test_state),
		                            cmocka_unit_test(test_bound), cmocka_unit_test(test_older) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

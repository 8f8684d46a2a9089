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

#include "reports/ompp/journal.h"

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
	struct ompp_journal *j = ompp_journal_open(1 << 20);
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
	struct ompp_journal *j = ompp_journal_open(1 << 20);
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

static void test_bound(void **state)
{
	struct ompp_journal *j = ompp_journal_open(100000);
	struct ompp_journal_cursor slow = { 0 }, late = { 0 }, future = { .next = 1000000 };
	char line[64], wanted[200];
	uint64_t n_gone;

	(void)state;
	add(j, HEADER SENSORS "{\"t\":0}\n");
	read_all(j, &slow);
	for (int i = 1; i < 5000; i++) {
		snprintf(line, sizeof(line), "{\"t\":%d}\n", i);
		add(j, line);
	}
	n_gone = ompp_journal_n_gone(j);
	assert_in_range(n_gone, 3000, 4990);
	snprintf(wanted, sizeof(wanted), "3 0 %llu|0 %llu {\"t\":%llu}\n|", (unsigned long long)n_gone - 1,
	         (unsigned long long)n_gone + 1, (unsigned long long)n_gone);
	assert_memory_equal(read_all(j, &slow), wanted, strlen(wanted));
	/* Who comes late begins with what there is, and misses nothing; the lines that it needs are still there. */
	snprintf(wanted, sizeof(wanted), "0 0 " HEADER "|0 0 " SENSORS "|0 %llu ", (unsigned long long)n_gone + 1);
	assert_memory_equal(read_all(j, &late), wanted, strlen(wanted));
	assert_memory_equal(read_all(j, &future), wanted, strlen(wanted));
	assert_int_equal(late.next, 5001);
	ompp_journal_close(j);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_order), cmocka_unit_test(test_state),
		                            cmocka_unit_test(test_bound) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Object: names, numbered names and covers by chance are found again, each once, and what was made before stays as it
 * was; compared with plain lists of them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/data/object.h"

enum { STEPS = 6000, MOST_NAMES = 2000, N_WORDS = 40, MOST_SETS = 3000, MOST_MEMBERS = 5, NAME_BYTES = 64 };

/* The names of objects by their index, and how many ranges of each are in force. */
static char names[MOST_NAMES][NAME_BYTES];
static uint32_t n_live[MOST_NAMES];
static uint32_t n_names;

/* The sets of objects by the index of their cover. */
static struct {
	uint32_t members[MOST_MEMBERS], n, tracked;
} sets[MOST_SETS];
static uint32_t n_sets;

static uint32_t below(uint32_t n)
{
	static uint64_t state = 88172645463325252u;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 33) % n;
}

/* Returns the index of a name in the list; n_names when it is none of them. */
static uint32_t listed(const char *name)
{
	uint32_t i = 0;

	while (i < n_names && strcmp(names[i], name) != 0)
		i++;
	return i;
}

/* Notes an object, which is the one that the list has for the name, or the next one. */
static void expect_object(const struct ompp_object_def *def, const char *name)
{
	uint32_t i = listed(name);

	assert_non_null(def);
	assert_int_equal(def->index, i);
	assert_string_equal(def->name, name);
	if (i == n_names)
		strcpy(names[n_names++], name);
	assert_int_equal(ompp_n_objects, n_names);
	assert_ptr_equal(ompp_object(i), def);
}

static void name_by_chance(char name[NAME_BYTES])
{
	snprintf(name, NAME_BYTES, "%.*s%u", (int)below(30), "a_name_that_may_be_rather_long_", below(N_WORDS));
}

static void use_name(void)
{
	char name[NAME_BYTES];
	struct ompp_object_def *found;

	name_by_chance(name);
	found = ompp_object_find(name);
	assert_int_equal(found != NULL, listed(name) < n_names);
	expect_object(ompp_object_named(name, OMPP_ORIGIN_CALL), name);
	assert_true(!found || found == ompp_object_find(name));
}

/* The next object of a numbered name is the first one that has no range in force. */
static void use_number(void)
{
	char name[NAME_BYTES / 2], numbered[NAME_BYTES];
	struct ompp_numbered *m;
	struct ompp_object_def *def;
	uint32_t number = 0;

	snprintf(name, sizeof(name), "m%u", below(6));
	m = ompp_object_numbered(name, 1);
	assert_non_null(m);
	assert_ptr_equal(ompp_object_numbered(name, 0), m);
	assert_string_equal(m->name, name);
	for (;; number++) {
		snprintf(numbered, sizeof(numbered), "%s[%u]", name, number);
		if (listed(numbered) == n_names || !n_live[listed(numbered)])
			break;
	}
	def = ompp_object_next(m, OMPP_ORIGIN_PRAGMA);
	expect_object(def, numbered);
	assert_int_equal(def->number, number);
	assert_ptr_equal(def->numbered, m);
	def->n_live = n_live[def->index] = 1;
}

/* Ends the range of an object, as runtime/ranges does. */
static void end_number(void)
{
	struct ompp_object_def *def = ompp_object(below(n_names));

	if (!def->numbered || !def->n_live)
		return;
	def->n_live = n_live[def->index] = 0;
	if (def->number < def->numbered->first_free)
		def->numbered->first_free = def->number;
}

static void use_cover(void)
{
	uint32_t members[MOST_MEMBERS], n = 0, i, cover, head, tracked = below(3);

	members[0] = below(n_names < 30 ? n_names : 30);
	for (n = 1; n < MOST_MEMBERS && below(3); n++) {
		members[n] = members[n - 1] + 1 + below(3);
		if (members[n] >= n_names)
			break;
	}
	for (i = 0; i < n_sets; i++)
		if (sets[i].n == n && sets[i].tracked == tracked &&
		    !memcmp(sets[i].members, members, n * sizeof(*members)))
			break;
	head = 12345;
	cover = tracked ? ompp_cover_of_tracked(members, n, tracked, &head) : ompp_cover_of(members, n);
	assert_int_equal(cover, i);
	if (i < n_sets) {
		assert_int_equal(head, 12345);
		return;
	}
	assert_true(n_sets < MOST_SETS);
	memcpy(sets[n_sets].members, members, n * sizeof(*members));
	sets[n_sets].tracked = tracked;
	sets[n_sets++].n = n;
	assert_int_equal(ompp_n_covers, n_sets);
	assert_int_equal(ompp_cover(cover)->next_tracked, tracked ? 12345 : 0);
	assert_int_equal(head, tracked ? cover : 12345);
}

/* All that was made is as it was. */
static void check_all(void)
{
	for (uint32_t i = 0; i < n_names; i++) {
		assert_string_equal(ompp_object(i)->name, names[i]);
		assert_int_equal(ompp_object(i)->index, i);
		assert_int_equal(ompp_object(i)->n_live, n_live[i]);
		assert_ptr_equal(ompp_object_find(names[i]), ompp_object(i));
	}
	for (uint32_t i = 0; i < n_sets; i++) {
		const struct ompp_cover *c = ompp_cover(i);

		assert_int_equal(c->n_objects, sets[i].n);
		assert_int_equal(c->tracked, sets[i].tracked);
		assert_memory_equal(c->objects, sets[i].members, sets[i].n * sizeof(*sets[i].members));
	}
}

static void by_chance(void **state)
{
	(void)state;
	ompp_objects_start();
	strcpy(names[OMPP_OBJECT_OTHER], "(other)");
	strcpy(names[OMPP_OBJECT_STACK], "(stack)");
	n_names = OMPP_OBJECT_FIRST_NAMED;
	assert_int_equal(n_names, 2);
	for (uint32_t i = 0; i < 2; i++) {
		sets[n_sets].members[0] = i;
		sets[n_sets++].n = 1;
	}
	assert_null(ompp_object_numbered("none", 0));
	for (int i = 0; i < STEPS; i++) {
		static void (*const steps[])(void) = { use_name, use_number, end_number, end_number, use_cover };

		steps[below(5)]();
		if (i % 100 == 0)
			check_all();
	}
	check_all();
}

/* Memory is zeroed and aligned, no two pieces share a byte, and a table keeps its entries when it grows. */
static void memory_by_chance(void **state)
{
	enum { PIECES = 3000 };
	static unsigned char *pieces[PIECES];
	static size_t n_bytes[PIECES];
	uint32_t *table = NULL;
	size_t have = 0;

	(void)state;
	for (int i = 0; i < PIECES; i++) {
		n_bytes[i] = 1 + below(below(50) ? 200 : 100000);
		pieces[i] = ompp_data_alloc(n_bytes[i]);
		assert_non_null(pieces[i]);
		assert_int_equal((uintptr_t)pieces[i] % 16, 0);
		for (size_t k = 0; k < n_bytes[i]; k++)
			assert_int_equal(pieces[i][k], 0);
		memset(pieces[i], 1 + i % 255, n_bytes[i]);
		assert_int_equal(ompp_data_grow(&table, &have, (size_t)i + 1, sizeof(*table)), 0);
		assert_true(have > (size_t)i);
		table[i] = (uint32_t)i;
	}
	for (int i = 0; i < PIECES; i++) {
		assert_int_equal(table[i], i);
		for (size_t k = 0; k < n_bytes[i]; k++)
			assert_int_equal(pieces[i][k], 1 + i % 255);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_chance),
		cmocka_unit_test(memory_by_chance),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

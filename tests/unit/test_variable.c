/*
 * Variable: what each compiler makes of a variable's name, and what the name was; lists; damaged symbol tables.
 *
 * This program's own symbols have the names that compilers would make, by asm().
 */
#define _GNU_SOURCE
#include <elf.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "runtime/base/array.h"
#include "runtime/program/variable.h"

#define SYMBOL(variable, symbol, n) __attribute__((used)) char variable[n] __asm__(symbol) = { 1 };
#define LOCAL(variable, symbol, n)  __attribute__((used)) static char variable[n] __asm__(symbol) = { 1 };

extern char v01[], v03[], v04[], v05[], v06[], v07[], v08[], v09[], v30[], v31[], v32[], v40[];

LOCAL(v00, "buf.12", 5000)  /* gcc: static of a function */
SYMBOL(v01, "f.buf", 5001)  /* clang: the same */
LOCAL(v02, "g.buf.3", 5002) /* clang: the second in g */
SYMBOL(v03, "plain", 5003)
SYMBOL(v04, "__field_MOD_grid", 5004) /* gfortran: variable of a module */
SYMBOL(v05, "block_", 5005)           /* gfortran: common block */
SYMBOL(v06, "__BLNK__", 5006)         /* and the one without name */
SYMBOL(v07, "_ZN2ns1vE", 5007)
SYMBOL(v08, "_ZZN2ns1fIiEEiT_E3buf", 5008)
SYMBOL(v09, "_ZZNK12_GLOBAL__N_11CclEiE3buf", 5009)
LOCAL(v10, "twin.lto_priv.0", 5010)    /* gcc: link-time optimisation */
LOCAL(v11, "other.llvm.1234567", 5011) /* clang: the same */
LOCAL(v12, "bare.3.lto_priv.1", 5012)
LOCAL(v13, "a1.b2", 5013)
LOCAL(v14, "_Z3tagB5cxx11", 5014)

/* the compiler's own, which are not listed */
LOCAL(v20, "options.7.0", 5020)
LOCAL(v21, "CSWTCH.5", 5021)
SYMBOL(v30, "_ZTV1C", 5022)
LOCAL(v23, "__PRETTY_FUNCTION__.1", 5023)
SYMBOL(v31, "__field_MOD___vtab_field_T", 5024)
LOCAL(v25, "_ZStL8__ioinit", 5025)
LOCAL(v26, "switch.table.main", 5026)
LOCAL(v27, "_ZNSt3fooE", 5027)
SYMBOL(v32, "DW.ref.__gxx_personality_v0", 5028)

/* and kinst's, of a function of C++ */
LOCAL(v29, "_ZZL10total_massRKSt6vectorI8ParticleSaIS0_EEE9__kinst_0", 5029)

/* Three names of one place: the second has fewer bytes, the third as many as the first. */
SYMBOL(v40, "whole", 5040)
__asm__(".globl part_of_whole\n.set part_of_whole, whole\n.type part_of_whole, @object\n.size part_of_whole, 5035\n"
        ".globl whole_again\n.set whole_again, whole\n.type whole_again, @object\n.size whole_again, 5040");

static const struct {
	size_t n_bytes;
	const char *name;
	unsigned int flags;
} expected[] = {
	{ 5000, "buf", OMPP_VARIABLE_BARE },
	{ 5001, "f.buf", OMPP_VARIABLE_GLOBAL },
	{ 5002, "g.buf", 0 },
	{ 5003, "plain", OMPP_VARIABLE_GLOBAL },
	{ 5004, "field::grid", OMPP_VARIABLE_GLOBAL | OMPP_VARIABLE_FORTRAN },
	{ 5005, "/block/", OMPP_VARIABLE_GLOBAL | OMPP_VARIABLE_FORTRAN },
	{ 5006, "//", OMPP_VARIABLE_GLOBAL | OMPP_VARIABLE_FORTRAN },
	{ 5007, "ns::v", OMPP_VARIABLE_GLOBAL },
	{ 5008, "ns::f<int>.buf", OMPP_VARIABLE_GLOBAL },
	{ 5009, "C::operator().buf", OMPP_VARIABLE_GLOBAL },
	{ 5010, "twin", 0 },
	{ 5011, "other", 0 },
	{ 5012, "bare", OMPP_VARIABLE_BARE },
	{ 5013, "a1.b2", 0 },
	{ 5014, "tag", 0 },
};

static void names_are_those_of_the_source(void **state)
{
	const unsigned int about_name = OMPP_VARIABLE_GLOBAL | OMPP_VARIABLE_BARE | OMPP_VARIABLE_FORTRAN;
	struct ompp_variable_list list;
	struct ompp_variables v;

	(void)state;
	assert_int_equal(ompp_variables_open(&v, "/proc/self/exe", 0), 0);
	assert_int_equal(ompp_variables_list(&v, 5000, &list), 0);
	for (size_t i = 0; i < OMPP_COUNT_OF(expected); i++) {
		const struct ompp_variable *found = NULL;

		for (size_t k = 0; k < list.n; k++)
			if (list.items[k]->n_bytes == expected[i].n_bytes)
				found = list.items[k];
		assert_non_null(found);
		assert_string_equal(found->name, expected[i].name);
		assert_int_equal(found->flags & about_name, expected[i].flags);
		assert_int_equal(found->section, OMPP_IN_DATA);
	}
	for (size_t k = 0; k < list.n; k++)
		assert_false(list.items[k]->n_bytes >= 5020 && list.items[k]->n_bytes < 5030);
	ompp_variables_close(&v);
}

/* Memory is listed once, by the symbol that covers most of it. */
static void a_place_has_one_name(void **state)
{
	struct ompp_variable_list list;
	struct ompp_variables v;
	size_t n_found = 0;

	(void)state;
	assert_int_equal(ompp_variables_open(&v, "/proc/self/exe", 0), 0);
	assert_int_equal(ompp_variables_list(&v, 5000, &list), 0);
	for (size_t k = 0; k < list.n; k++) {
		assert_string_not_equal(list.items[k]->name, "part_of_whole");
		if (strcmp(list.items[k]->name, "whole") && strcmp(list.items[k]->name, "whole_again"))
			continue;
		assert_int_equal(list.items[k]->n_bytes, 5040);
		n_found++;
	}
	assert_int_equal(n_found, 1);
	ompp_variables_close(&v);
}

static void words_end_names(void **state)
{
	static const char *const words[][2] = {
		{ "a", "a" },           { "f.buf", "buf" },  { "ns::C::m", "m" }, { "f(int)::x", "x" },
		{ "/block/", "block" }, { "/block/x", "x" }, { "//", "" },        { "", "" },
		{ "file.c:x", "x" },
	};

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(words); i++) {
		size_t n;
		const char *word = ompp_variable_word(words[i][0], strlen(words[i][0]), &n);

		assert_int_equal(n, strlen(words[i][1]));
		assert_memory_equal(word, words[i][1], n);
	}
}

static void same_names_are_told_apart(void **state)
{
	static const char *const shown[] = { "one.c:x", "two.c:x", "x@0x30", "x@0x40", "x" };
	struct ompp_variable *list[5];
	struct ompp_variables v;

	(void)state;
	assert_int_equal(ompp_variables_open(&v, "/proc/self/exe", 0), 0);
	for (size_t i = 0; i < 5; i++) {
		assert_non_null(ompp_variables_add(&v, "x", 0x10 * (i + 1)));
		v.items[v.n - 1].flags = OMPP_VARIABLE_NAMED;
	}
	for (size_t i = 0; i < 5; i++)
		list[i] = &v.items[v.n - 5 + i];
	list[0]->unit = list[2]->unit = list[3]->unit = "one.c";
	list[1]->unit = "two.c";
	assert_int_equal(ompp_variables_unique(&v, list, 2), 0); /* their files tell them apart */
	assert_string_equal(list[0]->shown, shown[0]);
	assert_string_equal(list[1]->shown, shown[1]);
	assert_int_equal(ompp_variables_unique(&v, list + 2, 2), 0); /* their addresses tell them apart */
	assert_string_equal(list[2]->shown, shown[2]);
	assert_string_equal(list[3]->shown, shown[3]);
	assert_int_equal(ompp_variables_unique(&v, list + 4, 1), 0);
	assert_string_equal(list[4]->shown, shown[4]);
	ompp_variables_close(&v);
}

/* The symbols and their names may contain any bytes. */
static void damage_is_survived(void **state)
{
	struct ompp_elf_symbols symbols;
	struct ompp_elf self;
	char path[64];
	int fd;

	(void)state;
	srand(1);
	assert_int_equal(ompp_elf_open(&self, "/proc/self/exe"), 0);
	assert_int_equal(ompp_elf_symbols(&self, SHT_SYMTAB, &symbols), 0);
	fd = memfd_create("damaged", 0);
	assert_true(fd >= 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	for (int round = 0; round < 200; round++) {
		struct ompp_variable_list list;
		struct ompp_variables v;

		assert_int_equal(pwrite(fd, self.data, self.n_bytes, 0), self.n_bytes);
		for (int i = 0; i < 200; i++) {
			unsigned char byte = (unsigned char)(rand() % 3 ? "._Z@(<\0f"[rand() % 8] : rand());
			size_t at = (size_t)(rand() % 2 ? symbols.table - self.data : symbols.strings - self.data);

			at += (size_t)rand() % (rand() % 2 ? 24 * symbols.n : symbols.strings_bytes);
			assert_int_equal(pwrite(fd, &byte, 1, (off_t)(at < self.n_bytes ? at : 0)), 1);
		}
		if (!ompp_variables_open(&v, path, 0))
			assert_int_equal(ompp_variables_list(&v, 0, &list), 0);
		ompp_variables_close(&v);
	}
	close(fd);
	ompp_elf_close(&self);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_those_of_the_source),
		cmocka_unit_test(a_place_has_one_name),
		cmocka_unit_test(words_end_names),
		cmocka_unit_test(same_names_are_told_apart),
		cmocka_unit_test(damage_is_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

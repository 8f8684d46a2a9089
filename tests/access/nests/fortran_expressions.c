/*
 * fortran_expressions: arrays, indices and values of the programs in Fortran.  Integers are masked where they are
 * stored, so that nothing overflows; indices are 1 … n.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fortran.h"

/* clang-format off */
const struct array fortran_arrays[] = {
	/* name   type           kind of nests_array()  n    value    owned  held */
	{ "i4",   "integer",     "0",                   600, INTEGER, true,  false },
	{ "l8",   "integer(8)",  "0",                   600, INTEGER, true,  false },
	{ "f4",   "real",        "3",                   600, REAL,    true,  false },
	{ "d8",   "real(8)",     "4",                   600, REAL,    true,  false },
	{ "c1",   "integer(1)",  "0",                   600, INTEGER, false, false },
	{ "s2",   "integer(2)",  "0",                   600, INTEGER, false, false },
	{ "e8",   "real(8)",     "4",                   600, REAL,    false, false },
	{ "x16",  "real(ext)",   "5",                   150, REAL,    false, false },
	{ "h8",   "real(8)",     "4",                   300, REAL,    false, false },
	{ "u4",   "integer",     "0",                   200, INTEGER, false, false },
	{ "ix",   "integer",     "1",                   600, INTEGER, false, true  },
	{ "rp",   "integer",     "2",                   101, INTEGER, false, true  },
};
/* clang-format on */
const int n_fortran_arrays = sizeof(fortran_arrays) / sizeof(*fortran_arrays);

enum { MOST_WORDS = 200 };

static int n_names;
static const char *declared[MOST_WORDS], *set_first[MOST_WORDS];
static int n_declared, n_set_first, n_known;

void fortran_start(void)
{
	n_declared = n_set_first = n_known = 0;
}

void declare_all(void)
{
	int i;

	for (i = 0; i < n_declared; i++)
		line("%s", declared[i]);
}

void set_numbers(void)
{
	int i;

	for (i = 0; i < n_set_first; i++)
		line("%s", set_first[i]);
}

int fortran_new_label(void)
{
	return n_names++;
}

static void declare(const char *words)
{
	if (n_declared == MOST_WORDS)
		abort();
	declared[n_declared++] = words;
}

const char *fortran_new_variable(const char *type)
{
	const char *name = text("v%d", n_names++);

	declare(text("%s :: %s", type, name));
	return name;
}

/* The number, or a variable that has it. */
const char *fortran_number(long value)
{
	const char *name;

	if (chance(55) || n_known == 20)
		return value < 0 ? text("(%ld)", value) : text("%ld", value);
	name = text("k%d", n_known++);
	declare(text("integer :: %s", name));
	set_first[n_set_first++] = text("%s = nests_opaque(%ld)", name, value);
	return name;
}

const struct variable *fortran_some_variable(const struct place *place)
{
	if (!place->n_variables)
		return NULL;
	return place->variables + (chance(65) ? place->n_variables - 1 : (int)below((size_t)place->n_variables));
}

/* A sum of loop variables that stays in 1 … n. */
const char *fortran_index_of(const struct place *place, long n)
{
	static const long factors[] = { 1, 1, 1, 1, 1, -1, 2, 3, -2, 24 };
	const char *terms = "", *name;
	long low = 0, high = 0, factor, shift;
	int n_terms = chance(8) ? 0 : chance(55) ? 1 : 2;
	const struct variable *v;

	for (; n_terms > 0 && (v = fortran_some_variable(place)); n_terms--) {
		factor = PICK(factors);
		name = strcmp(v->type, "integer") != 0 ? text("int(%s)", v->name) : v->name;
		terms = text("%s%s%s", terms, *terms ? " + " : "",
		             factor == 1 ? name
		                         : text("%s * %s", name,
		                                chance(30) ? fortran_number(factor) : text("(%ld)", factor)));
		low += factor * (factor < 0 ? v->high : v->low);
		high += factor * (factor < 0 ? v->low : v->high);
	}
	if (!*terms)
		return fortran_number(between(1, n));
	if (high - low >= n)
		return chance(50) || n < 64 ? text("modulo(%s, %ld) + 1", terms, n) : text("iand(%s, 63) + 1", terms);
	if (low >= 1 && high <= n && chance(50))
		return terms;
	shift = between(1 - low, n - high);
	return text("%s + %s", terms, fortran_number(shift));
}

static const char *owned_index(const struct place *place, long n)
{
	const struct variable *owner = place->variables + place->owner;
	long width = n / (owner->high - owner->low + 1);

	return text("(%s - %ld) * %ld + %s", owner->name, owner->low, width, fortran_index_of(place, width));
}

static const struct array *some_array(const struct place *place, bool stored)
{
	const struct array *a;

	do {
		a = fortran_arrays + below((size_t)n_fortran_arrays);
	} while ((stored && a->held) || (stored && place->owner >= 0 && !a->owned));
	return a;
}

struct reference {
	const char *words, *type;
	enum value value;
};

static struct reference reference(const struct place *place, bool stored)
{
	const struct array *a = some_array(place, stored);
	struct reference r = { NULL, a->type, a->value };
	size_t which = below(100);

	if (place->owner >= 0) {
		r.words = text("%s(%s)", a->name, a->owned ? owned_index(place, a->n) : fortran_index_of(place, a->n));
		return r;
	}
	if (which < 14) {
		r.words = text("%s(%s, %s)", chance(50) ? "m8" : "t8", fortran_index_of(place, 24),
		               fortran_index_of(place, 24));
	} else if (which < 18) {
		r.words = text("recs(%s)%%b", fortran_index_of(place, 128));
	} else if (which < 22) {
		r = (struct reference){ text("recs(%s)%%a", fortran_index_of(place, 128)), "integer", INTEGER };
		return r;
	} else if (which < 25) {
		r = (struct reference){ text("recs(%s)%%c", fortran_index_of(place, 128)), "integer(2)", INTEGER };
		return r;
	} else if (which < 30) {
		r.words = text("p8(%s)", fortran_index_of(place, 300));
	} else if (which < 40 && a->n >= 64 && !a->held) {
		r.words = text("%s(ix(%s) + 1)", a->name, fortran_index_of(place, 600));
		return r;
	} else if (which < 44) {
		r = (struct reference){ text("q8(%s)", fortran_index_of(place, 100)), "integer(8)", INTEGER };
		return r;
	} else {
		r.words = text("%s(%s)", a->name, fortran_index_of(place, a->n));
		return r;
	}
	r.type = "real(8)";
	r.value = REAL;
	return r;
}

/* 0 … 65535, or a few times that. */
const char *fortran_integer(const struct place *place, int depth)
{
	size_t which = below(depth > 0 ? 100 : 70);
	const struct variable *v = fortran_some_variable(place);
	struct reference r;

	if (which < 10)
		return text("%ld_8", between(0, 99));
	if (which < 25 && v)
		return text("int(%s, 8)", v->name);
	if (which < 65) {
		r = reference(place, false);
		return r.value == REAL ? text("merge(1_8, 0_8, %s > 4)", r.words)
		                       : text("iand(int(%s, 8), 65535_8)", r.words);
	}
	if (which < 70)
		return "iand(acc, 1023_8)";
	return text("(%s %s %s)", fortran_integer(place, depth - 1), chance(60) ? "+" : "-",
	            fortran_integer(place, depth - 1));
}

const char *fortran_real(const struct place *place, int depth)
{
	size_t which = below(depth > 0 ? 100 : 70);
	const struct variable *v = fortran_some_variable(place);
	struct reference r;

	if (which < 8)
		return text("%ld.25_8", between(0, 8));
	if (which < 20 && v)
		return text("real(%s, 8)", v->name);
	if (which < 70) {
		r = reference(place, false);
		return r.value == REAL ? text("real(%s, 8)", r.words) : text("real(iand(int(%s), 15), 8)", r.words);
	}
	return text("(%s * 0.5_8 %s %s * 0.25_8)", fortran_real(place, depth - 1), chance(50) ? "+" : "-",
	            fortran_real(place, depth - 1));
}

const char *fortran_condition(const struct place *place)
{
	const struct variable *v = fortran_some_variable(place);
	size_t which = below(100);

	if (which < 40 && v)
		return text("%s %s %s", v->name,
		            chance(40)   ? "=="
		            : chance(50) ? ">"
		                         : "<",
		            fortran_number(between(v->low, v->high)));
	if (which < 50)
		return text("%s > %ld", fortran_number(between(0, 3)), between(0, 3));
	if (which < 60)
		return text("%s > %ld", fortran_real(place, 0), between(0, 12));
	return text("iand(%s, 15_8) %s %ld", fortran_integer(place, 0), chance(70) ? "==" : "/=", between(0, 15));
}

void fortran_store(const struct place *place)
{
	struct reference r = reference(place, true);

	if (r.value == REAL)
		line("%s = real(%s * 0.5_8 + %ld, kind(%s))", r.words, fortran_real(place, 2), between(0, 3), r.words);
	else
		line("%s = int(iand(%s, %s_8), kind(%s))", r.words, fortran_integer(place, 2),
		     !strcmp(r.type, "integer(1)") ? "127" : "32767", r.words);
}

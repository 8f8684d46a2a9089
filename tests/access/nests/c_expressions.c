/*
 * c_expressions: arrays, indices and values of the programs in C and C++.
 *
 * Sums of signed numbers are of unsigned type, and what is stored is cast, so that nothing overflows.  Real numbers
 * stay small, as each store halves what it loads.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "c.h"

/* clang-format off */
const struct array arrays[] = {
	/* name   type              kind            n    value    owned  small  held */
	{ "c1",   "signed char",    "NUMBERS",      600, INTEGER, true,  false, false },
	{ "i4",   "int",            "NUMBERS",      600, INTEGER, true,  false, false },
	{ "l8",   "long",           "NUMBERS",      600, INTEGER, true,  false, false },
	{ "f4",   "float",          "FLOATS",       600, REAL,    true,  false, false },
	{ "d8",   "double",         "DOUBLES",      600, REAL,    true,  false, false },
	{ "u1",   "unsigned char",  "NUMBERS",      600, INTEGER, false, false, false },
	{ "s2",   "short",          "NUMBERS",      600, INTEGER, false, false, false },
	{ "u4",   "unsigned int",   "NUMBERS",      600, INTEGER, false, false, false },
	{ "w16",  "wide",           "NUMBERS",      150, INTEGER, false, false, false },
	{ "v4",   "volatile int",   "NUMBERS",      200, INTEGER, false, false, false },
	{ "e8",   "double",         "DOUBLES",      600, REAL,    false, false, false },
	{ "x16",  "long double",    "LONG_DOUBLES", 150, REAL,    false, false, false },
	{ "ix",   "int",            "INDICES",      600, INTEGER, false, true,  false },
	{ "rp",   "int",            "ROWS",         101, INTEGER, false, false, true },
	{ "m8",   "double",         "DOUBLES",      576, REAL,    false, false, false },
	{ "h4",   "int",            "INDICES",      600, INTEGER, false, true,  true },
};
/* clang-format on */
const int n_arrays = sizeof(arrays) / sizeof(*arrays);

struct array locals[MOST_LOCALS];
int n_locals;

enum { MOST_NUMBERS = 24 };
static struct {
	char *name;
	long value;
	const char *declaration;
} numbers[MOST_NUMBERS];
static int n_numbers;

void start_expressions(void)
{
	n_numbers = n_locals = 0;
}

void declare_numbers(void)
{
	int i;

	for (i = 0; i < n_numbers; i++)
		line("%s", numbers[i].declaration);
}

/* A variable that has the value. */
static const char *variable(long value)
{
	int i;

	for (i = 0; i < n_numbers; i++) {
		if (numbers[i].value == value && chance(70))
			return numbers[i].name;
	}
	if (n_numbers == MOST_NUMBERS)
		return text("%ld", value);
	numbers[n_numbers].name = text("k%d", n_numbers);
	numbers[n_numbers].value = value;
	numbers[n_numbers].declaration = text("%s k%d = nests_opaque(%ld);", chance(70) ? "int" : "long", n_numbers,
	                                      value);
	return numbers[n_numbers++].name;
}

const char *number(long value)
{
	size_t which = below(100);

	if (which < 50)
		return text("%ld", value);
	if (which < 90 || value < 0 || value >= 64)
		return variable(value);
	return text(which < 97 ? "(int)nests_bounds[%ld]" : "(int)nests_volatile_bounds[%ld]", value);
}

const struct array *array_named(const char *name)
{
	int i;

	for (i = 0; i < n_arrays && strcmp(arrays[i].name, name) != 0; i++)
		;
	return i < n_arrays ? arrays + i : NULL;
}

/* ---- indices ---- */

struct sum {
	char *terms;
	long low, high;
	bool has_unsigned, has_negative;
	int n_terms;
};

/* A loop variable, mostly the innermost; NULL when there is none. */
static const struct variable *some_variable(const struct place *place)
{
	int tries, i;

	for (tries = 0; tries < 6 && place->n_variables; tries++) {
		i = chance(65) ? place->n_variables - 1 : (int)below((size_t)place->n_variables);
		if (!place->variables[i].target)
			return place->variables + i;
	}
	return NULL;
}

static void add_term(struct sum *sum, const struct variable *v, const char *type)
{
	static const long factors[] = { 1, 1, 1, 1, 1, -1, -1, 2, 3, -2, 5, 24 };
	long factor = PICK(factors), a = factor * v->low, b = factor * v->high;
	bool is_unsigned = !strncmp(type, "unsigned", 8) || !strcmp(type, "size_t");
	const char *name = *type && (v->is_unsigned || chance(60)) ? text("(%s)%s", type, v->name) : v->name;

	/* what wraps on the way must do so in one type */
	const char *cast = is_unsigned ? text("(%s)", type) : "";

	if (is_unsigned)
		name = text("(%s)%s", type, v->name);
	sum->low += a < b ? a : b;
	sum->high += a < b ? b : a;
	sum->has_unsigned |= v->is_unsigned;
	sum->has_negative |= factor < 0 || v->low < 0;
	sum->terms = text("%s%s%s", sum->terms, sum->n_terms ? " + " : "",
	                  factor == 1   ? name
	                  : chance(30)  ? text("%s * %s%s", name, cast, variable(factor))
	                  : is_unsigned ? text("%s * %ld%s", name, factor, *type == 's' ? "ul" : "u")
	                                : text("%s * %ld", name, factor));
	sum->n_terms++;
}

/* The sum's terms, but in a type where none of them wraps. */
static struct sum some_sum(const struct place *place, const char *type)
{
	struct sum sum = { (char *)"", 0, 0, false, false, 0 };
	int n = chance(8) ? 0 : chance(55) ? 1 : 2;
	const struct variable *v;

	while (n-- > 0 && (v = some_variable(place)))
		add_term(&sum, v, type);
	return sum;
}

static const char *wrapped(struct sum sum, long n)
{
	long mask = 1;

	if (chance(50) || n < 2)
		return text("(unsigned int)(%s) %% %ldu", sum.terms, n);
	while (mask * 2 <= n)
		mask *= 2;
	return text("(%s) & %ld", sum.terms, mask - 1);
}

const char *index_of(const struct place *place, long n)
{
	static const char *const types[] = {
		"", "", "", "int", "long", "long", "unsigned int", "size_t", "unsigned char"
	};
	const char *type = PICK(types);
	bool bytes = !strcmp(type, "unsigned char");
	struct sum sum = some_sum(place, bytes ? "long" : type);
	long shift;

	if (!*type && sum.has_unsigned && (sum.has_negative || sum.n_terms > 1)) {
		/* of the variables' own types the sum would be a large one */
		sum = some_sum(place, "long");
	}
	if (!sum.n_terms)
		return number(between(0, n - 1));
	if (sum.high - sum.low >= n) {
		if (!strcmp(type, "unsigned int") || !strcmp(type, "size_t"))
			return text("(%s) %% %ldu", sum.terms, n);
		return wrapped(sum, n);
	}
	if (sum.low >= 0 && sum.high < n && chance(40))
		return sum.terms;
	shift = between(-sum.low, n - 1 - sum.high);
	if (bytes && sum.high + shift < 256)
		return text("(unsigned char)(%s + %ld)", sum.terms, shift);
	if (shift < 0 && sum.has_unsigned && !*type)
		return text("(long)(%s) - %ld", sum.terms, -shift);
	if (chance(20))
		return !strcmp(type, "unsigned int") || !strcmp(type, "size_t")
		             ? text("%s + (%s)%s", sum.terms, type, variable(shift))
		             : text("%s + %s", sum.terms, variable(shift));
	return text("%s %c %ld", sum.terms, shift < 0 ? '-' : '+', labs(shift));
}

const char *owned_index(const struct place *place, long n)
{
	const struct variable *owner = place->variables + place->owner;
	long width = n / (owner->high - owner->low + 1);
	const char *first = owner->low ? text("((long)%s - %ld)", owner->name, owner->low)
	                               : text("(long)%s", owner->name);

	if (width < 1)
		abort();
	return width == 1 ? first : text("%s * %ld + (%s)", first, width, index_of(place, width));
}

/* ---- references ---- */

struct reference {
	const char *words, *type;
	enum value value;
	bool small;
};

static struct reference element(const struct array *a, const char *index)
{
	struct reference r = { text("%s[%s]", a->name, index), a->type, a->value, a->small };

	if (!strcmp(a->name, "m8"))
		r.words = text("m8[(%s) / 24][(%s) %% 24]", index, index);
	return r;
}

static struct reference matrix(const struct place *place, const char *name)
{
	struct reference r = { text("%s[%s][%s]", name, index_of(place, 24), index_of(place, 24)), "double", REAL,
		               false };

	return r;
}

static struct reference member(const struct place *place, bool stored, bool owned)
{
	static const struct {
		const char *format, *type;
		enum value value;
		bool small;
	} members[] = {
		/* clang-format off */
		{ "aos[%s].a", "int", INTEGER, false }, { "aos[%s].b", "double", REAL, false },
		{ "aos[%s].c", "short", INTEGER, false }, { "aos[%s].d", "signed char", INTEGER, false },
		{ "aos[%s].e", "unsigned char", INTEGER, false },
		{ "pk[%s].c", "signed char", INTEGER, false }, { "pk[%s].d", "double", REAL, false },
		{ "pk[%s].s", "short", INTEGER, false },
		{ "bf[%s].a", "unsigned int", INTEGER, true }, { "bf[%s].b", "unsigned int", INTEGER, true },
		{ "bf[%s].c", "unsigned int", INTEGER, true }, { "bf[%s].d", "int", INTEGER, true },
		{ "bf[%s].e", "int", INTEGER, true },
		{ "un[%s].l", "unsigned long", INTEGER, false }, { "un[%s].i[1]", "int", INTEGER, false },
		{ "un[%s].c[3]", "unsigned char", INTEGER, false }, { "nodes[%s].value", "unsigned long", INTEGER, false },
		/* clang-format on */
	};
	size_t i = owned ? below(5) : below(sizeof(members) / sizeof(*members));
	long n = members[i].format[0] == 'n' ? 100 : 128;
	const char *index = owned ? owned_index(place, n) : index_of(place, n);
	struct reference r = { NULL, members[i].type, members[i].value, members[i].small };
	const char *end = strstr(members[i].format, "%s");

	(void)stored;
	r.words = text("%.*s%s%s", (int)(end - members[i].format), members[i].format, index, end + 2);
	return r;
}

/* What a pointer that is a loop variable leads to. */
static bool through_pointer(const struct place *place, struct reference *r, bool stored)
{
	int i;
	const struct variable *v;
	long offset;

	for (i = place->n_variables - 1; i >= 0; i--) {
		v = place->variables + i;
		if (!v->target || (stored && v->target->held) || chance(30))
			continue;
		offset = between(-v->low, v->target->n - 1 - v->high);
		r->words = chance(50) ? text("(*%s)", v->name)
		         : offset < 0 ? text("(*(%s - %ld))", v->name, -offset)
		                      : text("%s[%ld]", v->name, offset);
		r->type = v->target->type;
		r->value = v->target->value;
		r->small = v->target->small;
		return true;
	}
	return false;
}

/* Bytes that begin anywhere. */
static struct reference unaligned(const struct place *place)
{
	struct reference r = { NULL, "unsigned int", INTEGER, false };
	const char *array = chance(50) ? "u1" : "s2";
	bool four = chance(50);

	r.words = text("((struct unaligned%s *)((char *)&%s[0] + (%s)))->v", four ? "4" : "", array,
	               index_of(place, *array == 'u' ? 592 : 1192));
	r.type = four ? "unsigned int" : "unsigned long";
	return r;
}

static struct reference owned_reference(const struct place *place)
{
	if (chance(20))
		return member(place, true, true);
	return element(arrays + below(5), owned_index(place, 600));
}

static struct reference loaded(const struct place *place)
{
	struct reference r;
	const struct array *a;
	size_t which = below(100);

	if (place->owner >= 0) {
		if (which < 30)
			return owned_reference(place);
		do {
			a = arrays + 5 + below((size_t)(n_arrays - 5));
		} while (!strcmp(a->name, "v4"));
		return which < 45 ? element(array_named("u4"), text("ix[%s]", index_of(place, 600)))
		                  : element(a, index_of(place, a->n));
	}
	if (which < 25 && through_pointer(place, &r, false))
		return r;
	if (which < 40)
		return member(place, false, false);
	if (which < 50)
		return matrix(place, chance(50) ? "m8" : "rows");
	if (which < 53)
		return unaligned(place);
	if (which < 63) {
		a = arrays + below(12);
		return element(a, text("%s[%s] + %s", chance(50) ? "ix" : "h4", index_of(place, 600),
		                       number(between(0, a->n - 64))));
	}
	a = n_locals && chance(40) ? locals + below((size_t)n_locals) : arrays + below((size_t)n_arrays);
	return element(a, index_of(place, a->n));
}

static struct reference stored(const struct place *place)
{
	struct reference r;
	const struct array *a;
	size_t which = below(100);

	if (place->owner >= 0)
		return owned_reference(place);
	if (which < 25 && through_pointer(place, &r, true))
		return r;
	if (which < 40)
		return member(place, true, false);
	if (which < 50)
		return matrix(place, chance(50) ? "m8" : "rows");
	if (which < 53)
		return unaligned(place);
	if (which < 60) {
		a = arrays + below(12);
		return element(a, text("%s[%s]", chance(50) ? "ix" : "h4", index_of(place, 600)));
	}
	do {
		a = n_locals && chance(40) ? locals + below((size_t)n_locals) : arrays + below((size_t)n_arrays);
	} while (a->held);
	return element(a, index_of(place, a->n));
}

/* ---- values ---- */

const char *integer(const struct place *place, int depth)
{
	static const char *const operators[] = { "+", "-", "^", "*", "&", "|" };
	size_t which = below(depth > 0 ? 100 : 65);
	const struct variable *v = some_variable(place);
	struct reference r;

	if (which < 8)
		return text("%luul", (unsigned long)below(1000));
	if (which < 20 && v)
		return text("(unsigned long)%s", v->name);
	if (which < 60) {
		r = loaded(place);
		return r.value == REAL ? text("(%s > 4)", r.words) : text("(unsigned long)%s", r.words);
	}
	if (which < 65)
		return "acc";
	if (which < 88)
		return text("(%s %s %s)", integer(place, depth - 1), PICK(operators), integer(place, depth - 1));
	return text("(%s ? %s : %s)", condition(place), integer(place, 0), integer(place, 0));
}

const char *real(const struct place *place, int depth)
{
	size_t which = below(depth > 0 ? 100 : 60);
	const struct variable *v = some_variable(place);
	struct reference r;

	if (which < 5)
		return text("%ld.25", between(-8, 8));
	if (which < 15 && v)
		return text("(double)%s", v->name);
	if (which < 60) {
		r = loaded(place);
		return r.value == REAL ? text("(double)%s", r.words)
		                       : text("(double)((unsigned long)%s & 15)", r.words);
	}
	if (which < 88)
		return text("(%s * 0.5 %s %s * 0.25)", real(place, depth - 1), chance(50) ? "+" : "-",
		            real(place, depth - 1));
	return text("(%s ? %s : %s)", condition(place), real(place, 0), real(place, 0));
}

const char *condition(const struct place *place)
{
	size_t which = below(100);
	const struct variable *v = some_variable(place);
	long at;

	if (which < 35 && v) {
		at = between(v->low, v->high);
		return v->is_unsigned ? text("%s %s %ldu", v->name, chance(50) ? "==" : ">", at)
		                      : text("%s %s %s", v->name,
		                             chance(40)   ? "=="
		                             : chance(50) ? ">"
		                                          : "<",
		                             number(at));
	}
	if (which < 45)
		return text("nests_opaque(%d)", chance(50));
	if (which < 55)
		return text("%s > %ld", variable(between(0, 3)), between(0, 3));
	if (which < 65)
		return text("%s > %ld", real(place, 0), between(0, 12));
	if (chance(50))
		return text("(%s & 7) == %ld", integer(place, 0), between(0, 7));
	return text("(%s & 31) %s %ld", integer(place, 1), chance(70) ? "==" : "!=", between(0, 31));
}

void store(const struct place *place)
{
	struct reference r = stored(place);
	bool narrow = !strcmp(r.type, "signed char") || !strcmp(r.type, "unsigned char") || !strcmp(r.type, "short");

	if (r.value == REAL) {
		line("%s = (%s)(%s * 0.5 + %ld);", r.words, r.type, real(place, 2), between(0, 3));
	} else if (r.small) {
		line("%s = %s & 63;", r.words, chance(50) ? integer(place, 1) : text("(%s + 1ul)", integer(place, 0)));
	} else if (!strcmp(r.type, "volatile int")) {
		line("%s = (int)%s;", r.words, integer(place, 2));
	} else if (narrow || !strncmp(r.type, "unsigned", 8) || !strcmp(r.type, "wide")) {
		if (chance(20))
			line("%s%s;", r.words, chance(50) ? "++" : "--");
		else
			line("%s %s (%s)(%s);", r.words, chance(40) ? "+=" : "=", r.type, integer(place, 2));
	} else {
		line("%s = (%s)(%s%s);", r.words, r.type, chance(40) ? text("(unsigned long)%s + ", r.words) : "",
		     integer(place, 2));
	}
}

const struct array *some_array(void)
{
	const struct array *a;

	do {
		a = arrays + below((size_t)n_arrays);
	} while (a->held || a->small || a->value == REAL || !strcmp(a->type, "volatile int"));
	return a;
}

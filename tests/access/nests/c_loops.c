/*
 * c_loops: the loops of the programs in C and C++, of every kind whose number of iterations is bounded.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "c.h"

enum { ALL_LABELS = 4000 };

bool label_is_used[ALL_LABELS];
static int n_labels, n_names;

int new_label(void)
{
	if (n_labels == ALL_LABELS)
		abort();
	return n_labels++;
}

const char *new_name(const char *prefix)
{
	return text("%s_%d", prefix, n_names++);
}

static const struct type {
	const char *name;
	long low, high;
	bool is_unsigned;
} types[] = {
	{ "int", -2000, 2000, false },  { "int", -2000, 2000, false },       { "int", -2000, 2000, false },
	{ "long", -2000, 2000, false }, { "unsigned int", 0, 2000, true },   { "size_t", 0, 2000, true },
	{ "short", -999, 999, false },  { "unsigned short", 0, 2000, true }, { "signed char", -127, 127, false },
	{ "char", 0, 127, false },      { "unsigned char", 0, 255, true },
};

/* What is executed once an iteration, and a label behind the loop. */
static void body(const struct place *inner, long trips)
{
	struct place place = *inner;

	if (trips > 64 || chance(20)) {
		/* nothing else, so that it can become vectors, or a block function */
		store(&place);
		return;
	}
	statements(&place, 1 + (int)below(3));
}

/* Prints the label of a loop, when a goto leads there. */
static void behind(int label)
{
	if (label_is_used[label])
		line("out%d:;", label);
}

static void add_label(struct place *place, int label)
{
	if (place->n_labels < MOST_LABELS)
		place->labels[place->n_labels++] = label;
}

/* ---- counted ---- */

struct count {
	const char *name;
	const struct type *type;
	long start, step, trips, end;
	const char *condition, *increment, *from;
};

/* Where v starts and how it steps, so that its type has all values, also the one after the last. */
static void choose_range(struct count *count)
{
	static const long steps[] = { 1, 1, 1, 1, 1, 2, 3, 7, -1, -1, -2, -3 };
	long low, high, shift;

	do {
		count->type = types + below(sizeof(types) / sizeof(*types));
		count->step = PICK(steps);
		count->start = chance(50) ? 0 : between(-20, 20);
		count->end = count->start + count->step * count->trips;
		low = (count->start < count->end ? count->start : count->end) - 8;
		high = (count->start < count->end ? count->end : count->start) + 8;
		shift = low < count->type->low ? count->type->low - low : 0;
	} while (high + shift > count->type->high);
	count->start += shift;
	count->end += shift;
	/* from 0 to n is what most loops are */
	if (count->step > 0 && chance(50) && count->type->low <= 0) {
		count->end -= count->start;
		count->start = 0;
	}
}

static const char *increment_of(const struct count *count)
{
	long step = labs(count->step);
	char sign = count->step < 0 ? '-' : '+';

	if (step == 1 && chance(80))
		return text("%s%c%c", count->name, sign, sign);
	if (chance(50))
		return text("%s %c= %ld", count->name, sign, step);
	return text("%s = (%s)(%s %c %s)", count->name, count->type->name, count->name, sign, number(step));
}

static void choose_condition(struct count *count)
{
	long last = count->end - count->step, bound;
	bool up = count->step > 0;
	const char *cast = count->type->is_unsigned ? text("(%s)", count->type->name) : "";

	if (count->trips == 0) {
		bound = up ? count->start - between(0, 5) : count->start + between(0, 5);
		bound = bound < count->type->low ? count->type->low : bound;
		count->condition = text("%s %c %s%s", count->name, up ? '<' : '>', cast, number(bound));
		return;
	}
	if (chance(20)) {
		count->condition = text("%s != %s%s", count->name, cast, number(count->end));
		return;
	}
	bound = up ? between(last + 1, count->end) : between(count->end, last - 1);
	if (chance(70))
		count->condition = text("%s %c %s%s", count->name, up ? '<' : '>', cast, number(bound));
	else
		count->condition = text("%s %c= %s%s", count->name, up ? '<' : '>', cast,
		                        number(up ? bound - 1 : bound + 1));
}

static void print_counted(const struct count *count, struct place *inner)
{
	size_t form = below(100);
	const char *start = number(count->start),
		   *from = text("%s %s = (%s)%s", count->type->name, count->name, count->type->name, start);

	inner->may_break = true;
	inner->increment = NULL;
	if (form < 55 || (form >= 80 && count->trips == 0)) {
		inner->increment = "";
		open_block("for (%s; %s; %s) {", from, count->condition, count->increment);
		body(inner, count->trips);
		shut("}");
		return;
	}
	open_block("{");
	line("%s;", from);
	if (form < 65) {
		open_block("while (%s) {", count->condition);
		inner->increment = text("%s; ", count->increment);
		body(inner, count->trips);
		line("%s;", count->increment);
		shut("}");
	} else if (form < 80) {
		/* the exit is in the middle */
		open_block("for (;;) {");
		if (chance(50))
			store(inner);
		line("if (!(%s))", count->condition);
		line("\tbreak;");
		inner->increment = text("%s; ", count->increment);
		body(inner, count->trips);
		line("%s;", count->increment);
		shut("}");
	} else {
		open_block("do {");
		inner->increment = text("%s; ", count->increment);
		body(inner, count->trips);
		line("%s;", count->increment);
		shut("} while (%s);", count->condition);
	}
	shut("}");
}

static void counted(const struct place *place, int label)
{
	struct count count = { new_name("i"), NULL, 0, 0, some_trips(place), 0, NULL, NULL, NULL };
	struct place inner = within(place, count.trips);

	choose_range(&count);
	count.increment = increment_of(&count);
	choose_condition(&count);
	/* the value after the last is seen by what stands before an exit in the middle */
	know(&inner, count.name, count.type->name, count.step > 0 ? count.start : count.end,
	     count.step > 0 ? count.end : count.start, count.type->is_unsigned);
	add_label(&inner, label);
	print_counted(&count, &inner);
}

/* ---- with a bound or a start that is another loop's variable ---- */

static const struct variable *outer_number(const struct place *place)
{
	int i;

	for (i = place->n_variables - 1; i >= 0; i--) {
		if (!place->variables[i].target && place->variables[i].high - place->variables[i].low <= 64 &&
		    chance(80))
			return place->variables + i;
	}
	return NULL;
}

static bool triangular(const struct place *place, int label)
{
	const struct variable *outer = outer_number(place);
	const char *name = new_name("j"), *type = chance(60) ? "int" : "long", *of;
	struct place inner;
	long least, most, trips;
	size_t kind = below(3);

	if (!outer || place->budget < outer->high - outer->low + 3)
		return false;
	trips = outer->high - outer->low + 3;
	inner = within(place, trips);
	of = text("(%s)%s", type, outer->name);
	inner.may_break = true;
	inner.increment = "";
	add_label(&inner, label);
	least = outer->low - 2;
	most = outer->high;
	if (kind == 0)
		open_block("for (%s %s = %ld; %s %s %s; %s++) {", type, name, least + between(0, 2), name,
		           chance(50) ? "<" : "<=", of, name);
	else if (kind == 1)
		open_block("for (%s %s = %s - %ld; %s < %s; %s += %d) {", type, name, of, between(0, 2), name,
		           number(outer->high + 1), name, chance(70) ? 1 : 2);
	else
		open_block("for (%s %s = %s; %s > %s; %s -= %d) {", type, name, of, name, number(least - 1), name,
		           chance(30) ? 1 : 2);
	know(&inner, name, type, least, most, false);
	body(&inner, trips);
	shut("}");
	return true;
}

/* A row of a sparse matrix. */
static bool sparse(const struct place *place, int label)
{
	const char *name = new_name("k"), *row = new_name("r");
	struct place inner = within(place, 5);

	if (place->budget < 5)
		return false;
	add_label(&inner, label);
	inner.may_break = true;
	inner.increment = "";
	open_block("{");
	line("long %s = (long)(%s);", row, index_of(place, 100));
	if (chance(50)) {
		open_block("for (%s %s = rp[%s]; %s < rp[%s + 1]; %s++) {", chance(50) ? "int" : "long", name, row,
		           name, row, name);
	} else {
		line("int end%s = rp[%s + 1];", row, row);
		open_block("for (int %s = rp[%s]; %s < end%s; %s++) {", name, row, name, row, name);
	}
	know(&inner, name, "int", 0, 127, false);
	if (chance(60))
		line("facc += e8[%s] * 0.5 * (double)u4[h4[%s]];", name, name);
	body(&inner, 5);
	shut("}");
	shut("}");
	return true;
}

/* ---- others ---- */

static bool by_pointer(const struct place *place, int label)
{
	const struct array *a = arrays + below((size_t)n_arrays);
	long trips = some_trips(place), step = chance(60) ? 1 : between(2, 4), first;
	const char *name = new_name("p"), *end = new_name("end");
	struct place inner = within(place, trips);
	struct variable *v;

	if (!strcmp(a->name, "m8") || trips * step >= a->n)
		return false;
	first = between(0, a->n - trips * step);
	inner.may_break = true;
	inner.increment = "";
	add_label(&inner, label);
	open_block("{");
	line("%s *%s = &%s[0] + %s, *%s = %s + %s;", a->type, name, a->name, number(first), end, name,
	     number(trips * step));
	if (chance(50))
		open_block("for (; %s %s %s; %s += %s) {", name, chance(50) ? "!=" : "<", end, name, number(step));
	else
		/* from behind */
		open_block("for (%s = %s; %s != %s - %ld && (%s -= %ld, 1); ) {", name, end, name, end, trips * step,
		           name, step);
	if (trips > 0) {
		know(&inner, name, a->type, first, first + (trips - 1) * step, false);
		v = inner.variables + inner.n_variables - 1;
		v->target = a;
	}
	body(&inner, trips);
	shut("}");
	shut("}");
	return true;
}

static bool over_list(const struct place *place, int label)
{
	const char *name = new_name("q");
	struct place inner = within(place, 100);

	if (place->budget < 30)
		return false;
	add_label(&inner, label);
	inner.may_break = true;
	inner.increment = "";
	open_block("for (struct node *%s = &nodes[0] + (%s); %s; %s = %s->next) {", name, index_of(place, 100), name,
	           name, name);
	if (chance(50))
		line("%s->value += 3;", name);
	else
		line("acc += %s->value;", name);
	if (chance(50))
		body(&inner, 100);
	shut("}");
	return true;
}

/* Variables that wrap, or that go other ways than by steps. */
static bool odd(const struct place *place, int label)
{
	static const struct {
		const char *header, *type;
		long low, high, trips;
		bool is_unsigned;
	} loops[] = {
		{ "for (unsigned char V = 250; V != 5; V++) {", "unsigned char", 0, 255, 11, true },
		{ "for (unsigned char V = 3; V < 4; V--) {", "unsigned char", 0, 3, 4, true },
		{ "for (unsigned int V = 9; V < 10; V--) {", "unsigned int", 0, 9, 10, true },
		{ "for (size_t V = 12; V <= 12; V -= 3) {", "size_t", 0, 12, 5, true },
		{ "for (unsigned int V = 7; V-- > 0;) {", "unsigned int", 0, 6, 7, true },
		{ "for (signed char V = 100; V > 0; V = (signed char)(V + 5)) {", "signed char", 1, 127, 6, false },
		{ "for (unsigned short V = 65530; (V = (unsigned short)(V + 1)) != 8;) {", "unsigned short", 0, 65535,
		  13, true },
		{ "for (int V = 1; V < 300; V *= 2) {", "int", 1, 256, 9, false },
		{ "for (long V = 255; V; V /= 3) {", "long", 1, 255, 6, false },
		{ "for (int V = 0; V < 40; V += V & 1 ? 3 : 1) {", "int", 0, 42, 22, false },
		{ "for (int V = 0; V < nests_bounds[9]; V++) {", "int", 0, 8, 9, false },
		{ "for (int V = 0; V < nests_volatile_bounds[6]; V++) {", "int", 0, 5, 6, false },
		{ "for (int V = 0, up = 20; V < up; V++, up--) {", "int", 0, 9, 10, false },
		{ "for (int V = 0; V < 12 && (h4[V] & 7) != 3; V++) {", "int", 0, 11, 12, false },
		{ "for (int V = 63; h4[V] > 2 && V > 20; V = V - 1 - (h4[V] & 1)) {", "int", 20, 63, 44, false },
		{ "for (float V = 0; V < 8; V += 0.5f) {", "float", 0, 7, 16, true },
	};
	size_t which = below(sizeof(loops) / sizeof(*loops));
	const char *name = new_name("w");
	struct place inner = within(place, loops[which].trips);
	char header[200], *to = header;
	const char *from;

	if (place->budget < loops[which].trips)
		return false;
	for (from = loops[which].header; *from; from++)
		to += *from == 'V' ? sprintf(to, "%s", name) : sprintf(to, "%c", *from);
	inner.may_break = true;
	inner.increment = "";
	add_label(&inner, label);
	open_block("%s", header);
	if (strcmp(loops[which].type, "float") != 0)
		know(&inner, name, loops[which].type, loops[which].low, loops[which].high, loops[which].is_unsigned);
	body(&inner, loops[which].trips);
	shut("}");
	return true;
}

/* A loop with two entries; Duff's device. */
static bool irreducible(const struct place *place)
{
	int label = new_label();
	const char *name = new_name("t");
	struct place inner = within(place, 12);

	if (place->budget < 12)
		return false;
	inner.may_break = false;
	inner.increment = NULL;
	know(&inner, name, "int", 0, 12, false);
	open_block("{");
	if (chance(50)) {
		line("int %s = %s;", name, number(between(0, 5)));
		line("if (%s)", condition(place));
		line("\tgoto in%d;", label);
		line("top%d:;", label);
		open_block("{");
		statement(&inner);
		shut("}");
		line("in%d:;", label);
		open_block("{");
		statement(&inner);
		shut("}");
		line("if (++%s < %s)", name, number(between(2, 12)));
		line("\tgoto top%d;", label);
	} else {
		line("int %s = 0;", name);
		line("switch (%s & 3) {", integer(place, 0));
		line("case 0:");
		open_block("\tdo {");
		store(&inner);
		line("/* fall through */");
		line("case 3:");
		store(&inner);
		line("/* fall through */");
		line("case 1:");
		line("default:;");
		statement(&inner);
		shut("\t} while (++%s < %s);", name, number(between(1, 12)));
		line("}");
	}
	shut("}");
	return true;
}

static bool over_container(const struct place *place, int label)
{
	const char *name = new_name("x");
	struct place inner = within(place, 90);

	if (language != CXX || place->budget < 90)
		return false;
	add_label(&inner, label);
	inner.may_break = true;
	inner.increment = "";
	if (chance(50)) {
		open_block("for (auto &%s : vec) {", name);
		line("%s = %s * 0.5 + 1;", name, name);
	} else {
		open_block("for (auto %s = ten.begin(); %s != ten.end(); ++%s) {", name, name, name);
		line("*%s += (unsigned int)%s;", name, integer(&inner, 0));
	}
	if (chance(30))
		statement(&inner);
	shut("}");
	return true;
}

void loop(const struct place *place)
{
	int label = new_label();
	size_t which = below(100);
	bool done = which < 12 ? triangular(place, label)
	          : which < 20 ? sparse(place, label)
	          : which < 30 ? place->owner < 0 && by_pointer(place, label)
	          : which < 34 ? place->owner < 0 && over_list(place, label)
	          : which < 46 ? odd(place, label)
	          : which < 50 ? place->owner < 0 && irreducible(place)
	          : which < 56 ? place->owner < 0 && over_container(place, label)
	                       : false;

	if (!done)
		counted(place, label);
	behind(label);
}

void owner_loop(const struct place *place, const char *directive, bool two_levels)
{
	const char *name = new_name("i"), *type = chance(60) ? "int" : chance(50) ? "long" : "unsigned int", *next;
	long trips = between(1, 30), start = chance(60) ? 0 : between(0, 9);
	struct place inner = within(place, two_levels ? trips * 6 : trips);

	if (directive)
		line("%s", directive);
	if (chance(70)) {
		open_block("for (%s %s = %s; %s < (%s)%s; %s++) {", type, name, number(start), name, type,
		           number(start + trips), name);
	} else {
		type = "int";
		open_block("for (%s %s = %s; %s >= %s; %s--) {", type, name, number(start + trips - 1), name,
		           number(start), name);
	}
	know(&inner, name, type, start, start + trips - 1, *type == 'u');
	inner.owner = inner.n_variables - 1;
	inner.may_break = inner.may_return = inner.may_throw = false;
	inner.increment = "";
	inner.n_labels = 0;
	if (two_levels) {
		next = new_name("i");
		open_block("for (int %s = 0; %s < 6; %s++) {", next, next, next);
	}
	/* each thread has accumulators of its own */
	line("unsigned long acc = 0;");
	line("double facc = 0;");
	if (two_levels) {
		/* the part of an iteration is that of both variables, so only sums and atomics are safe */
		line("acc += (unsigned long)(%s + (%s)%s);", name, type, next);
		line("facc += e8[(long)%s * 6 + %s];", name, next);
		line("number_of += acc + (unsigned long)(long)facc;");
		shut("}");
	} else {
		statements(&inner, 1 + (int)below(3));
		line("number_of += acc + (unsigned long)(long)facc;");
	}
	shut("}");
}

/*
 * c_statements: what stands in the loops of the programs in C and C++, and around them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "c.h"

int room;

/* ---- leaving ---- */

static void leave(const struct place *place)
{
	size_t which = below(100);
	const char *when = condition(place);

	if (which < 35 && place->may_break) {
		line("if (%s)", when);
		line("\tbreak;");
	} else if (which < 60 && place->increment) {
		line("if (%s) {", when);
		line("\t%scontinue;", place->increment);
		line("}");
	} else if (which < 85 && place->n_labels) {
		int label = place->labels[below((size_t)place->n_labels)];

		label_is_used[label] = true;
		line("if (%s)", when);
		line("\tgoto out%d;", label);
	} else if (which < 92 && place->may_return) {
		line("if (%s == %ld)", text("(%s & 127)", integer(place, 0)), between(0, 127));
		line("\treturn acc;");
	} else if (place->may_throw) {
		line("if (%s)", when);
		line(chance(50) ? "\tthrow (int)(acc & 7);" : "\tthrown((int)(acc & 15));");
	} else {
		line("acc ^= %s;", integer(place, 1));
	}
}

/* ---- calls ---- */

static void call(const struct place *place)
{
	switch (below(place->owner >= 0 ? 4 : 9)) {
	case 0:
		line("acc += pure_of(&u4[%s]);", index_of(place, 590));
		break;
	case 1:
		line("acc += const_of(%s);", integer(place, 1));
		break;
	case 2:
		line("facc += inline_of(&e8[%s], %s);", index_of(place, 590), real(place, 0));
		break;
	case 3:
		line("acc += (unsigned long)nests_opaque((long)(%s & 1023));", integer(place, 0));
		break;
	case 4:
		line("touch(&%s[%s], %s);", chance(50) ? "d8" : "e8", index_of(place, 590), number(between(0, 10)));
		break;
	case 5:
		line("acc += functions[%s](&u4[%s]);", index_of(place, 2), index_of(place, 590));
		break;
	case 6:
		line("nests_outside();");
		break;
	case 7:
		line("acc += descend(%s, &i4[%s]);", number(between(0, 6)), index_of(place, 580));
		break;
	default:
		line("swap(&l8[%s], &l8[%s]);", index_of(place, 600), index_of(place, 600));
	}
}

/* ---- whole blocks ---- */

static void block(const struct place *place)
{
	const struct array *a = some_array(), *b = some_array();
	long n_bytes = a->n < b->n ? a->n : b->n, room_for = n_bytes / 2;
	const char *to = text("(char *)&%s[0] + (%s)", a->name, index_of(place, room_for));
	const char *from = text("(char *)&%s[0] + (%s)", b->name, index_of(place, room_for));
	const char *length = chance(40) ? number(between(0, room_for)) : index_of(place, room_for);

	switch (below(6)) {
	case 0:
		line("memset(%s, (int)(%s & 255), (size_t)(%s));", to, integer(place, 0), length);
		break;
	case 1:
		line("%s(%s, %s, (size_t)(%s));", a == b ? "memmove" : "memcpy", to, from, length);
		break;
	case 2:
		line("memmove(%s, %s, (size_t)(%s));", to, from, length);
		break;
	case 3:
		line("acc += (unsigned long)!memcmp(%s, %s, (size_t)(%s));", to, from, length);
		break;
	case 4:
		line("aos[%s] = aos[%s];", index_of(place, 128), index_of(place, 128));
		break;
	default:
		line("pk[%s] = pk[%s];", index_of(place, 128), index_of(place, 128));
	}
}

static void wide_number(const struct place *place)
{
	switch (below(4)) {
	case 0:
		line("z16[%s] = z16[%s] * 0.5 + %s;", index_of(place, 150), index_of(place, 150), real(place, 0));
		break;
	case 1:
		line("facc += __real__ z16[%s] + __imag__ z16[%s];", index_of(place, 150), index_of(place, 150));
		break;
	case 2:
		line("x16[%s] = x16[%s] * 0.5L + 1;", index_of(place, 150), index_of(place, 150));
		break;
	default:
		line("w16[%s] += w16[%s] * 3u;", index_of(place, 150), index_of(place, 150));
	}
}

/* The index has a variable of its own, as an update by g++ 12 is not atomic where an index folds to a constant. */
static void omp_atomic(const char *array, const char *index, const char *change)
{
	const char *name = new_name("at");

	open_block("{");
	line("long %s = (long)(%s);", name, index);
	line("#pragma omp atomic");
	line("%s[%s] += %s;", array, name, change);
	shut("}");
}

static void atomic(const struct place *place)
{
	size_t which = below(place->owner >= 0 ? 2 : 6);

	switch (which) {
	case 0:
	case 1:
		omp_atomic("counts", index_of(place, 64), number(between(1, 9)));
		break;
	case 2:
		line("at[%s]++;", index_of(place, 64));
		break;
	case 3:
		line("at[%s] = at[%s] & 4095;", index_of(place, 64), index_of(place, 64));
		break;
	case 4:
		omp_atomic("e8", index_of(place, 600), "0.5");
		break;
	default:
		line("acc += (unsigned long)__atomic_fetch_add(&counts[%s], 3, __ATOMIC_RELAXED);",
		     index_of(place, 64));
	}
}

/* ---- statements with others in them ---- */

static struct place inside(const struct place *place)
{
	struct place inner = *place;

	inner.budget = place->budget / 2;
	return inner;
}

static void when(const struct place *place)
{
	struct place inner = inside(place);

	open_block("if (%s) {", condition(place));
	statements(&inner, 1 + (int)below(2));
	if (chance(30)) {
		turn("} else {");
		statement(&inner);
	}
	shut("}");
}

static void switched(const struct place *place)
{
	struct place inner = inside(place);
	int i, n = 2 + (int)below(3);

	inner.may_break = false;
	line("switch (%s & 7) {", integer(place, 1));
	for (i = 0; i < n; i++) {
		line("case %d:", i);
		open_block("{");
		statement(&inner);
		shut("}");
		line(chance(70) ? "break;" : "/* fall through */");
	}
	line("default:");
	open_block("{");
	store(&inner);
	shut("}");
	line("}");
}

static void name_part(const struct place *place, const struct array *a)
{
	line("#pragma pomp inst data(&%s[%s], %ld * sizeof(%s[0]), \"moving\")", a->name, index_of(place, a->n / 2),
	     between(1, a->n / 2), a->name);
}

/* Events of the profiler: what comes before them belongs to another region, or to another object. */
static void event(const struct place *place)
{
	static int n_events;
	struct place inner = inside(place);
	int number;

	if (chance(50)) {
		name_part(place, some_array());
		return;
	}
	inner.may_break = inner.may_return = inner.may_throw = false;
	inner.increment = NULL;
	inner.n_labels = 0;
	number = ++n_events;
	line("#pragma pomp inst begin(inner%d)", number);
	open_block("{");
	statement(&inner);
	shut("}");
	line("#pragma pomp inst end(inner%d)", number);
}

/* What a compiler expects to be rare, as a container that grows: a nest may pause there and go on behind it, where what
 * it reads may have another name. */
static void seldom(const struct place *place)
{
	struct place inner = inside(place);
	const struct array *a = some_array();
	bool alone = place->owner < 0;
	int i, n = 1 + (int)below(2);

	open_block("if (__builtin_expect((%s & 7) == %ld, 0)) {", integer(place, 0), between(0, 7));
	for (i = 0; i < n; i++) {
		size_t which = below(100);

		if (which < 30)
			call(&inner);
		else if (which < 60 && alone)
			name_part(&inner, a);
		else if (which < 70 && alone && place->budget > 0)
			event(&inner);
		else if (which < 85)
			leave(&inner);
		else
			statement(&inner);
	}
	shut("}");
	if (alone)
		line("acc += (unsigned long)%s[%s];", a->name, index_of(place, a->n));
}

static void guarded(const struct place *place)
{
	struct place inner = inside(place);

	inner.may_throw = true;
	open_block("try {");
	if (chance(40))
		line("guard on_exit(&counts[%s]);", index_of(place, 64));
	statements(&inner, 1 + (int)below(2));
	turn("} catch (int caught) {");
	line("acc += (unsigned long)caught;");
	if (chance(40))
		store(place);
	shut("}");
}

static void lambda(const struct place *place)
{
	struct place inner = inside(place);

	inner.may_break = inner.may_return = inner.may_throw = false;
	inner.increment = NULL;
	inner.n_labels = 0;
	open_block("[&]() {");
	statements(&inner, 1 + (int)below(2));
	shut("}();");
}

/* ---- the choice ---- */

static void accumulate(const struct place *place)
{
	if (chance(50))
		line("acc %s %s;", chance(70) ? "+=" : "^=", integer(place, 1));
	else
		line("facc += %s;", real(place, 1));
}

void statement(const struct place *place)
{
	size_t which = below(100);

	room--;
	if (room < 0 || place->budget < 1)
		which = below(50);
	if (which < 36)
		store(place);
	else if (which < 46)
		accumulate(place);
	else if (which < 50)
		(place->owner < 0 ? wide_number : store)(place);
	else if (which < (place->depth < 3 ? 71 : 64) && place->depth < 5)
		loop(place);
	else if (which < 79)
		(place->depth && chance(65) ? seldom : when)(place);
	else if (which < 86)
		leave(place);
	else if (which < 89)
		call(place);
	else if (which < 92 && place->owner < 0)
		block(place);
	else if (which < 94)
		switched(place);
	else if (which < 97)
		atomic(place);
	else if (which < 98 && place->owner < 0 && place->budget > 0)
		event(place);
	else if (language == CXX && place->owner < 0)
		(chance(60) ? guarded : lambda)(place);
	else
		store(place);
}

void statements(const struct place *place, int n)
{
	while (n-- > 0)
		statement(place);
}

/* ---- with threads ---- */

static void clear(struct place *place)
{
	place->may_break = place->may_return = place->may_throw = false;
	place->increment = NULL;
	place->n_labels = 0;
}

/* Tasks and sections of a team of one, as it is not known which thread of two does them. */
static void print_alone(const struct place *place)
{
	struct place inner = within(place, 6);
	const char *name = new_name("t");

	clear(&inner);
	line("#pragma omp parallel num_threads(1)");
	open_block("{");
	if (chance(50)) {
		line("#pragma omp sections");
		open_block("{");
		open_block("{");
		statement(&inner);
		shut("}");
		line("#pragma omp section");
		open_block("{");
		statement(&inner);
		shut("}");
		shut("}");
	} else {
		open_block("for (int %s = 0; %s < 6; %s++) {", name, name, name);
		line("#pragma omp task shared(acc, facc) firstprivate(%s)", name);
		open_block("{");
		know(&inner, name, "int", 0, 5, false);
		statement(&inner);
		shut("}");
		shut("}");
		line("#pragma omp taskwait");
	}
	shut("}");
}

static void print_team(const struct place *place, const char *schedule)
{
	struct place inner = within(place, 4);
	const char *name = new_name("t");

	clear(&inner);
	line("#pragma omp parallel num_threads(2) reduction(+ : number_of)");
	open_block("for (int %s = 0; %s < 4; %s++) {", name, name, name);
	know(&inner, name, "int", 0, 3, false);
	owner_loop(&inner, text("#pragma omp for schedule(%s)", schedule), false);
	shut("}");
}

static void print_by_number(const struct place *place)
{
	struct place inner = *place;
	const char *name = new_name("t");

	clear(&inner);
	line("#pragma omp parallel num_threads(2) reduction(+ : number_of)");
	open_block("{");
	line("unsigned long acc = 0;");
	line("double facc = 0;");
	line("int %s = omp_get_thread_num();", name);
	know(&inner, name, "int", 0, 1, false);
	inner.owner = inner.n_variables - 1;
	statements(&inner, 1 + (int)below(2));
	line("number_of += acc + (unsigned long)(long)facc;");
	shut("}");
}

void print_parallel(const struct place *place)
{
	const char *schedule = chance(50) ? "static" : text("static, %ld", between(1, 5));
	bool two_levels;

	open_block("{");
	line("unsigned long number_of = 0;");
	switch (below(6)) {
	case 0:
		print_alone(place);
		break;
	case 1:
		print_team(place, schedule);
		break;
	case 2:
		print_by_number(place);
		break;
	default:
		two_levels = chance(15);
		owner_loop(place,
		           text("#pragma omp parallel for schedule(%s) num_threads(2) reduction(+ : number_of)%s",
		                schedule, two_levels ? " collapse(2)" : ""),
		           two_levels);
	}
	line("acc += number_of;");
	shut("}");
}

/*
 * fortran: loops, functions and the program around them in Fortran.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fortran.h"

enum { BUDGET = 4000, ROOM = 14 };

static int room, n_events;

/* ---- loops ---- */

static void statement(const struct place *place);

static void statements(const struct place *place, int n)
{
	while (n-- > 0)
		statement(place);
}

static void loop_body(const struct place *inner, long trips)
{
	if (trips > 64 || chance(25))
		fortran_store(inner);
	else
		statements(inner, 1 + (int)below(3));
}

static struct place in_loop(const struct place *place, long trips, int label)
{
	struct place inner = within(place, trips);

	inner.may_break = true;
	inner.increment = "";
	if (inner.n_labels < MOST_LABELS)
		inner.labels[inner.n_labels++] = label;
	return inner;
}

static void counted(const struct place *place, int label)
{
	static const long steps[] = { 1, 1, 1, 1, 1, 2, 3, 7, -1, -1, -2, -3 };
	const char *type = place->owner < 0 && chance(25) ? chance(60) ? "integer(8)" : "integer(2)" : "integer";
	const char *name = fortran_new_variable(type), *from, *to;
	long trips = some_trips(place), step = PICK(steps), start = chance(50) ? 1 : between(-20, 20);
	long last = start + (trips - 1) * step, end = last + (step > 0 ? between(0, step - 1) : -between(0, -step - 1));
	struct place inner = in_loop(place, trips, label);

	from = !strcmp(type, "integer") ? fortran_number(start) : text("int(%s, %c)", fortran_number(start), type[8]);
	to = !strcmp(type, "integer") ? fortran_number(end) : text("int(%s, %c)", fortran_number(end), type[8]);
	if (trips < 1)
		last = start;
	know(&inner, name, type, step > 0 ? start : last, step > 0 ? last : start, false);
	if (step == 1 && chance(80))
		open_block("loop%d: do %s = %s, %s", label, name, from, to);
	else
		open_block("loop%d: do %s = %s, %s, %s", label, name, from, to,
		           !strcmp(type, "integer") ? fortran_number(step)
		                                    : text("int(%s, %c)", fortran_number(step), type[8]));
	loop_body(&inner, trips);
	shut("end do loop%d", label);
}

/* Loops whose number of iterations is not known before; not among threads, as they would share the variable. */
static void by_condition(const struct place *place, int label)
{
	const char *name = fortran_new_variable("integer");
	long trips = between(2, 20), step = between(1, 3);
	struct place inner = in_loop(place, trips, label);

	know(&inner, name, "integer", 1, 1 + trips * step, false);
	line("%s = 1", name);
	if (chance(50)) {
		open_block("loop%d: do while (%s <= %s)", label, name, fortran_number(1 + (trips - 1) * step));
	} else {
		open_block("loop%d: do", label);
		if (chance(50))
			fortran_store(&inner);
		line("if (%s > %s) exit loop%d", name, fortran_number(1 + (trips - 1) * step), label);
	}
	inner.increment = text("%s = %s + %ld; ", name, name, step);
	loop_body(&inner, trips);
	line("%s = %s + %s", name, name, fortran_number(step));
	shut("end do loop%d", label);
}

static bool dependent(const struct place *place, int label)
{
	const struct variable *outer = fortran_some_variable(place);
	const char *name;
	long trips;
	struct place inner;

	if (!outer || outer->high - outer->low > 40 || place->budget < outer->high - outer->low + 3 ||
	    strcmp(outer->type, "integer") != 0)
		return false;
	name = fortran_new_variable("integer");
	trips = outer->high - outer->low + 1;
	inner = in_loop(place, trips, label);
	switch (below(3)) {
	case 0:
		open_block("loop%d: do %s = %s, %s", label, name, fortran_number(outer->low), outer->name);
		break;
	case 1:
		open_block("loop%d: do %s = %s, %s", label, name, outer->name, fortran_number(outer->high));
		break;
	default:
		open_block("loop%d: do %s = %s, %s, -2", label, name, fortran_number(outer->high), outer->name);
	}
	know(&inner, name, "integer", outer->low, outer->high, false);
	loop_body(&inner, trips);
	shut("end do loop%d", label);
	return true;
}

static void sparse(const struct place *place, int label)
{
	const char *name = fortran_new_variable("integer"), *row = fortran_index_of(place, 100);
	struct place inner = in_loop(place, 5, label);

	open_block("loop%d: do %s = rp(%s) + 1, rp(%s + 1)", label, name, row, row);
	know(&inner, name, "integer", 1, 128, false);
	line("facc = facc + e8(%s) * 0.5_8 * h8(ix(%s) + 1)", name, name);
	loop_body(&inner, 5);
	shut("end do loop%d", label);
}

static void loop(const struct place *place)
{
	int label = fortran_new_label();
	size_t which = below(100);

	if (which < 15 && dependent(place, label))
		;
	else if (which < 25 && place->budget > 5)
		sparse(place, label);
	else if (which < 45 && place->owner < 0 && place->budget > 20)
		by_condition(place, label);
	else
		counted(place, label);
	if (place->owner < 0)
		line("%d continue", 1000 + label);
}

/* ---- whole arrays ---- */

/* Sections of the same number of elements: from, by steps, of each array as long as n. */
static const char *section(const struct array *a, long n)
{
	static const long steps[] = { 1, 1, 1, 2, 3, -1, -2 };
	long step = PICK(steps), first;

	while (labs(step) * n > a->n)
		step /= 2;
	if (!step)
		step = 1;
	first = step > 0 ? between(1, a->n - step * (n - 1)) : between(1 - step * (n - 1), a->n);
	return text("%s(%s:%s:%s)", a->name, fortran_number(first), fortran_number(first + step * (n - 1)),
	            fortran_number(step));
}

static const struct array *real_array(void)
{
	const struct array *a;

	do {
		a = fortran_arrays + below((size_t)n_fortran_arrays);
	} while (a->value != REAL);
	return a;
}

static void whole(const struct place *place)
{
	const struct array *a = real_array(), *b = real_array(), *c = real_array();
	long n = between(0, place->budget > 60 ? 50 : place->budget), first;

	switch (below(10)) {
	case 0:
		line("%s = %s * 0.5 + 1", section(a, n), section(b, n));
		break;
	case 1:
		line("where (%s > %ld) %s = %s * 0.5 + 1", section(b, n), between(0, 9), section(a, n), section(c, n));
		break;
	case 2:
		first = between(1, 100 - n);
		line("forall (j = %ld:%ld, i4(j) > 0) %s(j) = %s(j + %ld) * 0.5", first, first + n, a->name, b->name,
		     between(0, 40));
		break;
	case 3:
		line("do concurrent (j = 1:%s)", fortran_number(n));
		line("  e8(j) = d8(j) * 0.5 + h8(j + 7) * 0.25");
		line("end do");
		break;
	case 4:
		line("facc = facc + %s(%s)", chance(50) ? "sum" : "maxval", section(a, n + 1));
		break;
	case 5:
		line("facc = facc + dot_product(%s, %s) * 0.01", section(a, n), section(b, n));
		break;
	case 6:
		line("m8(1:12, 1:12) = matmul(t8(1:12, 3:10), m8(5:12, 2:13)) * 0.0001_8 + 1");
		break;
	case 7:
		line("m8 = transpose(t8)");
		break;
	case 8:
		line("call halve(%s)", section(chance(50) ? fortran_arrays + 3 : fortran_arrays + 6, n));
		break;
	default:
		line("call halve_n(%s, %s)", section(fortran_arrays + 3, n), fortran_number(n));
	}
}

/* ---- others ---- */

static void leave(const struct place *place)
{
	size_t which = below(100);
	const char *when = fortran_condition(place);

	if (which < 35 && place->may_break && place->n_labels) {
		line("if (%s) exit loop%d", when, place->labels[place->n_labels - 1]);
	} else if (which < 60 && place->increment && place->n_labels) {
		open_block("if (%s) then", when);
		line("%scycle loop%d", place->increment, place->labels[place->n_labels - 1]);
		shut("end if");
	} else if (which < 85 && place->n_labels && place->owner < 0) {
		int label = place->labels[below((size_t)place->n_labels)];

		if (chance(50))
			line("if (%s) exit loop%d", when, label);
		else
			line("if (%s) goto %d", when, 1000 + label);
	} else if (which < 95 && place->may_return) {
		line("if (iand(%s, 127_8) == %ld) return", fortran_integer(place, 0), between(0, 127));
	} else {
		line("acc = ieor(acc, %s)", fortran_integer(place, 1));
	}
}

static void call(const struct place *place)
{
	switch (below(place->owner >= 0 ? 2 : 5)) {
	case 0:
		line("facc = facc + half_of(e8(%s))", fortran_index_of(place, 600));
		break;
	case 1:
		line("acc = acc + nests_opaque(%s)", fortran_index_of(place, 100));
		break;
	case 2:
		line("call nests_outside()");
		break;
	case 3:
		line("acc = acc + descend(%s, i4(%s))", fortran_number(between(0, 6)), fortran_index_of(place, 580));
		break;
	default:
		line("call halve_n(h8(%s), %s)", fortran_index_of(place, 280), fortran_number(between(0, 20)));
	}
}

static void when(const struct place *place)
{
	struct place inner = *place;
	int i;

	inner.budget /= 2;
	if (chance(70)) {
		open_block("if (%s) then", fortran_condition(place));
		statements(&inner, 1 + (int)below(2));
		if (chance(30)) {
			turn("else");
			statement(&inner);
		}
		shut("end if");
		return;
	}
	line("select case (iand(%s, 7_8))", fortran_integer(place, 0));
	for (i = 0; i < 3; i++) {
		(i ? turn : open_block)("case (%d)", i * 2);
		statement(&inner);
	}
	turn("case default");
	fortran_store(&inner);
	shut("end select");
}

static void event(const struct place *place)
{
	struct place inner = *place;
	int number = ++n_events;

	inner.may_break = inner.may_return = false;
	inner.increment = NULL;
	inner.n_labels = 0;
	inner.budget /= 2;
	line("!$pomp inst begin(inner%d)", number);
	statement(&inner);
	line("!$pomp inst end(inner%d)", number);
}

static void statement(const struct place *place)
{
	size_t which = below(100);

	room--;
	if (room < 0 || place->budget < 1)
		which = below(45);
	if (which < 36)
		fortran_store(place);
	else if (which < 41)
		line("acc = acc + %s", fortran_integer(place, 1));
	else if (which < 45)
		line("facc = facc + %s", fortran_real(place, 1));
	else if (which < (place->depth < 3 ? 70 : 60) && place->depth < 5)
		loop(place);
	else if (which < 77)
		when(place);
	else if (which < 85)
		leave(place);
	else if (which < 88)
		call(place);
	else if (which < 91 && place->owner < 0)
		line("z16(%s) = z16(%s) * (0.5_8, 0.0_8) + %s", fortran_index_of(place, 150),
		     fortran_index_of(place, 150), fortran_real(place, 0));
	else if (which < 97 && place->owner < 0)
		whole(place);
	else if (which < 99) {
		const char *index = fortran_index_of(place, 64);

		line("!$omp atomic");
		line("counts(%s) = counts(%s) + 3", index, index);
	} else if (place->owner < 0)
		event(place);
	else
		fortran_store(place);
}

/* ---- functions ---- */

static void print_threads(const struct place *place)
{
	const char *name = fortran_new_variable("integer");
	long trips = between(1, 30), start = chance(60) ? 1 : between(0, 9);
	struct place inner = within(place, trips);
	const char *schedule = chance(50) ? "static" : text("static, %ld", between(1, 5));

	line("parts = 0");
	line("!$omp parallel do schedule(%s) num_threads(2) private(acc, facc) reduction(+:parts)", schedule);
	open_block("do %s = %s, %s", name, fortran_number(start), fortran_number(start + trips - 1));
	know(&inner, name, "integer", start, start + trips - 1, false);
	inner.owner = inner.n_variables - 1;
	inner.may_break = inner.may_return = false;
	inner.increment = NULL;
	inner.n_labels = 0;
	line("acc = 0");
	line("facc = 0");
	statements(&inner, 1 + (int)below(3));
	line("parts = parts + acc + int(facc, 8)");
	shut("end do");
	line("acc = parts");
	line("facc = 0");
}

/* Loops over many pages, with a name for a part of them. */
static void print_long(void)
{
	static const long steps[] = { 1, 1, 1, 2, 7, 513, -1, -3, -65 };
	long step = PICK(steps), trips = between(0, 15000 / labs(step));
	long first = step > 0 ? between(1, 16000 - trips * step) : between(1 - trips * step, 16000);
	const char *range = text("%s, %s, %s", fortran_number(first), fortran_number(first + trips * step),
	                         fortran_number(step));
	const char *part = text("%s:%s:%s", fortran_number(first), fortran_number(first + trips * step),
	                        fortran_number(step));

	line("!$pomp inst data(large(%ld), %ld, \"large.part\")", between(1, 8000), between(1, 50000));
	switch (below(5)) {
	case 0:
		line("large(%s) = large(%s) * 0.5_8 + 1", part, part);
		break;
	case 1:
		line("large(%s) = 0", part);
		break;
	case 2:
		line("facc = facc + sum(large(%s))", part);
		break;
	case 3:
		open_block("do j = %s", range);
		line("if (large(j) > 9) large(16001 - j) = 1");
		shut("end do");
		break;
	default:
		line("!$omp parallel do num_threads(2) schedule(static)");
		open_block("do j = %s", range);
		line("large(j) = large(j) * 0.5_8 + 1");
		shut("end do");
	}
}

static void print_body(void)
{
	struct place place = { .budget = BUDGET, .owner = -1, .may_return = true };

	room = ROOM;
	if (chance(8)) {
		print_long();
		return;
	}
	if (chance(25)) {
		print_threads(&place);
		return;
	}
	loop(&place);
	if (chance(50))
		statements(&place, 1 + (int)below(2));
}

static void print_function(int number_of_function)
{
	char *body;

	fortran_start();
	open_block("integer(8) function nest%d() result(acc)", number_of_function);
	begin_draft();
	print_body();
	body = end_draft();
	line("integer, external :: nests_opaque");
	line("real(8) :: facc");
	line("integer(8) :: parts");
	line("integer :: j");
	declare_all();
	line("acc = 0");
	line("facc = 0");
	set_numbers();
	print_text(body);
	line("acc = acc + int(facc, 8)");
	shut("end function nest%d", number_of_function);
}

static const char *const helpers =
	"  pure elemental real(8) function half_of(x)\n    real(8), intent(in) :: x\n    half_of = x * 0.5_8 + 1\n"
	"  end function half_of\n"
	"  subroutine halve(x)\n    real(8), intent(inout) :: x(:)\n    integer :: i\n    do i = 1, size(x)\n"
	"      x(i) = x(i) * 0.5_8 + 1\n    end do\n  end subroutine halve\n"
	"  subroutine halve_n(x, n)\n    integer, intent(in) :: n\n    real(8), intent(inout) :: x(n)\n"
	"    x = x * 0.5_8 + 1\n  end subroutine halve_n\n"
	"  recursive integer(8) function descend(depth, x) result(total)\n    integer, intent(in) :: depth\n"
	"    integer, intent(inout) :: x(*)\n    integer :: i\n    total = 0\n    do i = 1, depth + 1\n"
	"      total = total + iand(x(i), 255)\n    end do\n    x(depth + 1) = int(iand(total, 255_8))\n"
	"    if (depth > 0) total = total + descend(depth - 1, x(2))\n  end function descend\n";

static void declare_arrays(void)
{
	int i;

	line("type record");
	line("  sequence");
	line("  real(8) :: b");
	line("  integer :: a");
	line("  integer(2) :: c");
	line("  integer(1) :: d, e");
	line("end type record");
	line("integer, parameter :: ext = selected_real_kind(18)"); /* as long double: of 80 bits, or of 128 */
	for (i = 0; i < n_fortran_arrays; i++) {
		const struct array *a = fortran_arrays + i;

		if (!strcmp(a->name, "h8"))
			line("real(8), allocatable, target :: h8(:)");
		else if (strcmp(a->name, "u4") != 0)
			line("%s, target :: %s(%d)", a->type, a->name, a->n);
	}
	line("real(8), target :: m8(24, 24), t8(24, 24)");
	line("real(8) :: large(16000)");
	line("type(record) :: recs(128)");
	line("complex(8) :: z16(150)");
	line("integer :: counts(64)");
	line("real(8), pointer :: p8(:)");
	/* the same memory by two types */
	line("integer(8) :: q8(100)");
	line("integer :: u4(200)");
	line("equivalence (q8, u4)");
}

static void name_array(const char *name, long n_bytes)
{
	size_t which = below(100);
	long cut = chance(60) ? between(1, 90) : 8 * between(1, 11);

	if (which < 60) {
		line("!$pomp inst data(%s, %ld, \"%s\")", name, n_bytes, name);
	} else if (which < 75) {
		line("!$pomp inst data(%s, %ld, \"%s.low\")", name, cut, name);
	} else if (which < 90) {
		line("!$pomp inst data(%s, %ld, \"%s\")", name, n_bytes, name);
		line("!$pomp inst data(%s(3), %ld, \"%s.part\")", name, cut, name);
	}
}

static void print_program(int n_functions, int only)
{
	static const struct {
		const char *name;
		long n_bytes;
		int kind;
	} others[] = {
		{ "m8", 4608, 4 },  { "t8", 4608, 4 },    { "recs", 2048, 6 },
		{ "z16", 2400, 4 }, { "counts", 256, 1 }, { "large", 128000, 4 },
	};
	size_t k;
	int i;

	line("program main");
	line("  use nests_functions");
	line("  implicit none");
	line("  interface");
	line("    subroutine nests_array(array, n_bytes, kind_of)");
	line("      type(*) :: array(*)");
	line("      integer :: n_bytes, kind_of");
	line("    end subroutine nests_array");
	line("  end interface");
	line("  integer(8) :: res");
	line("  allocate (h8(300))");
	line("  p8 => d8(1:600:2)");
	for (i = 0; i < n_fortran_arrays; i++) {
		const struct array *a = fortran_arrays + i;
		long size = !strcmp(a->type, "real(ext)") ? 16
		          : strchr(a->type, '(')             ? strchr(a->type, '(')[1] - '0'
		                                             : 4;

		line("  call nests_array(%s, %ld, %s)", a->name, a->n * size, a->kind);
		name_array(a->name, a->n * size);
	}
	for (k = 0; k < sizeof(others) / sizeof(*others); k++) {
		line("  call nests_array(%s, %ld, %d)", others[k].name, others[k].n_bytes, others[k].kind);
		line("!$pomp inst data(%s, %ld, \"%s\")", others[k].name, others[k].n_bytes, others[k].name);
	}
	for (i = 0; i < n_functions; i++) {
		if (only >= 0 && i != only)
			continue;
		line("  call nests_prepare()");
		line("  !$pomp inst begin(nest%d)", i);
		line("  res = nest%d()", i);
		line("  !$pomp inst end(nest%d)", i);
		line("  call nests_check(%d, res)", i);
	}
	line("end program main");
}

void print_fortran(uint64_t seed, int n_functions, int only)
{
	int i;

	start_choices(seed, 0);
	line("! nests fortran %llu %d%s", (unsigned long long)seed, n_functions, only < 0 ? "" : text(" %d", only));
	line("module nests_functions");
	line("  implicit none");
	declare_arrays();
	line("contains");
	print_text(helpers);
	for (i = 0; i < n_functions; i++) {
		if (only >= 0 && i != only)
			continue;
		start_choices(seed, (uint64_t)i + 1);
		print_function(i);
	}
	line("end module nests_functions");
	start_choices(seed, 1000000);
	print_program(n_functions, only);
}

/*
 * c_program: functions with loop nests, and the program around them, in C and C++.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "c.h"

enum { BUDGET = 4000, ROOM = 16 };

/* Structs and others that no row of the table has. */
static const struct {
	const char *name, *type, *size, *kind;
} others[] = {
	{ "aos", "struct record", "[128]", "RECORDS" },       { "pk", "struct packed", "[128]", "PACKED" },
	{ "bf", "struct bits", "[128]", "NUMBERS" },          { "un", "union mixed", "[128]", "NUMBERS" },
	{ "nodes", "struct node", "[NESTS_NODES]", "NODES" }, { "z16", "cdouble", "[150]", "DOUBLES" },
	{ "counts", "unsigned int", "[64]", "NUMBERS" },      { "at", "atomic_number", "[64]", "NUMBERS" },
};

enum storage { STATIC, GLOBAL, HEAP };
static enum storage storage_of[32];

static void declare_arrays(void)
{
	int i;
	size_t k;

	for (i = 0; i < n_arrays; i++) {
		const struct array *a = arrays + i;

		storage_of[i] = chance(60) ? STATIC : chance(50) ? GLOBAL : HEAP;
		if (!strcmp(a->name, "m8"))
			storage_of[i] = STATIC;
		if (!strcmp(a->name, "m8"))
			line("static double m8[24][24];");
		else if (storage_of[i] == HEAP)
			line("static %s *%s;", a->type, a->name);
		else
			line("%s%s %s[%d];", storage_of[i] == STATIC ? "static " : "", a->type, a->name, a->n);
	}
	for (k = 0; k < sizeof(others) / sizeof(*others); k++)
		line("static %s %s%s;", others[k].type, others[k].name, others[k].size);
	line("static double *rows[NESTS_ROWS];");
	line("static double large[16000];");
	line("static unsigned char bytes[70000];");
}

/* Names of the array's bytes: one, or two for parts of it, or one within the other, or none. */
static void name_array(const char *name, const char *first, const char *n_bytes)
{
	size_t which = below(100);
	long cut = chance(60) ? between(1, 500) : 8 * between(1, 60);

	if (which < 50) {
		line("#pragma pomp inst data(%s, %s, \"%s\")", first, n_bytes, name);
	} else if (which < 75) {
		line("#pragma pomp inst data((char *)%s, %ld, \"%s.low\")", first, cut, name);
		line("#pragma pomp inst data((char *)%s + %ld, %s - %ld, \"%s.high\")", first, cut, n_bytes, cut, name);
	} else if (which < 90) {
		line("#pragma pomp inst data(%s, %s, \"%s\")", first, n_bytes, name);
		line("#pragma pomp inst data((char *)%s + %ld, %ld, \"%s.part\")", first, cut, between(1, 99), name);
	} else if (which < 95) {
		/* two that overlap, and a hole */
		line("#pragma pomp inst data((char *)%s + 3, %ld, \"%s.some\")", first, cut, name);
		line("#pragma pomp inst data((char *)%s + %ld, 60, \"%s.more\")", first, cut / 2 + 3, name);
	}
}

static void print_setup(void)
{
	int i;
	size_t k;
	long cut;

	line("static void set_up(void)");
	open_block("{");
	for (i = 0; i < n_arrays; i++) {
		const struct array *a = arrays + i;

		if (storage_of[i] == HEAP)
			line("%s = (%s *)calloc(%d, sizeof(%s));", a->name, a->type, a->n, a->type);
	}
	line("for (int i = 0; i < NESTS_ROWS; i++)");
	line("\trows[i] = nests_rows_memory(i);");
	for (i = 0; i < n_arrays; i++) {
		const char *first = text(strcmp(arrays[i].name, "m8") ? "%s" : "%s[0]", arrays[i].name);
		const char *n_bytes = text("%d * sizeof(%s)", arrays[i].n, arrays[i].type);

		line("nests_array((const void *)%s, %s, %s);", first, n_bytes, arrays[i].kind);
		name_array(arrays[i].name, first, n_bytes);
	}
	for (k = 0; k < sizeof(others) / sizeof(*others); k++) {
		line("nests_array((const void *)%s, sizeof(%s), %s);", others[k].name, others[k].name, others[k].kind);
		name_array(others[k].name, others[k].name, text("sizeof(%s)", others[k].name));
	}
	line("nests_array(rows, sizeof(rows), POINTERS);");
	line("#pragma pomp inst data(rows)");
	line("#pragma pomp inst data(rows[0], NESTS_ROWS * NESTS_COLUMNS * 8, \"rows.memory\")");
	/* names of some pages, which end anywhere */
	line("nests_array(large, sizeof(large), DOUBLES);");
	line("nests_array(bytes, sizeof(bytes), NUMBERS);");
	cut = between(1, 60000);
	line("#pragma pomp inst data((char *)large, %ld, \"large.low\")", cut);
	line("#pragma pomp inst data((char *)large + %ld, sizeof(large) - %ld, \"large.high\")", cut, cut);
	if (chance(50))
		line("#pragma pomp inst data((char *)large + %ld, %ld, \"large.part\")", between(1, 100000),
		     between(1, 20000));
	line("#pragma pomp inst data(bytes + %ld, %ld, \"bytes\")", between(0, 20000), between(1, 50000));
	if (language == CXX) {
		line("nests_array(vec.data(), 90 * sizeof(double), DOUBLES);");
		line("nests_array(ten.data(), sizeof(ten), NUMBERS);");
		line("#pragma pomp inst data(vec)");
		line("#pragma pomp inst data(ten)");
	}
	shut("}");
	line("%s", "");
}

/* Pointers into arrays, which may be the same memory as others, and arrays on the stack. */
static void declare_locals(void)
{
	int n = (int)below(4), i;

	for (i = 0; i < n; i++) {
		const struct array *a = arrays + below(13);
		struct array *local = locals + n_locals++;
		long first = between(0, a->n / 2);

		*local = *a;
		local->owned = false;
		local->name = text("a%d", i);
		if (language == CXX && chance(40)) {
			local->n = a->n / 2;
			line("view<%s> %s = { &%s[%s], %s };", a->type, local->name, a->name, chance(50) ? "0" : "1",
			     number(2));
		} else if (chance(60)) {
			local->n = a->n - (int)first;
			line("%s *%s = &%s[0] + %s;", a->type, local->name, a->name, number(first));
		} else {
			local->n = (int)between(8, 80);
			local->small = false;
			line("%s %s[%d] = { 0 };", a->type, local->name, local->n);
			line("for (int i = 0; i < %d; i++)", local->n);
			line("\t%s[i] = (%s)(i & 31);", local->name, a->type);
		}
	}
}

/* Prints the function's text behind the declarations that it turns out to need. */
static void print_function(const char *name, void (*print_body)(void))
{
	char *locals_text, *body_text;

	start_expressions();
	line("static NOINLINE unsigned long %s(void)", name);
	open_block("{");
	begin_draft();
	declare_locals();
	locals_text = end_draft();
	begin_draft();
	print_body();
	body_text = end_draft();
	line("unsigned long acc = 0;");
	line("double facc = 0;");
	declare_numbers();
	print_text(locals_text);
	print_text(body_text);
	line("return acc + (unsigned long)(long)facc;");
	shut("}");
	line("%s", "");
}

static int function;
static bool is_last;

static struct place whole_function(void)
{
	struct place place = { .budget = BUDGET, .owner = -1, .may_return = true };

	/* what is thrown out of the function is caught in main() */
	place.may_throw = language == CXX;
	return place;
}

static void print_plain(void)
{
	struct place place = whole_function();

	room = ROOM;
	loop(&place);
	if (chance(50))
		statements(&place, 1 + (int)below(2));
	if (is_last) {
		/* the program ends within a loop */
		open_block("for (int i = 0; i < 600; i++) {");
		line("d8[i] = d8[i] * 0.5 + 1;");
		line("if (i == nests_opaque(77))");
		line("\texit(3);");
		line("u1[i]++;");
		shut("}");
	}
}

static void print_teams(void)
{
	struct place place = whole_function();

	room = ROOM;
	if (chance(40)) {
		struct place inner = within(&place, 3);

		inner.budget = 300;
		open_block("for (int repeat = 0; repeat < 3; repeat++) {");
		know(&inner, "repeat", "int", 0, 2, false);
		print_parallel(&inner);
		shut("}");
	} else {
		print_parallel(&place);
	}
	if (chance(30))
		loop(&place);
}

/* The columns of a matrix, or a part of them. */
static void print_columns(void)
{
	open_block("for (int j = %s; j < %s; j++) {", number(between(0, 3)), number(between(4, 120)));
	open_block("for (%s i = 0; i < %s; i++) {", chance(50) ? "int" : "long", number(between(1, 120)));
	if (chance(50))
		line("large[i * 125 + j] = large[i * 125 + j + 3] * 0.5 + 1;");
	else
		line("if (large[i * 125 + j] > 9)");
	line("\tlarge[i + j * 125] = 1;");
	shut("}");
	shut("}");
}

/* Loops over many pages. */
static void print_long(void)
{
	static const long steps[] = { 1, 1, 1, 2, 3, 7, 64, 513, -1, -1, -2, -65 };
	/* the first ones of these may be done in any order */
	static const char *const bodies[] = {
		"large[i] = large[i] * 0.5 + 1;",
		"large[i] = 0;",
		"bytes[i] = 7;",
		"acc += bytes[i];",
		"bytes[i * 4 + 1] = bytes[i * 4] ^ 1;",
		"facc += large[i] * 0.25;",
		"if (large[i] > 8) bytes[i]++;",
		"bytes[i + 3] = bytes[i + 20];",
		"((struct unaligned *)(bytes + i))->v += 3;",
		"bytes[i * 4 + 1] ^= bytes[i];",
		"large[i / 2] = large[15999 - i] * 0.5;",
		"acc += (unsigned long)ix[bytes[i]];",
		"if (bytes[i] == 77) break;",
	};
	long step = PICK(steps), trips = between(0, 15900 / labs(step)), first;
	size_t which = below(sizeof(bodies) / sizeof(*bodies));
	const char *end, *by;
	bool is_directed;

	if (trips > 40 && chance(30))
		trips = 40;
	if (chance(20)) {
		print_columns();
		return;
	}
	is_directed = step == 1 && which < 5 && chance(60);
	if (is_directed)
		line(chance(60) ? "#pragma omp parallel for num_threads(2) schedule(static) reduction(+ : acc)"
		                : "#pragma omp simd reduction(+ : acc)");
	first = step > 0 ? between(0, 15900 - trips * step) : between(-step * trips, 15900);
	by = number(step);
	end = number(first + trips * step);
	if (is_directed && strstr(by, "volatile")) /* which g++ refuses there */
		by = "1";
	open_block("for (%s i = %s; i %c %s; i += %s) {", chance(50) ? "int" : "long", number(first),
	           step > 0 ? '<' : '>', end, by);
	line("%s", bodies[which]);
	if (which > 4 && chance(30))
		line("%s", PICK(bodies));
	shut("}");
}

static void print_jumping(void)
{
	struct place place = whole_function();
	const char *name = new_name("i");

	place.may_throw = false;
	place.may_return = false;
	room = ROOM;
	open_block("for (int %s = 0; %s < %s; %s++) {", name, name, number(between(1, 40)), name);
	know(&place, name, "int", 0, 39, false);
	place.budget /= 40;
	store(&place);
	if (chance(50)) {
		line("if (%s)", condition(&place));
		line("\tlongjmp(nests_env, 1);");
	} else {
		line("nests_jump((int)(%s));", condition(&place));
	}
	statement(&place);
	shut("}");
}

static void print_landing(void)
{
	struct place place = whole_function();

	room = ROOM / 2;
	if (chance(50))
		loop(&place);
	line("volatile unsigned long kept = acc;");
	line("if (!setjmp(nests_env))");
	line("\tkept += nest%d_part();", function);
	line("else");
	line("\tkept += 5;");
	line("acc = kept;");
	loop(&place);
}

static void print_one(int number_of_function)
{
	size_t which = below(100);
	const char *name = text("nest%d", number_of_function);

	function = number_of_function;
	if (!is_last && which < 10) {
		print_function(name, print_long);
	} else if (is_last || which < 70) {
		print_function(name, print_plain);
	} else if (which < 92) {
		print_function(name, print_teams);
	} else {
		int only = language;

		/* destructors and jumps do not go together */
		language = C;
		print_function(text("nest%d_part", number_of_function), print_jumping);
		print_function(name, print_landing);
		language = (enum language)only;
	}
}

static void print_main(int n_functions, int only, bool exits)
{
	int i;

	line("int main(void)");
	open_block("{");
	line("set_up();");
	for (i = 0; i < n_functions; i++) {
		if (only >= 0 && i != only)
			continue;
		line("nests_prepare();");
		if (language == CXX && !(exits && i == n_functions - 1)) {
			line("result = 0;");
			line("#pragma pomp inst begin(nest%d)", i);
			line("try {");
			line("\tresult = nest%d();", i);
			line("} catch (int) {");
			line("\tresult = 999;");
			line("}");
		} else {
			line("#pragma pomp inst begin(nest%d)", i);
			line("result = nest%d();", i);
		}
		line("#pragma pomp inst end(nest%d)", i);
		line("nests_check(%d, result);", i);
	}
	line("return 0;");
	shut("}");
}

void print_c(uint64_t seed, int n_functions, int only)
{
	bool exits;
	int i;

	start_choices(seed, 0);
	line("/* nests %s %llu %d%s */", language == CXX ? "c++" : "c", (unsigned long long)seed, n_functions,
	     only < 0 ? "" : text(" %d", only));
	line("#include <omp.h>");
	line("#include \"helpers.h\"");
	line("%s", "");
	declare_arrays();
	line("static unsigned long result;");
	line("%s", "");
	print_setup();
	exits = chance(20);
	for (i = 0; i < n_functions; i++) {
		if (only >= 0 && i != only)
			continue;
		start_choices(seed, (uint64_t)i + 1);
		is_last = exits && i == n_functions - 1;
		print_one(i);
	}
	print_main(n_functions, only, exits);
}

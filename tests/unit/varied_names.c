/*
 * Varied names: what C++ makes of names, statements that allocate, expressions, and which memory a name stands for.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/clean.h"
#include "runtime/base/nearest.h"
#include "runtime/base/text.h"
#include "runtime/counters/expression.h"
#include "runtime/program/demangle.h"
#include "runtime/program/short_name.h"
#include "runtime/program/statement.h"
#include "runtime/program/templates.h"
#include "tests/golden/varied_source.h"
#include "tests/unit/varied_machine.h"

/* ---- C++ names ---- */

struct mangled {
	char text[600];
	size_t n;
};

static void mangled_put(struct mangled *m, const char *text)
{
	size_t n = strlen(text);

	if (m->n + n < sizeof(m->text)) {
		memcpy(m->text + m->n, text, n + 1);
		m->n += n;
	}
}

static void put_word(struct mangled *m)
{
	static const char *const words[] = { "1f",  "3map", "4Grid",  "6vector", "9allocator", "12_GLOBAL__N_1",
		                             "2xs", "1T",   "5__cxx", "7__cxx11" };

	mangled_put(m, VARIED_ONE_OF(words));
}

static void put_type(struct mangled *m, int depth);

/* An expression of a template's argument. */
static void put_operation(struct mangled *m, int depth)
{
	static const char *const values[] = { "Li3E", "Lb1E", "Ln4E",  "T_",   "T0_",
		                              "fp_",  "fp0_", "fL0p_", "LDnE", "L_Z1fvE" };
	static const char *const one[] = { "ng", "nt", "co", "de", "ad", "pp_", "mm",
		                           "sz", "az", "dl", "da", "te", "nx",  "sZ" };
	static const char *const two[] = { "pl", "mi", "ml", "dv", "rm", "an", "or", "eo", "ls", "rs", "eq", "ne", "lt",
		                           "gt", "le", "ge", "aa", "oo", "ix", "cm", "pt", "dt", "ss", "aS", "pL" };
	static const char *const typed[] = { "st", "at", "ti", "cv", "dc", "sc", "cc", "rc", "tl", "sr" };

	if (depth <= 0) {
		mangled_put(m, VARIED_ONE_OF(values));
		return;
	}
	switch (varied_below(7)) {
	case 0:
		mangled_put(m, VARIED_ONE_OF(one));
		break;
	case 1:
	case 2:
		mangled_put(m, VARIED_ONE_OF(two));
		put_operation(m, depth - 1);
		break;
	case 3:
		mangled_put(m, VARIED_ONE_OF(typed));
		put_type(m, depth - 1);
		if (varied_below(2))
			put_word(m);
		break;
	case 4:
		mangled_put(m, "qu");
		put_operation(m, depth - 1);
		put_operation(m, depth - 1);
		break;
	case 5:
		mangled_put(m, varied_below(2) ? "cl" : "il");
		put_operation(m, depth - 1);
		put_operation(m, depth - 1);
		mangled_put(m, "E");
		return;
	default:
		break;
	}
	put_operation(m, depth - 1);
}

static void put_arguments(struct mangled *m, int depth)
{
	mangled_put(m, "I");
	for (uint32_t i = 1 + varied_below(3); i > 0; i--) {
		switch (varied_below(8)) {
		case 0:
			mangled_put(m, varied_below(2) ? "Li3E" : "Lb1E");
			break;
		case 1:
			mangled_put(m, "J");
			put_type(m, depth - 1);
			mangled_put(m, "E");
			break;
		case 2:
			mangled_put(m, "X");
			put_operation(m, 1 + (int)varied_below(3));
			mangled_put(m, "E");
			break;
		default:
			put_type(m, depth - 1);
		}
	}
	mangled_put(m, "E");
}

static void put_name(struct mangled *m, int depth)
{
	switch (depth > 0 ? varied_below(6) : 0) {
	case 0:
	case 1:
		put_word(m);
		break;
	case 2:
		mangled_put(m, varied_below(4) ? "N" : "NK");
		for (uint32_t i = 2 + varied_below(2); i > 0; i--) {
			put_word(m);
			if (!varied_below(4))
				put_arguments(m, depth - 1);
		}
		mangled_put(m, varied_below(6) ? "E" : varied_below(2) ? "C1E" : "D0E");
		break;
	case 3:
		put_word(m);
		put_arguments(m, depth - 1);
		break;
	case 4:
		mangled_put(m, "St");
		put_word(m);
		break;
	default:
		mangled_put(m, "Z");
		put_name(m, depth - 1);
		put_type(m, depth - 1);
		mangled_put(m, "E");
		if (varied_below(2))
			put_word(m);
		else
			mangled_put(m, varied_below(2) ? "UlvE_" : "Ut0_");
	}
}

static void put_type(struct mangled *m, int depth)
{
	static const char *const simple[] = { "i",   "d",  "v",    "c",  "l", "b", "Sa", "Ss", "S_",
		                              "S0_", "T_", "DpT_", "Dn", "z", "f", "j",  "x",  "S1_" };
	static const char *const before[] = { "P", "R", "O", "K", "V", "PK", "RK", "A3_", "A_", "C", "DO" };

	if (depth <= 0) {
		mangled_put(m, VARIED_ONE_OF(simple));
		return;
	}
	switch (varied_below(6)) {
	case 0:
	case 1:
		mangled_put(m, VARIED_ONE_OF(before));
		put_type(m, depth - 1);
		break;
	case 2:
		put_name(m, depth - 1);
		break;
	case 3:
		mangled_put(m, varied_below(3) ? "PF" : "F");
		put_type(m, depth - 1);
		put_type(m, depth - 1);
		mangled_put(m, "E");
		break;
	case 4:
		mangled_put(m, "M");
		put_word(m);
		put_type(m, depth - 1);
		break;
	default:
		mangled_put(m, VARIED_ONE_OF(simple));
	}
}

static void make_demangle(FILE *to)
{
	static const char *const heads[] = { "_Z",    "_Z",    "_Z",   "_Z",   "_Z",     "_ZN",        "_ZTV",
		                             "_ZGVZ", "_ZL",   "_ZTI", "_ZTS", "_ZTT",   "_ZTH",       "_ZTW",
		                             "_ZGR",  "_ZTAL", "_ZTC", "_ZTc", "_ZTh8_", "_ZTv0_n24_", "_ZGTt" };
	static const char *const operators[] = { "pl", "eq", "cl", "ix", "nw", "dl", "aS", "ls", "cvi", "li2_x", "ss" };
	struct ompp_arena arena;
	struct mangled m = { "", 0 };
	char *name;

	mangled_put(&m, VARIED_ONE_OF(heads));
	if (varied_below(5))
		put_name(&m, 4);
	else
		mangled_put(&m, VARIED_ONE_OF(operators));
	for (uint32_t i = varied_below(4); i > 0; i--)
		put_type(&m, 3);
	if (!varied_below(8))
		mangled_put(&m, varied_below(2) ? ".part.0" : ".constprop.1");
	if (varied_below(3) == 0)
		m.text[varied_damage(m.text, m.n, sizeof(m.text), 1)] = '\0';
	ompp_arena_init(&arena, 0);
	name = ompp_demangle(m.text, OMPP_DEMANGLE_WHOLE, &arena);
	fprintf(to, "%s: %s %d", m.text, name ? name : "-", ompp_templates_name(m.text));
	if (name) {
		ompp_short_name(name);
		fprintf(to, " = %s", name);
	}
	name = ompp_demangle(m.text, OMPP_DEMANGLE_NAME, &arena);
	fprintf(to, " | %s\n", name ? name : "-");
	ompp_arena_fini(&arena);
}

/* ---- statements ---- */

static void put_lines(struct mangled *m, int is_fortran)
{
	static const char *const c[] = { "double *a = malloc(n);",
		                         "a = calloc(n, 8); b = (int *)malloc(m);",
		                         "  p->x[i] = new T[n];",
		                         "f(malloc(9), realloc(q, 3));",
		                         "auto v = std::vector<double>(n);",
		                         "return new Grid(n);",
		                         "/* malloc */ x =",
		                         "\tmalloc(n * sizeof *x);",
		                         "if (!(s = malloc(1)))",
		                         "std::vector<int> counts(n), more;",
		                         "#define A malloc(3)",
		                         "a = \"malloc(\"; // b = malloc(2)",
		                         "this->data_ = alloc_.allocate(n);",
		                         "T *const t{new T[3]};",
		                         "x[f(1, 2)] = y = malloc(3);" };
	static const char *const f[] = { "allocate(a(n), b(m,k))",
		                         "  allocate(x%y(sizes%n(1)), stat=i)",
		                         "ALLOCATE ( t%w(2:n) , &",
		                         "     & s(3), source=q)",
		                         "if (c) allocate(p(n))",
		                         "real(8), allocatable :: z(:)",
		                         "z = [1, 2]",
		                         "! allocate(a(2))",
		                         "allocate(character(len=n) :: s(3))",
		                         "p => f(g(3))",
		                         "x = 'allocate(a(3))'; allocate(b(i), c(f(j)))",
		                         "      a = b + c" };

	for (uint32_t i = 1 + varied_below(4); i > 0; i--) {
		mangled_put(m, is_fortran ? VARIED_ONE_OF(f) : VARIED_ONE_OF(c));
		mangled_put(m, varied_below(5) ? "\n" : " \\\n");
	}
	m->text[varied_below(3) ? m->n : varied_damage(m->text, m->n, sizeof(m->text), 1)] = '\0';
}

static void make_statement(FILE *to)
{
	static const char *const paths[] = { "a.c", "b.cc", "c.f90", "d.F", "e.f", "x" };
	struct mangled m = { "", 0 };
	struct ompp_statement s = { .path = VARIED_ONE_OF(paths), .text = m.text, .line = 1 + varied_below(3) };
	uint32_t columns[3], n_columns = 1 + varied_below(3), at = 1;
	int is_fortran = ompp_statement_is_fortran(s.path);

	put_lines(&m, is_fortran);
	for (uint32_t i = 0; i < n_columns; i++)
		columns[i] = at += varied_below(20) + 1;
	s.n = n_columns;
	s.columns = varied_below(2) ? columns : NULL;
	fprintf(to, "%s:%u %s\n", s.path, s.line, m.text);
	for (size_t i = 0; i < s.n; i++) {
		char line[120] = "";
		struct ompp_text t;
		int rc;

		ompp_text_init(&t, line, sizeof(line));
		rc = ompp_statement_name(&t, &s, i);
		fprintf(to, "%u: %d %s\n", s.columns ? columns[i] : 0, rc, line);
	}
	for (uint32_t column = 1; column < 30 && is_fortran; column++) {
		size_t n = ompp_statement_n_arrays(&s, column);
		char line[400] = "";
		struct ompp_text t;

		ompp_text_init(&t, line, sizeof(line));
		for (size_t i = 0; i < n; i++) {
			ompp_statement_array(&t, &s, column, i);
			ompp_text_char(&t, ' ');
		}
		for (size_t i = 0; i < 4 && ompp_statement_called(&t, &s, column, i); i++)
			ompp_text_char(&t, '+');
		if (n || t.n_bytes)
			fprintf(to, "%u: %zu %s\n", column, n, line);
	}
}

/* The same for texts of whole programs. */
static void make_program(FILE *to)
{
	static const char *const paths[VARIED_LANGUAGES] = { "a.c", "a.cc", "a.f90", "a.f" };
	enum varied_language language = varied_below(VARIED_LANGUAGES);
	size_t n_bytes;
	char *text = varied_source(language, varied_below(1000), &n_bytes);
	struct ompp_statement s = { .path = paths[language], .text = text, .n = 1 };

	for (s.line = 1; s.line < 60; s.line++) {
		char line[120] = "";
		struct ompp_text t;
		int rc;

		ompp_text_init(&t, line, sizeof(line));
		rc = ompp_statement_name(&t, &s, 0);
		fprintf(to, "%d %s %zu\n", rc, line, ompp_statement_n_arrays(&s, 7));
	}
	free(text);
}

/* ---- expressions ---- */

static void put_expression(struct mangled *m, int depth)
{
	static const char *const leaves[] = {
		"cycles", "instructions", "EXECT",   "EXECC",           "THREADS", "1",
		"0.5",    "1e9",          "3.25e-4", "LLC-load-misses", "nothing", "100"
	};
	static const char *const signs[] = { "+", "-", "*", "/", " / " };

	if (depth <= 0 || !varied_below(3)) {
		mangled_put(m, VARIED_ONE_OF(leaves));
		return;
	}
	mangled_put(m, varied_below(3) ? "" : varied_below(2) ? "(" : "-(");
	put_expression(m, depth - 1);
	mangled_put(m, VARIED_ONE_OF(signs));
	put_expression(m, depth - 1);
	if (strchr(m->text, '(') && varied_below(2))
		mangled_put(m, ")");
}

static void make_expression(FILE *to)
{
	static const char *const known[] = { "cycles", "instructions", "LLC-load-misses" };
	static struct ompp_expression e;
	struct ompp_decimal d;
	int64_t values[OMPP_EXPRESSION_NAMES];
	struct mangled m = { "", 0 };
	char line[200] = "";
	struct ompp_text why;
	int rc;

	put_expression(&m, 4);
	if (!varied_below(3))
		m.text[varied_damage(m.text, m.n, sizeof(m.text), 1)] = '\0';
	ompp_text_init(&why, line, sizeof(line));
	rc = ompp_expression_parse(&e, m.text, known, OMPP_COUNT_OF(known), &why);
	fprintf(to, "%s: %d %s", m.text, rc, line);
	for (size_t i = 0; i < OMPP_EXPRESSION_NAMES; i++)
		values[i] = varied_below(9) ? (int64_t)(varied_number() >> 1) : INT64_MIN;
	if (!rc) {
		d = ompp_expression_value(&e, values, (int64_t)(varied_number() >> 2), varied_number() >> 2,
		                          1 + varied_below(64));
		fprintf(to, " %lld e %d", (long long)d.mantissa, d.exponent);
	}
	fputc('\n', to);
}

/* ---- words ---- */

static void make_nearest(FILE *to)
{
	char word[40], other[40], clean[200];
	struct ompp_text t;
	size_t n = (size_t)snprintf(word, sizeof(word), "%s", varied_below(2) ? "solve" : "cache-misses"), k = n;

	memcpy(other, word, n + 1);
	for (uint32_t i = varied_below(4); i > 0; i--)
		k = varied_damage(other, k, sizeof(other) - 1, 1);
	other[k] = '\0';
	fprintf(to, "%s %s %u %d", word, other, ompp_distance(word, n, other, k), ompp_is_plain_word(other));
	ompp_text_init(&t, clean, sizeof(clean));
	ompp_clean(&t, other, (int)varied_below(2));
	fprintf(to, " %s\n", clean);
}

const struct varied_part varied_name_parts[] = {
	{ "demangle", 4000, make_demangle }, { "statement", 2000, make_statement },
	{ "program", 200, make_program },    { "expression", 3000, make_expression },
	{ "nearest", 1000, make_nearest },   { NULL, 0, NULL },
};

/*
 * Resolve: see symbols_resolve.h.
 *
 * What a call allocates is said by the source: "g->cells = malloc(…)" allocates what the member cells of *g points to.
 * So the statement of the call is read, and what is assigned there is looked up among the variables that are visible at
 * the call.  Functions of the C++ library's allocators say it by the argument of their template.
 */
#define _GNU_SOURCE
#include "runtime/helpers/symbols/symbols_resolve.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/text.h"
#include "runtime/helpers/symbols/symbols_allocator.h"
#include "runtime/helpers/symbols/symbols_location.h"
#include "runtime/helpers/symbols/symbols_type.h"
#include "runtime/program/statement.h"
#include "runtime/program/statement_text.h"

enum { EXPRESSION_BYTES = 512, DEEPEST = 64, MOST_SOURCE_BYTES = 4 << 20 };

static struct ompp_symbols_element element;

/* ---- types ---- */

/* Follows a pointer, or the elements of an array. */
static int follow(Dwarf_Die *type)
{
	int tag = dwarf_tag(type);
	Dwarf_Die of;

	if (tag != DW_TAG_pointer_type && tag != DW_TAG_array_type && tag != DW_TAG_reference_type &&
	    tag != DW_TAG_rvalue_reference_type)
		return 0;
	if (!ompp_symbols_type_of(type, &of))
		return 0;
	*type = of;
	return 1;
}

static void through_references(Dwarf_Die *type)
{
	while (dwarf_tag(type) == DW_TAG_reference_type || dwarf_tag(type) == DW_TAG_rvalue_reference_type)
		if (!follow(type))
			return;
}

/* Returns 1 when a type, after the arrays of which it is the element, is a structure, which *type becomes.  One that is
 * only declared here is looked for where it is not. */
static int find_complete(Dwarf *dwarf, Dwarf_Die *type);
static int is_element(Dwarf *dwarf, Dwarf_Die *type)
{
	while (dwarf_tag(type) == DW_TAG_array_type && follow(type))
		;
	return ompp_symbols_is_structure(type) && find_complete(dwarf, type);
}

/* Returns 1 when an object that a variable of this type names, or points to, is made of structures. */
static int is_of_elements(Dwarf *dwarf, Dwarf_Die *type)
{
	Dwarf_Die of;

	through_references(type);
	if (ompp_symbols_is_structure(type) && ompp_symbols_argument_of(type, &of) && is_element(dwarf, &of)) {
		*type = of;
		return 1;
	}
	if (dwarf_tag(type) == DW_TAG_pointer_type && !follow(type))
		return 0;
	return is_element(dwarf, type);
}

static int resolve_member(Dwarf_Die *structure, const char *name, size_t n, Dwarf_Die *type, int depth)
{
	Dwarf_Die child, inner;

	if (dwarf_child(structure, &child) || depth == DEEPEST)
		return 0;
	do {
		int tag = dwarf_tag(&child);

		if (tag == DW_TAG_member && ompp_symbols_is_named(&child, name, n))
			return ompp_symbols_type_of(&child, type);
		if ((tag == DW_TAG_inheritance || (tag == DW_TAG_member && !dwarf_diename(&child))) &&
		    ompp_symbols_type_of(&child, &inner) && resolve_member(&inner, name, n, type, depth + 1))
			return 1;
	} while (!dwarf_siblingof(&child, &child));
	return 0;
}

/* ---- search in all of the file ---- */

/* Calls visit() for each entry of the file, until it returns other than 0, which is returned. */
struct search {
	int (*visit)(struct search *s, Dwarf_Die *die);
	Dwarf *dwarf;
	const char *name;
	size_t n_name;
	uintptr_t address;
	Dwarf_Die found;
	int n_found, are_different;
};

static int search_below(struct search *s, Dwarf_Die *parent, int depth)
{
	Dwarf_Die die;
	int rc = 0;

	if (depth == DEEPEST || dwarf_child(parent, &die))
		return 0;
	do {
		rc = s->visit(s, &die);
		if (!rc && dwarf_haschildren(&die) > 0)
			rc = search_below(s, &die, depth + 1);
	} while (!rc && !dwarf_siblingof(&die, &die));
	return rc;
}

static int search_all(struct search *s)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die top, split;
	uint8_t type;
	int rc = 0;

	while (!rc && !dwarf_get_units(s->dwarf, unit, &unit, NULL, &type, &top, &split))
		if (type != DW_UT_split_type)
			rc = search_below(s, type == DW_UT_skeleton && split.addr ? &split : &top, 0);
	return rc;
}

static int visit_type(struct search *s, Dwarf_Die *die)
{
	if (!ompp_symbols_is_structure(die) || dwarf_hasattr(die, DW_AT_declaration) ||
	    !ompp_symbols_is_named(die, s->name, s->n_name))
		return 0;
	s->found = *die;
	return 1;
}

static int find_complete(Dwarf *dwarf, Dwarf_Die *type)
{
	struct search s = { .visit = visit_type, .dwarf = dwarf, .name = dwarf_diename(type) };
	Dwarf_Word n_bytes;

	if (!dwarf_hasattr(type, DW_AT_declaration))
		return !dwarf_aggregate_size(type, &n_bytes);
	s.n_name = s.name ? strlen(s.name) : 0;
	if (!s.n_name || !search_all(&s))
		return 0;
	*type = s.found;
	return 1;
}

static int is_variable(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	return tag == DW_TAG_variable || tag == DW_TAG_formal_parameter;
}

/* Finds the variable that has an address: the type is that of all of it. */
static int visit_address(struct search *s, Dwarf_Die *die)
{
	Dwarf_Attribute attribute, pool;
	Dwarf_Op *ops;
	Dwarf_Addr at;
	Dwarf_Word n_bytes;
	Dwarf_Die type;
	size_t n;

	if (dwarf_tag(die) != DW_TAG_variable ||
	    dwarf_getlocation(dwarf_attr_integrate(die, DW_AT_location, &attribute), &ops, &n) || n != 1)
		return 0;
	if (ops[0].atom == DW_OP_addr)
		at = ops[0].number;
	else if ((ops[0].atom != DW_OP_addrx && ops[0].atom != DW_OP_GNU_addr_index) ||
	         dwarf_getlocation_attr(&attribute, &ops[0], &pool) || dwarf_formaddr(&pool, &at))
		return 0;
	if (s->address < at || !ompp_symbols_type_of(die, &type) || dwarf_aggregate_size(&type, &n_bytes) ||
	    s->address - at >= n_bytes)
		return 0;
	s->found = type;
	return 1;
}

static int is_same_structure(Dwarf_Die *a, Dwarf_Die *b)
{
	Dwarf_Word n_a = 0, n_b = 0;
	const char *x = dwarf_diename(a), *y = dwarf_diename(b);

	dwarf_aggregate_size(a, &n_a);
	dwarf_aggregate_size(b, &n_b);
	return n_a == n_b && !strcmp(x ? x : "", y ? y : "");
}

/* Keeps the structure that a variable or a member of the name stands for, as long as all of them stand for the same. */
static int keep_named(struct search *s, Dwarf_Die *die)
{
	Dwarf_Die type;

	if (!ompp_symbols_is_named(die, s->name, s->n_name) || !ompp_symbols_type_of(die, &type) ||
	    !is_of_elements(s->dwarf, &type))
		return 0;
	if (s->n_found++ && !is_same_structure(&type, &s->found))
		s->are_different = 1;
	s->found = type;
	return s->are_different;
}

static int visit_named_variable(struct search *s, Dwarf_Die *die)
{
	return is_variable(die) ? keep_named(s, die) : 0;
}

static int visit_named_member(struct search *s, Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_member ? keep_named(s, die) : 0;
}

static int by_name(Dwarf *dwarf, const char *name, Dwarf_Die *type)
{
	struct search s = { .visit = visit_named_variable, .dwarf = dwarf };
	const char *end = name + strcspn(name, "[("), *at;

	for (at = end; at > name && !strchr(".>:%/", at[-1]); at--)
		;
	s.name = at;
	s.n_name = (size_t)(end - at);
	if (!s.n_name)
		return 0;
	search_all(&s);
	if (!s.n_found) {
		s.visit = visit_named_member;
		search_all(&s);
	}
	*type = s.found;
	return s.n_found && !s.are_different;
}

/* ---- expressions of the source ---- */

static int is_letter(char ch)
{
	return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') || ch == '_' ||
	       ch == '$';
}

static size_t word_length(const char *at)
{
	size_t n = 0;

	while (is_letter(at[n]) || (at[n] == ':' && at[n + 1] == ':' && n) || (n && at[n] == ':' && at[n - 1] == ':'))
		n++;
	return n;
}

static int among_children(Dwarf_Die *scope, const char *name, size_t n, Dwarf_Die *type)
{
	Dwarf_Die child;

	if (dwarf_child(scope, &child))
		return 0;
	do
		if (is_variable(&child) && ompp_symbols_is_named(&child, name, n))
			return ompp_symbols_type_of(&child, type);
	while (!dwarf_siblingof(&child, &child));
	return 0;
}

static int is_function(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_subprogram || dwarf_tag(die) == DW_TAG_inlined_subroutine;
}

struct scopes {
	Dwarf *dwarf;
	Dwarf_Die *chain;
	int first, n;                                 /* those of one frame begin with `first` */
	const struct ompp_element_question *question; /* in the frame of the call itself; NULL in others */
};

static int visit_variable(struct search *s, Dwarf_Die *die)
{
	return is_variable(die) && ompp_symbols_is_named(die, s->name, s->n_name) &&
	       ompp_symbols_type_of(die, &s->found);
}

/* Finds the type of a variable by its name, as it is visible in a frame. */
static int find_variable(const struct scopes *in, const char *name, size_t n, Dwarf_Die *type)
{
	struct search s = { .visit = visit_variable, .dwarf = in->dwarf, .name = name, .n_name = n };

	for (size_t i = n; i-- > 1;)
		if (name[i - 1] == ':') {
			s.name = name + i;
			s.n_name = n - i;
			break;
		}
	for (int i = in->first; i < in->n; i++) {
		Dwarf_Die own, *scope = &in->chain[i];

		if (among_children(scope, s.name, s.n_name, type))
			return 1;
		if (is_function(scope) && among_children(scope, "this", 4, &own) && follow(&own) &&
		    resolve_member(&own, s.name, s.n_name, type, 0))
			return 1;
		if (is_function(scope) && dwarf_tag(scope) == DW_TAG_inlined_subroutine)
			break; /* what is around it is another function */
	}
	for (int i = in->first; i < in->n; i++)
		if (dwarf_tag(&in->chain[i]) != DW_TAG_inlined_subroutine &&
		    among_children(&in->chain[i], s.name, s.n_name, type))
			return 1;
	if (!search_all(&s))
		return 0;
	*type = s.found;
	return 1;
}

/* Returns what is behind the bracket that closes the one at a place. */
static const char *behind_bracket(const char *at)
{
	int depth = 0;

	for (; *at; at++) {
		depth += strchr("([{", *at) ? 1 : strchr(")]}", *at) ? -1 : 0;
		if (!depth)
			return at + 1;
	}
	return at;
}

static const char *over_blanks(const char *at)
{
	while (*at == ' ' || *at == '\t')
		at++;
	return at;
}

/* Finds the type of "g->cells[i].p", "*out", "s%cells(i)" in a frame. */
static int find_type(const struct scopes *in, const char *text, Dwarf_Die *type)
{
	const char *at = over_blanks(text);
	int n_stars = 0;
	size_t n;

	for (; *at == '*' || *at == '(' || *at == '&' || *at == ' '; at++)
		n_stars += *at == '*' ? 1 : *at == '&' ? -1 : 0;
	n = word_length(at);
	if (!n || !find_variable(in, at, n, type))
		return 0;
	for (at = over_blanks(at + n); *at; at = over_blanks(at)) {
		through_references(type);
		if (*at == '[' || *at == '(') {
			at = behind_bracket(at);
			if (!follow(type))
				return 0;
			continue;
		}
		if (!strncmp(at, "->", 2) || *at == '.' || *at == '%') {
			at = over_blanks(at + (*at == '-' ? 2 : 1));
			while (dwarf_tag(type) == DW_TAG_pointer_type || dwarf_tag(type) == DW_TAG_array_type)
				if (!follow(type))
					return 0;
			n = word_length(at);
			if (!n || !find_complete(in->dwarf, type) || !resolve_member(type, at, n, type, 0))
				return 0;
			at += n;
			continue;
		}
		break;
	}
	through_references(type);
	while (n_stars-- > 0)
		if (!follow(type))
			return 0;
	return 1;
}

/* Finds a structure by its name, "struct p", "ns::p". */
static int find_named(const struct scopes *in, const char *text, Dwarf_Die *type)
{
	struct search s = { .visit = visit_type, .dwarf = in->dwarf };

	text = over_blanks(text);
	if (!strncmp(text, "struct ", 7) || !strncmp(text, "class ", 6) || !strncmp(text, "union ", 6))
		text = over_blanks(strchr(text, ' '));
	s.name = text;
	s.n_name = word_length(text);
	for (size_t i = s.n_name; i-- > 1;)
		if (s.name[i - 1] == ':') {
			s.name += i;
			s.n_name -= i;
			break;
		}
	if (!s.n_name || !search_all(&s))
		return 0;
	*type = s.found;
	return 1;
}

/* ---- statements ---- */

static struct {
	char *path, *text;
} source;

static const char *resolve_source(const char *path)
{
	FILE *file;
	size_t n;

	if (source.path && !strcmp(source.path, path))
		return source.text;
	free(source.path);
	free(source.text);
	source.path = strdup(path);
	source.text = calloc(1, MOST_SOURCE_BYTES + 1);
	file = fopen(path, "re");
	n = file && source.text ? fread(source.text, 1, MOST_SOURCE_BYTES, file) : 0;
	if (source.text) {
		char *kept = realloc(source.text, n + 1);

		source.text = kept ? kept : source.text;
		source.text[n] = '\0';
	}
	if (file)
		fclose(file);
	return source.text ? source.text : "";
}

/* Finds the line of a text; NULL when it has not so many. */
static const char *line_of(const char *text, int line)
{
	for (; line > 1 && text; line--) {
		text = strchr(text, '\n');
		text = text ? text + 1 : NULL;
	}
	return text;
}

/* Finds what a directive or a call that names memory names: its first argument. */
static int by_naming(const struct scopes *in, const char *line, Dwarf_Die *type)
{
	static const char *const calls[] = { "data(", "ompp_data_begin(", "ompp_papi_set_drange(" };
	char text[EXPRESSION_BYTES];
	const char *at = NULL;
	size_t n = strcspn(line, "\n"), k;
	int depth = 0;

	snprintf(text, sizeof(text), "%.*s", (int)(n < sizeof(text) ? n : sizeof(text) - 1), line);
	for (size_t i = 0; text[i] && !at; i++)
		for (size_t c = 0; c < sizeof(calls) / sizeof(calls[0]) && !at; c++)
			if (ompp_text_same(calls[c], strlen(calls[c]), text + i, strnlen(text + i, strlen(calls[c]))))
				at = text + i + strlen(calls[c]);
	if (!at)
		return 0;
	for (k = (size_t)(at - text); text[k]; k++) {
		depth += strchr("([", text[k]) ? 1 : strchr(")]", text[k]) ? -1 : 0;
		if (depth < 0 || (!depth && text[k] == ','))
			break;
	}
	text[k] = '\0';
	return find_type(in, at, type) && is_of_elements(in->dwarf, type);
}

/* Finds what a C or C++ statement allocates by the type that it names: "new p[n]", "sizeof(struct p)", "sizeof *a". */
static int by_type_in(const struct scopes *in, const char *line, Dwarf_Die *type)
{
	char text[EXPRESSION_BYTES];
	size_t n = strcspn(line, "\n");
	const char *at;

	snprintf(text, sizeof(text), "%.*s", (int)(n < sizeof(text) ? n : sizeof(text) - 1), line);
	at = strstr(text, "new ");
	if (at && (at == text || !is_letter(at[-1])) && find_named(in, at + 4, type))
		return is_element(in->dwarf, type);
	at = strstr(text, "sizeof");
	if (!at)
		return 0;
	at = over_blanks(at + 6);
	if (*at == '(' && find_named(in, at + 1, type))
		return is_element(in->dwarf, type);
	return find_type(in, at, type) && is_element(in->dwarf, type);
}

/* Returns the array in "allocate(a(n))". */
static const char *allocated(const char *text)
{
	return ompp_text_same(text, strnlen(text, 9), "allocate(", 9) ? text + 9 : text;
}

/* Finds the structure of one array that a Fortran statement allocates. */
static int by_array(const struct scopes *in, const struct ompp_statement *s, size_t which, Dwarf_Die *type)
{
	char name[EXPRESSION_BYTES];
	struct ompp_text t;

	ompp_text_init(&t, name, sizeof(name));
	ompp_statement_array(&t, s, s->columns[0], which);
	return find_type(in, allocated(name), type) && is_of_elements(in->dwarf, type);
}

static int visit_function(struct search *s, Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_subprogram && ompp_symbols_is_named(die, s->name, s->n_name);
}

/* May a Fortran statement call functions of the program between its calls that allocate?  In its bounds stands then
 * what is a function, or is no variable. */
static int may_call(const struct scopes *in, const struct ompp_statement *s)
{
	char name[EXPRESSION_BYTES];
	struct ompp_text t;
	Dwarf_Die type;

	for (size_t i = 0;; i++) {
		ompp_text_init(&t, name, sizeof(name));
		if (!ompp_statement_called(&t, s, s->columns[0], i))
			return 0;
		if (!find_type(in, name, &type) ||
		    search_all(&(struct search){
			    .visit = visit_function, .dwarf = in->dwarf, .name = name, .n_name = strlen(name) }))
			return 1;
	}
}

/* Returns how many of the calls that the thread made before, up to the first that is elsewhere, have the place of this
 * one; SIZE_MAX when there may be more. */
static size_t n_earlier_here(const struct ompp_element_question *q, const struct ompp_symbols_spot *at, Dwarf *dwarf)
{
	for (size_t i = 0; i < q->n_earlier; i++) {
		uintptr_t address = q->address + (uintptr_t)q->earlier[i];
		struct ompp_symbols_spot spot = ompp_symbols_spot_at(dwarf, address);

		if (!spot.file || strcmp(spot.file, at->file) || spot.line != at->line || spot.column != at->column)
			return i;
	}
	return q->n_earlier < OMPP_ELEMENT_MOST_EARLIER ? q->n_earlier : SIZE_MAX;
}

/* Finds what a Fortran statement allocates.  Where its arrays differ, the calls are in the order of the arrays. */
static int by_fortran(const struct scopes *in, const struct ompp_symbols_spot *at, const struct ompp_statement *s,
                      Dwarf_Die *type)
{
	size_t n = ompp_statement_n_arrays(s, s->columns[0]), n_alike = 0, n_before;
	Dwarf_Die before;

	while (n_alike < n && by_array(in, s, n_alike, type) && (!n_alike || is_same_structure(type, &before))) {
		before = *type;
		n_alike++;
	}
	if (n_alike == n || !in->question)
		return n > 0 && n_alike == n;
	n_before = n_earlier_here(in->question, at, in->dwarf);
	return n_before != SIZE_MAX && !may_call(in, s) && by_array(in, s, n_before % n, type);
}

/* Does a statement, its comments and texts left out, call what aligns a block? */
static int says_aligned(const struct ompp_statement *s)
{
	char text[OMPP_STATEMENT_BYTES];

	ompp_statement_copy(text, s->text, s->line);
	return strstr(text, "align") || strstr(text, "_mm_malloc");
}

/* Finds what the call at a place of the source allocates or names. */
static int by_statement(const struct scopes *in, const struct ompp_symbols_spot *at, Dwarf_Die *type)
{
	uint32_t column = at->column > 0 ? (uint32_t)at->column : 0;
	struct ompp_statement s = { .path = at->file,
		                    .text = resolve_source(at->file),
		                    .line = (uint32_t)at->line,
		                    .columns = &column,
		                    .n = 1 };
	const char *line = line_of(s.text, at->line);
	char name[EXPRESSION_BYTES], *end;
	struct ompp_text t;

	if (!line)
		return 0;
	if (by_naming(in, line, type))
		return 1;
	if (ompp_statement_is_fortran(at->file))
		return by_fortran(in, at, &s, type);
	if (strnlen(line, 4096) && memmem(line, strcspn(line, "\n"), "new ", 4) &&
	    memchr(line, '[', strcspn(line, "\n")))
		element.flags |= OMPP_ELEMENT_NEW_ARRAY;
	if (says_aligned(&s))
		element.flags |= OMPP_ELEMENT_ALIGNED;
	ompp_text_init(&t, name, sizeof(name));
	ompp_statement_name(&t, &s, 0);
	end = strstr(name, " = ");
	if (end) {
		*end = '\0';
		if (find_type(in, name, type) && dwarf_tag(type) == DW_TAG_pointer_type &&
		    is_of_elements(in->dwarf, type))
			return 1;
	}
	return by_type_in(in, line, type);
}

/* ---- calls ---- */

static int by_call(Dwarf *dwarf, const struct ompp_element_question *question, Dwarf_Die *type)
{
	uintptr_t address = question->address;
	struct scopes in = { .dwarf = dwarf, .question = question };
	struct ompp_symbols_spot at;
	Dwarf_Die unit;
	int ends = 0, is_found = 0;

	in.n = ompp_symbols_scopes(dwarf, address, &unit, &in.chain);
	if (in.n < 0)
		return 0;
	at = ompp_symbols_instruction(&unit, address);
	for (int i = 0; i < in.n && !ends && !is_found; i++) {
		if (!is_function(&in.chain[i]))
			continue;
		ends = dwarf_tag(&in.chain[i]) == DW_TAG_subprogram;
		if (ompp_symbols_allocated(&in.chain[i], type)) {
			/* what is around it may be vectors of vectors, which this is not for */
			is_found = is_element(dwarf, type);
			element.flags = is_found ? 0 : OMPP_ELEMENT_NONE;
			break;
		}
		if (at.file && !ompp_symbols_is_of_system(at.file))
			is_found = by_statement(&in, &at, type);
		if (!ends)
			at = ompp_symbols_call_of(&in.chain[i], &unit);
		in.first = i + 1;
		in.question = NULL;
	}
	free(in.chain);
	return is_found;
}

static int by_address(Dwarf *dwarf, uintptr_t address, Dwarf_Die *type)
{
	struct search s = { .visit = visit_address, .dwarf = dwarf, .address = address };

	if (!search_all(&s))
		return 0;
	*type = s.found;
	return is_element(dwarf, type);
}

const struct ompp_symbols_element *ompp_symbols_resolve(const char *path, const struct ompp_element_question *question)
{
	Dwarf *dwarf = ompp_symbols_open(path);
	Dwarf_Die type;
	int is_found;

	ompp_symbols_element_clear(&element);
	if (!dwarf)
		return NULL;
	is_found = question->by == OMPP_ELEMENT_BY_ADDRESS ? by_address(dwarf, question->address, &type)
	         : question->by == OMPP_ELEMENT_BY_CALL    ? by_call(dwarf, question, &type)
	                                                   : by_name(dwarf, question->name, &type);
	if (!is_found)
		return element.flags & OMPP_ELEMENT_NONE ? &element : NULL;
	ompp_symbols_members(&element, &type);
	return element.n && element.n_bytes ? &element : NULL;
}

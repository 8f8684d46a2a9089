/*
 * Symbols: see symbols.h.
 */
#define _GNU_SOURCE
#include "runtime/ranges/symbols.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/base/nearest.h"
#include "runtime/base/program_file.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/host/dynamic.h"
#include "runtime/host/real.h"
#include "runtime/ranges/symbol_query.h"

enum { LINE_BYTES = 256, PATH_BYTES = 4096, MOST_NAMED = 4, MOST_SHOWN = 80 };

struct module {
	const char *path;
	uintptr_t bias;
	struct ompp_variables variables;
	int is_open, rc;
};

struct match {
	struct module *module;
	struct ompp_variable *variable;
};

struct search {
	struct ompp_arena arena;
	struct module *modules; /* the program first, then its libraries in the order of loading */
	size_t n_modules, n_have;
	struct match *matches; /* of the current query, all of the best rank */
	size_t n_matches, n_have_matches;
	enum ompp_fit rank;
	uintptr_t *taken; /* addresses that were given to found() */
	size_t n_taken, n_have_taken;
	char program[PATH_BYTES];
	void (*found)(const struct ompp_symbol *symbol);
	void (*say)(const char *line);
};

static const char stripped[] = "no symbol table: strip removed it; link without -s or name the data with inst data";

static void symbols_begin(struct ompp_text *t, char *line, const struct ompp_query *q)
{
	ompp_text_init(t, line, LINE_BYTES);
	ompp_text_str(t, "OMPP_DATA_NAME: ");
	ompp_text_strn(t, q->written, q->n_written < MOST_SHOWN ? q->n_written : MOST_SHOWN);
	ompp_text_str(t, ": ");
}

static void symbols_complain(struct search *s, const struct ompp_query *q, const char *what)
{
	char line[LINE_BYTES];
	struct ompp_text t;

	symbols_begin(&t, line, q);
	ompp_text_str(&t, what);
	s->say(line);
}

/* Adds a module to the list.  It runs under the lock of the dynamic linker, so nothing is opened here. */
static int add_module(struct dl_phdr_info *info, size_t size, void *data)
{
	struct search *s = data;
	struct module *grown;
	const char *path = s->n_modules ? info->dlpi_name : s->program;

	(void)size;
	if (!path || !path[0] || (s->n_modules && ompp_dynamic_is_own(info)))
		return 0;
	grown = ompp_arena_grow(&s->arena, s->modules, &s->n_have, s->n_modules + 1, sizeof(*grown));
	if (!grown)
		return 1;
	s->modules = grown;
	grown[s->n_modules++] = (struct module){ .path = ompp_arena_strdup(&s->arena, path), .bias = info->dlpi_addr };
	return 0;
}

/* Returns the variables of a module.  Libraries are read without their separate debug information, even where it is
 * installed: the statics of the C library, say, are no one's data here. */
static struct ompp_variables *open_module(const struct search *s, struct module *m)
{
	if (!m->is_open) {
		m->is_open = 1;
		m->rc = m->path ? ompp_variables_open(&m->variables, m->path, m == s->modules) : -ENOMEM;
		if (m->rc)
			m->variables.n = 0;
	}
	return &m->variables;
}

static void add_match(struct search *s, struct module *m, struct ompp_variable *x)
{
	struct match *grown;

	for (size_t i = 0; i < s->n_matches; i++)
		if (s->matches[i].module == m && s->matches[i].variable->address == x->address &&
		    !((s->matches[i].variable->flags ^ x->flags) & OMPP_VARIABLE_TLS)) {
			/* The block takes precedence over its first member. */
			if (x->n_bytes > s->matches[i].variable->n_bytes)
				s->matches[i].variable = x;
			return;
		}
	grown = ompp_arena_grow(&s->arena, s->matches, &s->n_have_matches, s->n_matches + 1, sizeof(*grown));
	if (!grown)
		return;
	s->matches = grown;
	grown[s->n_matches++] = (struct match){ m, x };
}

static void match_module(struct search *s, struct module *m, const struct ompp_query *q)
{
	struct ompp_variables *v = open_module(s, m);

	for (size_t i = 0; i < v->n; i++) {
		enum ompp_fit rank = ompp_query_rank(v, m->path, &v->items[i], q);

		if (rank > s->rank) {
			s->rank = rank;
			s->n_matches = 0;
		}
		if (rank && rank == s->rank)
			add_match(s, m, &v->items[i]);
	}
}

/* Finds the matches in the modules from `first` up to `end`: in the program, or in its libraries. */
static void match(struct search *s, size_t first, size_t end, const struct ompp_query *q)
{
	s->n_matches = 0;
	s->rank = OMPP_FITS_NOT;
	for (size_t i = first; i < end && i < s->n_modules; i++)
		match_module(s, &s->modules[i], q);
}

/* Reads the functions of static variables that the query's last word names; their source files stand in the symbol
 * table.  Returns 1 when something was learned. */
static int learn_functions(const struct search *s, struct module *m, const struct ompp_query *q)
{
	struct ompp_variables *v = open_module(s, m);
	size_t n = v->n;
	int learned = 0;

	for (size_t i = 0; i < n; i++) {
		const struct ompp_variable *x = &v->items[i];

		if (x->flags & OMPP_VARIABLE_BARE && strlen(x->name) == q->n_word &&
		    ompp_query_same(x->name, q->word, q->n_word, x->flags & OMPP_VARIABLE_FORTRAN))
			learned |= !ompp_variables_debug(v, x->unit[0] ? x->unit : NULL, q->name, NULL);
	}
	return learned;
}

/* Finds the matches, with the help of debug information.  Where there are several matches, it reads what sets them
 * apart; where there is none, debug information may have what the symbol tables lack. */
static void match_with_debug(struct search *s, size_t first, size_t end, const struct ompp_query *q)
{
	size_t i;

	match(s, first, end, q);
	for (i = first; s->n_matches != 1 && i < end && i < s->n_modules; i++)
		if (learn_functions(s, &s->modules[i], q))
			match(s, first, end, q);
	for (i = first; !s->n_matches && i < end && i < s->n_modules; i++) {
		struct ompp_variables *v = open_module(s, &s->modules[i]);

		if (ompp_variables_mention(v, q->name) && !ompp_variables_debug(v, NULL, q->name, NULL))
			match(s, first, end, q);
	}
}

/* Writes the names of all matches but one; of all matches when `but` is NULL. */
static void put_matches(struct ompp_text *t, struct search *s, const struct match *but)
{
	struct ompp_variable *list[MOST_NAMED + 1];
	const char *between = "";
	size_t n, i;

	for (n = 0; n < s->n_matches && n <= MOST_NAMED; n++)
		list[n] = s->matches[n].variable;
	if (!n)
		return;
	ompp_variables_unique(&s->modules[0].variables, list, n);
	for (i = 0; i < n; i++) {
		const struct match *m = &s->matches[i];

		if (m == but)
			continue;
		ompp_text_str(t, between);
		if (m->module != s->modules && !strcmp(list[i]->shown, list[i]->name)) {
			ompp_text_str(t, ompp_variable_file(m->module->path));
			ompp_text_char(t, ':');
		}
		ompp_text_str(t, list[i]->shown);
		between = ", ";
	}
	if (n < s->n_matches)
		ompp_text_str(t, " and more");
}

/* Returns the only match.  Of several whole names it takes the global one, in libraries the first, as the program
 * itself would.  Returns NULL when there are too many. */
static const struct match *symbols_choose(const struct search *s)
{
	if (s->n_matches == 1)
		return s->matches;
	for (size_t i = 0; i < s->n_matches && s->rank == OMPP_FITS_WHOLE; i++)
		if (s->matches[i].variable->flags & OMPP_VARIABLE_GLOBAL)
			return &s->matches[i];
	return NULL;
}

static const char *nearest_in(const struct search *s, struct module *m, const struct ompp_query *q, unsigned int *best)
{
	struct ompp_variables *v = open_module(s, m);
	const char *nearest = NULL;

	for (size_t i = 0; i < v->n; i++) {
		const char *name, *word;
		size_t n_word;
		unsigned int d;

		if (v->items[i].flags & (OMPP_VARIABLE_MADE | OMPP_VARIABLE_GONE | OMPP_VARIABLE_TLS))
			continue;
		name = ompp_variable_name(v, &v->items[i]);
		if (v->items[i].flags & OMPP_VARIABLE_MADE)
			continue;
		d = ompp_distance(q->text, q->n, name, strlen(name));
		word = ompp_variable_word(name, strlen(name), &n_word);
		if (q->n == q->n_word && n_word && ompp_distance(q->text, q->n, word, n_word) < d)
			d = ompp_distance(q->text, q->n, word, n_word);
		if (d < *best) {
			*best = d;
			nearest = name;
		}
	}
	return nearest;
}

/* Returns 1 when the variable is in the source but has no memory. */
static int is_gone(struct search *s, const struct ompp_query *q)
{
	struct ompp_variables *v = open_module(s, s->modules);

	for (size_t i = 0; i < v->n; i++)
		if (v->items[i].flags & OMPP_VARIABLE_GONE &&
		    ompp_query_fit(v->items[i].name, q, v->items[i].flags & OMPP_VARIABLE_FORTRAN))
			return 1;
	return 0;
}

/* Returns 1 when the query is "f.buf", while the symbol has no "f" and no debug information tells the function. */
static int is_bare(struct search *s, const struct ompp_query *q)
{
	struct ompp_variables *v = open_module(s, s->modules);

	for (size_t i = 0; i < v->n && q->n > q->n_word; i++)
		if (v->items[i].flags & OMPP_VARIABLE_BARE && strlen(v->items[i].name) == q->n_word &&
		    ompp_query_same(v->items[i].name, q->word, q->n_word, v->items[i].flags & OMPP_VARIABLE_FORTRAN))
			return 1;
	return 0;
}

/* Returns 1 when the query is "/common/x", and no debug information tells what the block consists of. */
static int is_unknown_member(struct search *s, const struct ompp_query *q)
{
	struct ompp_variables *v = open_module(s, s->modules);
	const char *end = q->n > 1 && q->text[0] == '/' ? memchr(q->text + 1, '/', q->n - 1) : NULL;
	size_t n = end ? (size_t)(end + 1 - q->text) : 0;

	for (size_t i = 0; i < v->n && n && n < q->n; i++) {
		const char *name = ompp_variable_name(v, &v->items[i]);

		if (strlen(name) == n && ompp_query_same(name, q->text, n, 1) && !v->items[i].source[0])
			return 1;
	}
	return 0;
}

/* Returns 1 when the variable may be in a common block of which no debug information tells what is in it. */
static int may_be_member(struct search *s, const struct ompp_query *q)
{
	struct ompp_variables *v = open_module(s, s->modules);

	for (size_t i = 0; i < v->n && q->n == q->n_word; i++)
		if (ompp_variable_name(v, &v->items[i])[0] == '/' && !v->items[i].source[0])
			return 1;
	return 0;
}

static void symbols_bare(struct search *s, const struct ompp_query *q)
{
	struct ompp_query word = *q;
	char line[LINE_BYTES];
	struct ompp_text t;

	word.text = q->word;
	word.n = q->n_word;
	match(s, 0, 1, &word);
	symbols_begin(&t, line, q);
	ompp_text_str(&t, "no symbol says which function it is in; compile with -g, or write ");
	put_matches(&t, s, NULL);
	s->say(line);
}

static void symbols_unknown(struct search *s, const struct ompp_query *q)
{
	unsigned int best = (unsigned int)q->n / 3 + 1;
	const char *nearest = NULL;
	char line[LINE_BYTES];
	struct ompp_text t;

	if (is_gone(s, q)) {
		symbols_complain(
			s, q, "the compiler kept no memory for it; compile with -O0, or name the data with inst data");
		return;
	}
	if (is_bare(s, q)) {
		symbols_bare(s, q);
		return;
	}
	if (is_unknown_member(s, q)) {
		symbols_complain(s, q,
		                 "no debug information says what is in the common block; compile with -g, name the "
		                 "whole block, or name the data with inst data");
		return;
	}
	/* The system's libraries are left out; they are stripped. */
	for (size_t i = 0; i < s->n_modules && !nearest; i++)
		if (!i || !open_module(s, &s->modules[i])->is_stripped)
			nearest = nearest_in(s, &s->modules[i], q, &best);
	if (!nearest && (s->modules[0].rc || s->modules[0].variables.is_stripped)) {
		symbols_complain(s, q, stripped);
		return;
	}
	symbols_begin(&t, line, q);
	ompp_text_str(&t, "no such global or static data in the program or its libraries; ");
	if (nearest) {
		ompp_text_str(&t, "did you mean '");
		ompp_text_str(&t, nearest);
		ompp_text_char(&t, '\'');
	} else if (may_be_member(s, q)) {
		ompp_text_str(&t, "if it is in a common block, compile with -g");
	} else {
		ompp_text_str(&t, "'ompp objects ");
		ompp_text_str(&t, ompp_variable_file(s->program));
		ompp_text_str(&t, "' lists what there is");
	}
	s->say(line);
}

/* Complains of several matches, and lists them, but not the chosen one. */
static void symbols_several(struct search *s, const struct ompp_query *q, const char *what, const struct match *chosen)
{
	char line[LINE_BYTES];
	struct ompp_text t;

	symbols_begin(&t, line, q);
	ompp_text_str(&t, what);
	put_matches(&t, s, chosen);
	s->say(line);
}

/* Hands a variable over under a name. */
static void symbols_give(struct search *s, const struct module *m, const struct ompp_variable *x, const char *name)
{
	uintptr_t *grown = ompp_arena_grow(&s->arena, s->taken, &s->n_have_taken, s->n_taken + 1, sizeof(*grown));

	if (!grown || !name)
		return;
	s->taken = grown;
	grown[s->n_taken++] = m->bias + x->address;
	s->found(&(struct ompp_symbol){ .name = name,
	                                .file = m->path,
	                                .address = m->bias + x->address,
	                                .n_bytes = x->n_bytes,
	                                .is_constant = x->section == OMPP_IN_RODATA });
}

/* Returns 1 for a scalar of the size of an address, of which nothing tells whether it is one. */
static int may_be_address(const struct ompp_variable *x)
{
	return x->flags & OMPP_VARIABLE_FORTRAN && x->name[0] != '/' && x->n_bytes == sizeof(void *) && !x->source[0];
}

/* Returns the variable of the match, after debug information has told whether it is data itself. */
static struct ompp_variable *learn_kind(const struct match *match, const struct ompp_query *q)
{
	struct ompp_variables *v = &match->module->variables;
	const struct ompp_variable *x = match->variable;
	size_t index = (size_t)(x - v->items);

	if (ompp_variable_may_describe(x) || may_be_address(x))
		ompp_variables_debug(v, NULL, q->name, NULL);
	return &v->items[index]; /* reading may have moved the list */
}

static void find_one(struct search *s, const struct ompp_query *q)
{
	const struct match *chosen;
	struct ompp_variable *x;

	match_with_debug(s, 0, 1, q);
	if (!s->n_matches)
		match_with_debug(s, 1, s->n_modules, q);
	if (!s->n_matches) {
		symbols_unknown(s, q);
		return;
	}
	chosen = symbols_choose(s);
	if (!chosen) {
		symbols_several(s, q, "not unique; write one of ", NULL);
		return;
	}
	if (s->n_matches > 1)
		symbols_several(s, q, "the global one is taken; there is also ", chosen);
	x = learn_kind(chosen, q);
	if (x->flags & OMPP_VARIABLE_TLS)
		symbols_complain(s, q,
		                 "thread-local, each thread has its own; name it with inst data in a parallel region");
	else if (x->flags & OMPP_VARIABLE_DESCRIPTOR)
		symbols_complain(s, q,
		                 "allocatable or pointer: its memory comes and goes; name it with inst data after "
		                 "ALLOCATE");
	else if (ompp_variable_may_describe(x))
		symbols_complain(s, q,
		                 "maybe allocatable: it is as large as the descriptor of an array, and has no debug "
		                 "information; compile with -g, or name it with inst data");
	else if (!x->n_bytes)
		symbols_complain(s, q, "its size is not known; name it with inst data, or by OMPP_DATA_ADDR and _SIZE");
	else {
		if (may_be_address(x))
			symbols_complain(s, q,
			                 "if it is allocatable, this is only its address; compile with -g to be sure");
		symbols_give(s, chosen->module, x, ompp_arena_strndup(&s->arena, q->written, q->n_written));
	}
}

/* Returns 1 when it is one of the first n objects that were handed over. */
static int is_taken(const struct search *s, size_t n, uintptr_t address)
{
	size_t i = 0;

	while (i < n && s->taken[i] != address)
		i++;
	return i < n;
}

/* Reads the debug information without which the names of all objects, or whether they are data at all, are not
 * known. */
static void learn_all(struct ompp_variables *v, size_t min_bytes)
{
	size_t n = v->n;

	for (size_t i = 0; i < n; i++) {
		struct ompp_variable *x = &v->items[i];

		if (x->n_bytes < min_bytes || x->flags & OMPP_VARIABLE_NO_OBJECT)
			continue;
		if (ompp_variable_may_describe(x))
			ompp_variables_debug(v, NULL, NULL, NULL);
		else if (x->flags & OMPP_VARIABLE_BARE)
			ompp_variables_debug(v, x->unit[0] ? x->unit : NULL, NULL, NULL);
	}
}

static void left_out(struct search *s, size_t n, const char *what, const struct ompp_query *q)
{
	char line[LINE_BYTES];
	struct ompp_text t;

	if (!n)
		return;
	symbols_begin(&t, line, q);
	ompp_text_u64(&t, n);
	ompp_text_str(&t, what);
	s->say(line);
}

static void find_all(struct search *s, size_t min_bytes, const struct ompp_query *q)
{
	struct module *m = s->modules;
	struct ompp_variables *v = open_module(s, m);
	size_t n_named = s->n_taken;
	struct ompp_variable_list list;

	learn_all(v, min_bytes);
	if (ompp_variables_list(v, min_bytes, &list))
		return;
	for (size_t i = 0; i < list.n; i++)
		if (!is_taken(s, n_named, m->bias + list.items[i]->address))
			symbols_give(s, m, list.items[i], list.items[i]->shown);
	left_out(s, list.n_tls, " thread-local left out; name them with inst data in a parallel region", q);
	left_out(s, list.n_descriptors, " allocatable left out; name them with inst data after ALLOCATE", q);
	left_out(s, list.n_unsure, " left out that may be allocatable; compile with -g, or name them with inst data",
	         q);
	if (m->rc || v->is_stripped)
		symbols_complain(s, q, stripped);
	else if (!list.n)
		symbols_complain(s, q,
		                 "no object is as large as OMPP_DATA_MIN_BYTES; make it smaller, or use inst data");
}

static int symbols_start(struct search *s)
{
	if (ompp_program_path(s->program, sizeof(s->program)))
		ompp_real_each(add_module, s);
	if (!s->n_modules)
		return -ENOENT;
	/* The file may have got another name since the start. */
	if (ompp_sys_access(s->program, R_OK))
		s->modules[0].path = ompp_program_file;
	open_module(s, s->modules);
	return s->modules[0].rc == -ENOENT ? 0 : s->modules[0].rc;
}

static void symbols_finish(struct search *s)
{
	for (size_t i = 0; i < s->n_modules; i++)
		if (s->modules[i].is_open)
			ompp_variables_close(&s->modules[i].variables);
	ompp_arena_fini(&s->arena);
}

int ompp_symbols_find(const char *names, size_t min_bytes, void (*found)(const struct ompp_symbol *symbol),
                      void (*say)(const char *line))
{
	static struct search s; /* static, as it is large; there is one session at a time */
	const char *rest = names;
	int rc;
	struct ompp_query q;

	s = (struct search){ .found = found, .say = say };
	ompp_arena_init(&s.arena, 0);
	rc = symbols_start(&s);
	if (rc)
		say("OMPP_DATA_NAME: the program's file cannot be read; name the data with inst data");
	while (!rc && ompp_query_next(&rest, &q))
		if (!ompp_query_is_star(&q) && !ompp_query_is_repeated(names, &q)) {
			ompp_query_read(&s.arena, &q);
			find_one(&s, &q);
		}
	for (rest = names; !rc && ompp_query_next(&rest, &q);)
		if (ompp_query_is_star(&q)) {
			find_all(&s, min_bytes, &q);
			break;
		}
	symbols_finish(&s);
	return rc;
}

int ompp_symbols_of_library(const char *path, uintptr_t bias, void (*found)(const struct ompp_symbol *symbol))
{
	struct ompp_variable_list list;
	struct ompp_variables v;
	int rc = ompp_variables_open(&v, path, 0);

	if (!rc && !v.is_stripped)
		rc = ompp_variables_list(&v, 1, &list);
	for (size_t i = 0; !rc && !v.is_stripped && i < list.n; i++)
		found(&(struct ompp_symbol){ .name = list.items[i]->shown,
		                             .file = path,
		                             .address = bias + list.items[i]->address,
		                             .n_bytes = list.items[i]->n_bytes,
		                             .is_constant = list.items[i]->section == OMPP_IN_RODATA });
	ompp_variables_close(&v);
	return rc;
}

int ompp_symbols_of_libraries(void (*found)(const struct ompp_symbol *symbol))
{
	static struct search s;
	int rc;

	s = (struct search){ .found = found };
	ompp_arena_init(&s.arena, 0);
	rc = symbols_start(&s);
	for (size_t i = 1; !rc && i < s.n_modules; i++) {
		if (s.modules[i].path)
			ompp_symbols_of_library(s.modules[i].path, s.modules[i].bias, found);
	}
	symbols_finish(&s);
	return rc;
}

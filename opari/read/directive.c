/*
 * Directive: see directive.h.
 */
#include "opari/read/directive.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Names of directives of one construct; longer ones before those that they begin with. */
static const struct { const char *words; enum kinst_leaf leaf; int is_alone, is_loop; } leaves[] = {
	{ "parallel", KINST_OMP_PARALLEL, 0, 0 },
	{ "for", KINST_OMP_FOR, 0, 1 },
	{ "do", KINST_OMP_FOR, 0, 1 },
	{ "simd", KINST_OMP_SIMD, 0, 1 },
	{ "sections", KINST_OMP_SECTIONS, 0, 0 },
	{ "section", KINST_OMP_SECTION, 0, 0 },
	{ "single", KINST_OMP_SINGLE, 0, 0 },
	{ "master", KINST_OMP_MASTER, 0, 0 },
	{ "masked", KINST_OMP_MASKED, 0, 0 },
	{ "workshare", KINST_OMP_WORKSHARE, 0, 0 },
	{ "scope", KINST_OMP_SCOPE, 0, 0 },
	{ "loop", KINST_OMP_GENERIC_LOOP, 0, 1 },
	{ "critical", KINST_OMP_CRITICAL, 0, 0 },
	{ "ordered", KINST_OMP_ORDERED, 0, 0 },
	{ "atomic", KINST_OMP_ATOMIC, 0, 0 },
	{ "barrier", KINST_OMP_BARRIER, 1, 0 },
	{ "flush", KINST_OMP_FLUSH, 1, 0 },
	{ "taskloop", KINST_OMP_TASKLOOP, 0, 1 },
	{ "taskgroup", KINST_OMP_TASKGROUP, 0, 0 },
	{ "taskwait", KINST_OMP_TASKWAIT, 1, 0 },
	{ "taskyield", KINST_OMP_TASKYIELD, 1, 0 },
	{ "task", KINST_OMP_TASK, 0, 0 },
	{ "teams", KINST_OMP_TEAMS, 0, 0 },
	{ "distribute", KINST_OMP_DISTRIBUTE, 0, 1 },
	{ "target enter data", KINST_OMP_TARGET_ENTER_DATA, 1, 0 },
	{ "target exit data", KINST_OMP_TARGET_EXIT_DATA, 1, 0 },
	{ "target update", KINST_OMP_TARGET_UPDATE, 1, 0 },
	{ "target data", KINST_OMP_TARGET_DATA, 0, 0 },
	{ "target", KINST_OMP_TARGET, 0, 0 },
	{ "cancellation point", KINST_OMP_CANCELLATION_POINT, 1, 0 },
	{ "cancel", KINST_OMP_CANCEL, 1, 0 },
	{ "depobj", KINST_OMP_DEPOBJ, 1, 0 },
	/* Fortran writes these in one word as well */
	{ "targetdata", KINST_OMP_TARGET_DATA, 0, 0 },
	{ "targetenterdata", KINST_OMP_TARGET_ENTER_DATA, 1, 0 },
	{ "targetexitdata", KINST_OMP_TARGET_EXIT_DATA, 1, 0 },
	{ "targetupdate", KINST_OMP_TARGET_UPDATE, 1, 0 },
};

/* Of the rest those that the next statement belongs to. */
static const char *const with_statement[] = { "metadirective", "begin metadirective", "dispatch", "tile", "unroll",
					      "assume", "allocators" };

static const char *skip(const char *p)
{
	while (*p && (isspace((unsigned char)*p) || *p == '\\'))
		p++;
	return p;
}

/* Behind the words when p begins with them, in any case and with any blanks between; else NULL. */
static const char *after_words(const char *p, const char *words)
{
	p = skip(p);
	if (tolower((unsigned char)*p) != *words)
		return NULL;
	for (; *words; words++) {
		if (*words == ' ') {
			if (!isspace((unsigned char)*p))
				return NULL;
			p = skip(p);
		} else if (tolower((unsigned char)*p++) != *words) {
			return NULL;
		}
	}
	return kinst_is_word(*p) ? NULL : p;
}

/* Behind the bracket that p begins with, literals skipped; NULL: it is not closed. */
static const char *after_bracket(const char *p)
{
	int depth = 0;

	for (; *p; p++) {
		if (*p == '"' || *p == '\'') {
			char quote = *p;

			for (p++; *p && *p != quote; p++)
				if (*p == '\\' && p[1])
					p++;
			if (!*p)
				return NULL;
		} else if (*p == '(' || *p == '[' || *p == '{') {
			depth++;
		} else if ((*p == ')' || *p == ']' || *p == '}') && !--depth) {
			return p + 1;
		}
	}
	return NULL;
}

/* Can the leaf go on a name that has others already, or be gone on? */
static int combines(enum kinst_leaf leaf)
{
	switch (leaf) {
	case KINST_OMP_PARALLEL:
	case KINST_OMP_FOR:
	case KINST_OMP_SIMD:
	case KINST_OMP_SECTIONS:
	case KINST_OMP_MASTER:
	case KINST_OMP_MASKED:
	case KINST_OMP_WORKSHARE:
	case KINST_OMP_GENERIC_LOOP:
	case KINST_OMP_TASKLOOP:
	case KINST_OMP_TEAMS:
	case KINST_OMP_DISTRIBUTE:
	case KINST_OMP_TARGET:
		return 1;
	default:
		return 0;
	}
}

/* Behind a word that others are joined to: `parallel` of `paralleldo`. */
static const char *after_joined(const char *p, const char *word)
{
	size_t n = strlen(word);

	p = skip(p);
	if (strncasecmp(p, word, n) || !kinst_is_word(p[n]))
		return NULL;
	for (size_t i = 0; i < sizeof(leaves) / sizeof(*leaves); i++)
		if (!strncasecmp(p + n, leaves[i].words, strcspn(leaves[i].words, " ")))
			return p + n;
	return NULL;
}

static const char *read_leaf(const char *p, enum kinst_leaf *leaf, int fortran)
{
	p = skip(p);
	for (int joined = 0; joined <= fortran; joined++)
		for (size_t i = 0; i < sizeof(leaves) / sizeof(*leaves); i++) {
			const char *after = joined ? after_joined(p, leaves[i].words) : after_words(p, leaves[i].words);

			if (after) {
				*leaf = leaves[i].leaf;
				return after;
			}
		}
	return NULL;
}

/* The name: its leaves, or all words that stand before a clause could. */
static const char *read_name(struct kinst_directive *d, const char *p, int fortran)
{
	const char *next;
	enum kinst_leaf leaf;

	while (d->n_leaves < KINST_MOST_LEAVES && (next = read_leaf(p, &leaf, fortran))) {
		const char *behind = skip(next);

		/* `ordered(2)`, `taskloop if(…)`: what follows a combination is a clause unless it can be combined */
		if (d->n_leaves && (!combines(leaf) || *behind == '('))
			break;
		d->leaves[d->n_leaves++] = leaf;
		p = next;
		if (!combines(leaf))
			break;
	}
	if (d->n_leaves)
		return p;
	d->leaves[d->n_leaves++] = KINST_OMP_OTHER;
	for (p = skip(p); kinst_is_word(*p); p = skip(p)) {
		const char *word = p;

		while (kinst_is_word(*p))
			p++;
		if (*skip(p) == '(' && word > d->name)
			return after_words(word, "simd") || after_words(word, "reduction") || after_words(word, "mapper") ||
			       after_words(word, "variant") || after_words(word, "target") ? p : word;
	}
	return p;
}

static int read_clause(struct kinst_clause *clause, const char **p)
{
	const char *at = *p;

	*clause = (struct kinst_clause){ .name = at, .text = at };
	while (kinst_is_word(*at))
		at++;
	clause->n_name = (size_t)(at - clause->name);
	if (*skip(at) == '(') {
		clause->args = skip(at) + 1;
		at = after_bracket(skip(at));
		if (!at)
			return -EINVAL;
		clause->n_args = (size_t)(at - 1 - clause->args);
	}
	clause->n_text = (size_t)(at - clause->text);
	*p = at;
	return clause->n_text ? 0 : -EINVAL;
}

/* Comments of C become blanks; literals have none. */
static void blank_comments(char *p)
{
	char quote = 0;

	for (; *p; p++) {
		if (quote) {
			if (*p == '\\' && p[1])
				p++;
			else if (*p == quote)
				quote = 0;
		} else if (*p == '"' || *p == '\'') {
			quote = *p;
		} else if (*p == '/' && p[1] == '/') {
			memset(p, ' ', strlen(p));
		} else if (*p == '/' && p[1] == '*') {
			const char *end = strstr(p + 2, "*/");

			memset(p, ' ', end ? (size_t)(end + 2 - p) : strlen(p));
		}
	}
}

static void lower_case(char *p)
{
	char quote = 0;

	for (; *p; p++) {
		if (quote ? *p == quote : *p == '"' || *p == '\'')
			quote = quote ? 0 : *p;
		else if (!quote)
			*p = (char)tolower((unsigned char)*p);
	}
}

int kinst_directive_read(struct kinst_directive *d, const char *text, size_t length, int fortran)
{
	const char *p, *after;
	size_t room = 0;

	*d = (struct kinst_directive){ .is_fortran = fortran, .text = kinst_strndup(text, length) };
	for (char *c = d->text; *c; c++)        /* one line */
		if (*c == '\n' || (*c == '\\' && c[1] == '\n'))
			*c = ' ';
	if (fortran)
		lower_case(d->text);
	else
		blank_comments(d->text);
	d->name = p = skip(d->text);
	after = after_words(p, "end");
	if (!after && fortran)
		after = after_joined(p, "end");
	if (after && kinst_is_word(*skip(after)))
		d->is_end = 1, d->name = p = skip(after);
	p = read_name(d, p, fortran);
	for (d->n_name = (size_t)(p - d->name); d->n_name && isspace((unsigned char)d->name[d->n_name - 1]);)
		d->n_name--;
	if (!d->n_name)
		goto bad;
	p = skip(p);
	if (*p == '(' && read_clause(&d->arg, &p))
		goto bad;
	for (p = skip(p); *p; p = skip(p)) {
		if (*p == ',') {
			d->has_comma |= !d->n_clauses;
			p++;
			continue;
		}
		if (fortran && *p == '!')       /* a comment */
			break;
		if (d->n_clauses == room) {
			room = room * 2 + 8;
			d->clauses = kinst_realloc(d->clauses, room * sizeof(*d->clauses));
		}
		if (read_clause(&d->clauses[d->n_clauses], &p))
			goto bad;
		d->n_clauses++;
	}
	return 0;
bad:
	kinst_directive_free(d);
	return -EINVAL;
}

void kinst_directive_free(struct kinst_directive *d)
{
	free(d->clauses);
	free(d->text);
	*d = (struct kinst_directive){ 0 };
}

static int clause_is(const struct kinst_clause *clause, const char *name)
{
	return clause->n_name == strlen(name) && !strncasecmp(clause->name, name, clause->n_name);
}

const struct kinst_clause *kinst_directive_clause(const struct kinst_directive *d, const char *name)
{
	for (size_t i = 0; i < d->n_clauses; i++)
		if (clause_is(&d->clauses[i], name))
			return &d->clauses[i];
	return NULL;
}

static int reduces(const struct kinst_clause *clause, const char *modifier)
{
	const char *after = clause_is(clause, "reduction") && clause->args ? after_words(clause->args, modifier) : NULL;

	return after && *skip(after) == ',';
}

static int reduces_tasks(const struct kinst_clause *clause)
{
	return reduces(clause, "task");
}

int kinst_directive_reduces_tasks(const struct kinst_directive *d)
{
	for (size_t i = 0; i < d->n_clauses; i++)
		if (reduces_tasks(&d->clauses[i]))
			return 1;
	return 0;
}

int kinst_directive_scans(const struct kinst_directive *d)
{
	for (size_t i = 0; i < d->n_clauses; i++)
		if (reduces(&d->clauses[i], "inscan"))
			return 1;
	return 0;
}

size_t kinst_directive_n_loops(const struct kinst_directive *d)
{
	const struct kinst_clause *collapse = kinst_directive_clause(d, "collapse");

	return collapse && collapse->args ? strtoul(collapse->args, NULL, 10) : 1;
}

const char *kinst_directive_word(size_t i)
{
	for (size_t k = 0; k < sizeof(leaves) / sizeof(*leaves); k++)
		if (!strchr(leaves[k].words, ' ') && !i--)
			return leaves[k].words;
	return NULL;
}

int kinst_directive_has(const struct kinst_directive *d, enum kinst_leaf leaf)
{
	for (size_t i = 0; i < d->n_leaves; i++)
		if (d->leaves[i] == leaf)
			return 1;
	return 0;
}

int kinst_directive_is_alone(const struct kinst_directive *d)
{
	if (d->leaves[0] == KINST_OMP_ORDERED)
		return kinst_directive_clause(d, "depend") || kinst_directive_clause(d, "doacross");
	if (d->leaves[0] != KINST_OMP_OTHER) {
		for (size_t i = 0; i < sizeof(leaves) / sizeof(*leaves); i++)
			if (leaves[i].leaf == d->leaves[0])
				return leaves[i].is_alone;
	}
	for (size_t i = 0; i < sizeof(with_statement) / sizeof(*with_statement); i++)
		if (after_words(d->name, with_statement[i]))
			return 0;
	return 1;
}

int kinst_directive_is_loop(const struct kinst_directive *d)
{
	enum kinst_leaf last = d->leaves[d->n_leaves - 1];

	for (size_t i = 0; i < sizeof(leaves) / sizeof(*leaves); i++)
		if (leaves[i].leaf == last && last != KINST_OMP_OTHER)
			return leaves[i].is_loop;
	return 0;
}

/* ---- a combined directive as two ---- */

static void put(struct kinst_text *out, const struct kinst_clause *clause)
{
	kinst_text_puts(out, " ");
	kinst_text_add(out, clause->text, clause->n_text);
}

/* What stands before a colon outside of brackets, as in `if (parallel : x)`; its length, 0: there is none. */
static size_t modifier(const struct kinst_clause *clause)
{
	int depth = 0;

	for (size_t i = 0; i < clause->n_args; i++) {
		char c = clause->args[i];

		depth += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
		if (c == ':' && !depth) {
			if (i + 1 < clause->n_args && clause->args[i + 1] == ':')
				i++;
			else
				return i;
		}
		if (c == '?' && !depth)
			return 0;
	}
	return 0;
}

static int modifier_is(const struct kinst_clause *clause, const char *word)
{
	size_t n = modifier(clause);
	const char *after = n ? after_words(clause->args, word) : NULL;

	return after && skip(after) == clause->args + n;
}

static int is_shared(const struct kinst_text *out, const char *name, size_t n)
{
	const char *p = out->data ? strstr(out->data, " shared(") : NULL;

	for (; p && (p = memmem(p, strlen(p), name, n)); p += n)
		if (!kinst_is_word(p[-1]) && !kinst_is_word(p[n]))
			return 1;
	return 0;
}

/* Names of a list, without sections and steps: "a[0:n], b" is " shared(a) shared(b)".  Each once. */
static void put_shared(struct kinst_text *out, const struct kinst_clause *clause, size_t from, size_t to)
{
	const char *p = clause->args + from, *end = clause->args + to;

	while (p < end) {
		const char *name = p = skip(p), *stop;

		while (p < end && kinst_is_word(*p))
			p++;
		stop = p;
		for (int depth = 0; p < end && (depth || *p != ','); p++)
			depth += (*p == '(' || *p == '[' || *p == '{') - (*p == ')' || *p == ']' || *p == '}');
		if (stop > name && !is_shared(out, name, (size_t)(stop - name))) {
			kinst_text_puts(out, " shared(");
			kinst_text_add(out, name, (size_t)(stop - name));
			kinst_text_puts(out, ")");
		}
		p += p < end;
	}
}

/* Has PARALLEL another default than shared, so that what the rest names must be named for it too? */
static int must_share(const struct kinst_directive *d)
{
	const struct kinst_clause *c = kinst_directive_clause(d, "default");
	const char *word = c && c->args ? skip(c->args) : "";

	return c && c->args && !after_words(word, "shared");
}

/* Where a list ends that may have ": linear-step" behind it. */
static size_t list_end(const struct kinst_clause *clause)
{
	size_t n = modifier(clause);

	return n ? n : clause->n_args;
}

/* A name of one clause's list in another's? */
static int in_clause(const struct kinst_directive *d, const char *clause_name, const char *name, size_t n)
{
	for (size_t i = 0; i < d->n_clauses; i++) {
		const struct kinst_clause *c = &d->clauses[i];
		size_t at = clause_is(c, "lastprivate") && modifier(c) ? modifier(c) + 1 : 0;

		if (!clause_is(c, clause_name) || !c->args)
			continue;
		for (const char *p = c->args + at; p < c->args + c->n_args; p++)
			if ((p == c->args || !kinst_is_word(p[-1])) && !strncmp(p, name, n) && !kinst_is_word(p[n]))
				return 1;
	}
	return 0;
}

static int overlaps(const struct kinst_directive *d, const struct kinst_clause *clause, const char *other)
{
	const char *p = clause->args, *end = p ? p + clause->n_args : p;

	while (p < end) {
		const char *name = p;

		while (p < end && kinst_is_word(*p))
			p++;
		if (p > name && in_clause(d, other, name, (size_t)(p - name)))
			return 1;
		p += p == name;
	}
	return 0;
}

static int only_outer(const struct kinst_clause *clause)
{
	static const char *const names[] = { "num_threads", "proc_bind", "copyin", "default", "shared", "message", "severity" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (clause_is(clause, names[i]))
			return 1;
	return 0;
}

/* Does a clause other than `shared` name it? */
static int is_private(const struct kinst_text *clauses, const char *name, size_t n)
{
	const char *p = clauses->data ? clauses->data : "";

	while (*p) {
		const char *word = p = skip(p), *end;

		while (kinst_is_word(*p))
			p++;
		end = *skip(p) == '(' ? after_bracket(skip(p)) : p;
		if (!end || end == word)
			return 0;
		for (const char *q = p; !after_words(word, "shared") && q < end; q++)
			if (!kinst_is_word(q[-1]) && !strncmp(q, name, n) && !kinst_is_word(q[n]))
				return 1;
		p = end;
	}
	return 0;
}

/* allocate (allocator : a, b): each variable's where it becomes private. */
static void put_allocate(const struct kinst_clause *clause, struct kinst_text *outer, struct kinst_text *inner)
{
	size_t colon = clause->args ? modifier(clause) : 0;
	const char *p, *end;

	if (!clause->args)
		return;
	end = clause->args + clause->n_args;
	for (p = clause->args + (colon ? colon + 1 : 0); p < end;) {
		const char *name = p = skip(p);
		struct kinst_text *out;

		while (p < end && kinst_is_word(*p))
			p++;
		if (p == name) {
			p++;
			continue;
		}
		out = is_private(outer, name, (size_t)(p - name)) ? outer : inner;
		kinst_text_printf(out, " allocate(%.*s%.*s)", (int)(colon ? colon + 1 : 0), clause->args, (int)(p - name), name);
	}
}

void kinst_directive_split(const struct kinst_directive *d, struct kinst_text *outer, struct kinst_text *inner)
{
	int share = must_share(d);
	enum kinst_leaf last = d->leaves[d->n_leaves - 1];
	int is_master = d->n_leaves > 1 && (d->leaves[1] == KINST_OMP_MASTER || d->leaves[1] == KINST_OMP_MASKED);
	int ends_with_master = is_master && d->n_leaves == 2;

	for (size_t i = 0; i < d->n_clauses; i++) {
		const struct kinst_clause *c = &d->clauses[i];

		if (clause_is(c, "num_threads")) {
			continue;
		} else if (d->n_leaves == 1 || only_outer(c) ||
			   (ends_with_master && !clause_is(c, "filter") && !clause_is(c, "allocate"))) {
			put(outer, c);
		} else if (clause_is(c, "if")) {
			int is_inner = modifier_is(c, "simd") || modifier_is(c, "taskloop") || modifier_is(c, "task");

			put(is_inner ? inner : outer, c);
			/* without a modifier it is about all that can have one */
			if (!modifier(c) && (kinst_directive_has(d, KINST_OMP_TASKLOOP) || kinst_directive_has(d, KINST_OMP_SIMD)))
				put(inner, c);
		} else if (clause_is(c, "private") && last != KINST_OMP_SIMD && last != KINST_OMP_GENERIC_LOOP &&
			   !kinst_directive_has(d, KINST_OMP_TASKLOOP)) {
			put(outer, c);
		} else if (clause_is(c, "firstprivate") && !is_master && !kinst_directive_has(d, KINST_OMP_TASKLOOP) &&
			   last != KINST_OMP_SIMD && !overlaps(d, c, "lastprivate")) {
			put(outer, c);
		} else if (reduces_tasks(c) && !strstr(d->name, "loop")) {
			put(outer, c);          /* with `task` it forbids the nowait that the rest gets */
		} else if (clause_is(c, "allocate")) {
			continue;
		} else {
			size_t colon = modifier(c);

			put(inner, c);
			if (!share || !c->args)
				continue;
			if (clause_is(c, "reduction"))
				put_shared(outer, c, colon ? colon + 1 : 0, c->n_args);
			else if (clause_is(c, "lastprivate"))
				put_shared(outer, c, colon ? colon + 1 : 0, c->n_args);
			else if (clause_is(c, "firstprivate") || clause_is(c, "private"))
				put_shared(outer, c, 0, c->n_args);
			else if (clause_is(c, "linear"))
				put_shared(outer, c, 0, list_end(c));
		}
	}
	for (size_t i = 0; i < d->n_clauses; i++)
		if (clause_is(&d->clauses[i], "allocate"))
			put_allocate(&d->clauses[i], outer, inner);
}

void kinst_directive_share_counter(const struct kinst_directive *d, const char *name, size_t length,
				   const struct kinst_text *inner, struct kinst_text *outer)
{
	char *copy;

	if (!must_share(d) || !kinst_directive_has(d, KINST_OMP_SIMD))
		return;
	copy = kinst_strndup(name, length);
	if (d->is_fortran)
		lower_case(copy);
	if (!is_shared(outer, copy, length) && !is_private(outer, copy, length) && !is_private(inner, copy, length))
		kinst_text_printf(outer, " shared(%s)", copy);
	free(copy);
}

/*
 * Directive, split: see directive_split.h.
 */
#include "opari/read/directive_split.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/array.h"

static void directive_split_put(struct kinst_text *out, const struct kinst_clause *clause)
{
	kinst_text_puts(out, " ");
	kinst_text_add(out, clause->text, clause->n_text);
}

static int is_shared(const struct kinst_text *out, const char *name, size_t n)
{
	const char *p = out->data ? strstr(out->data, " shared(") : NULL;

	for (; p && (p = memmem(p, strlen(p), name, n)); p += n)
		if (!kinst_is_word(p[-1]) && !kinst_is_word(p[n]))
			return 1;
	return 0;
}

/*
 * Adds the names of a list as shared, each once and without sections and steps: "a[0:n], b" gives " shared(a)
 * shared(b)".
 */
static void put_shared(struct kinst_text *out, const struct kinst_clause *clause, size_t from, size_t to)
{
	const char *p = clause->args + from, *end = clause->args + to;

	while (p < end) {
		const char *name = p = kinst_skip_blanks(p), *stop;

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

/* Returns 1 when the default of PARALLEL is not shared, so that variables in clauses of the rest must be named for it,
 * too. */
static int must_share(const struct kinst_directive *d)
{
	const struct kinst_clause *c = kinst_directive_clause(d, "default");
	const char *word = c && c->args ? kinst_skip_blanks(c->args) : "";

	return c && c->args && !kinst_skip_words(word, "shared");
}

/* Returns where a list ends, which may have ": linear-step" behind it. */
static size_t list_end(const struct kinst_clause *clause)
{
	size_t n = kinst_clause_modifier(clause);

	return n ? n : clause->n_args;
}

/* Returns 1 when the list of another clause has this name. */
static int in_clause(const struct kinst_directive *d, const char *clause_name, const char *name, size_t n)
{
	for (size_t i = 0; i < d->n_clauses; i++) {
		const struct kinst_clause *c = &d->clauses[i];
		size_t at = kinst_clause_is(c, "lastprivate") && kinst_clause_modifier(c) ? kinst_clause_modifier(c) + 1
		                                                                          : 0;

		if (!kinst_clause_is(c, clause_name) || !c->args)
			continue;
		for (const char *p = c->args + at; p < c->args + c->n_args; p++)
			if ((p == c->args || !kinst_is_word(p[-1])) && !strncmp(p, name, n) && !kinst_is_word(p[n]))
				return 1;
	}
	return 0;
}

static int directive_split_overlaps(const struct kinst_directive *d, const struct kinst_clause *clause,
                                    const char *other)
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
	static const char *const names[] = { "num_threads", "proc_bind", "copyin",  "default",
		                             "shared",      "message",   "severity" };

	for (size_t i = 0; i < OMPP_COUNT_OF(names); i++)
		if (kinst_clause_is(clause, names[i]))
			return 1;
	return 0;
}

/* Returns 1 when a clause other than `shared` names it. */
static int is_private(const struct kinst_text *clauses, const char *name, size_t n)
{
	const char *p = clauses->data ? clauses->data : "";

	while (*p) {
		const char *word = p = kinst_skip_blanks(p), *end;

		p = kinst_word_end(p);
		end = *kinst_skip_blanks(p) == '(' ? kinst_skip_bracket(kinst_skip_blanks(p)) : p;
		if (!end || end == word)
			return 0;
		for (const char *q = p; !kinst_skip_words(word, "shared") && q < end; q++)
			if (!kinst_is_word(q[-1]) && !strncmp(q, name, n) && !kinst_is_word(q[n]))
				return 1;
		p = end;
	}
	return 0;
}

/* Adds allocate(allocator : a, b) for each variable, where the variable becomes private. */
static void put_allocate(const struct kinst_clause *clause, struct kinst_text *outer, struct kinst_text *inner)
{
	size_t colon = clause->args ? kinst_clause_modifier(clause) : 0;
	const char *p, *end;

	if (!clause->args)
		return;
	end = clause->args + clause->n_args;
	for (p = clause->args + (colon ? colon + 1 : 0); p < end;) {
		const char *name = p = kinst_skip_blanks(p);
		struct kinst_text *out;

		while (p < end && kinst_is_word(*p))
			p++;
		if (p == name) {
			p++;
			continue;
		}
		out = is_private(outer, name, (size_t)(p - name)) ? outer : inner;
		kinst_text_printf(out, " allocate(%.*s%.*s)", (int)(colon ? colon + 1 : 0), clause->args,
		                  (int)(p - name), name);
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

		if (kinst_clause_is(c, "num_threads")) {
			continue;
		} else if (d->n_leaves == 1 || only_outer(c) || last == KINST_OMP_WORKSHARE ||
		           (ends_with_master && !kinst_clause_is(c, "filter") && !kinst_clause_is(c, "allocate"))) {
			directive_split_put(outer, c);
		} else if (kinst_clause_is(c, "if")) {
			int is_inner = kinst_clause_modifier_is(c, "simd") || kinst_clause_modifier_is(c, "taskloop") ||
			               kinst_clause_modifier_is(c, "task");

			directive_split_put(is_inner ? inner : outer, c);
			/* Without a modifier it is about all constructs that can have one. */
			if (!kinst_clause_modifier(c) &&
			    (kinst_directive_has(d, KINST_OMP_TASKLOOP) || kinst_directive_has(d, KINST_OMP_SIMD)))
				directive_split_put(inner, c);
		} else if (kinst_clause_is(c, "private") && last != KINST_OMP_SIMD && last != KINST_OMP_GENERIC_LOOP &&
		           !kinst_directive_has(d, KINST_OMP_TASKLOOP)) {
			directive_split_put(outer, c);
		} else if (kinst_clause_is(c, "firstprivate") && !is_master &&
		           !kinst_directive_has(d, KINST_OMP_TASKLOOP) && last != KINST_OMP_SIMD &&
		           !directive_split_overlaps(d, c, "lastprivate")) {
			directive_split_put(outer, c);
		} else if (kinst_clause_reduces(c, "task") && !strstr(d->name, "loop")) {
			directive_split_put(outer, c); /* the rest gets nowait, which `task` forbids there */
		} else if (kinst_clause_is(c, "allocate")) {
			continue;
		} else {
			size_t colon = kinst_clause_modifier(c);

			directive_split_put(inner, c);
			if (!share || !c->args)
				continue;
			if (kinst_clause_is(c, "reduction"))
				put_shared(outer, c, colon ? colon + 1 : 0, c->n_args);
			else if (kinst_clause_is(c, "lastprivate"))
				put_shared(outer, c, colon ? colon + 1 : 0, c->n_args);
			else if (kinst_clause_is(c, "firstprivate") || kinst_clause_is(c, "private"))
				put_shared(outer, c, 0, c->n_args);
			else if (kinst_clause_is(c, "linear"))
				put_shared(outer, c, 0, list_end(c));
		}
	}
	for (size_t i = 0; i < d->n_clauses; i++)
		if (kinst_clause_is(&d->clauses[i], "allocate"))
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
		kinst_lower_case(copy);
	if (!is_shared(outer, copy, length) && !is_private(outer, copy, length) && !is_private(inner, copy, length))
		kinst_text_printf(outer, " shared(%s)", copy);
	free(copy);
}

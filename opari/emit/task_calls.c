/*
 * Task calls: see task_calls.h.
 */
#include "opari/emit/task_calls.h"

#include <ctype.h>
#include <string.h>

/* A part of a clause's text. */
struct part {
	const char *p, *end;
};

static struct part trimmed(const char *p, const char *end)
{
	while (p < end && isspace((unsigned char)*p))
		p++;
	while (end > p && isspace((unsigned char)end[-1]))
		end--;
	return (struct part){ p, end };
}

/* Returns where a character stands outside of brackets; the end where it does not. */
static const char *find_outside(struct part part, char c)
{
	int depth = 0;

	for (const char *p = part.p; p < part.end; p++) {
		if (!depth && *p == c && !(c == ':' && (p[1] == ':' || (p > part.p && p[-1] == ':'))))
			return p;
		depth += *p == '(' || *p == '[' || *p == '{';
		depth -= *p == ')' || *p == ']' || *p == '}';
	}
	return part.end;
}

static int is_text(struct part part, const char *text)
{
	return (size_t)(part.end - part.p) == strlen(text) && !memcmp(part.p, text, strlen(text));
}

/* Returns 1 when nothing but values can come of an evaluation: no call, assignment, literal of text, or lambda. */
static int is_pure(struct part part)
{
	for (const char *p = part.p; p < part.end; p++) {
		const char *before = p;

		if (strchr("\"'{};?", *p) || ((*p == '+' || *p == '-') && p + 1 < part.end && p[1] == *p))
			return 0;
		if (*p == '=' && !(p + 1 < part.end && p[1] == '=') && !(p > part.p && strchr("=<>!", p[-1])))
			return 0;
		while (before > part.p && isspace((unsigned char)before[-1]))
			before--;
		if (*p == '(' && before > part.p && (isalnum((unsigned char)before[-1]) || strchr("_)]>", before[-1])))
			return 0;
	}
	return part.p < part.end;
}

/* Returns the expression of an if or final clause, without the name of a directive before it. */
static struct part condition(const struct kinst_clause *c)
{
	struct part all = trimmed(c->args, c->args + c->n_args);
	const char *colon = find_outside(all, ':');
	struct part name = trimmed(all.p, colon);

	if (colon < all.end && (is_text(name, "task") || is_text(name, "taskloop")))
		return trimmed(colon + 1, all.end);
	return all;
}

static int has_unknown(const struct kinst_directive *d, const char *name)
{
	const struct kinst_clause *c = kinst_directive_clause(d, name);

	return c && (!c->args || !is_pure(condition(c)));
}

static void put_flag(const struct kinst_directive *d, const char *name, int otherwise, int value,
                     struct kinst_text *out)
{
	const struct kinst_clause *c = kinst_directive_clause(d, name);
	struct part part = c && c->args ? condition(c) : (struct part){ "", "" };

	if (c && is_pure(part))
		kinst_text_printf(out, "((%.*s) ? %d : 0)", (int)(part.end - part.p), part.p, value);
	else
		kinst_text_number(out, (unsigned long)otherwise);
}

void kinst_task_flags(const struct kinst_directive *d, struct kinst_text *out)
{
	put_flag(d, "if", 1, 1, out);
	kinst_text_puts(out, " | ");
	put_flag(d, "final", 0, 2, out);
	if (kinst_directive_clause(d, "nogroup"))
		kinst_text_puts(out, " | 4");
}

/* Returns the runtime's number of a kind of dependence, enum ompp_span_depend; 0 for one that is not known. */
static int kind_of(struct part kind)
{
	static const struct {
		const char *name;
		int kind;
	} kinds[] = { { "in", 1 }, { "out", 2 }, { "inout", 2 }, { "mutexinoutset", 3 }, { "inoutset", 3 } };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (is_text(kind, kinds[i].name))
			return kinds[i].kind;
	return 0;
}

/* Adds an item, with the first element in place of each array section.  Returns 0 when it is none whose address is
 * known. */
static int put_item(struct part item, struct kinst_text *out)
{
	const char *p = item.p;

	if (!is_pure(item) || *item.p == '(' || is_text(item, "omp_all_memory"))
		return 0;
	while (p < item.end) {
		const char *open = memchr(p, '[', (size_t)(item.end - p)), *close, *colon;

		if (!open) {
			kinst_text_add(out, p, (size_t)(item.end - p));
			break;
		}
		close = find_outside((struct part){ open + 1, item.end }, ']');
		if (close == item.end)
			return 0;
		colon = find_outside((struct part){ open + 1, close }, ':');
		kinst_text_add(out, p, (size_t)(open + 1 - p));
		if (colon < close && trimmed(open + 1, colon).p == trimmed(open + 1, colon).end)
			kinst_text_puts(out, "0");
		else
			kinst_text_add(out, open + 1, (size_t)(colon - open - 1));
		kinst_text_puts(out, "]");
		p = close + 1;
	}
	return 1;
}

/* ---- iterators ---- */

/* An iterator of a clause: type name = begin : end : step. */
struct iterator {
	struct part type, name, begin, end, step;
};

/* Returns 1 when a text has a name as a word of its own. */
static int has_word(struct part part, struct part name)
{
	size_t n = (size_t)(name.end - name.p);

	for (const char *p = part.p; p + n <= part.end; p++)
		if (!memcmp(p, name.p, n) && (p == part.p || !kinst_is_word(p[-1])) &&
		    (p + n == part.end || !kinst_is_word(p[n])))
			return 1;
	return 0;
}

/* Reads one.  Returns 0 when its type is not made of names alone, or its bounds are not the same when they are
 * evaluated where its name is known. */
static int iterator_read(struct part text, struct iterator *it)
{
	static const char one[] = "1", usual[] = "int";
	const char *equals = find_outside(text, '='), *colon, *second;
	struct part all = trimmed(text.p, equals);

	if (equals == text.end)
		return 0;
	it->name = all;
	while (it->name.p < it->name.end && kinst_is_word(it->name.end[-1]))
		it->name.end--;
	it->name = (struct part){ it->name.end, all.end };
	it->type = trimmed(all.p, it->name.p);
	text.p = equals + 1;
	colon = find_outside(text, ':');
	if (colon == text.end)
		return 0;
	second = find_outside((struct part){ colon + 1, text.end }, ':');
	it->begin = trimmed(text.p, colon);
	it->end = trimmed(colon + 1, second);
	it->step = second < text.end ? trimmed(second + 1, text.end) : (struct part){ one, one + 1 };
	for (const char *p = it->type.p; p < it->type.end; p++)
		if (!kinst_is_word(*p) && *p != ':' && !isspace((unsigned char)*p))
			return 0;
	if (it->type.p == it->type.end)
		it->type = (struct part){ usual, usual + strlen(usual) };
	return it->name.p < it->name.end && is_pure(it->begin) && is_pure(it->end) && is_pure(it->step) &&
	       !has_word(it->begin, it->name) && !has_word(it->end, it->name) && !has_word(it->step, it->name);
}

/* Adds the head of its loop, which counts in `long`, as the iterator's type may wrap around behind its last value.  A
 * name may stand for the type of a pointer, whose steps are of elements: how far one goes is the difference of two
 * values. These are not made from 0, as compilers can check that nothing is added to a null pointer. */
static void iterator_put(const struct iterator *it, size_t i, struct kinst_text *out)
{
	int n_type = (int)(it->type.end - it->type.p), n_name = (int)(it->name.end - it->name.p);
	int n_begin = (int)(it->begin.end - it->begin.p), n_end = (int)(it->end.end - it->end.p);
	int n_step = (int)(it->step.end - it->step.p);

	kinst_text_printf(out, "{ long __kinst_i%zu; for (__kinst_i%zu = (long)(%.*s)(%.*s); ", i, i, n_type,
	                  it->type.p, n_begin, it->begin.p);
	kinst_text_printf(out, "(%.*s) < 0 ? __kinst_i%zu > (long)(%.*s)(%.*s) : ", n_step, it->step.p, i, n_type,
	                  it->type.p, n_end, it->end.p);
	kinst_text_printf(out, "(%.*s) > 0 && __kinst_i%zu < (long)(%.*s)(%.*s); ", n_step, it->step.p, i, n_type,
	                  it->type.p, n_end, it->end.p);
	kinst_text_printf(out, "__kinst_i%zu += (long)(%.*s) * ((long)((%.*s)64 + 1) - (long)(%.*s)64)) ", i, n_step,
	                  it->step.p, n_type, it->type.p, n_type, it->type.p);
	kinst_text_printf(out, "{ %.*s %.*s = (%.*s)__kinst_i%zu; ", n_type, it->type.p, n_name, it->name.p, n_type,
	                  it->type.p, i);
}

/* Adds the heads of the loops of a modifier iterator(...).  Returns their number; 0 when it is no such modifier, or one
 * of which not all is known. */
static size_t put_iterators(struct part modifier, struct kinst_text *out)
{
	struct part list = { memchr(modifier.p, '(', (size_t)(modifier.end - modifier.p)), modifier.end - 1 };
	size_t n = 0;

	if (!list.p || modifier.end[-1] != ')' || !is_text(trimmed(modifier.p, list.p), "iterator"))
		return 0;
	for (list.p++; list.p < list.end; n++) {
		const char *comma = find_outside(list, ',');
		struct iterator it;

		if (!iterator_read(trimmed(list.p, comma), &it))
			return 0;
		iterator_put(&it, n, out);
		list.p = comma + 1;
	}
	return n;
}

/* ---- clauses ---- */

/* Adds the calls of a list of items.  Returns how many of them are not known. */
static int put_items(struct part rest, int kind, int cxx, struct kinst_text *out)
{
	int n_unknown = 0;

	while (rest.p < rest.end) {
		const char *comma = find_outside(rest, ',');
		struct part item = trimmed(rest.p, comma);
		struct kinst_text address = { 0 };

		if (put_item(item, &address))
			kinst_text_printf(out,
			                  cxx ? "ompp_task_depends(__kinst_n, %d, (const void "
			                        "*)__builtin_addressof(%s)); "
			                      : "ompp_task_depends(__kinst_n, %d, (const void *)&(%s)); ",
			                  kind, address.data);
		else
			n_unknown++;
		kinst_text_free(&address);
		rest.p = comma + 1;
	}
	return n_unknown;
}

/* Adds the calls of a clause with a modifier before its kind: in the iterators' loops, which only a run that looks for
 * the longest path goes through.  Returns how many of its items are not known. */
static int put_iterated(struct part modifier, struct part items, int kind, int cxx, struct kinst_text *out)
{
	struct kinst_text loops = { 0 };
	size_t n = put_iterators(modifier, &loops);
	int n_unknown = 1;

	if (n) {
		kinst_text_printf(out, "if (__kinst_n) %s", loops.data);
		n_unknown = put_items(items, kind, cxx, out);
		for (size_t i = 0; i < n; i++)
			kinst_text_puts(out, "} } ");
	}
	kinst_text_free(&loops);
	return n_unknown;
}

/* Adds the calls of one clause.  Returns how many of its items are not known. */
static int put_clause(const struct kinst_clause *c, int cxx, struct kinst_text *out)
{
	struct part all = c->args ? trimmed(c->args, c->args + c->n_args) : (struct part){ "", "" };
	const char *colon = find_outside(all, ':');
	struct part head = { all.p, colon }, items = { colon + 1, all.end };
	const char *comma = find_outside(head, ',');
	int kind = kind_of(comma < head.end ? trimmed(comma + 1, head.end) : trimmed(head.p, head.end));

	if (colon == all.end || !kind)
		return 1;
	if (comma < head.end)
		return put_iterated(trimmed(head.p, comma), items, kind, cxx, out);
	return put_items(items, kind, cxx, out);
}

void kinst_task_depends(const struct kinst_directive *d, int cxx, struct kinst_text *out)
{
	int n_unknown = has_unknown(d, "if") + has_unknown(d, "final");

	for (size_t i = 0; i < d->n_clauses; i++)
		if (d->clauses[i].n_name == 6 && !memcmp(d->clauses[i].name, "depend", 6))
			n_unknown += put_clause(&d->clauses[i], cxx, out);
	if (n_unknown)
		kinst_text_puts(out, "ompp_task_depends(__kinst_n, 0, 0); ");
}

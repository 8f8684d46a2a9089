/*
 * CTC: see ctc.h.
 */
#include "runtime/terms/ctc.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/text.h"

/* The part of the text that is still to be read. */
struct cursor {
	const char *p, *end;
};

struct word {
	const char *s;
	size_t n_bytes;
};

static int ctc_is(struct word w, const char *s)
{
	return w.n_bytes == strlen(s) && !memcmp(w.s, s, w.n_bytes);
}

/* Returns the construct that a regionType names; OMPP_N_CONSTRUCTS when there is none. */
static enum ompp_construct find_construct(struct word type)
{
	for (int i = 0; i < OMPP_N_CONSTRUCTS; i++)
		for (const char *s = ompp_constructs[i].words; *s; s += strspn(s, " ")) {
			size_t n = strcspn(s, " ");

			if (n == type.n_bytes && !memcmp(s, type.s, n))
				return (enum ompp_construct)i;
			s += n;
		}
	return OMPP_N_CONSTRUCTS;
}

/* Skips a literal.  Returns 1 when it was there. */
static int ctc_skip(struct cursor *c, const char *literal)
{
	size_t n = strlen(literal);

	if ((size_t)(c->end - c->p) < n || memcmp(c->p, literal, n))
		return 0;
	c->p += n;
	return 1;
}

/* Reads a decimal number below 2^32.  Returns 1 when there was one. */
static int ctc_number(struct cursor *c, uint32_t *value)
{
	const char *start = c->p;
	uint64_t v = 0;

	for (; c->p < c->end && *c->p >= '0' && *c->p <= '9'; c->p++) {
		v = v * 10 + (uint64_t)(*c->p - '0');
		if (v > UINT32_MAX)
			return 0;
	}
	*value = (uint32_t)v;
	return c->p > start;
}

/* Returns the text up to the next '*', which is skipped, or up to the end. */
static struct word ctc_field(struct cursor *c)
{
	struct word w = { c->p, 0 };

	while (c->p < c->end && *c->p != '*')
		c->p++;
	w.n_bytes = (size_t)(c->p - w.s);
	if (c->p < c->end)
		c->p++;
	return w;
}

/* Reads ":<first>:<last>*" at the cursor.  Returns 1 when it is there, and moves the cursor behind it. */
static int ctc_lines(struct cursor *c, uint32_t *first, uint32_t *last)
{
	struct cursor at = *c;

	if (!ctc_skip(&at, ":") || !ctc_number(&at, first) || !ctc_skip(&at, ":") || !ctc_number(&at, last) ||
	    !ctc_skip(&at, "*"))
		return 0;
	*c = at;
	return 1;
}

/* Reads "FILE:<first>:<last>*".  The file's name ends at the first such ending that `next` follows, or anything when
 * that is
 * "". */
static int ctc_place(struct cursor *c, const char *next, struct word *file, uint32_t *first, uint32_t *last)
{
	for (const char *p = c->p; p < c->end; p++) {
		struct cursor at = { p, c->end }, after;

		if (*p != ':' || !ctc_lines(&at, first, last))
			continue;
		after = at;
		if (!ctc_skip(&after, next))
			continue;
		*file = (struct word){ c->p, (size_t)(p - c->p) };
		*c = at;
		return 1;
	}
	return 0;
}

/* Adds a clause, all of it or nothing. */
static void add_clause(struct ompp_ctc *out, struct word name, struct word args)
{
	size_t n = strlen(out->clauses);
	struct ompp_text t;

	if (n + name.n_bytes + args.n_bytes + 4 > sizeof(out->clauses))
		return;
	ompp_text_init(&t, out->clauses + n, sizeof(out->clauses) - n);
	ompp_text_str(&t, n ? " " : "");
	ompp_text_strn(&t, name.s, name.n_bytes);
	if (!args.n_bytes)
		return;
	ompp_text_char(&t, '(');
	ompp_text_strn(&t, args.s, args.n_bytes);
	ompp_text_char(&t, ')');
}

/* opari2 has a key for each clause; kinst all of them in one. */
static void clause(struct word key, struct word value, struct ompp_ctc *out)
{
	static const struct {
		const char *key, *clause;
	} flags[] = { { "hasNowait", "nowait" }, { "hasReduction", "reduction" },    { "hasCollapse", "collapse" },
		      { "hasIf", "if" },         { "hasNumThreads", "num_threads" }, { "hasOrdered", "ordered" },
		      { "hasUntied", "untied" }, { "hasCopyprivate", "copyprivate" } };
	static const struct word schedule = { "schedule", 8 }, none = { "", 0 };

	if (ctc_is(key, "clauses"))
		add_clause(out, value, none);
	else if (ctc_is(key, "hasSchedule") || ctc_is(key, "scheduleType"))
		add_clause(out, schedule, ctc_is(value, "1") ? none : value);
	for (size_t i = 0; i < OMPP_COUNT_OF(flags); i++)
		if (ctc_is(key, flags[i].key) && ctc_is(value, "1"))
			add_clause(out, (struct word){ flags[i].clause, strlen(flags[i].clause) }, none);
}

static void ctc_attribute(struct word w, struct ompp_ctc *out)
{
	const char *eq = memchr(w.s, '=', w.n_bytes);
	struct word key, value;

	if (!eq)
		return;
	key = (struct word){ w.s, (size_t)(eq - w.s) };
	value = (struct word){ eq + 1, w.n_bytes - key.n_bytes - 1 };
	clause(key, value, out);
	if (ctc_is(key, "criticalName") || ctc_is(key, "userRegionName") ||
	    (ctc_is(key, "onLine") && !out->name_bytes)) {
		out->name = value.s;
		out->name_bytes = value.n_bytes;
	} else if (ctc_is(key, "numSections") || ctc_is(key, "number")) {
		struct cursor c = { value.s, value.s + value.n_bytes };
		uint32_t *number = ctc_is(key, "number") ? &out->number : &out->n_sections;

		if (!ctc_number(&c, number))
			*number = 0;
	} else if (ctc_is(key, "hasNowait")) {
		out->has_nowait = ctc_is(value, "1");
	} else if (ctc_is(key, "hasUntied")) {
		out->has_untied = ctc_is(value, "1");
	} else if (ctc_is(key, "perHandle")) {
		out->per_handle = ctc_is(value, "1");
	} else if (ctc_is(key, "ownBarrier")) {
		out->own_barrier = ctc_is(value, "1");
	}
}

int ompp_ctc_parse(const char *text, size_t max_bytes, struct ompp_ctc *out)
{
	struct cursor c = { text, text + strnlen(text, max_bytes) };
	struct word file = { "", 0 };
	uint32_t length, other;

	memset(out, 0, sizeof(*out));
	out->construct = OMPP_N_CONSTRUCTS;
	out->file = out->name = "";
	if (!ctc_number(&c, &length) || !ctc_skip(&c, "*") || !ctc_skip(&c, "regionType="))
		return -EINVAL;
	out->construct = find_construct(ctc_field(&c));

	if (!ctc_skip(&c, "sscl=") || !ctc_place(&c, "escl=", &file, &out->begin_line, &other))
		return -EINVAL;
	out->file = file.s;
	out->file_bytes = file.n_bytes;
	ctc_skip(&c, "escl=");
	if ((size_t)(c.end - c.p) > file.n_bytes && !memcmp(c.p, file.s, file.n_bytes) && c.p[file.n_bytes] == ':')
		c.p += file.n_bytes; /* the usual case: the same file */
	if (!ctc_place(&c, "", &file, &other, &out->end_line))
		return -EINVAL;
	while (c.p < c.end) {
		struct word w = ctc_field(&c);

		if (!w.n_bytes)
			break; /* "**" */
		ctc_attribute(w, out);
	}
	out->text_bytes = (size_t)(c.p - text);
	return out->construct == OMPP_N_CONSTRUCTS ? -EINVAL : 0;
}

/*
 * CTC: see ctc.h.
 */
#include "runtime/core/ctc.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/text.h"

/* What is still to be read. */
struct cursor { const char *p, *end; };

struct word { const char *s; size_t n_bytes; };

static const struct { const char *word; enum ompp_construct construct; } region_types[] = {
	{ "parallel",          OMPP_PARALLEL },
	{ "parallelfor",       OMPP_PARALLEL_LOOP },
	{ "paralleldo",        OMPP_PARALLEL_LOOP },
	{ "parallelsections",  OMPP_PARALLEL_SECTIONS },
	{ "parallelworkshare", OMPP_PARALLEL_WORKSHARE },
	{ "for",               OMPP_LOOP },
	{ "do",                OMPP_LOOP },
	{ "sections",          OMPP_SECTIONS },
	{ "single",            OMPP_SINGLE },
	{ "workshare",         OMPP_WORKSHARE },
	{ "master",            OMPP_MASTER },
	{ "critical",          OMPP_CRITICAL },
	{ "atomic",            OMPP_ATOMIC },
	{ "barrier",           OMPP_BARRIER },
	{ "flush",             OMPP_FLUSH },
	{ "ordered",           OMPP_ORDERED },
	{ "task",              OMPP_TASK },
	{ "taskuntied",        OMPP_TASK },
	{ "taskwait",          OMPP_TASKWAIT },
	{ "taskloop",          OMPP_TASKLOOP },
	{ "taskgroup",         OMPP_TASKGROUP },
	{ "taskyield",         OMPP_TASKYIELD },
	{ "masked",            OMPP_MASKED },
	{ "scope",             OMPP_SCOPE },
	{ "loop",              OMPP_GENERIC_LOOP },
	{ "simd",              OMPP_SIMD },
	{ "teams",             OMPP_TEAMS },
	{ "distribute",        OMPP_DISTRIBUTE },
	{ "target",            OMPP_TARGET },
	{ "targetdata",        OMPP_TARGET_DATA },
	{ "targetenterdata",   OMPP_TARGET_ENTER_DATA },
	{ "targetexitdata",    OMPP_TARGET_EXIT_DATA },
	{ "targetupdate",      OMPP_TARGET_UPDATE },
	{ "cancel",            OMPP_CANCEL },
	{ "cancellationpoint", OMPP_CANCELLATION_POINT },
	{ "depobj",            OMPP_DEPOBJ },
	{ "userRegion",        OMPP_USER_REGION },
	{ "region",            OMPP_USER_REGION },
};

static int is(struct word w, const char *s)
{
	return w.n_bytes == strlen(s) && !memcmp(w.s, s, w.n_bytes);
}

/* Skip a literal: 1 if it was there. */
static int skip(struct cursor *c, const char *literal)
{
	size_t n = strlen(literal);

	if ((size_t)(c->end - c->p) < n || memcmp(c->p, literal, n))
		return 0;
	c->p += n;
	return 1;
}

/* A decimal number below 2^32: 1 if there was one. */
static int number(struct cursor *c, uint32_t *value)
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

/* Up to the next '*' or the end; the '*' is skipped. */
static struct word field(struct cursor *c)
{
	struct word w = { c->p, 0 };

	while (c->p < c->end && *c->p != '*')
		c->p++;
	w.n_bytes = (size_t)(c->p - w.s);
	if (c->p < c->end)
		c->p++;
	return w;
}

/* ":<first>:<last>*" at the cursor: 1 and the cursor moves on. */
static int lines(struct cursor *c, uint32_t *first, uint32_t *last)
{
	struct cursor at = *c;

	if (!skip(&at, ":") || !number(&at, first) || !skip(&at, ":") || !number(&at, last) || !skip(&at, "*"))
		return 0;
	*c = at;
	return 1;
}

/* "FILE:<first>:<last>*": the file ends at the first such ending that `next` (or anything, when "") follows. */
static int place(struct cursor *c, const char *next, struct word *file, uint32_t *first, uint32_t *last)
{
	for (const char *p = c->p; p < c->end; p++) {
		struct cursor at = { p, c->end }, after;

		if (*p != ':' || !lines(&at, first, last))
			continue;
		after = at;
		if (!skip(&after, next))
			continue;
		*file = (struct word){ c->p, (size_t)(p - c->p) };
		*c = at;
		return 1;
	}
	return 0;
}

/* One more clause, all of it or nothing. */
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
	static const struct { const char *key, *clause; } flags[] = {
		{ "hasNowait", "nowait" }, { "hasReduction", "reduction" }, { "hasCollapse", "collapse" },
		{ "hasIf", "if" }, { "hasNumThreads", "num_threads" }, { "hasOrdered", "ordered" },
		{ "hasUntied", "untied" }, { "hasCopyprivate", "copyprivate" }
	};
	static const struct word schedule = { "schedule", 8 }, none = { "", 0 };

	if (is(key, "clauses"))
		add_clause(out, value, none);
	else if (is(key, "hasSchedule") || is(key, "scheduleType"))
		add_clause(out, schedule, is(value, "1") ? none : value);
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (is(key, flags[i].key) && is(value, "1"))
			add_clause(out, (struct word){ flags[i].clause, strlen(flags[i].clause) }, none);
}

static void attribute(struct word w, struct ompp_ctc *out)
{
	const char *eq = memchr(w.s, '=', w.n_bytes);
	struct word key, value;

	if (!eq)
		return;
	key = (struct word){ w.s, (size_t)(eq - w.s) };
	value = (struct word){ eq + 1, w.n_bytes - key.n_bytes - 1 };
	clause(key, value, out);
	if (is(key, "criticalName") || is(key, "userRegionName")) {
		out->name = value.s;
		out->name_bytes = value.n_bytes;
	} else if (is(key, "numSections")) {
		struct cursor c = { value.s, value.s + value.n_bytes };

		if (!number(&c, &out->n_sections))
			out->n_sections = 0;
	} else if (is(key, "hasNowait")) {
		out->has_nowait = is(value, "1");
	} else if (is(key, "hasUntied")) {
		out->has_untied = is(value, "1");
	} else if (is(key, "ownBarrier")) {
		out->own_barrier = is(value, "1");
	}
}

int ompp_ctc_parse(const char *text, size_t max_bytes, struct ompp_ctc *out)
{
	struct cursor c = { text, text + strnlen(text, max_bytes) };
	struct word file = { "", 0 }, type;
	uint32_t length, other;

	memset(out, 0, sizeof(*out));
	out->construct = OMPP_N_CONSTRUCTS;
	out->file = out->name = "";
	if (!number(&c, &length) || !skip(&c, "*") || !skip(&c, "regionType="))
		return -EINVAL;
	type = field(&c);
	for (size_t i = 0; i < sizeof(region_types) / sizeof(region_types[0]); i++)
		if (is(type, region_types[i].word))
			out->construct = region_types[i].construct;

	if (!skip(&c, "sscl=") || !place(&c, "escl=", &file, &out->begin_line, &other))
		return -EINVAL;
	out->file = file.s;
	out->file_bytes = file.n_bytes;
	skip(&c, "escl=");
	if ((size_t)(c.end - c.p) > file.n_bytes && !memcmp(c.p, file.s, file.n_bytes) && c.p[file.n_bytes] == ':')
		c.p += file.n_bytes;            /* the usual case: the same file */
	if (!place(&c, "", &file, &other, &out->end_line))
		return -EINVAL;
	while (c.p < c.end) {
		struct word w = field(&c);

		if (!w.n_bytes)
			break;                  /* "**" */
		attribute(w, out);
	}
	out->text_bytes = (size_t)(c.p - text);
	return out->construct == OMPP_N_CONSTRUCTS ? -EINVAL : 0;
}

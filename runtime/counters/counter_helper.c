/*
 * Counter helper: see counter_helper.h.
 */
#include "runtime/counters/counter_helper.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/base/text.h"
#include "runtime/counters/counter.h"
#include "runtime/host/helper.h"
#include "runtime/host/note.h"

static struct ompp_helper helper = {
	.file = "ompp-papi",
	.version = OMPP_PAPI_VERSION,
	.why_not_installed = "its helper ompp-papi is not installed; build kinst where PAPI and libpfm4 are",
	.why_not_runnable = "its helper ompp-papi does not run; install PAPI (libpapi) and libpfm4",
	.why_other_version = "its helper ompp-papi is of another version; install kinst again",
};

void ompp_counter_put(struct ompp_message *m, const struct ompp_counter *counter)
{
	ompp_message_put(m, counter, sizeof(*counter));
	ompp_message_put_text(m, counter->what);
	ompp_message_put_text(m, counter->unit);
	ompp_message_put_text(m, counter->source);
}

void ompp_counter_get(struct ompp_message *m, struct ompp_counter *counter)
{
	ompp_message_get(m, counter, sizeof(*counter));
	counter->what = ompp_message_get_text(m);
	counter->unit = ompp_message_get_text(m);
	counter->source = ompp_message_get_text(m);
}

/* Copies a text of a counter to where it stays as long as the process.  COLD; one thread at a time may call it. */
static const char *counter_helper_keep(const char *text)
{
	static struct ompp_arena arena;
	const char *copy = ompp_arena_strdup(&arena, text);

	return copy ? copy : "";
}

static void take_counter(struct ompp_message *m, struct ompp_counter *counter)
{
	struct ompp_counter got;

	ompp_counter_get(m, &got);
	if (m->is_bad)
		return;
	got.what = got.what[0] ? counter_helper_keep(got.what) : counter->what;
	got.unit = got.unit[0] ? counter_helper_keep(got.unit) : counter->unit;
	got.source = got.source[0] ? counter_helper_keep(got.source) : counter->source;
	*counter = got;
}

static void counter_helper_begin(struct ompp_message *m, enum ompp_papi_question question, const char *name)
{
	ompp_message_begin(m, OMPP_HELPER_QUESTION);
	ompp_message_put_i64(m, question);
	ompp_message_put_text(m, name);
}

/* Notes that the helper has died: other names can still be counted, or the kernel's names for the same events. */
static void counter_helper_tell(const char *died)
{
	char line[160];
	struct ompp_text t;

	ompp_text_init(&t, line, sizeof(line));
	ompp_text_str(&t, "PAPI: ");
	ompp_text_str(&t, died);
	ompp_text_str(&t, "; names that it does not know are those of libpfm4 and perf, see `ompp counters`");
	ompp_note_say_once(line, t.n_bytes);
}

static int counter_helper_answer(struct ompp_message *m, struct ompp_counter *counter, struct ompp_text *why)
{
	const char *reason;
	int rc;

	if (ompp_helper_ask(&helper, m, NULL, NULL, &reason)) {
		ompp_text_str(why, reason);
		if (helper.died[0])
			counter_helper_tell(helper.died);
		return -ENODEV;
	}
	rc = (int)ompp_message_get_i64(m);
	ompp_text_str(why, ompp_message_get_text(m));
	if (counter)
		take_counter(m, counter);
	return m->is_bad ? -ENODEV : rc;
}

/* Asks one question and returns the answer's result.  The message lies in an arena, as it is large for a stack. */
static int counter_helper_ask(enum ompp_papi_question question, const char *name, struct ompp_counter *counter,
                              struct ompp_text *why)
{
	struct ompp_arena arena;
	struct ompp_message *m;
	int rc = -ENOMEM;

	ompp_arena_init(&arena, 0);
	m = ompp_arena_alloc(&arena, sizeof(*m));
	if (m) {
		counter_helper_begin(m, question, name);
		if (counter)
			ompp_counter_put(m, counter);
		rc = counter_helper_answer(m, counter, why);
	}
	ompp_arena_fini(&arena);
	return rc;
}

static int counter_helper_preset(const char *name, struct ompp_counter *counter, struct ompp_text *why)
{
	return counter_helper_ask(OMPP_PAPI_PRESET, name, counter, why);
}

static int counter_helper_native(const char *name, struct ompp_counter *counter, struct ompp_text *why)
{
	return counter_helper_ask(OMPP_PAPI_NATIVE, name, counter, why);
}

static int restrict_range(const char *name, struct ompp_text *why)
{
	return counter_helper_ask(OMPP_PAPI_RESTRICT, name, NULL, why);
}

/* All answers are collected before the first is handed on, as their receiver may ask questions, too. */
struct list {
	struct ompp_arena arena;
	struct ompp_counter *items;
	size_t n, n_have;
};

static int counter_helper_add(void *context, struct ompp_message *m)
{
	struct list *l = context;
	struct ompp_counter *grown = ompp_arena_grow(&l->arena, l->items, &l->n_have, l->n + 1, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	l->items = grown;
	grown[l->n] = (struct ompp_counter){ .what = "", .unit = "", .source = "" };
	take_counter(m, &grown[l->n++]);
	return m->is_bad ? -EPROTO : 0;
}

static int counter_helper_each(int (*found)(void *context, const struct ompp_counter *counter), void *context)
{
	struct list l = { .n = 0 };
	struct ompp_message *m;
	int rc = 0;

	ompp_arena_init(&l.arena, 0);
	m = ompp_arena_alloc(&l.arena, sizeof(*m));
	if (m) {
		counter_helper_begin(m, OMPP_PAPI_EACH, "");
		ompp_helper_ask(&helper, m, counter_helper_add, &l, NULL);
	}
	for (size_t i = 0; i < l.n && !rc; i++)
		rc = found(context, &l.items[i]);
	ompp_arena_fini(&l.arena);
	return rc;
}

const struct ompp_papi *ompp_counter_helper(const char **why)
{
	static const struct ompp_papi functions = { .papi = counter_helper_preset,
		                                    .pfm = counter_helper_native,
		                                    .each = counter_helper_each,
		                                    .restrict_range = restrict_range };

	return ompp_helper_start(&helper, why) ? NULL : &functions;
}

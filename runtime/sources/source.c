/*
 * Source: opens the sources, and passes each call to all open ones.
 */
#include "runtime/sources/source.h"

#include <string.h>

#include "runtime/base/text.h"
#include "runtime/host/note.h"
#include "runtime/sources/sources.h"

enum { MAX_SOURCES = 8 };

struct ompp_metric_set ompp_metrics;

static struct {
	struct ompp_source source; /* with stubs in place of members that are NULL */
	size_t state_offset;
	size_t first_value;
} opened[MAX_SOURCES];
static size_t n_opened, state_bytes;

static int stub_thread_start(void *state, struct ompp_why *why)
{
	(void)state, (void)why;
	return 0;
}

static void stub_read(void *state, uint64_t *values)
{
	(void)state, (void)values;
}

static void stub_thread_stop(void *state)
{
	(void)state;
}

static void stub_after_fork(void *state, int mine)
{
	(void)state, (void)mine;
}

static void stub_close(void)
{
}

static void say_failed(const char *name, const struct ompp_why *why)
{
	char line[256];
	struct ompp_text t;

	ompp_text_init(&t, line, sizeof(line));
	ompp_text_str(&t, "source ");
	ompp_text_str(&t, name);
	ompp_text_str(&t, " is off: ");
	ompp_text_str(&t, why->text);
	ompp_note_say(line);
}

void ompp_sources_open(const struct ompp_options *options)
{
	const struct ompp_source *const *s;

	for (s = ompp_source_list; *s && n_opened < MAX_SOURCES; s++) {
		struct ompp_source copy = **s;
		struct ompp_why why = { "" };
		size_t before = ompp_metrics.n, columns = ompp_metrics.n_columns;

		if (copy.probe && copy.probe(options, &why)) {
			if (why.text[0])
				say_failed(copy.name, &why);
			continue;
		}
		if (copy.open && copy.open(options, &ompp_metrics, &why)) {
			ompp_metrics.n = before;
			ompp_metrics.n_columns = columns;
			say_failed(copy.name, &why);
			continue;
		}
		if (!copy.thread_start)
			copy.thread_start = stub_thread_start;
		if (!copy.read)
			copy.read = stub_read;
		if (!copy.thread_stop)
			copy.thread_stop = stub_thread_stop;
		if (!copy.after_fork)
			copy.after_fork = stub_after_fork;
		if (!copy.close)
			copy.close = stub_close;
		opened[n_opened].source = copy;
		opened[n_opened].state_offset = state_bytes;
		opened[n_opened].first_value = before;
		state_bytes += (copy.thread_bytes + 15) / 16 * 16;
		n_opened++;
	}
}

void ompp_sources_close(void)
{
	while (n_opened)
		opened[--n_opened].source.close();
	state_bytes = 0;
	memset(&ompp_metrics, 0, sizeof(ompp_metrics));
}

size_t ompp_sources_thread_bytes(void)
{
	return state_bytes;
}

void ompp_sources_thread_start(void *state)
{
	size_t i;

	for (i = 0; i < n_opened; i++) {
		struct ompp_why why = { "" };

		if (opened[i].source.thread_start((char *)state + opened[i].state_offset, &why))
			say_failed(opened[i].source.name, &why);
	}
}

void ompp_sources_thread_stop(void *state)
{
	size_t i;

	for (i = 0; i < n_opened; i++)
		opened[i].source.thread_stop((char *)state + opened[i].state_offset);
}

void ompp_sources_after_fork(void *state, int mine)
{
	size_t i;

	for (i = 0; i < n_opened; i++)
		opened[i].source.after_fork((char *)state + opened[i].state_offset, mine);
}

void ompp_sources_filtered(void)
{
	for (size_t i = 0; i < n_opened; i++)
		if (opened[i].source.filtered)
			opened[i].source.filtered(&ompp_metrics);
}

void ompp_sources_read(void *state, uint64_t *values)
{
	size_t i;

	for (i = 0; i < n_opened; i++)
		opened[i].source.read((char *)state + opened[i].state_offset, values + opened[i].first_value);
}

int64_t ompp_source_column_value(const struct ompp_source_column *column, const int64_t *values)
{
	const int64_t *share = values + column->share;

	if (column->value == OMPP_NO_VALUE)
		return OMPP_MISSING;
	if (column->share == OMPP_NO_VALUE)
		return values[column->value];
	if (share[OMPP_SHARE_LOST])
		return OMPP_MISSING;
	return ompp_value_of_all(values[column->value], share[OMPP_SHARE_ENABLED], share[OMPP_SHARE_RUNNING]);
}

static void put_share(struct ompp_text *t, const int64_t *share)
{
	int64_t percent = ompp_value_percent(share[OMPP_SHARE_ENABLED], share[OMPP_SHARE_RUNNING]);

	ompp_text_str(t, "counted ");
	if (share[OMPP_SHARE_RUNNING] > 0 && !percent)
		ompp_text_str(t, "less than 1");
	else
		ompp_text_i64(t, percent);
	ompp_text_str(t, " % of the time");
}

void ompp_source_column_mark(const struct ompp_source_column *column, const int64_t *totals, struct ompp_metric *metric,
                             char *text, size_t n_text)
{
	const int64_t *share = totals + column->share;
	int partly, lost;
	struct ompp_text t;

	if (column->value == OMPP_NO_VALUE || column->share == OMPP_NO_VALUE)
		return;
	partly = ompp_value_is_partial(share[OMPP_SHARE_ENABLED], share[OMPP_SHARE_RUNNING]);
	lost = share[OMPP_SHARE_LOST] > 0;
	if (!partly && !lost)
		return;
	ompp_text_init(&t, text, n_text);
	ompp_text_str(&t, metric->detail);
	if (partly) {
		metric->certainty = OMPP_SCALED;
		ompp_text_str(&t, t.n_bytes ? "; " : "");
		put_share(&t, share);
	}
	if (lost) {
		ompp_text_str(&t, t.n_bytes ? "; " : "");
		ompp_text_str(&t, "missing where it could not be read");
	}
	metric->detail = text;
}

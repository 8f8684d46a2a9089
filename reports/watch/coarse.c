/*
 * Coarse: see coarse.h.
 */
#include "reports/watch/coarse.h"

#include <stdlib.h>
#include <string.h>

struct ompp_coarse {
	struct ompp_sink sink;
	int64_t interval_ns, begin_ns;
	struct ompp_sheet sum; /* sum of the samples since begin_ns; it shares the names of the sheets */
	size_t n_samples;
	int has_columns;
	struct ompp_sheet_threads threads; /* with copies */
	char *names;
	int are_threads_new;
};

struct ompp_coarse *ompp_coarse_open(const struct ompp_sink *sink, int64_t interval_ns)
{
	struct ompp_coarse *c = calloc(1, sizeof(*c));

	if (c) {
		c->sink = *sink;
		c->interval_ns = interval_ns;
	}
	return c;
}

static void free_threads(struct ompp_coarse *c)
{
	free(c->threads.regions), free(c->threads.in), free(c->threads.is_waiting), free(c->names);
	c->threads = (struct ompp_sheet_threads){ 0 };
	c->names = NULL;
	c->are_threads_new = 0;
}

void ompp_coarse_close(struct ompp_coarse *c)
{
	free_threads(c);
	ompp_sheet_free(&c->sum);
	free(c);
}

/* Hands the combined sample to the sink. */
static int coarse_flush(struct ompp_coarse *c)
{
	int rc = c->n_samples ? c->sink.sample(c->sink.context, &c->sum) : 0;

	c->n_samples = 0;
	if (c->are_threads_new && !rc)
		rc = c->sink.threads(c->sink.context, &c->threads);
	c->are_threads_new = 0;
	return rc;
}

static int coarse_start(struct ompp_coarse *c, const struct ompp_sheet *sheet)
{
	if (c->sum.n != sheet->n && ompp_sheet_start(&c->sum, sheet->n))
		return -1;
	memcpy(c->sum.columns, sheet->columns, sheet->n * sizeof(*sheet->columns));
	c->sum.generation = sheet->generation;
	c->sum.time_ns = sheet->time_ns;
	c->sum.n_missed = sheet->n_missed;
	return 0;
}

int ompp_coarse_sample(struct ompp_coarse *c, const struct ompp_sheet *sheet)
{
	int is_other = !c->has_columns || c->sum.generation != sheet->generation || c->sum.n != sheet->n;

	/* When the columns change, their names are read while they are valid; the names of unchanged columns are not
	 * read again. */
	if (is_other) {
		if (coarse_flush(c) || coarse_start(c, sheet))
			return -1;
		c->has_columns = 1;
		c->begin_ns = sheet->time_ns;
		return c->sink.sample(c->sink.context, sheet);
	}
	if (!c->n_samples++) {
		if (coarse_start(c, sheet))
			return -1;
	} else {
		for (size_t i = 0; i < sheet->n; i++) {
			const struct ompp_sheet_column *from = &sheet->columns[i];
			struct ompp_sheet_column *to = &c->sum.columns[i];

			to->elapsed_ns += from->elapsed_ns;
			to->number = from->is_gauge ? from->number : to->number + from->number;
			to->is_known = from->is_known && (from->is_gauge || to->is_known);
		}
		c->sum.time_ns = sheet->time_ns;
		c->sum.n_missed += sheet->n_missed;
	}
	if (sheet->time_ns - c->begin_ns < c->interval_ns)
		return 0;
	c->begin_ns = sheet->time_ns;
	return coarse_flush(c);
}

/* Keeps a copy until the sample of this second is handed on. */
int ompp_coarse_threads(struct ompp_coarse *c, const struct ompp_sheet_threads *threads)
{
	struct ompp_sheet_threads *t = &c->threads;
	size_t n_names = 0;
	char *at;

	free_threads(c);
	for (size_t i = 0; i < threads->n_regions; i++)
		n_names += strlen(threads->regions[i]) + 1;
	t->regions = calloc(threads->n_regions + 1, sizeof(*t->regions));
	t->in = calloc(threads->n + 1, sizeof(*t->in));
	t->is_waiting = calloc(threads->n + 1, sizeof(*t->is_waiting));
	at = c->names = malloc(n_names + 1);
	if (!t->regions || !t->in || !t->is_waiting || !at) {
		free_threads(c);
		return -1;
	}
	for (size_t i = 0; i < threads->n_regions; i++) {
		size_t n = strlen(threads->regions[i]) + 1;

		t->regions[i] = memcpy(at, threads->regions[i], n);
		at += n;
	}
	if (threads->n) {
		memcpy(t->in, threads->in, threads->n * sizeof(*t->in));
		memcpy(t->is_waiting, threads->is_waiting, threads->n * sizeof(*t->is_waiting));
	}
	t->n_regions = threads->n_regions;
	t->n = threads->n;
	t->time_ns = threads->time_ns;
	c->are_threads_new = 1;
	return 0;
}

int ompp_coarse_label(struct ompp_coarse *c, const char *text, int64_t time_ns)
{
	return c->sink.label(c->sink.context, text, time_ns);
}

int ompp_coarse_pause(struct ompp_coarse *c, int is_paused, int64_t time_ns)
{
	if (coarse_flush(c))
		return -1;
	c->begin_ns = time_ns;
	return c->sink.pause(c->sink.context, is_paused, time_ns);
}

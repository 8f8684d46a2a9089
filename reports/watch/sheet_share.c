/*
 * Sheet share: see sheet_share.h.
 */
#include "reports/watch/sheet_share.h"

#include <string.h>

/* What is per cent anyway needs no other ones. */
static int has_share(const struct ompp_sheet_column *c)
{
	return c->limit > 0 && strcmp(c->unit, "%");
}

/* Makes the per cent of the column, as a gauge. */
static struct ompp_sheet_column share_of(const struct ompp_sheet_column *c)
{
	struct ompp_sheet_column share = *c;

	share.unit = "%";
	share.is_gauge = share.is_share = 1;
	share.scale = 1;
	share.limit = 0;
	share.number = 100 * ompp_sheet_shown(c, &share.is_known) / c->limit;
	return share;
}

static int share_sample(void *context, const struct ompp_sheet *sheet)
{
	struct ompp_sheet_share *share = context;
	struct ompp_sheet *s = &share->sheet;
	size_t n = sheet->n, k = 0;

	for (size_t i = 0; i < sheet->n; i++)
		n += (size_t)has_share(&sheet->columns[i]);
	if (s->n != n && ompp_sheet_start(s, n))
		return -1;
	s->generation = sheet->generation;
	s->time_ns = sheet->time_ns;
	s->n_missed = sheet->n_missed;
	for (size_t i = 0; i < sheet->n; i++) {
		s->columns[k++] = sheet->columns[i];
		if (has_share(&sheet->columns[i]))
			s->columns[k++] = share_of(&sheet->columns[i]);
	}
	return share->to->sample(share->to->context, s);
}

static int share_start(void *context, const struct ompp_recording_info *info)
{
	const struct ompp_sheet_share *share = context;

	return share->to->start ? share->to->start(share->to->context, info) : 0;
}

static int share_threads(void *context, const struct ompp_sheet_threads *threads)
{
	const struct ompp_sheet_share *share = context;

	return share->to->threads ? share->to->threads(share->to->context, threads) : 0;
}

static int share_label(void *context, const char *text, int64_t time_ns)
{
	const struct ompp_sheet_share *share = context;

	return share->to->label ? share->to->label(share->to->context, text, time_ns) : 0;
}

static int share_pause(void *context, int is_paused, int64_t time_ns)
{
	const struct ompp_sheet_share *share = context;

	return share->to->pause ? share->to->pause(share->to->context, is_paused, time_ns) : 0;
}

static int share_end(void *context, int64_t time_ns)
{
	const struct ompp_sheet_share *share = context;

	return share->to->end ? share->to->end(share->to->context, time_ns) : 0;
}

struct ompp_sink ompp_sheet_share(struct ompp_sheet_share *share, const struct ompp_sink *to)
{
	*share = (struct ompp_sheet_share){ .to = to };
	return (struct ompp_sink){ .start = share_start,
		                   .sample = share_sample,
		                   .threads = share_threads,
		                   .label = share_label,
		                   .pause = share_pause,
		                   .end = share_end,
		                   .context = share };
}

void ompp_sheet_share_free(struct ompp_sheet_share *share)
{
	ompp_sheet_free(&share->sheet);
}

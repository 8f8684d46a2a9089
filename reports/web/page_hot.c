/*
 * Page hot: see page_hot.h.
 */
#include "reports/web/page_hot.h"

#include <errno.h>

#include "reports/analysis/hot_functions.h"

enum { MOST_ROWS = 2000, NAME_BYTES = 1024 };

static void put_words(struct ompp_embed *e, const char *key, const struct ompp_hot_spot *spot,
                      void (*put)(struct ompp_text *t, const struct ompp_hot_spot *spot))
{
	char buffer[NAME_BYTES];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	put(&t, spot);
	ompp_embed_text_of(e, key, buffer);
}

static void put_function(struct ompp_embed *e, const struct ompp_hot_row *row, uint64_t n_samples)
{
	const struct ompp_hot_function *f = &row->function;

	ompp_embed_open(e, '{');
	ompp_embed_number_of(e, "region", row->region == OMPP_NONE ? -1 : (int64_t)row->region);
	put_words(e, "function", f->spot, ompp_hot_put_function);
	put_words(e, "place", f->spot, ompp_hot_put_location);
	ompp_embed_text_of(e, "file", f->spot->file);
	ompp_embed_number_of(e, "line", f->spot->line);
	ompp_embed_number_of(e, "samples", ompp_count(f->n));
	ompp_embed_number_of(e, "ns", f->ns);
	ompp_embed_number_of(e, "error", ompp_hot_error_ns(f->ns, f->n));
	ompp_embed_number_of(e, "share", ompp_share((int64_t)f->n, (int64_t)row->n_region));
	ompp_embed_number_of(e, "shareError", ompp_hot_share_error(f->n, row->n_region));
	ompp_embed_number_of(e, "shareAll", ompp_share((int64_t)f->n, (int64_t)n_samples));
	ompp_embed_close(e, '}');
}

int ompp_page_hot(struct ompp_embed *e, const struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;
	struct ompp_hot_rows rows;

	if (!p->n_hot_spots)
		return 0;
	if (ompp_hot_rows(a, &rows))
		return -ENOMEM;
	ompp_embed_key(e, "hot");
	ompp_embed_open(e, '{');
	ompp_embed_number_of(e, "period", ompp_count(p->hot_period_ns));
	ompp_embed_number_of(e, "samples", ompp_count(rows.n_samples));
	ompp_embed_number_of(e, "own", ompp_count(rows.n_own));
	ompp_embed_number_of(e, "lost", ompp_count(p->n_hot_lost));
	ompp_embed_number_of(e, "stopped", p->n_hot_stopped);
	ompp_embed_number_of(e, "leftOut", rows.n > MOST_ROWS ? (int64_t)rows.n - MOST_ROWS : 0);
	ompp_embed_text_of(e, "outside", ompp_hot_outside(a));
	ompp_embed_key(e, "rows");
	ompp_embed_open(e, '[');
	for (size_t i = 0; i < rows.n && i < MOST_ROWS; i++)
		put_function(e, &rows.list[i], rows.n_samples);
	ompp_embed_close(e, ']');
	ompp_embed_close(e, '}');
	return 0;
}

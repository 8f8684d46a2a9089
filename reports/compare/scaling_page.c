/*
 * Scaling page: see scaling_page.h.
 */
#include "reports/compare/scaling_page.h"

#include "config.h"
#include "reports/analysis/classes.h"
#include "reports/exchange/quote.h"
#include "reports/web/embed.h"
#include "reports/web/page.h"
#include "runtime/base/text.h"

enum { TITLE_BYTES = 200 };

struct page {
	struct ompp_embed embed;
	const struct ompp_scaling *scaling;
	double level;
};

static uint32_t most_threads(const struct ompp_scaling *s)
{
	return s->points[s->n_points - 1].n_threads;
}

static void put_points(struct page *page)
{
	const struct ompp_scaling *s = page->scaling;
	struct ompp_embed *e = &page->embed;

	ompp_embed_key(e, "points");
	ompp_embed_open(e, '[');
	for (size_t i = 0; i < s->n_points; i++) {
		const struct ompp_scaling_point *p = &s->points[i];

		ompp_embed_line(e);
		ompp_embed_open(e, '{');
		ompp_embed_number_of(e, "threads", p->n_threads);
		ompp_embed_number_of(e, "runs", (int64_t)p->n_runs);
		ompp_embed_double_of(e, "wall_ns", p->wall_ns.mean);
		ompp_embed_double_of(e, "variance", p->wall_ns.variance);
		ompp_embed_double_of(e, "speedup", p->speedup);
		ompp_embed_double_of(e, "efficiency", p->efficiency);
		ompp_embed_close(e, '}');
	}
	ompp_embed_close(e, ']');
}

/* Puts what the law says of so many threads; 0: of any number. */
static void put_prediction(struct page *page, uint32_t n_threads)
{
	struct ompp_embed *e = &page->embed;
	double low, high, at = ompp_scaling_at(page->scaling, n_threads, page->level, &low, &high);

	ompp_embed_open(e, '{');
	if (n_threads)
		ompp_embed_number_of(e, "threads", n_threads);
	ompp_embed_double_of(e, "speedup", at);
	ompp_embed_double_of(e, "from", low);
	ompp_embed_double_of(e, "to", high);
	ompp_embed_close(e, '}');
}

static void put_law(struct page *page)
{
	struct ompp_embed *e = &page->embed;
	uint64_t most = (uint64_t)most_threads(page->scaling) << OMPP_SCALING_PREDICTIONS;

	ompp_embed_line(e);
	ompp_embed_key(e, "predictions");
	ompp_embed_open(e, '[');
	for (uint32_t i = 1; i <= OMPP_SCALING_PREDICTIONS; i++)
		put_prediction(page, most_threads(page->scaling) << i);
	ompp_embed_close(e, ']');
	ompp_embed_line(e);
	ompp_embed_key(e, "at_most");
	put_prediction(page, 0);
	ompp_embed_line(e);
	ompp_embed_key(e, "law"); /* enough of its points for a curve */
	ompp_embed_open(e, '[');
	for (uint64_t n = 1; n < most; n += n / 8 + 1)
		put_prediction(page, (uint32_t)n);
	put_prediction(page, (uint32_t)most);
	ompp_embed_close(e, ']');
}

static void put_part(struct page *page, const struct ompp_scaling_part *part)
{
	const struct ompp_scaling *s = page->scaling;
	struct ompp_embed *e = &page->embed;

	ompp_embed_line(e);
	ompp_embed_open(e, '{');
	ompp_embed_text_of(e, "name", part->name);
	ompp_embed_double_of(e, "stays_s", part->fit.intercept);
	ompp_embed_double_of(e, "stays_error_s", part->fit.intercept_error);
	ompp_embed_double_of(e, "divides_s", part->fit.slope);
	ompp_embed_double_of(e, "divides_error_s", part->fit.slope_error);
	ompp_embed_key(e, "points");
	ompp_embed_open(e, '[');
	for (size_t i = 0; i < s->n_points; i++) {
		ompp_embed_open(e, '{');
		ompp_embed_number_of(e, "threads", s->points[i].n_threads);
		ompp_embed_double_of(e, "wall_ns", part->wall_ns[i]);
		ompp_embed_double_of(e, "total_ns", part->total_ns[i]);
		for (int k = 0; k < OMPP_N_OVERHEADS && !part->is_serial; k++)
			ompp_embed_double_of(e, ompp_overhead_title((enum ompp_overhead)k), part->overhead_ns[i][k]);
		ompp_embed_close(e, '}');
	}
	ompp_embed_close(e, ']');
	ompp_embed_close(e, '}');
}

static void put_all(struct page *page, const char *app)
{
	static const char *const limits[] = { "none", "unsure", "sure" };
	const struct ompp_scaling *s = page->scaling;
	struct ompp_embed *e = &page->embed;

	ompp_embed_open(e, '{');
	ompp_embed_text_of(e, "format", "ompp-scaling");
	ompp_embed_number_of(e, "version", 1);
	ompp_embed_text_of(e, "generator", "ompp " PACKAGE_VERSION);
	ompp_embed_text_of(e, "app", app);
	ompp_embed_number_of(e, "runs", (int64_t)s->n_runs);
	ompp_embed_double_of(e, "level", page->level);
	ompp_embed_double_of(e, "serial_fraction", s->fraction);
	ompp_embed_double_of(e, "serial_fraction_error", s->fraction_error);
	ompp_embed_double_of(e, "serial_s", s->fit.intercept);
	ompp_embed_double_of(e, "parallel_s", s->fit.slope);
	ompp_embed_text_of(e, "limit", limits[ompp_scaling_limit(s, page->level)]);
	ompp_embed_line(e);
	put_points(page);
	put_law(page);
	ompp_embed_line(e);
	ompp_embed_key(e, "parts");
	ompp_embed_open(e, '[');
	for (size_t i = 0; i < s->n_parts; i++)
		put_part(page, &s->parts[i]);
	ompp_embed_close(e, ']');
	ompp_embed_close(e, '}');
}

int ompp_scaling_json(const struct ompp_scaling *scaling, const char *app, double level, int fd,
                      struct ompp_arena *scratch)
{
	struct page page = { .scaling = scaling, .level = level };
	struct ompp_out out;
	int rc = ompp_out_init(&out, fd, scratch);

	if (rc)
		return rc;
	ompp_embed_init(&page.embed, &out);
	page.embed.quote = ompp_json_quote;
	put_all(&page, app);
	ompp_out_char(&out, '\n');
	return ompp_out_flush(&out);
}

int ompp_scaling_page(const struct ompp_scaling *scaling, const char *app, double level, int fd,
                      struct ompp_arena *scratch)
{
	struct page page = { .scaling = scaling, .level = level };
	struct ompp_out out;
	char title[TITLE_BYTES];
	struct ompp_text t;
	int rc = ompp_out_init(&out, fd, scratch);

	if (rc)
		return rc;
	ompp_text_init(&t, title, sizeof(title));
	ompp_text_str(&t, app);
	ompp_text_str(&t, " \xe2\x80\x93 ompp scaling");
	ompp_page_begin(&out, title);
	ompp_page_data(&out, "scaling");
	ompp_embed_init(&page.embed, &out);
	put_all(&page, app);
	ompp_page_end_data(&out);
	ompp_page_script(&out, &ompp_page_base);
	ompp_page_script(&out, &ompp_page_scaling);
	ompp_page_end(&out);
	return ompp_out_flush(&out);
}

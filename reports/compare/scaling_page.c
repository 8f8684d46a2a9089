/*
 * Scaling page: see scaling_page.h.
 */
#include "reports/compare/scaling_page.h"

#include <math.h>

#include "reports/analysis/classes.h"
#include "reports/compare/document.h"

enum { N_CURVE = 32 }; /* points of the law's curve by size */

struct page {
	const struct ompp_scaling *scaling;
	const char *app;
	double level;
};

static uint32_t most_threads(const struct ompp_scaling *s)
{
	return s->points[s->n_points - 1].n_threads;
}

/* Puts what tells a point: the size of the problem, or the number of threads. */
static void put_key(struct ompp_embed *e, const struct ompp_scaling *s, size_t point)
{
	if (s->by_size)
		ompp_embed_double_of(e, "size", s->points[point].size);
	else
		ompp_embed_number_of(e, "threads", s->points[point].n_threads);
}

static void put_points(struct ompp_embed *e, const struct ompp_scaling *s)
{
	ompp_embed_key(e, "points");
	ompp_embed_open(e, '[');
	for (size_t i = 0; i < s->n_points; i++) {
		const struct ompp_scaling_point *p = &s->points[i];
		struct ompp_scaling_efficiency row;

		ompp_embed_line(e);
		ompp_embed_open(e, '{');
		put_key(e, s, i);
		ompp_embed_number_of(e, "runs", (int64_t)p->n_runs);
		ompp_embed_double_of(e, "wall_ns", p->wall_ns.mean);
		ompp_embed_double_of(e, "variance", p->wall_ns.variance);
		if (!s->by_size) {
			ompp_embed_double_of(e, "speedup", p->speedup);
			ompp_embed_double_of(e, "efficiency", p->efficiency);
			ompp_embed_number_of(e, "processes", p->n_processes);
			ompp_embed_double_of(e, "useful_ns", p->useful_ns);
			ompp_embed_double_of(e, "predicted_from_ns", p->predicted_least_ns);
			ompp_embed_double_of(e, "predicted_ns", p->predicted_ns);
			ompp_embed_double_of(e, "predicted_to_ns", p->predicted_most_ns);
			for (int k = 0; (row = ompp_scaling_efficiency(k)).value; k++)
				ompp_embed_double_of(e, row.name, row.value(p, row.k));
		}
		ompp_embed_close(e, '}');
	}
	ompp_embed_close(e, ']');
}

/* Puts which efficiencies points have. */
static void put_efficiencies(struct ompp_embed *e)
{
	struct ompp_scaling_efficiency row;

	ompp_embed_line(e);
	ompp_embed_key(e, "efficiencies");
	ompp_embed_open(e, '[');
	for (int i = 0; (row = ompp_scaling_efficiency(i)).value; i++) {
		ompp_embed_line(e);
		ompp_embed_open(e, '{');
		ompp_embed_text_of(e, "name", row.name);
		ompp_embed_number_of(e, "depth", row.depth);
		ompp_embed_text_of(e, "title", row.title);
		ompp_embed_text_of(e, "lost_where", row.words);
		ompp_embed_close(e, '}');
	}
	ompp_embed_close(e, ']');
}

/* Puts what the law says of so many threads; 0: of any number. */
static void put_prediction(struct ompp_embed *e, const struct page *page, uint32_t n_threads)
{
	double low, high, at = ompp_scaling_at(page->scaling, n_threads, page->level, &low, &high);

	ompp_embed_open(e, '{');
	if (n_threads)
		ompp_embed_number_of(e, "threads", n_threads);
	ompp_embed_double_of(e, "speedup", at);
	ompp_embed_double_of(e, "from", low);
	ompp_embed_double_of(e, "to", high);
	ompp_embed_close(e, '}');
}

static void put_law(struct ompp_embed *e, const struct page *page)
{
	uint64_t most = (uint64_t)most_threads(page->scaling) << OMPP_SCALING_PREDICTIONS;

	ompp_embed_line(e);
	ompp_embed_key(e, "predictions");
	ompp_embed_open(e, '[');
	for (uint32_t i = 1; i <= OMPP_SCALING_PREDICTIONS; i++)
		put_prediction(e, page, most_threads(page->scaling) << i);
	ompp_embed_close(e, ']');
	ompp_embed_line(e);
	ompp_embed_key(e, "at_most");
	put_prediction(e, page, 0);
	ompp_embed_line(e);
	ompp_embed_key(e, "law"); /* enough of its points for a curve */
	ompp_embed_open(e, '[');
	for (uint64_t n = 1; n < most; n += n / 8 + 1)
		put_prediction(e, page, (uint32_t)n);
	put_prediction(e, page, (uint32_t)most);
	ompp_embed_close(e, ']');
}

/* Puts the seconds that the parts' power laws give a size, added up. */
static void put_time_of_size(struct ompp_embed *e, const struct page *page, double size)
{
	double low, high, at = ompp_scaling_seconds(page->scaling, size, page->level, &low, &high);

	ompp_embed_open(e, '{');
	ompp_embed_double_of(e, "size", size);
	ompp_embed_double_of(e, "wall_ns", at * 1e9);
	ompp_embed_double_of(e, "from_ns", low * 1e9);
	ompp_embed_double_of(e, "to_ns", high * 1e9);
	ompp_embed_close(e, '}');
}

static void put_law_of_size(struct ompp_embed *e, const struct page *page)
{
	const struct ompp_scaling *s = page->scaling;
	double least = s->points[0].size, most = s->points[s->n_points - 1].size;

	ompp_embed_line(e);
	ompp_embed_key(e, "predictions");
	ompp_embed_open(e, '[');
	for (uint32_t i = 1; i <= OMPP_SCALING_PREDICTIONS; i++)
		put_time_of_size(e, page, most * (1u << i));
	ompp_embed_close(e, ']');
	most *= 1u << OMPP_SCALING_PREDICTIONS;
	ompp_embed_line(e);
	ompp_embed_key(e, "law");
	ompp_embed_open(e, '[');
	for (int i = 0; i < N_CURVE; i++)
		put_time_of_size(e, page, least * pow(most / least, (double)i / N_CURVE));
	put_time_of_size(e, page, most);
	ompp_embed_close(e, ']');
}

static void put_power(struct ompp_embed *e, const struct page *page, const struct ompp_line_fit *fit)
{
	double low, high;

	ompp_scaling_power(fit, page->level, &low, &high);
	ompp_embed_double_of(e, "power", fit->slope);
	ompp_embed_double_of(e, "power_error", fit->slope_error);
	ompp_embed_double_of(e, "power_from", low);
	ompp_embed_double_of(e, "power_to", high);
}

static void put_part(struct ompp_embed *e, const struct page *page, const struct ompp_scaling_part *part)
{
	static const char *const errors[] = { [OMPP_SYNCH] = "Synch_error",
		                              [OMPP_IMBAL] = "Imbal_error",
		                              [OMPP_LIMPAR] = "Limpar_error",
		                              [OMPP_MGMT] = "Mgmt_error" };
	const struct ompp_scaling *s = page->scaling;

	ompp_embed_line(e);
	ompp_embed_open(e, '{');
	ompp_embed_text_of(e, "name", part->name);
	if (s->by_size) {
		put_power(e, page, &part->fit);
	} else {
		ompp_embed_double_of(e, "stays_s", part->fit.intercept);
		ompp_embed_double_of(e, "stays_error_s", part->fit.intercept_error);
		ompp_embed_double_of(e, "divides_s", part->fit.slope);
		ompp_embed_double_of(e, "divides_error_s", part->fit.slope_error);
	}
	ompp_embed_key(e, "points");
	ompp_embed_open(e, '[');
	for (size_t i = 0; i < s->n_points; i++) {
		ompp_embed_open(e, '{');
		put_key(e, s, i);
		ompp_embed_double_of(e, "wall_ns", part->wall_ns[i]);
		ompp_embed_double_of(e, "total_ns", part->total_ns[i]);
		for (int k = 0; k < OMPP_N_OVERHEADS && !part->is_serial; k++)
			ompp_embed_double_of(e, ompp_overhead_title((enum ompp_overhead)k), part->overhead_ns[i][k]);
		for (int k = 0; k < OMPP_N_OVERHEADS && !part->is_serial; k++)
			ompp_embed_double_of(e, errors[k], part->error_ns[i][k]);
		ompp_embed_close(e, '}');
	}
	ompp_embed_close(e, ']');
	ompp_embed_close(e, '}');
}

/* Puts the bytes that the constructs for devices map. */
static void put_mapped(struct ompp_embed *e, const struct ompp_scaling *s)
{
	ompp_embed_key(e, "mapped");
	ompp_embed_open(e, '[');
	for (size_t i = 0; i < s->n_mapped; i++) {
		ompp_embed_line(e);
		ompp_embed_open(e, '{');
		ompp_embed_text_of(e, "name", s->mapped[i].name);
		ompp_embed_key(e, "points");
		ompp_embed_open(e, '[');
		for (size_t k = 0; k < s->n_points; k++) {
			ompp_embed_open(e, '{');
			put_key(e, s, k);
			ompp_embed_double_of(e, "to_bytes", s->mapped[i].to_bytes[k]);
			ompp_embed_double_of(e, "from_bytes", s->mapped[i].from_bytes[k]);
			ompp_embed_close(e, '}');
		}
		ompp_embed_close(e, ']');
		ompp_embed_close(e, '}');
	}
	ompp_embed_close(e, ']');
}

/* Puts what is said of the program, by threads. */
static void put_program(struct ompp_embed *e, const struct page *page)
{
	static const char *const limits[] = { "none", "unsure", "sure" };
	const struct ompp_scaling *s = page->scaling;

	ompp_embed_number_of(e, "predicting_threads",
	                     s->predicting_threads ? (int64_t)s->predicting_threads : OMPP_MISSING);
	ompp_embed_double_of(e, "serial_fraction", s->fraction);
	ompp_embed_double_of(e, "serial_fraction_error", s->fraction_error);
	ompp_embed_double_of(e, "serial_s", s->fit.intercept);
	ompp_embed_double_of(e, "parallel_s", s->fit.slope);
	ompp_embed_text_of(e, "limit", limits[ompp_scaling_limit(s, page->level)]);
}

/* Puts what is said of the program, by size. */
static void put_program_of_size(struct ompp_embed *e, const struct page *page)
{
	const struct ompp_scaling *s = page->scaling;
	const struct ompp_scaling_part *fastest = ompp_scaling_fastest(s, page->level);

	ompp_embed_number_of(e, "threads", s->points[0].n_threads);
	put_power(e, page, &s->fit);
	ompp_embed_number_of(e, "fastest", fastest ? fastest - s->parts : OMPP_MISSING);
}

static void put_all(struct ompp_embed *e, const void *of)
{
	const struct page *page = of;
	const struct ompp_scaling *s = page->scaling;

	ompp_embed_document(e, "ompp-scaling");
	ompp_embed_text_of(e, "app", page->app);
	ompp_embed_text_of(e, "by", s->by_size ? "size" : "threads");
	ompp_embed_number_of(e, "runs", (int64_t)s->n_runs);
	ompp_embed_double_of(e, "level", page->level);
	(s->by_size ? put_program_of_size : put_program)(e, page);
	ompp_embed_line(e);
	put_points(e, s);
	if (!s->by_size)
		put_efficiencies(e);
	(s->by_size ? put_law_of_size : put_law)(e, page);
	ompp_embed_line(e);
	ompp_embed_key(e, "parts");
	ompp_embed_open(e, '[');
	for (size_t i = 0; i < s->n_parts; i++)
		put_part(e, page, &s->parts[i]);
	ompp_embed_close(e, ']');
	ompp_embed_line(e);
	put_mapped(e, s);
	ompp_embed_close(e, '}');
}

int ompp_scaling_json(const struct ompp_scaling *scaling, const char *app, double level, int fd,
                      struct ompp_arena *scratch)
{
	struct page page = { scaling, app, level };
	struct ompp_document d = { "scaling", app, &ompp_page_scaling, put_all, &page };

	return ompp_document_json(&d, fd, scratch);
}

int ompp_scaling_page(const struct ompp_scaling *scaling, const char *app, double level, int fd,
                      struct ompp_arena *scratch)
{
	struct page page = { scaling, app, level };
	struct ompp_document d = { "scaling", app, &ompp_page_scaling, put_all, &page };

	return ompp_document_page(&d, fd, scratch);
}

/*
 * Page source: see page_source.h.
 */
#include "reports/web/page_source.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/hot_functions.h"
#include "reports/lines/source_files.h"
#include "reports/lines/source_lines.h"
#include "runtime/base/sort.h"

/* Puts what is known of the lines, of those that have any of it. */
static void put_sums(struct ompp_embed *e, const struct ompp_source_lines *lines)
{
	ompp_embed_key(e, "sums");
	ompp_embed_open(e, '[');
	for (size_t i = 0; i < lines->n; i++) {
		const struct ompp_source_line *line = &lines->list[i];
		int has_samples = line->has_sample && line->sampled.n;

		if (!line->has_region && !has_samples)
			continue;
		ompp_embed_open(e, '{');
		ompp_embed_number_of(e, "line", (int64_t)i + 1);
		if (line->has_region) {
			ompp_embed_number_of(e, "exec", line->exec_ns);
			ompp_embed_number_of(e, "waiting", line->waiting_ns);
			ompp_embed_number_of(e, "count", line->n_exec);
		}
		if (has_samples)
			ompp_embed_number_of(e, "samples", ompp_count(line->sampled.n));
		ompp_embed_close(e, '}');
	}
	ompp_embed_close(e, ']');
}

/* Returns the number of bytes of the lines. */
static size_t put_lines(struct ompp_embed *e, const struct ompp_source_lines *lines)
{
	size_t n_bytes = 0;

	ompp_embed_key(e, "lines");
	ompp_embed_open(e, '[');
	for (size_t i = 0; i < lines->n; i++) {
		ompp_embed_source_line(e, lines->list[i].text);
		n_bytes += strlen(lines->list[i].text);
	}
	ompp_embed_close(e, ']');
	return n_bytes;
}

static int spot_is_after(const void *spots, uint32_t x, uint32_t y)
{
	const struct ompp_hot_spot *s = spots;
	int d = strcmp(s[x].file, s[y].file);

	return d ? d > 0 : s[x].line != s[y].line ? s[x].line > s[y].line : x > y;
}

/* Puts the lines of a file that have samples of processor time: line, samples, ns, its standard error.
 * order: that of all spots by file and line
 * at: the first spot of the file, or of one behind */
static void put_hot_lines(struct ompp_embed *e, const struct ompp_profile *p, const char *file, const uint32_t *order,
                          size_t at)
{
	ompp_embed_key(e, "hot");
	ompp_embed_open(e, '[');
	while (at < p->n_hot_spots && !strcmp(p->hot_spots[order[at]].file, file)) {
		uint32_t line = p->hot_spots[order[at]].line;
		uint64_t n = 0;
		int64_t ns = 0;

		for (; at < p->n_hot_spots && p->hot_spots[order[at]].line == line &&
		       !strcmp(p->hot_spots[order[at]].file, file);
		     at++) {
			n += p->hot_spots[order[at]].n;
			ns = ompp_add(ns, p->hot_spots[order[at]].ns);
		}
		ompp_embed_open(e, '[');
		ompp_embed_number(e, line);
		ompp_embed_number(e, ompp_count(n));
		ompp_embed_number(e, ns);
		ompp_embed_number(e, ompp_hot_error_ns(ns, n));
		ompp_embed_close(e, ']');
	}
	ompp_embed_close(e, ']');
}

/* Returns the first spot of a file in this order, or of one behind. */
static size_t first_spot(const struct ompp_profile *p, const uint32_t *order, const char *file)
{
	size_t low = 0, high = p->n_hot_spots;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(p->hot_spots[order[middle]].file, file) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int ompp_page_source(struct ompp_embed *e, const struct ompp_region_sums *regions)
{
	const struct ompp_analysis *a = regions->analysis;
	size_t n_files, n_bytes = 0;
	const struct ompp_profile *p = a->profile;
	const char **files = ompp_source_files(a, &n_files);
	uint32_t *spots = ompp_sorted(a->arena, p->n_hot_spots, spot_is_after, p->hot_spots);

	if (!files || !spots)
		return -ENOMEM;
	ompp_embed_key(e, "sources");
	ompp_embed_open(e, '[');
	for (size_t i = 0; i < n_files; i++) {
		struct ompp_source_lines lines;
		const char *why;
		int has_changed;
		char *text = ompp_source_load(files[i], p->start_unix_ns, a->arena, &has_changed, &why);

		if (text && n_bytes > OMPP_PAGE_SOURCES_BYTES) {
			text = NULL;
			why = "too large together with the other files";
		}
		if (text && ompp_source_lines(regions, NULL, files[i], text, &lines))
			return -ENOMEM;
		ompp_embed_open(e, '{');
		ompp_embed_text_of(e, "file", files[i]);
		if (text) {
			n_bytes += put_lines(e, &lines);
			put_sums(e, &lines);
		} else {
			ompp_embed_text_of(e, "why", why);
		}
		ompp_embed_number_of(e, "changed", has_changed);
		put_hot_lines(e, p, files[i], spots, first_spot(p, spots, files[i]));
		ompp_embed_close(e, '}');
	}
	ompp_embed_close(e, ']');
	return 0;
}

/*
 * Page source: see page_source.h.
 */
#include "reports/web/page_source.h"

#include <errno.h>
#include <string.h>

#include "reports/lines/source_files.h"
#include "reports/lines/source_lines.h"

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

int ompp_page_source(struct ompp_embed *e, const struct ompp_region_sums *regions)
{
	const struct ompp_analysis *a = regions->analysis;
	size_t n_files, n_bytes = 0;
	const char **files = ompp_source_files(a, &n_files);

	if (!files)
		return -ENOMEM;
	ompp_embed_key(e, "sources");
	ompp_embed_open(e, '[');
	for (size_t i = 0; i < n_files; i++) {
		struct ompp_source_lines lines;
		const char *why;
		int has_changed;
		char *text = ompp_source_load(files[i], a->profile->start_unix_ns, a->arena, &has_changed, &why);

		if (text && n_bytes > OMPP_PAGE_SOURCES_BYTES) {
			text = NULL;
			why = "too much with the other files";
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
		ompp_embed_close(e, '}');
	}
	ompp_embed_close(e, ']');
	return 0;
}

/*
 * Page source: see page_source.h.
 */
#include "reports/web/page_source.h"

#include <errno.h>
#include <string.h>

#include "reports/web/web_source.h"

static size_t put_lines(struct ompp_embed *e, char *text)
{
	size_t n_bytes = 0;

	ompp_embed_key(e, "lines");
	ompp_embed_open(e, '[');
	while (*text) {
		size_t n = strcspn(text, "\n"), n_shown = n && text[n - 1] == '\r' ? n - 1 : n;
		int is_last = !text[n];

		text[n_shown] = text[n] = '\0';
		ompp_embed_source_line(e, text);
		n_bytes += n;
		text += n + !is_last;
	}
	ompp_embed_close(e, ']');
	return n_bytes;
}

int ompp_page_source(struct ompp_embed *e, const struct ompp_analysis *a)
{
	size_t n_files, n_bytes = 0;
	const char **files = ompp_source_files(a, &n_files);

	if (!files)
		return -ENOMEM;
	ompp_embed_key(e, "sources");
	ompp_embed_open(e, '[');
	for (size_t i = 0; i < n_files; i++) {
		const char *why;
		int has_changed;
		char *text = ompp_source_load(files[i], a->profile->start_unix_ns, a->arena, &has_changed, &why);

		if (text && n_bytes > OMPP_PAGE_SOURCES_BYTES) {
			text = NULL;
			why = "too much with the other files";
		}
		ompp_embed_open(e, '{');
		ompp_embed_text_of(e, "file", files[i]);
		if (text)
			n_bytes += put_lines(e, text);
		else
			ompp_embed_text_of(e, "why", why);
		ompp_embed_number_of(e, "changed", has_changed);
		ompp_embed_close(e, '}');
	}
	ompp_embed_close(e, ']');
	return 0;
}

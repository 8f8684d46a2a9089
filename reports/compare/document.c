/*
 * Document: see document.h.
 */
#include "reports/compare/document.h"

#include "reports/exchange/quote.h"
#include "runtime/base/text.h"

enum { TITLE_BYTES = 200 };

int ompp_document_json(const struct ompp_document *document, int fd, struct ompp_arena *scratch)
{
	struct ompp_embed embed;
	struct ompp_out out;
	int rc = ompp_out_init(&out, fd, scratch);

	if (rc)
		return rc;
	ompp_embed_init(&embed, &out);
	embed.quote = ompp_json_quote;
	document->put(&embed, document->of);
	ompp_out_char(&out, '\n');
	return ompp_out_flush(&out);
}

int ompp_document_page(const struct ompp_document *document, int fd, struct ompp_arena *scratch)
{
	struct ompp_embed embed;
	struct ompp_out out;
	char title[TITLE_BYTES];
	struct ompp_text t;
	int rc = ompp_out_init(&out, fd, scratch);

	if (rc)
		return rc;
	ompp_text_init(&t, title, sizeof(title));
	ompp_text_str(&t, document->app);
	ompp_text_str(&t, " \xe2\x80\x93 ompp ");
	ompp_text_str(&t, document->kind);
	ompp_page_begin(&out, title);
	ompp_page_data(&out, document->kind);
	ompp_embed_init(&embed, &out);
	document->put(&embed, document->of);
	ompp_page_end_data(&out);
	ompp_page_script(&out, &ompp_page_base);
	ompp_page_script(&out, document->script);
	ompp_page_end(&out);
	return ompp_out_flush(&out);
}

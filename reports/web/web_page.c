/*
 * Page: see web_page.h.
 */
#include "reports/web/web_page.h"

#include <string.h>

#include "runtime/base/clean.h"

static void put_text(struct ompp_out *out, const char *text)
{
	char escape[OMPP_ESCAPE_BYTES];

	while (*text) {
		size_t n = ompp_clean_bytes(text, 0);

		for (size_t i = 0; i < n; i++)
			if (text[i] == '<')
				ompp_out_str(out, "&lt;");
			else if (text[i] == '&')
				ompp_out_str(out, "&amp;");
			else
				ompp_out_char(out, text[i]);
		text += n;
		if (*text) {
			text += ompp_clean_escape(text, escape);
			ompp_out_str(out, escape);
		}
	}
}

void ompp_page_begin(struct ompp_out *out, const char *title)
{
	ompp_out_str(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	                  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	                  "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
	                  "form-action 'none'\">\n"
	                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	                  "<meta name=\"color-scheme\" content=\"light dark\">\n"
	                  "<link rel=\"icon\" href=\"data:,\">\n<title>");
	put_text(out, title);
	ompp_out_str(out, "</title>\n<style>\n");
	ompp_out_write(out, ompp_page_color.bytes, ompp_page_color.n_bytes);
	ompp_out_write(out, ompp_page_style.bytes, ompp_page_style.n_bytes);
	ompp_out_str(out, "</style>\n</head>\n<body>\n<noscript><p>This page draws its numbers by JavaScript, which is "
	                  "switched off here. Without --format=html ompp prints them as text.</p></noscript>\n");
}

void ompp_page_data(struct ompp_out *out, const char *id)
{
	ompp_out_str(out, "<script type=\"application/json\" id=\"");
	ompp_out_str(out, id);
	ompp_out_str(out, "\">");
}

void ompp_page_end_data(struct ompp_out *out)
{
	ompp_out_str(out, "</script>\n");
}

void ompp_page_script(struct ompp_out *out, const struct ompp_page_asset *script)
{
	ompp_out_str(out, "<script>\n");
	ompp_out_write(out, script->bytes, script->n_bytes);
	ompp_out_str(out, "</script>\n");
}

void ompp_page_end(struct ompp_out *out)
{
	ompp_out_str(out, "</body>\n</html>\n");
}

/*
 * Document: several runs as JSON for programs, and as an HTML page for people, which has the same numbers in it.
 */
#ifndef OMPP_COMPARE_DOCUMENT_H
#define OMPP_COMPARE_DOCUMENT_H

#include "reports/web/embed.h"
#include "reports/web/web_page.h"
#include "runtime/base/arena.h"

struct ompp_document {
	const char *kind; /* "diff": what the data are called in the page, and the command */
	const char *app;
	const struct ompp_page_asset *script;
	void (*put)(struct ompp_embed *e, const void *of); /* writes the data */
	const void *of;
};

/* Write to fd.  Return 0, -ENOMEM, or what write(2) said. */
int ompp_document_json(const struct ompp_document *document, int fd, struct ompp_arena *scratch);
int ompp_document_page(const struct ompp_document *document, int fd, struct ompp_arena *scratch);

#endif

/*
 * Embed: writes JSON inside a script element of an HTML page.
 *
 * Names are untrusted: a page must show them and never run them.  So texts are cleaned as for terminals
 * (runtime/base/clean.h): control characters, those that change the direction of writing or end lines, and invalid
 * UTF-8 are shown as \x1b or \u202e.  Each remaining "<" is written as \u003c, so nothing can end the script element or
 * begin a comment in it.
 *
 * JSON for programs has the texts as they are: if `quote` is set, it writes them instead.
 */
#ifndef OMPP_WEB_EMBED_H
#define OMPP_WEB_EMBED_H

#include <stdint.h>

#include "reports/writers/out.h"

struct ompp_embed {
	struct ompp_out *out;
	uint64_t n_bytes; /* written so far */
	int is_first;     /* 1 when no comma comes before the next value */
	/* hands a text in quotes to put(); NULL: texts are cleaned */
	void (*quote)(const char *text, void (*put)(void *to, const char *bytes, size_t n_bytes), void *to);
};

void ompp_embed_init(struct ompp_embed *e, struct ompp_out *out);

/* Begin and end an object, "{" and "}", or an array, "[" and "]". */
void ompp_embed_open(struct ompp_embed *e, char bracket);
void ompp_embed_close(struct ompp_embed *e, char bracket);

/* Writes the name of the next value of an object; it is a constant that needs no escapes. */
void ompp_embed_key(struct ompp_embed *e, const char *key);

/* Write a value: a text, in which line feeds are kept; bytes that need no escapes; a number, null where it is
 * OMPP_MISSING.  A number that a double does not hold exactly is a text. */
void ompp_embed_text(struct ompp_embed *e, const char *text);
void ompp_embed_plain(struct ompp_embed *e, const char *bytes, size_t n_bytes);
void ompp_embed_number(struct ompp_embed *e, int64_t number);
void ompp_embed_null(struct ompp_embed *e);

/* Writes a line of source, in which tabs are kept. */
void ompp_embed_source_line(struct ompp_embed *e, const char *line);

/* Do the same with the name in front. */
void ompp_embed_text_of(struct ompp_embed *e, const char *key, const char *text);
void ompp_embed_number_of(struct ompp_embed *e, const char *key, int64_t number);
void ompp_embed_double_of(struct ompp_embed *e, const char *key, double number);
void ompp_embed_doubles_of(struct ompp_embed *e, const char *key, const double *numbers, size_t n); /* as a list */

/* Begins an object that is a document of its own: with the name and version of its format, and who wrote it. */
void ompp_embed_document(struct ompp_embed *e, const char *format);

/* Begins a new line, so that long lists are readable. */
void ompp_embed_line(struct ompp_embed *e);

#endif

/*
 * Embed: see embed.h.
 */
#include "reports/web/embed.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "config.h"
#include "runtime/base/clean.h"
#include "runtime/base/text.h"
#include "runtime/counters/value.h"

#define EXACT_MOST (INT64_C(1) << 53) /* a double holds every whole number up to it */

static void embed_put(struct ompp_embed *e, const char *bytes, size_t n_bytes)
{
	ompp_out_write(e->out, bytes, n_bytes);
	e->n_bytes += n_bytes;
}

/* Puts the comma before a value that is not the first. */
static void embed_next(struct ompp_embed *e)
{
	if (!e->is_first)
		embed_put(e, ",", 1);
	e->is_first = 0;
}

void ompp_embed_init(struct ompp_embed *e, struct ompp_out *out)
{
	e->out = out;
	e->n_bytes = 0;
	e->is_first = 1;
	e->quote = NULL;
}

void ompp_embed_open(struct ompp_embed *e, char bracket)
{
	embed_next(e);
	embed_put(e, &bracket, 1);
	e->is_first = 1;
}

void ompp_embed_close(struct ompp_embed *e, char bracket)
{
	embed_put(e, &bracket, 1);
	e->is_first = 0;
}

void ompp_embed_key(struct ompp_embed *e, const char *key)
{
	embed_next(e);
	embed_put(e, "\"", 1);
	embed_put(e, key, strlen(key));
	embed_put(e, "\":", 2);
	e->is_first = 1;
}

/* Puts clean bytes, escaping those that have a meaning in JSON or in the page. */
static void put_escaped(struct ompp_embed *e, const char *bytes, size_t n_bytes)
{
	size_t from = 0;

	for (size_t i = 0; i < n_bytes; i++) {
		const char *escape = bytes[i] == '"'  ? "\\\""
		                   : bytes[i] == '\\' ? "\\\\"
		                   : bytes[i] == '\n' ? "\\n"
		                   : bytes[i] == '<'  ? "\\u003c"
		                                      : NULL;

		if (!escape)
			continue;
		embed_put(e, bytes + from, i - from);
		embed_put(e, escape, strlen(escape));
		from = i + 1;
	}
	embed_put(e, bytes + from, n_bytes - from);
}

static void put_clean(struct ompp_embed *e, const char *text, int keep_tabs)
{
	char escape[OMPP_ESCAPE_BYTES];

	embed_next(e);
	embed_put(e, "\"", 1);
	while (*text) {
		size_t n = ompp_clean_bytes(text, 1);

		put_escaped(e, text, n);
		text += n;
		if (keep_tabs && *text == '\t') {
			embed_put(e, "\\t", 2);
			text++;
		} else if (*text) {
			text += ompp_clean_escape(text, escape);
			put_escaped(e, escape, strlen(escape));
		}
	}
	embed_put(e, "\"", 1);
}

static void put_quoted(void *to, const char *bytes, size_t n_bytes)
{
	embed_put(to, bytes, n_bytes);
}

void ompp_embed_text(struct ompp_embed *e, const char *text)
{
	if (!e->quote) {
		put_clean(e, text, 0);
		return;
	}
	embed_next(e);
	e->quote(text, put_quoted, e);
}

void ompp_embed_source_line(struct ompp_embed *e, const char *line)
{
	put_clean(e, line, 1);
}

void ompp_embed_plain(struct ompp_embed *e, const char *bytes, size_t n_bytes)
{
	embed_next(e);
	embed_put(e, "\"", 1);
	embed_put(e, bytes, n_bytes);
	embed_put(e, "\"", 1);
}

void ompp_embed_number(struct ompp_embed *e, int64_t number)
{
	char buffer[32];
	struct ompp_text t;
	int is_text = number > EXACT_MOST || number < -EXACT_MOST;

	if (number == OMPP_MISSING) {
		ompp_embed_null(e);
		return;
	}
	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_str(&t, is_text ? "\"" : "");
	ompp_text_i64(&t, number);
	ompp_text_str(&t, is_text ? "\"" : "");
	embed_next(e);
	embed_put(e, t.data, t.n_bytes);
}

/* Writes null where the number is NaN or infinite. */
static void embed_double(struct ompp_embed *e, double number)
{
	char buffer[32];

	if (isnan(number) || isinf(number)) {
		ompp_embed_null(e);
		return;
	}
	embed_next(e);
	embed_put(e, buffer, (size_t)snprintf(buffer, sizeof(buffer), "%.17g", number));
}

void ompp_embed_null(struct ompp_embed *e)
{
	embed_next(e);
	embed_put(e, "null", 4);
}

void ompp_embed_text_of(struct ompp_embed *e, const char *key, const char *text)
{
	ompp_embed_key(e, key);
	ompp_embed_text(e, text);
}

void ompp_embed_number_of(struct ompp_embed *e, const char *key, int64_t number)
{
	ompp_embed_key(e, key);
	ompp_embed_number(e, number);
}

void ompp_embed_double_of(struct ompp_embed *e, const char *key, double number)
{
	ompp_embed_key(e, key);
	embed_double(e, number);
}

void ompp_embed_document(struct ompp_embed *e, const char *format)
{
	ompp_embed_open(e, '{');
	ompp_embed_text_of(e, "format", format);
	ompp_embed_number_of(e, "version", 1);
	ompp_embed_text_of(e, "generator", "ompp " PACKAGE_VERSION);
}

void ompp_embed_doubles_of(struct ompp_embed *e, const char *key, const double *numbers, size_t n)
{
	ompp_embed_key(e, key);
	ompp_embed_open(e, '[');
	for (size_t i = 0; i < n; i++)
		embed_double(e, numbers[i]);
	ompp_embed_close(e, ']');
}

void ompp_embed_line(struct ompp_embed *e)
{
	embed_next(e);
	embed_put(e, "\n", 1);
	e->is_first = 1;
}

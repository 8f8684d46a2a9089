/*
 * JSON: the reader of one line of it; quote.h writes its texts.
 */
#ifndef OMPP_WATCH_JSON_H
#define OMPP_WATCH_JSON_H

#include <stddef.h>

#include "reports/exchange/quote.h"
#include "runtime/base/arena.h"

enum ompp_json_type {
	OMPP_JSON_NULL,
	OMPP_JSON_BOOL,
	OMPP_JSON_NUMBER,
	OMPP_JSON_TEXT,
	OMPP_JSON_LIST,
	OMPP_JSON_OBJECT
};

struct ompp_json {
	enum ompp_json_type type;
	const char *key;  /* in an object */
	double number;    /* of BOOL 0 or 1 */
	const char *text; /* of TEXT */
	struct ompp_json *first, *next;
};

/* Reads a line that is one value and nothing else; what stands in it is in the arena.  Returns NULL when it is not
 * JSON, nests too deep, or has a NUL in a text. */
const struct ompp_json *ompp_json_read(const char *line, struct ompp_arena *arena);

/* Return the member of an object, or NULL; its text or number, or the default if it has another type. */
const struct ompp_json *ompp_json_get(const struct ompp_json *object, const char *key);
const char *ompp_json_text(const struct ompp_json *object, const char *key);
double ompp_json_number(const struct ompp_json *object, const char *key, double otherwise);

#endif

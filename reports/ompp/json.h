/*
 * JSON: texts as JSON has them, and the reader of one line of it.
 */
#ifndef OMPP_JSON_H
#define OMPP_JSON_H

#include <stddef.h>

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

/* Returns the member of an object, or NULL; its text or number, or what stands for one of another type. */
const struct ompp_json *ompp_json_get(const struct ompp_json *object, const char *key);
const char *ompp_json_text(const struct ompp_json *object, const char *key);
double ompp_json_number(const struct ompp_json *object, const char *key, double otherwise);

/* Hands the text with quotes around it to put(): control characters, < > & and what ends lines or changes the direction
 * of writing as \u…, and each byte that is no UTF-8 as U+FFFD. */
void ompp_json_quote(const char *text, void (*put)(void *to, const char *bytes, size_t n_bytes), void *to);

#endif

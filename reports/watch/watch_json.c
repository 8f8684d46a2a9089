/*
 * JSON: see watch_json.h.
 */
#include "reports/watch/watch_json.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 8, NUMBER_BYTES = 64 };

struct reader {
	const char *at;
	struct ompp_arena *arena;
};

static struct ompp_json *json_value(struct reader *r, int depth);

static void json_blanks(struct reader *r)
{
	r->at += strspn(r->at, " \t\r\n");
}

static int json_hex4(const char *at, uint32_t *code)
{
	*code = 0;
	for (int i = 0; i < 4; i++) {
		char c = at[i];
		uint32_t digit = c >= '0' && c <= '9' ? (uint32_t)(c - '0')
		               : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a' + 10)
		               : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A' + 10)
		                                      : 16;

		if (digit == 16)
			return -1;
		*code = *code * 16 + digit;
	}
	return 0;
}

static char *put_utf8(char *to, uint32_t code)
{
	if (code < 0x80) {
		*to++ = (char)code;
	} else if (code < 0x800) {
		*to++ = (char)(0xc0 | code >> 6);
		*to++ = (char)(0x80 | (code & 63));
	} else if (code < 0x10000) {
		*to++ = (char)(0xe0 | code >> 12);
		*to++ = (char)(0x80 | (code >> 6 & 63));
		*to++ = (char)(0x80 | (code & 63));
	} else {
		*to++ = (char)(0xf0 | code >> 18);
		*to++ = (char)(0x80 | (code >> 12 & 63));
		*to++ = (char)(0x80 | (code >> 6 & 63));
		*to++ = (char)(0x80 | (code & 63));
	}
	return to;
}

/* Reads the escape after a backslash.  Returns the input behind it; NULL when it is invalid. */
static char *json_escape(struct reader *r, char *to)
{
	static const char from[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
	const char *found = *r->at ? strchr(from, *r->at) : NULL;
	uint32_t code, low;

	if (found) {
		r->at++;
		*to++ = meant[found - from];
		return to;
	}
	if (*r->at != 'u' || json_hex4(r->at + 1, &code) || !code)
		return NULL;
	r->at += 5;
	if (code >= 0xd800 && code < 0xdc00) {
		if (r->at[0] != '\\' || r->at[1] != 'u' || json_hex4(r->at + 2, &low) || low < 0xdc00 || low > 0xdfff)
			return NULL;
		r->at += 6;
		code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
	}
	return put_utf8(to, code);
}

/* Reads a text at its quote. */
static const char *json_text(struct reader *r)
{
	size_t n = 0;
	char *copy, *to;

	if (*r->at != '"')
		return NULL;
	r->at++;
	while (r->at[n] && r->at[n] != '"')
		n += r->at[n] == '\\' && r->at[n + 1] ? 2 : 1;
	to = copy = ompp_arena_alloc(r->arena, n + 1); /* decoding never makes a text longer */
	while (copy && *r->at != '"') {
		if ((unsigned char)*r->at < ' ')
			return NULL;
		if (*r->at != '\\') {
			*to++ = *r->at++;
			continue;
		}
		r->at++;
		to = json_escape(r, to);
		if (!to)
			return NULL;
	}
	r->at++;
	return copy;
}

static int number(struct reader *r, double *to)
{
	char *end;

	if (*r->at != '-' && (*r->at < '0' || *r->at > '9'))
		return -1;
	*to = strtod(r->at, &end);
	if (end == r->at || (r->at[0] == '0' && (r->at[1] | 32) == 'x') ||
	    (*r->at == '-' && (r->at[1] < '0' || r->at[1] > '9')))
		return -1;
	r->at = end;
	return 0;
}

/* Reads the members of a list or an object up to its end. */
static int json_members(struct reader *r, struct ompp_json *v, int depth)
{
	char close = v->type == OMPP_JSON_LIST ? ']' : '}';
	struct ompp_json **last = &v->first;

	r->at++;
	json_blanks(r);
	if (*r->at == close) {
		r->at++;
		return 0;
	}
	for (;;) {
		const char *key = NULL;

		json_blanks(r);
		if (v->type == OMPP_JSON_OBJECT) {
			key = json_text(r);
			json_blanks(r);
			if (!key || *r->at != ':')
				return -1;
			r->at++;
		}
		*last = json_value(r, depth + 1);
		if (!*last)
			return -1;
		(*last)->key = key;
		last = &(*last)->next;
		json_blanks(r);
		if (*r->at == close) {
			r->at++;
			return 0;
		}
		if (*r->at != ',')
			return -1;
		r->at++;
	}
}

static struct ompp_json *json_value(struct reader *r, int depth)
{
	static const struct {
		const char *word;
		enum ompp_json_type type;
		double number;
	} words[] = { { "null", OMPP_JSON_NULL, 0 }, { "true", OMPP_JSON_BOOL, 1 }, { "false", OMPP_JSON_BOOL, 0 } };
	struct ompp_json *v = depth < DEPTH ? ompp_arena_alloc(r->arena, sizeof(*v)) : NULL;

	if (!v)
		return NULL;
	json_blanks(r);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strncmp(r->at, words[i].word, strlen(words[i].word))) {
			r->at += strlen(words[i].word);
			v->type = words[i].type;
			v->number = words[i].number;
			return v;
		}
	if (*r->at == '"') {
		v->type = OMPP_JSON_TEXT;
		v->text = json_text(r);
		return v->text ? v : NULL;
	}
	if (*r->at == '[' || *r->at == '{') {
		v->type = *r->at == '[' ? OMPP_JSON_LIST : OMPP_JSON_OBJECT;
		return json_members(r, v, depth) ? NULL : v;
	}
	v->type = OMPP_JSON_NUMBER;
	return number(r, &v->number) ? NULL : v;
}

const struct ompp_json *ompp_json_read(const char *line, struct ompp_arena *arena)
{
	struct reader r = { line, arena };
	struct ompp_json *v = json_value(&r, 0);

	if (!v)
		return NULL;
	json_blanks(&r);
	return *r.at ? NULL : v;
}

const struct ompp_json *ompp_json_get(const struct ompp_json *object, const char *key)
{
	if (!object || object->type != OMPP_JSON_OBJECT)
		return NULL;
	for (const struct ompp_json *m = object->first; m; m = m->next)
		if (!strcmp(m->key, key))
			return m;
	return NULL;
}

const char *ompp_json_text(const struct ompp_json *object, const char *key)
{
	const struct ompp_json *m = ompp_json_get(object, key);

	return m && m->type == OMPP_JSON_TEXT ? m->text : NULL;
}

double ompp_json_number(const struct ompp_json *object, const char *key, double otherwise)
{
	const struct ompp_json *m = ompp_json_get(object, key);

	return m && m->type == OMPP_JSON_NUMBER ? m->number : otherwise;
}

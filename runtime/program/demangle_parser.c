/*
 * Demangle, parser: see demangle_parser.h.
 */
#include "runtime/program/demangle_parser.h"

#include <stdint.h>
#include <string.h>

#include "runtime/program/demangle_term.h"

struct ompp_term *ompp_term_make(struct ompp_demangle_parser *p, enum ompp_term_kind kind, struct ompp_term *a,
                                 struct ompp_term *b)
{
	struct ompp_term *node;

	if (p->n_nodes == OMPP_TERM_MOST)
		return NULL;
	node = &p->nodes[p->n_nodes++];
	*node = (struct ompp_term){ .kind = kind, .a = a, .b = b };
	return node;
}

struct ompp_term *ompp_term_text(struct ompp_demangle_parser *p, enum ompp_term_kind kind, const char *text, size_t n,
                                 struct ompp_term *a)
{
	struct ompp_term *node = ompp_term_make(p, kind, a, NULL);

	if (node) {
		node->text = text;
		node->n_text = n;
	}
	return node;
}

struct ompp_term *ompp_term_number(struct ompp_demangle_parser *p, enum ompp_term_kind kind, unsigned int n,
                                   struct ompp_term *a)
{
	struct ompp_term *node = ompp_term_make(p, kind, a, NULL);

	if (node)
		node->n = n;
	return node;
}

struct ompp_term *ompp_term_word(struct ompp_demangle_parser *p, const char *text)
{
	return ompp_term_text(p, OMPP_TERM_TEXT, text, strlen(text), NULL);
}

struct ompp_term *ompp_term_of(struct ompp_demangle_parser *p, enum ompp_term_kind kind, struct ompp_term *a)
{
	return a ? ompp_term_make(p, kind, a, NULL) : NULL;
}

struct ompp_term *ompp_term_scoped(struct ompp_demangle_parser *p, struct ompp_term *a, struct ompp_term *b)
{
	return a && b ? ompp_term_make(p, OMPP_TERM_SCOPED, a, b) : NULL;
}

struct ompp_term *ompp_demangle_remember(struct ompp_demangle_parser *p, struct ompp_term *node)
{
	if (!node || p->n_substitutions == OMPP_DEMANGLE_SUBSTITUTIONS)
		return NULL;
	return p->substitutions[p->n_substitutions++] = node;
}

int ompp_demangle_takes(struct ompp_demangle_parser *p, const char *text)
{
	size_t n = strlen(text);

	if (strncmp(p->at, text, n))
		return 0;
	p->at += n;
	return 1;
}

int ompp_demangle_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

int ompp_parse_sequence(struct ompp_demangle_parser *p, unsigned int base, unsigned int *n)
{
	*n = 0;
	if (ompp_demangle_takes(p, "_"))
		return 1;
	for (; ompp_demangle_is_digit(*p->at) || (base == 36 && *p->at >= 'A' && *p->at <= 'Z'); p->at++) {
		*n = *n * base + (unsigned int)(ompp_demangle_is_digit(*p->at) ? *p->at - '0' : *p->at - 'A' + 10);
		if (*n > UINT16_MAX)
			return 0;
	}
	++*n;
	return ompp_demangle_takes(p, "_");
}

struct ompp_term *ompp_parse_source_name(struct ompp_demangle_parser *p)
{
	static const char anonymous[] = "_GLOBAL_";
	uint64_t n = ompp_text_digits(&p->at);
	const char *text = p->at;

	if (!n || n > strnlen(text, (size_t)(n < OMPP_DEMANGLE_BYTES ? n : OMPP_DEMANGLE_BYTES)))
		return NULL;
	p->at += n;
	if (n >= 10 && !strncmp(text, anonymous, 8) && strchr("._$", text[8]) && text[9] == 'N')
		return ompp_term_word(p, "(anonymous namespace)");
	return ompp_term_text(p, OMPP_TERM_TEXT, text, (size_t)n, NULL);
}

struct ompp_term *ompp_term_last_name(struct ompp_term *name)
{
	while (name &&
	       (name->kind == OMPP_TERM_SCOPED || name->kind == OMPP_TERM_TEMPLATE || name->kind == OMPP_TERM_TAGGED))
		name = name->kind == OMPP_TERM_SCOPED ? name->b : name->a;
	return name;
}

struct ompp_term *ompp_parse_parameter(struct ompp_demangle_parser *p)
{
	unsigned int n;

	return ompp_demangle_takes(p, "T") && ompp_parse_sequence(p, 10, &n)
	             ? ompp_term_number(p, OMPP_TERM_PARAMETER, n, NULL)
	             : NULL;
}

unsigned int ompp_parse_qualifiers(struct ompp_demangle_parser *p)
{
	unsigned int qualifiers = 0;

	qualifiers |= ompp_demangle_takes(p, "r") ? OMPP_RESTRICT : 0;
	qualifiers |= ompp_demangle_takes(p, "V") ? OMPP_VOLATILE : 0;
	qualifiers |= ompp_demangle_takes(p, "K") ? OMPP_CONST : 0;
	return qualifiers;
}

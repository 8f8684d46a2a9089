/*
 * Demangle, parser: where the parser of C++ names is in its text, the terms that it has made, and the smallest
 * productions, which names, types and expressions have in common.
 */
#ifndef OMPP_PROGRAM_DEMANGLE_PARSER_H
#define OMPP_PROGRAM_DEMANGLE_PARSER_H

#include <stddef.h>

#include "runtime/program/demangle_term.h"

/* The longest name that is read, in terms, in references, in levels and in bytes. */
enum {
	OMPP_TERM_MOST = 1024,
	OMPP_DEMANGLE_SUBSTITUTIONS = 256,
	OMPP_DEMANGLE_DEEPEST = 128,
	OMPP_DEMANGLE_BYTES = 16384
};

/* The state of one name. */
struct ompp_demangle_parser {
	const char *at; /* the next character; the text ends with a 0 */
	size_t n_nodes, n_substitutions;
	int depth;
	int takes_conversion; /* the name that was read last is an operator of conversion */
	int in_conversion;    /* its type is being read: template arguments after the type are the operator's */
	/* productions of demangle.c that expressions have in them, which are in types and names themselves */
	struct ompp_term *(*type)(struct ompp_demangle_parser *parser);
	struct ompp_term *(*encoding)(struct ompp_demangle_parser *parser);
	struct ompp_term *substitutions[OMPP_DEMANGLE_SUBSTITUTIONS];
	struct ompp_term nodes[OMPP_TERM_MOST];
	char out[OMPP_DEMANGLE_BYTES];
};

/* Make a term; NULL when there are too many.  The last two return NULL without their operands, too. */
struct ompp_term *ompp_term_make(struct ompp_demangle_parser *parser, enum ompp_term_kind kind, struct ompp_term *a,
                                 struct ompp_term *b);
struct ompp_term *ompp_term_text(struct ompp_demangle_parser *parser, enum ompp_term_kind kind, const char *text,
                                 size_t n, struct ompp_term *a);
struct ompp_term *ompp_term_number(struct ompp_demangle_parser *parser, enum ompp_term_kind kind, unsigned int n,
                                   struct ompp_term *a);
struct ompp_term *ompp_term_word(struct ompp_demangle_parser *parser, const char *text);
struct ompp_term *ompp_term_of(struct ompp_demangle_parser *parser, enum ompp_term_kind kind, struct ompp_term *a);
struct ompp_term *ompp_term_scoped(struct ompp_demangle_parser *parser, struct ompp_term *a, struct ompp_term *b);

/* Returns the last part of a name, which is what its constructors are called. */
struct ompp_term *ompp_term_last_name(struct ompp_term *name);

/* Keeps a term for later parts of the name, which may refer to it by its number.  Returns it, or NULL when there are
 * too many. */
struct ompp_term *ompp_demangle_remember(struct ompp_demangle_parser *parser, struct ompp_term *term);

/* Goes behind a text that stands here.  Returns 0 when it does not. */
int ompp_demangle_takes(struct ompp_demangle_parser *parser, const char *text);

int ompp_demangle_is_digit(char c);

/* Reads a sequence number: "_" is 0, "0_" is 1, "1_" is 2.  Base 36 has letters, too.  Returns 0 on an error. */
int ompp_parse_sequence(struct ompp_demangle_parser *parser, unsigned int base, unsigned int *n);

/* Reads "3foo". */
struct ompp_term *ompp_parse_source_name(struct ompp_demangle_parser *parser);

/* Reads a parameter of the template, "T_" or "T0_". */
struct ompp_term *ompp_parse_parameter(struct ompp_demangle_parser *parser);

/* Reads "r", "V" and "K", and returns the bits of enum ompp_qualifier. */
unsigned int ompp_parse_qualifiers(struct ompp_demangle_parser *parser);

#endif

/*
 * Demangle, expression: the operators, expressions and arguments of templates in C++ names.  Each function returns NULL
 * when the text does not match its production.
 */
#ifndef OMPP_PROGRAM_DEMANGLE_EXPRESSION_H
#define OMPP_PROGRAM_DEMANGLE_EXPRESSION_H

#include "runtime/program/demangle_parser.h"

struct ompp_term *ompp_parse_operator(struct ompp_demangle_parser *parser);
struct ompp_term *ompp_parse_expression(struct ompp_demangle_parser *parser);

/* Reads the arguments of a template, and returns the name with them. */
struct ompp_term *ompp_parse_template(struct ompp_demangle_parser *parser, struct ompp_term *name);
struct ompp_term *ompp_parse_template_argument(struct ompp_demangle_parser *parser);

#endif

/*
 * Demangle, expression: see demangle_expression.h.
 */
#include "runtime/program/demangle_expression.h"

#include <string.h>

#include "runtime/base/array.h"
#include "runtime/program/demangle_term.h"

/* clang-format off */
static const struct operator { char code[3]; char n_operands; const char *text; } operators[] = {
	{ "aN", 2, "&=" }, { "aS", 2, "=" }, { "aa", 2, "&&" }, { "ad", 1, "&" }, { "an", 2, "&" }, { "aw", 1, "co_await " },
	{ "cl", 0, "()" }, { "cm", 2, "," }, { "co", 1, "~" }, { "dV", 2, "/=" }, { "da", 0, "delete[]" }, { "de", 1, "*" },
	{ "dl", 0, "delete" }, { "dv", 2, "/" }, { "eO", 2, "^=" }, { "eo", 2, "^" }, { "eq", 2, "==" }, { "ge", 2, ">=" },
	{ "gt", 2, ">" }, { "ix", 0, "[]" }, { "lS", 2, "<<=" }, { "le", 2, "<=" }, { "ls", 2, "<<" }, { "lt", 2, "<" },
	{ "mI", 2, "-=" }, { "mL", 2, "*=" }, { "mi", 2, "-" }, { "ml", 2, "*" }, { "mm", 1, "--" }, { "na", 0, "new[]" },
	{ "ne", 2, "!=" }, { "ng", 1, "-" }, { "nt", 1, "!" }, { "nw", 0, "new" }, { "oR", 2, "|=" }, { "oo", 2, "||" },
	{ "or", 2, "|" }, { "pL", 2, "+=" }, { "pl", 2, "+" }, { "pm", 2, "->*" }, { "pp", 1, "++" }, { "ps", 1, "+" },
	{ "pt", 0, "->" }, { "qu", 0, "?" }, { "rM", 2, "%=" }, { "rS", 2, ">>=" }, { "rm", 2, "%" }, { "rs", 2, ">>" },
	{ "ss", 2, "<=>" },
};
/* clang-format on */

static const struct operator* takes_operator(struct ompp_demangle_parser *p)
{
	for (size_t i = 0; i < OMPP_COUNT_OF(operators); i++)
		if (ompp_demangle_takes(p, operators[i].code))
			return &operators[i];
	return NULL;
}

struct ompp_term *ompp_parse_operator(struct ompp_demangle_parser *p)
{
	const struct operator* o;
	struct ompp_term *name;

	if (ompp_demangle_takes(p, "cv")) {
		p->in_conversion++;
		name = ompp_term_of(p, OMPP_TERM_CONVERSION, p->type(p));
		p->in_conversion--;
		p->takes_conversion = 1;
		return name;
	}
	if (ompp_demangle_takes(p, "li")) {
		name = ompp_parse_source_name(p);
		if (name)
			name->kind = OMPP_TERM_LITERAL_OPERATOR;
		return name;
	}
	o = takes_operator(p);
	return o ? ompp_term_text(p, OMPP_TERM_OPERATOR, o->text, strlen(o->text), NULL) : NULL;
}

/* Reads "L type value E", or "L _Z encoding E". */
static struct ompp_term *parse_literal(struct ompp_demangle_parser *p)
{
	struct ompp_term *type, *node;
	const char *start;
	int negative;

	if (ompp_demangle_takes(p, "_Z") || ompp_demangle_takes(p, "Z")) {
		node = p->encoding(p);
		return ompp_demangle_takes(p, "E") ? node : NULL;
	}
	type = p->type(p);
	negative = ompp_demangle_takes(p, "n");
	start = p->at;
	while (*p->at && *p->at != 'E')
		p->at++;
	node = type ? ompp_term_text(p, OMPP_TERM_LITERAL, start, (size_t)(p->at - start), type) : NULL;
	if (node)
		node->n = (unsigned int)negative;
	return ompp_demangle_takes(p, "E") ? node : NULL;
}

static struct ompp_term *parse_template_arguments(struct ompp_demangle_parser *p);

struct ompp_term *ompp_parse_template_argument(struct ompp_demangle_parser *p)
{
	struct ompp_term *node;

	if (ompp_demangle_takes(p, "X")) {
		node = ompp_parse_expression(p);
		return ompp_demangle_takes(p, "E") ? node : NULL;
	}
	if (ompp_demangle_takes(p, "L"))
		return parse_literal(p);
	if (*p->at == 'J' || *p->at == 'I') /* a pack, for which older compilers write I */
		return parse_template_arguments(p);
	return p->type(p);
}

/* Reads "I arguments E", or the pack "J arguments E".  The list has at least one element, whose a is NULL when there
 * are no arguments. */
static struct ompp_term *parse_template_arguments(struct ompp_demangle_parser *p)
{
	struct ompp_term *list, *last = NULL;

	if (!ompp_demangle_takes(p, "I") && !ompp_demangle_takes(p, "J"))
		return NULL;
	list = ompp_term_make(p, OMPP_TERM_LIST, NULL, NULL);
	if (!list || ++p->depth > OMPP_DEMANGLE_DEEPEST)
		return NULL;
	while (!ompp_demangle_takes(p, "E")) {
		struct ompp_term *argument = ompp_parse_template_argument(p);

		if (!argument)
			return NULL;
		if (!last)
			list->a = argument;
		else
			last->b = ompp_term_make(p, OMPP_TERM_LIST, argument, NULL);
		last = last ? last->b : list;
		if (!last)
			return NULL;
	}
	p->depth--;
	return list;
}

struct ompp_term *ompp_parse_template(struct ompp_demangle_parser *p, struct ompp_term *name)
{
	struct ompp_term *arguments = name ? parse_template_arguments(p) : NULL;

	return arguments ? ompp_term_make(p, OMPP_TERM_TEMPLATE, name, arguments) : NULL;
}

static int parse_expressions(struct ompp_demangle_parser *p, struct ompp_term **list)
{
	*list = NULL;
	while (!ompp_demangle_takes(p, "E")) {
		*list = ompp_term_of(p, OMPP_TERM_LIST, ompp_parse_expression(p));
		if (!*list)
			return 0;
		list = &(*list)->b;
	}
	return 1;
}

/* Reads an argument of the function, such as "fp_", "fp0_" or "fL0p_". */
static struct ompp_term *parse_function_parameter(struct ompp_demangle_parser *p)
{
	unsigned int n;

	if (ompp_demangle_takes(p, "fpT"))
		return ompp_term_word(p, "this");
	if (ompp_demangle_takes(p, "fL")) {
		ompp_text_digits(&p->at);
		if (!ompp_demangle_takes(p, "p"))
			return NULL;
	} else if (!ompp_demangle_takes(p, "fp")) {
		return NULL;
	}
	ompp_parse_qualifiers(p);
	return ompp_parse_sequence(p, 10, &n) ? ompp_term_number(p, OMPP_TERM_FUNCTION_PARAMETER, n + 1, NULL) : NULL;
}

/* Reads a name in an expression, with its template arguments. */
static struct ompp_term *parse_base_name(struct ompp_demangle_parser *p)
{
	struct ompp_term *name;

	if (ompp_demangle_takes(p, "on")) {
		name = ompp_parse_operator(p);
	} else if (ompp_demangle_takes(p, "dn")) {
		name = p->type(p);
		name = name ? ompp_term_of(p, OMPP_TERM_DESTRUCTOR, ompp_term_last_name(name)) : NULL;
	} else {
		name = ompp_parse_source_name(p);
	}
	return name && *p->at == 'I' ? ompp_parse_template(p, name) : name;
}

/* Reads names that enclose each other and the last name: "3std9is_signedIT_EE5value". */
static struct ompp_term *parse_levels(struct ompp_demangle_parser *p)
{
	struct ompp_term *name = parse_base_name(p);

	while (name && ompp_demangle_is_digit(*p->at))
		name = ompp_term_scoped(p, name, parse_base_name(p));
	return name && ompp_demangle_takes(p, "E") ? ompp_term_scoped(p, name, parse_base_name(p)) : NULL;
}

/* Reads "sr type name", which means type::name, or "sr" and levels.  Levels may begin as a type does. */
static struct ompp_term *parse_scope(struct ompp_demangle_parser *p)
{
	struct parser_place {
		const char *at;
		size_t n_nodes, n_substitutions;
	} start = { p->at, p->n_nodes, p->n_substitutions };
	struct ompp_term *type = ompp_demangle_is_digit(*p->at) ? parse_levels(p) : NULL;

	if (type)
		return type;
	p->at = start.at;
	p->n_nodes = start.n_nodes;
	p->n_substitutions = start.n_substitutions;
	if (ompp_demangle_takes(p, "N")) {
		type = p->type(p);
		while (type && !ompp_demangle_takes(p, "E"))
			type = ompp_term_scoped(p, type, parse_base_name(p));
	} else {
		type = p->type(p);
	}
	return ompp_term_scoped(p, type, parse_base_name(p));
}

static struct ompp_term *demangle_unary(struct ompp_demangle_parser *p, const char *text, struct ompp_term *a)
{
	return a ? ompp_term_text(p, OMPP_TERM_UNARY, text, strlen(text), a) : NULL;
}

static struct ompp_term *demangle_binary(struct ompp_demangle_parser *p, enum ompp_term_kind kind, const char *text,
                                         struct ompp_term *a, struct ompp_term *b)
{
	struct ompp_term *node = a && b ? ompp_term_text(p, kind, text, strlen(text), a) : NULL;

	if (node)
		node->b = b;
	return node;
}

static struct ompp_term *parse_cast(struct ompp_demangle_parser *p)
{
	struct ompp_term *type = p->type(p), *list;

	if (!type)
		return NULL;
	if (!ompp_demangle_takes(p, "_")) {
		list = ompp_term_of(p, OMPP_TERM_LIST, ompp_parse_expression(p));
		return list ? ompp_term_make(p, OMPP_TERM_CAST, type, list) : NULL;
	}
	return parse_expressions(p, &list) ? ompp_term_make(p, OMPP_TERM_CAST, type, list) : NULL;
}

static struct ompp_term *parse_braces(struct ompp_demangle_parser *p, struct ompp_term *type)
{
	struct ompp_term *list;

	return parse_expressions(p, &list) ? ompp_term_make(p, OMPP_TERM_BRACES, type, list) : NULL;
}

/* Reads an expression that begins with letters which no operator has.  Sets *is_none when it does not begin so. */
static struct ompp_term *parse_word(struct ompp_demangle_parser *p, int *is_none)
{
	struct ompp_term *a, *b;

	*is_none = 0;
	if (ompp_demangle_takes(p, "sr"))
		return parse_scope(p);
	if (ompp_demangle_takes(p, "st"))
		return demangle_unary(p, "sizeof ", ompp_term_of(p, OMPP_TERM_LIST, p->type(p)));
	if (ompp_demangle_takes(p, "sz"))
		return demangle_unary(p, "sizeof ", ompp_parse_expression(p));
	if (ompp_demangle_takes(p, "at"))
		return demangle_unary(p, "alignof ", ompp_term_of(p, OMPP_TERM_LIST, p->type(p)));
	if (ompp_demangle_takes(p, "az"))
		return demangle_unary(p, "alignof ", ompp_parse_expression(p));
	if (ompp_demangle_takes(p, "nx"))
		return demangle_unary(p, "noexcept ", ompp_parse_expression(p));
	if (ompp_demangle_takes(p, "sZ"))
		return demangle_unary(p, "sizeof...",
		                      *p->at == 'T' ? ompp_parse_parameter(p) : parse_function_parameter(p));
	if (ompp_demangle_takes(p, "sp"))
		return ompp_term_of(p, OMPP_TERM_EXPANSION, ompp_parse_expression(p));
	if (ompp_demangle_takes(p, "cv"))
		return parse_cast(p);
	if (ompp_demangle_takes(p, "tl")) {
		a = p->type(p);
		return a ? parse_braces(p, a) : NULL;
	}
	if (ompp_demangle_takes(p, "il"))
		return parse_braces(p, NULL);
	if (ompp_demangle_takes(p, "cl")) {
		a = ompp_parse_expression(p);
		return a && parse_expressions(p, &b) ? ompp_term_make(p, OMPP_TERM_CALL, a, b) : NULL;
	}
	if (ompp_demangle_takes(p, "dt") || (*p->at == 'p' && p->at[1] == 't')) {
		const char *text = ompp_demangle_takes(p, "pt") ? "->" : ".";

		a = ompp_parse_expression(p);
		return a ? demangle_binary(p, OMPP_TERM_MEMBER, text, a, parse_base_name(p)) : NULL;
	}
	if (ompp_demangle_takes(p, "qu")) {
		a = ompp_parse_expression(p);
		b = a ? ompp_parse_expression(p) : NULL;
		return b ? ompp_term_make(p, OMPP_TERM_CONDITION, a,
		                          demangle_binary(p, OMPP_TERM_BINARY, ":", b, ompp_parse_expression(p)))
		         : NULL;
	}
	*is_none = 1;
	return NULL;
}

static struct ompp_term *parse_expression_at(struct ompp_demangle_parser *p)
{
	const struct operator* o;
	struct ompp_term *a;
	enum ompp_term_kind kind = OMPP_TERM_UNARY;
	int is_none;

	if (ompp_demangle_takes(p, "L"))
		return parse_literal(p);
	if (*p->at == 'T')
		return ompp_parse_parameter(p);
	if (*p->at == 'f' && (p->at[1] == 'p' || p->at[1] == 'L'))
		return parse_function_parameter(p);
	a = parse_word(p, &is_none);
	if (!is_none)
		return a;
	if (ompp_demangle_is_digit(*p->at) || (*p->at == 'o' && p->at[1] == 'n'))
		return parse_base_name(p);
	o = takes_operator(p);
	if (!o || !o->n_operands)
		return NULL;
	if (o->n_operands == 1 && (*o->text == '+' || *o->text == '-') && o->text[1] && !ompp_demangle_takes(p, "_"))
		kind = OMPP_TERM_POSTFIX; /* with "_" it is ++a, without it a++ */
	a = ompp_parse_expression(p);
	if (o->n_operands == 1)
		return a ? ompp_term_text(p, kind, o->text, strlen(o->text), a) : NULL;
	return a ? demangle_binary(p, OMPP_TERM_BINARY, o->text, a, ompp_parse_expression(p)) : NULL;
}

struct ompp_term *ompp_parse_expression(struct ompp_demangle_parser *p)
{
	struct ompp_term *node;

	if (++p->depth > OMPP_DEMANGLE_DEEPEST)
		return NULL;
	node = parse_expression_at(p);
	p->depth--;
	return node;
}

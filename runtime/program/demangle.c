/*
 * Demangle: see demangle.h.  This file has the parser.  Its functions are named after the ABI's productions; each
 * returns NULL when the text does not match its production.
 */
#include "runtime/program/demangle.h"

#include <stdint.h>
#include <string.h>

#include "runtime/base/array.h"
#include "runtime/program/demangle_term.h"

enum { MOST_NODES = 1024, MOST_SUBSTITUTIONS = 256, DEEPEST = 128, MOST_BYTES = 16384 };

struct parser {
	const char *at; /* the next character; the text ends with a 0 */
	size_t n_nodes, n_substitutions;
	int depth;
	int takes_conversion; /* the name that was read last is an operator of conversion */
	int in_conversion;    /* its type is being read: template arguments after the type are the operator's */
	struct ompp_term *substitutions[MOST_SUBSTITUTIONS];
	struct ompp_term nodes[MOST_NODES];
	char out[MOST_BYTES];
};

/* What a name says of the function that it may be the name of. */
struct state {
	int is_template, has_no_result;
	unsigned int qualifiers;
};

static struct ompp_term *parse_type(struct parser *p);
static struct ompp_term *parse_name(struct parser *p, struct state *state);
static struct ompp_term *parse_encoding(struct parser *p);
static struct ompp_term *parse_expression(struct parser *p);
static struct ompp_term *parse_template_arguments(struct parser *p);

/* ---- nodes ---- */

static struct ompp_term *demangle_make(struct parser *p, enum ompp_term_kind kind, struct ompp_term *a,
                                       struct ompp_term *b)
{
	struct ompp_term *node;

	if (p->n_nodes == MOST_NODES)
		return NULL;
	node = &p->nodes[p->n_nodes++];
	*node = (struct ompp_term){ .kind = kind, .a = a, .b = b };
	return node;
}

static struct ompp_term *make_text(struct parser *p, enum ompp_term_kind kind, const char *text, size_t n,
                                   struct ompp_term *a)
{
	struct ompp_term *node = demangle_make(p, kind, a, NULL);

	if (node) {
		node->text = text;
		node->n_text = n;
	}
	return node;
}

static struct ompp_term *make_number(struct parser *p, enum ompp_term_kind kind, unsigned int n, struct ompp_term *a)
{
	struct ompp_term *node = demangle_make(p, kind, a, NULL);

	if (node)
		node->n = n;
	return node;
}

static struct ompp_term *demangle_word(struct parser *p, const char *text)
{
	return make_text(p, OMPP_TERM_TEXT, text, strlen(text), NULL);
}

/* Makes a node whose operand must be there.  Returns NULL without the operand. */
static struct ompp_term *make_of(struct parser *p, enum ompp_term_kind kind, struct ompp_term *a)
{
	return a ? demangle_make(p, kind, a, NULL) : NULL;
}

static struct ompp_term *demangle_scoped(struct parser *p, struct ompp_term *a, struct ompp_term *b)
{
	return a && b ? demangle_make(p, OMPP_TERM_SCOPED, a, b) : NULL;
}

/* Keeps a node for later parts of the name, which may refer to it by its number. */
static struct ompp_term *demangle_remember(struct parser *p, struct ompp_term *node)
{
	if (!node || p->n_substitutions == MOST_SUBSTITUTIONS)
		return NULL;
	return p->substitutions[p->n_substitutions++] = node;
}

/* ---- text ---- */

static int demangle_takes(struct parser *p, const char *text)
{
	size_t n = strlen(text);

	if (strncmp(p->at, text, n))
		return 0;
	p->at += n;
	return 1;
}

static int is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Reads a sequence number: "_" is 0, "0_" is 1, "1_" is 2.  Base 36 has letters, too.  Returns 0 on an error. */
static int parse_sequence(struct parser *p, unsigned int base, unsigned int *n)
{
	*n = 0;
	if (demangle_takes(p, "_"))
		return 1;
	for (; is_digit(*p->at) || (base == 36 && *p->at >= 'A' && *p->at <= 'Z'); p->at++) {
		*n = *n * base + (unsigned int)(is_digit(*p->at) ? *p->at - '0' : *p->at - 'A' + 10);
		if (*n > UINT16_MAX)
			return 0;
	}
	++*n;
	return demangle_takes(p, "_");
}

static struct ompp_term *parse_source_name(struct parser *p)
{
	static const char anonymous[] = "_GLOBAL_";
	uint64_t n = ompp_text_digits(&p->at);
	const char *text = p->at;

	if (!n || n > strnlen(text, (size_t)(n < MOST_BYTES ? n : MOST_BYTES)))
		return NULL;
	p->at += n;
	if (n >= 10 && !strncmp(text, anonymous, 8) && strchr("._$", text[8]) && text[9] == 'N')
		return demangle_word(p, "(anonymous namespace)");
	return make_text(p, OMPP_TERM_TEXT, text, (size_t)n, NULL);
}

/* ---- operators ---- */

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
	/* clang-format on */
};

static const struct operator* takes_operator(struct parser *p)
{
	for (size_t i = 0; i < OMPP_COUNT_OF(operators); i++)
		if (demangle_takes(p, operators[i].code))
			return &operators[i];
	return NULL;
}

static struct ompp_term *parse_operator(struct parser *p)
{
	const struct operator* o;
	struct ompp_term *name;

	if (demangle_takes(p, "cv")) {
		p->in_conversion++;
		name = make_of(p, OMPP_TERM_CONVERSION, parse_type(p));
		p->in_conversion--;
		p->takes_conversion = 1;
		return name;
	}
	if (demangle_takes(p, "li")) {
		name = parse_source_name(p);
		if (name)
			name->kind = OMPP_TERM_LITERAL_OPERATOR;
		return name;
	}
	o = takes_operator(p);
	return o ? make_text(p, OMPP_TERM_OPERATOR, o->text, strlen(o->text), NULL) : NULL;
}

/* ---- names ---- */

/* Reads types up to one of the characters in ends.  "v" alone means no types; *list is NULL then.  Returns 0 on an
 * error. */
static int parse_types_until(struct parser *p, const char *ends, struct ompp_term **list)
{
	struct ompp_term **next = list;

	*list = NULL;
	if (*p->at == 'v' && (!p->at[1] || strchr(ends, p->at[1]))) {
		p->at++;
		return 1;
	}
	while (*p->at && !strchr(ends, *p->at)) {
		*next = make_of(p, OMPP_TERM_LIST, parse_type(p));
		if (!*next)
			return 0;
		next = &(*next)->b;
	}
	return 1;
}

/* Reads "Ul types E number _", a lambda, or "Ut number _", a type without a name. */
static struct ompp_term *parse_unnamed(struct parser *p)
{
	struct ompp_term *arguments = NULL;
	int is_lambda = demangle_takes(p, "Ul");
	unsigned int n;

	if (!is_lambda && !demangle_takes(p, "Ut"))
		return NULL;
	if (is_lambda && (!parse_types_until(p, "E", &arguments) || !demangle_takes(p, "E")))
		return NULL;
	if (!parse_sequence(p, 10, &n))
		return NULL;
	return make_number(p, is_lambda ? OMPP_TERM_LAMBDA : OMPP_TERM_UNNAMED, n + 1, arguments);
}

/* Returns the last part of a name, which is what its constructors are called. */
static struct ompp_term *last_name(struct ompp_term *name)
{
	while (name &&
	       (name->kind == OMPP_TERM_SCOPED || name->kind == OMPP_TERM_TEMPLATE || name->kind == OMPP_TERM_TAGGED))
		name = name->kind == OMPP_TERM_SCOPED ? name->b : name->a;
	return name;
}

static struct ompp_term *parse_constructor(struct parser *p, struct ompp_term *class)
{
	int is_inherited = demangle_takes(p, "CI"), is_constructor = is_inherited || *p->at == 'C';

	class = last_name(class);
	if (!class || (!is_inherited && !p->at[1]))
		return NULL;
	p->at += is_inherited ? 0 : 1;
	if (!is_digit(*p->at))
		return NULL;
	p->at++;
	if (is_inherited && !parse_name(p, &(struct state){ 0 }))
		return NULL;
	return make_of(p, is_constructor ? OMPP_TERM_CONSTRUCTOR : OMPP_TERM_DESTRUCTOR, class);
}

/* Reads the names of a structured binding, "[a, b]". */
static struct ompp_term *parse_bindings(struct parser *p)
{
	struct ompp_term *list = NULL, **next = &list;

	while (!demangle_takes(p, "E")) {
		*next = make_of(p, OMPP_TERM_LIST, parse_source_name(p));
		if (!*next)
			return NULL;
		next = &(*next)->b;
	}
	return make_text(p, OMPP_TERM_SPECIAL, "[", 1, list);
}

/* Reads a name without its scope.
 * class: the class around it, for constructors and destructors; NULL when nothing encloses it */
static struct ompp_term *parse_unqualified(struct parser *p, struct ompp_term *class, struct state *state)
{
	struct ompp_term *name;

	state->has_no_result = 0;
	while (*p->at == 'L') /* L marks a name of this source file alone */
		p->at++;
	if (is_digit(*p->at)) {
		name = parse_source_name(p);
	} else if (*p->at == 'U') {
		name = parse_unnamed(p);
	} else if (class && (*p->at == 'C' || (*p->at == 'D' && is_digit(p->at[1])))) {
		state->has_no_result = 1;
		name = parse_constructor(p, class);
	} else if (demangle_takes(p, "DC")) {
		name = parse_bindings(p);
	} else {
		p->takes_conversion = 0;
		name = parse_operator(p);
		state->has_no_result = p->takes_conversion;
	}
	while (name && demangle_takes(p, "B")) {
		struct ompp_term *tag = parse_source_name(p);

		name = tag ? demangle_make(p, OMPP_TERM_TAGGED, name, tag) : NULL;
	}
	return name;
}

static const struct {
	char code;
	const char *name, *whole;
} standard[] = {
	{ 'a', "allocator", "allocator" },
	{ 'b', "basic_string", "basic_string" },
	{ 's', "string", "basic_string<char, std::char_traits<char>, std::allocator<char> >" },
	{ 'i', "istream", "basic_istream<char, std::char_traits<char> >" },
	{ 'o', "ostream", "basic_ostream<char, std::char_traits<char> >" },
	{ 'd', "iostream", "basic_iostream<char, std::char_traits<char> >" },
};

/* Reads a reference to an earlier part, such as "S_" or "S1A_", or a short name of the standard library, such as
 * "Ss"; but not "St".  Where a constructor or destructor follows, the class gets its whole name. */
static struct ompp_term *parse_substitution(struct parser *p)
{
	unsigned int n;

	if (!demangle_takes(p, "S"))
		return NULL;
	for (size_t i = 0; i < OMPP_COUNT_OF(standard); i++)
		if (*p->at == standard[i].code) {
			int is_whole = p->at[1] == 'C' || p->at[1] == 'D';

			p->at++;
			return demangle_scoped(p, demangle_word(p, "std"),
			                       demangle_word(p, is_whole ? standard[i].whole : standard[i].name));
		}
	return parse_sequence(p, 36, &n) && n < p->n_substitutions ? p->substitutions[n] : NULL;
}

static struct ompp_term *parse_parameter(struct parser *p)
{
	unsigned int n;

	return demangle_takes(p, "T") && parse_sequence(p, 10, &n) ? make_number(p, OMPP_TERM_PARAMETER, n, NULL)
	                                                           : NULL;
}

static struct ompp_term *parse_decltype(struct parser *p)
{
	struct ompp_term *node;

	if (!demangle_takes(p, "DT") && !demangle_takes(p, "Dt"))
		return NULL;
	node = make_of(p, OMPP_TERM_DECLTYPE, parse_expression(p));
	return demangle_takes(p, "E") ? node : NULL;
}

static struct ompp_term *parse_template(struct parser *p, struct ompp_term *name)
{
	struct ompp_term *arguments = name ? parse_template_arguments(p) : NULL;

	return arguments ? demangle_make(p, OMPP_TERM_TEMPLATE, name, arguments) : NULL;
}

static unsigned int parse_qualifiers(struct parser *p)
{
	unsigned int qualifiers = 0;

	qualifiers |= demangle_takes(p, "r") ? OMPP_RESTRICT : 0;
	qualifiers |= demangle_takes(p, "V") ? OMPP_VOLATILE : 0;
	qualifiers |= demangle_takes(p, "K") ? OMPP_CONST : 0;
	return qualifiers;
}

/* Reads one more part of a nested name.  Sets *is_known when later parts cannot refer to this one by a new number:
 * others refer to it already, or it is too short for that. */
static struct ompp_term *parse_part(struct parser *p, struct ompp_term *so_far, struct state *state, int *is_known)
{
	*is_known = 0;
	state->is_template = 0;
	if (*p->at == 'S' && p->at[1] != 't' && !so_far) {
		*is_known = 1;
		return parse_substitution(p);
	}
	if (!so_far && demangle_takes(p, "St")) {
		*is_known = 1;
		return demangle_word(p, "std");
	}
	if (*p->at == 'I' && so_far) {
		state->is_template = 1;
		return parse_template(p, so_far);
	}
	if (*p->at == 'T' && !so_far)
		return parse_parameter(p);
	if (*p->at == 'D' && (p->at[1] == 't' || p->at[1] == 'T') && !so_far)
		return parse_decltype(p);
	if (!so_far)
		return parse_unqualified(p, NULL, state);
	return demangle_scoped(p, so_far, parse_unqualified(p, so_far, state));
}

static struct ompp_term *parse_nested(struct parser *p, struct state *state)
{
	unsigned int qualifiers = parse_qualifiers(p);
	struct ompp_term *name = NULL;
	int is_known = 1;

	qualifiers |= demangle_takes(p, "O") ? OMPP_REF_REF : demangle_takes(p, "R") ? OMPP_REF : 0;
	while (!demangle_takes(p, "E")) {
		int had_no_result = state->has_no_result;

		if (demangle_takes(p, "M")) /* M stands after a member whose initial value has a lambda */
			continue;
		name = parse_part(p, name, state, &is_known);
		if (state->is_template)
			state->has_no_result = had_no_result;
		/* Later parts may refer to all but the whole name.  They may refer to the whole name when it is a
		 * type, and parse_type() remembers it then. */
		if (!name || (*p->at != 'E' && !is_known && !demangle_remember(p, name)))
			return NULL;
	}
	state->qualifiers = qualifiers;
	return name;
}

/* Skips the number that tells a local name from equal ones in the same function. */
static void skip_discriminator(struct parser *p)
{
	const char *start = p->at;

	if (demangle_takes(p, "__")) {
		ompp_text_digits(&p->at);
		if (!demangle_takes(p, "_"))
			p->at = start;
	} else if (*p->at == '_' && is_digit(p->at[1])) {
		p->at += 2;
	}
}

static struct ompp_term *parse_local(struct parser *p, struct state *state)
{
	struct ompp_term *function = parse_encoding(p), *name, *argument = NULL;
	unsigned int n;

	if (!function || !demangle_takes(p, "E"))
		return NULL;
	if (demangle_takes(p, "s")) {
		skip_discriminator(p);
		return demangle_scoped(p, function, demangle_word(p, "string literal"));
	}
	if (demangle_takes(p, "d")) {
		if (!parse_sequence(p, 10, &n))
			return NULL;
		argument = make_number(p, OMPP_TERM_DEFAULT_ARGUMENT, n + 1, NULL);
	}
	name = parse_name(p, state);
	skip_discriminator(p);
	return demangle_scoped(p, function, argument ? demangle_scoped(p, argument, name) : name);
}

static struct ompp_term *parse_name_at(struct parser *p, struct state *state)
{
	struct ompp_term *name;

	if (demangle_takes(p, "N"))
		return parse_nested(p, state);
	if (demangle_takes(p, "Z"))
		return parse_local(p, state);
	if (*p->at == 'S' && p->at[1] != 't') {
		name = parse_substitution(p);
		if (*p->at != 'I')
			return NULL;
	} else {
		struct ompp_term *std = demangle_takes(p, "St") ? demangle_word(p, "std") : NULL;

		name = parse_unqualified(p, NULL, state);
		if (std)
			name = demangle_scoped(p, std, name);
		if (*p->at == 'I' && !demangle_remember(p, name))
			return NULL;
	}
	if (*p->at != 'I')
		return name;
	state->is_template = 1;
	return parse_template(p, name);
}

static struct ompp_term *parse_name(struct parser *p, struct state *state)
{
	struct ompp_term *name;

	*state = (struct state){ 0 };
	if (++p->depth > DEEPEST)
		return NULL;
	name = parse_name_at(p, state);
	p->depth--;
	return name;
}

/* ---- types ---- */

/* clang-format off */
static const struct { const char *code, *text; } builtins[] = {
	{ "v", "void" }, { "w", "wchar_t" }, { "b", "bool" }, { "c", "char" }, { "a", "signed char" }, { "h", "unsigned char" },
	{ "s", "short" }, { "t", "unsigned short" }, { "i", "int" }, { "j", "unsigned int" }, { "l", "long" },
	{ "m", "unsigned long" }, { "x", "long long" }, { "y", "unsigned long long" }, { "n", "__int128" },
	{ "o", "unsigned __int128" }, { "f", "float" }, { "d", "double" }, { "e", "long double" }, { "g", "__float128" },
	{ "z", "..." }, { "Dd", "decimal64" }, { "De", "decimal128" }, { "Df", "decimal32" }, { "Dh", "half" },
	{ "Di", "char32_t" }, { "Ds", "char16_t" }, { "Du", "char8_t" }, { "Da", "auto" }, { "Dc", "decltype(auto)" },
	{ "Dn", "decltype(nullptr)" }, { "DF16_", "_Float16" }, { "DF32_", "_Float32" }, { "DF64_", "_Float64" },
	/* clang-format on */
	{ "DF128_", "_Float128" },
};

static struct ompp_term *parse_builtin(struct parser *p)
{
	for (size_t i = 0; i < OMPP_COUNT_OF(builtins); i++)
		if (demangle_takes(p, builtins[i].code))
			return demangle_word(p, builtins[i].text);
	if (demangle_takes(p, "u"))
		return parse_source_name(p);
	return NULL;
}

/* Reads "[exception specification] F [Y] result arguments [R|O] E". */
static struct ompp_term *parse_function_type(struct parser *p)
{
	struct ompp_term *type, *result;
	unsigned int qualifiers = demangle_takes(p, "Do") ? OMPP_NOEXCEPT : 0;

	qualifiers |= demangle_takes(p, "Dx") ? OMPP_TRANSACTION : 0;
	if (!demangle_takes(p, "F"))
		return NULL;
	demangle_takes(p, "Y");
	result = parse_type(p);
	type = make_of(p, OMPP_TERM_SIGNATURE, result);
	if (!type || !parse_types_until(p, "ERO", &type->b))
		return NULL;
	/* R and O may also begin a type; they do not end the arguments then. */
	while (!demangle_takes(p, "E")) {
		struct ompp_term **last = &type->b;

		if (demangle_takes(p, "RE")) {
			qualifiers |= OMPP_REF;
			break;
		}
		if (demangle_takes(p, "OE")) {
			qualifiers |= OMPP_REF_REF;
			break;
		}
		while (*last)
			last = &(*last)->b;
		*last = make_of(p, OMPP_TERM_LIST, parse_type(p));
		if (!*last)
			return NULL;
	}
	return qualifiers ? make_number(p, OMPP_TERM_QUALIFIED, qualifiers, type) : type;
}

static struct ompp_term *parse_array(struct parser *p)
{
	struct ompp_term *n = NULL, *of;
	const char *start = p->at;

	ompp_text_digits(&p->at);
	if (p->at > start)
		n = make_text(p, OMPP_TERM_TEXT, start, (size_t)(p->at - start), NULL);
	else if (*p->at != '_' && !(n = parse_expression(p)))
		return NULL;
	if (!demangle_takes(p, "_"))
		return NULL;
	of = parse_type(p);
	return of ? demangle_make(p, OMPP_TERM_ARRAY, n, of) : NULL;
}

static struct ompp_term *parse_vector(struct parser *p)
{
	struct ompp_term *n, *of;
	const char *start = p->at;

	if (demangle_takes(p, "_")) {
		n = parse_expression(p);
	} else {
		ompp_text_digits(&p->at);
		n = make_text(p, OMPP_TERM_TEXT, start, (size_t)(p->at - start), NULL);
	}
	of = n && demangle_takes(p, "_") ? parse_type(p) : NULL;
	return of ? demangle_make(p, OMPP_TERM_VECTOR, n, of) : NULL;
}

static struct ompp_term *parse_member_pointer(struct parser *p)
{
	struct ompp_term *class = parse_type(p), *of = class ? parse_type(p) : NULL;

	return of ? demangle_make(p, OMPP_TERM_MEMBER_POINTER, class, of) : NULL;
}

/* Reads a type after qualifiers such as "const".  Those of a function type belong to the member function. */
static struct ompp_term *parse_qualified(struct parser *p)
{
	unsigned int qualifiers = parse_qualifiers(p);
	struct ompp_term *of = *p->at == 'F' || !strncmp(p->at, "Do", 2) ? parse_function_type(p) : parse_type(p);

	return of ? make_number(p, OMPP_TERM_QUALIFIED, qualifiers, of) : NULL;
}

static struct ompp_term *parse_vendor(struct parser *p)
{
	struct ompp_term *name = parse_source_name(p), *of;

	if (name && *p->at == 'I')
		name = parse_template(p, name);
	of = name ? parse_type(p) : NULL;
	return of ? demangle_make(p, OMPP_TERM_VENDOR, of, name) : NULL;
}

static struct ompp_term *parse_parameter_type(struct parser *p)
{
	struct ompp_term *type = parse_parameter(p);

	if (!type || *p->at != 'I' || p->in_conversion)
		return type;
	return demangle_remember(p, type) ? parse_template(p, type) : NULL;
}

/* Reads a type that begins with a reference.  Sets *is_known when the type is that reference itself, which has its
 * number already. */
static struct ompp_term *parse_substituted(struct parser *p, int *is_known)
{
	struct ompp_term *type = parse_substitution(p);

	*is_known = *p->at != 'I';
	return *is_known ? type : parse_template(p, type);
}

static struct ompp_term *parse_d_type(struct parser *p)
{
	if (p->at[1] == 't' || p->at[1] == 'T')
		return parse_decltype(p);
	if (demangle_takes(p, "Dp"))
		return make_of(p, OMPP_TERM_EXPANSION, parse_type(p));
	if (demangle_takes(p, "Dv"))
		return parse_vector(p);
	return p->at[1] == 'o' || p->at[1] == 'x' ? parse_function_type(p) : NULL;
}

static struct ompp_term *parse_compound(struct parser *p)
{
	struct ompp_term *of;
	int is_complex;

	switch (*p->at++) {
	/* clang-format off */
	case 'P': return make_of(p, OMPP_TERM_POINTER, parse_type(p));
	case 'R': return make_of(p, OMPP_TERM_REFERENCE, parse_type(p));
	case 'O': return make_of(p, OMPP_TERM_RVALUE, parse_type(p));
	case 'A': return parse_array(p);
	case 'M': return parse_member_pointer(p);
	case 'U': return parse_vendor(p);
	default:  break;
		/* clang-format on */
	}
	is_complex = p->at[-1] == 'C';
	of = parse_type(p);
	return of ? demangle_make(p, OMPP_TERM_VENDOR, of, demangle_word(p, is_complex ? "_Complex" : "_Imaginary"))
	          : NULL;
}

static struct ompp_term *parse_type_at(struct parser *p)
{
	struct ompp_term *type = strchr("LNZ0123456789S", *p->at) ? NULL : parse_builtin(p);
	struct state state;
	int is_known = 0;

	if (type || !*p->at)
		return type;
	if (strchr("rVK", *p->at))
		type = parse_qualified(p);
	else if (strchr("PROAMUCG", *p->at))
		type = parse_compound(p);
	else if (*p->at == 'F')
		type = parse_function_type(p);
	else if (*p->at == 'D')
		type = parse_d_type(p);
	else if (demangle_takes(p, "Ts") || demangle_takes(p, "Tu") ||
	         demangle_takes(p, "Te")) /* struct, union or enum */
		type = parse_name(p, &state);
	else if (*p->at == 'T')
		type = parse_parameter_type(p);
	else if (*p->at == 'S' && p->at[1] != 't')
		type = parse_substituted(p, &is_known);
	else
		type = parse_name(p, &state);
	return is_known ? type : demangle_remember(p, type);
}

static struct ompp_term *parse_type(struct parser *p)
{
	struct ompp_term *type;

	if (++p->depth > DEEPEST)
		return NULL;
	type = parse_type_at(p);
	p->depth--;
	return type;
}

/* ---- arguments of templates, and expressions ---- */

/* Reads "L type value E", or "L _Z encoding E". */
static struct ompp_term *parse_literal(struct parser *p)
{
	struct ompp_term *type, *node;
	const char *start;
	int negative;

	if (demangle_takes(p, "_Z") || demangle_takes(p, "Z")) {
		node = parse_encoding(p);
		return demangle_takes(p, "E") ? node : NULL;
	}
	type = parse_type(p);
	negative = demangle_takes(p, "n");
	start = p->at;
	while (*p->at && *p->at != 'E')
		p->at++;
	node = type ? make_text(p, OMPP_TERM_LITERAL, start, (size_t)(p->at - start), type) : NULL;
	if (node)
		node->n = (unsigned int)negative;
	return demangle_takes(p, "E") ? node : NULL;
}

static struct ompp_term *parse_template_argument(struct parser *p)
{
	struct ompp_term *node;

	if (demangle_takes(p, "X")) {
		node = parse_expression(p);
		return demangle_takes(p, "E") ? node : NULL;
	}
	if (demangle_takes(p, "L"))
		return parse_literal(p);
	if (*p->at == 'J' || *p->at == 'I') /* a pack, for which older compilers write I */
		return parse_template_arguments(p);
	return parse_type(p);
}

/* Reads "I arguments E", or the pack "J arguments E".  The list has at least one element, whose a is NULL when there
 * are no arguments. */
static struct ompp_term *parse_template_arguments(struct parser *p)
{
	struct ompp_term *list, *last = NULL;

	if (!demangle_takes(p, "I") && !demangle_takes(p, "J"))
		return NULL;
	list = demangle_make(p, OMPP_TERM_LIST, NULL, NULL);
	if (!list || ++p->depth > DEEPEST)
		return NULL;
	while (!demangle_takes(p, "E")) {
		struct ompp_term *argument = parse_template_argument(p);

		if (!argument)
			return NULL;
		if (!last)
			list->a = argument;
		else
			last->b = demangle_make(p, OMPP_TERM_LIST, argument, NULL);
		last = last ? last->b : list;
		if (!last)
			return NULL;
	}
	p->depth--;
	return list;
}

static int parse_expressions(struct parser *p, struct ompp_term **list)
{
	*list = NULL;
	while (!demangle_takes(p, "E")) {
		*list = make_of(p, OMPP_TERM_LIST, parse_expression(p));
		if (!*list)
			return 0;
		list = &(*list)->b;
	}
	return 1;
}

/* Reads an argument of the function, such as "fp_", "fp0_" or "fL0p_". */
static struct ompp_term *parse_function_parameter(struct parser *p)
{
	unsigned int n;

	if (demangle_takes(p, "fpT"))
		return demangle_word(p, "this");
	if (demangle_takes(p, "fL")) {
		ompp_text_digits(&p->at);
		if (!demangle_takes(p, "p"))
			return NULL;
	} else if (!demangle_takes(p, "fp")) {
		return NULL;
	}
	parse_qualifiers(p);
	return parse_sequence(p, 10, &n) ? make_number(p, OMPP_TERM_FUNCTION_PARAMETER, n + 1, NULL) : NULL;
}

/* Reads a name in an expression, with its template arguments. */
static struct ompp_term *parse_base_name(struct parser *p)
{
	struct ompp_term *name;

	if (demangle_takes(p, "on")) {
		name = parse_operator(p);
	} else if (demangle_takes(p, "dn")) {
		name = parse_type(p);
		name = name ? make_of(p, OMPP_TERM_DESTRUCTOR, last_name(name)) : NULL;
	} else {
		name = parse_source_name(p);
	}
	return name && *p->at == 'I' ? parse_template(p, name) : name;
}

/* Reads names that enclose each other and the last name: "3std9is_signedIT_EE5value". */
static struct ompp_term *parse_levels(struct parser *p)
{
	struct ompp_term *name = parse_base_name(p);

	while (name && is_digit(*p->at))
		name = demangle_scoped(p, name, parse_base_name(p));
	return name && demangle_takes(p, "E") ? demangle_scoped(p, name, parse_base_name(p)) : NULL;
}

/* Reads "sr type name", which means type::name, or "sr" and levels.  Levels may begin as a type does. */
static struct ompp_term *parse_scope(struct parser *p)
{
	struct parser_place {
		const char *at;
		size_t n_nodes, n_substitutions;
	} start = { p->at, p->n_nodes, p->n_substitutions };
	struct ompp_term *type = is_digit(*p->at) ? parse_levels(p) : NULL;

	if (type)
		return type;
	p->at = start.at;
	p->n_nodes = start.n_nodes;
	p->n_substitutions = start.n_substitutions;
	if (demangle_takes(p, "N")) {
		type = parse_type(p);
		while (type && !demangle_takes(p, "E"))
			type = demangle_scoped(p, type, parse_base_name(p));
	} else {
		type = parse_type(p);
	}
	return demangle_scoped(p, type, parse_base_name(p));
}

static struct ompp_term *demangle_unary(struct parser *p, const char *text, struct ompp_term *a)
{
	return a ? make_text(p, OMPP_TERM_UNARY, text, strlen(text), a) : NULL;
}

static struct ompp_term *demangle_binary(struct parser *p, enum ompp_term_kind kind, const char *text,
                                         struct ompp_term *a, struct ompp_term *b)
{
	struct ompp_term *node = a && b ? make_text(p, kind, text, strlen(text), a) : NULL;

	if (node)
		node->b = b;
	return node;
}

static struct ompp_term *parse_cast(struct parser *p)
{
	struct ompp_term *type = parse_type(p), *list;

	if (!type)
		return NULL;
	if (!demangle_takes(p, "_")) {
		list = make_of(p, OMPP_TERM_LIST, parse_expression(p));
		return list ? demangle_make(p, OMPP_TERM_CAST, type, list) : NULL;
	}
	return parse_expressions(p, &list) ? demangle_make(p, OMPP_TERM_CAST, type, list) : NULL;
}

static struct ompp_term *parse_braces(struct parser *p, struct ompp_term *type)
{
	struct ompp_term *list;

	return parse_expressions(p, &list) ? demangle_make(p, OMPP_TERM_BRACES, type, list) : NULL;
}

/* Reads an expression that begins with letters which no operator has.  Sets *is_none when it does not begin so. */
static struct ompp_term *parse_word(struct parser *p, int *is_none)
{
	struct ompp_term *a, *b;

	*is_none = 0;
	if (demangle_takes(p, "sr"))
		return parse_scope(p);
	if (demangle_takes(p, "st"))
		return demangle_unary(p, "sizeof ", make_of(p, OMPP_TERM_LIST, parse_type(p)));
	if (demangle_takes(p, "sz"))
		return demangle_unary(p, "sizeof ", parse_expression(p));
	if (demangle_takes(p, "at"))
		return demangle_unary(p, "alignof ", make_of(p, OMPP_TERM_LIST, parse_type(p)));
	if (demangle_takes(p, "az"))
		return demangle_unary(p, "alignof ", parse_expression(p));
	if (demangle_takes(p, "nx"))
		return demangle_unary(p, "noexcept ", parse_expression(p));
	if (demangle_takes(p, "sZ"))
		return demangle_unary(p, "sizeof...", *p->at == 'T' ? parse_parameter(p) : parse_function_parameter(p));
	if (demangle_takes(p, "sp"))
		return make_of(p, OMPP_TERM_EXPANSION, parse_expression(p));
	if (demangle_takes(p, "cv"))
		return parse_cast(p);
	if (demangle_takes(p, "tl")) {
		a = parse_type(p);
		return a ? parse_braces(p, a) : NULL;
	}
	if (demangle_takes(p, "il"))
		return parse_braces(p, NULL);
	if (demangle_takes(p, "cl")) {
		a = parse_expression(p);
		return a && parse_expressions(p, &b) ? demangle_make(p, OMPP_TERM_CALL, a, b) : NULL;
	}
	if (demangle_takes(p, "dt") || (*p->at == 'p' && p->at[1] == 't')) {
		const char *text = demangle_takes(p, "pt") ? "->" : ".";

		a = parse_expression(p);
		return a ? demangle_binary(p, OMPP_TERM_MEMBER, text, a, parse_base_name(p)) : NULL;
	}
	if (demangle_takes(p, "qu")) {
		a = parse_expression(p);
		b = a ? parse_expression(p) : NULL;
		return b ? demangle_make(p, OMPP_TERM_CONDITION, a,
		                         demangle_binary(p, OMPP_TERM_BINARY, ":", b, parse_expression(p)))
		         : NULL;
	}
	*is_none = 1;
	return NULL;
}

static struct ompp_term *parse_expression_at(struct parser *p)
{
	const struct operator* o;
	struct ompp_term *a;
	int is_none;

	if (demangle_takes(p, "L"))
		return parse_literal(p);
	if (*p->at == 'T')
		return parse_parameter(p);
	if (*p->at == 'f' && (p->at[1] == 'p' || p->at[1] == 'L'))
		return parse_function_parameter(p);
	a = parse_word(p, &is_none);
	if (!is_none)
		return a;
	if (is_digit(*p->at) || (*p->at == 'o' && p->at[1] == 'n'))
		return parse_base_name(p);
	o = takes_operator(p);
	if (!o || !o->n_operands)
		return NULL;
	if (o->n_operands == 1 && (*o->text == '+' || *o->text == '-') && o->text[1])
		demangle_takes(p, "_"); /* with "_" it is ++a, without it a++ */
	a = parse_expression(p);
	if (o->n_operands == 1)
		return demangle_unary(p, o->text, a);
	return a ? demangle_binary(p, OMPP_TERM_BINARY, o->text, a, parse_expression(p)) : NULL;
}

static struct ompp_term *parse_expression(struct parser *p)
{
	struct ompp_term *node;

	if (++p->depth > DEEPEST)
		return NULL;
	node = parse_expression_at(p);
	p->depth--;
	return node;
}

/* ---- the whole ---- */

/* Skips by how much `this` is moved: "h n _" or "v n _ n _".  Returns 0 on an error. */
static int skip_offset(struct parser *p)
{
	int n = demangle_takes(p, "h") ? 1 : demangle_takes(p, "v") ? 2 : 0, i;

	for (i = 0; i < n; i++) {
		demangle_takes(p, "n");
		ompp_text_digits(&p->at);
		if (!demangle_takes(p, "_"))
			return 0;
	}
	return n;
}

static struct ompp_term *demangle_special(struct parser *p, const char *text, struct ompp_term *of)
{
	return of ? make_text(p, OMPP_TERM_SPECIAL, text, strlen(text), of) : NULL;
}

/* clang-format off */
static const struct { const char *code, *text; char is_type; } specials[] = {
	{ "TV", "vtable for ", 1 }, { "TT", "VTT for ", 1 }, { "TI", "typeinfo for ", 1 }, { "TS", "typeinfo name for ", 1 },
	{ "TH", "TLS init function for ", 0 }, { "TW", "TLS wrapper function for ", 0 }, { "GV", "guard variable for ", 0 },
	/* clang-format on */
	{ "TA", "template parameter object for ", 2 },
};

static struct ompp_term *parse_special(struct parser *p)
{
	struct state state;
	struct ompp_term *of;

	for (size_t i = 0; i < OMPP_COUNT_OF(specials); i++)
		if (demangle_takes(p, specials[i].code))
			return demangle_special(p, specials[i].text,
			                        specials[i].is_type == 2 ? parse_template_argument(p)
			                        : specials[i].is_type    ? parse_type(p)
			                                                 : parse_name(p, &state));
	if (demangle_takes(p, "GR")) {
		unsigned int n = 0;

		of = parse_name(p, &state);
		if (*p->at && !parse_sequence(p, 36, &n))
			return NULL;
		(void)n;
		return demangle_special(p, "reference temporary for ", of);
	}
	if (demangle_takes(p, "GTt"))
		return demangle_special(p, "transaction clone for ", parse_encoding(p));
	if (demangle_takes(p, "GTn"))
		return demangle_special(p, "non-transaction clone for ", parse_encoding(p));
	if (demangle_takes(p, "TC")) {
		struct ompp_term *in = parse_type(p);

		ompp_text_digits(&p->at);
		of = in && demangle_takes(p, "_") ? parse_type(p) : NULL;
		return demangle_special(p, "construction vtable for ",
		                        of ? demangle_make(p, OMPP_TERM_IN, of, in) : NULL);
	}
	if (demangle_takes(p, "Tc"))
		return skip_offset(p) && skip_offset(p)
		             ? demangle_special(p, "covariant return thunk to ", parse_encoding(p))
		             : NULL;
	if (*p->at == 'T' && (p->at[1] == 'h' || p->at[1] == 'v')) {
		const char *text = p->at[1] == 'h' ? "non-virtual thunk to " : "virtual thunk to ";

		p->at++;
		return skip_offset(p) ? demangle_special(p, text, parse_encoding(p)) : NULL;
	}
	return NULL;
}

static struct ompp_term *parse_encoding_at(struct parser *p, int is_outermost)
{
	struct ompp_term *name, *type, *function;
	struct state state;

	if (*p->at == 'T' || (*p->at == 'G' && p->at[1] != 'r'))
		return parse_special(p);
	name = parse_name(p, &state);
	if (!name || !*p->at || *p->at == 'E' || *p->at == '.')
		return name;
	type = demangle_make(p, OMPP_TERM_SIGNATURE, NULL, NULL);
	if (!type)
		return NULL;
	if (state.is_template && !state.has_no_result && !(type->a = parse_type(p)))
		return NULL;
	if (!is_outermost)
		type->a = NULL;
	if (!parse_types_until(p, "E.", &type->b))
		return NULL;
	function = demangle_make(p, OMPP_TERM_FUNCTION, name, type);
	if (function)
		function->n = state.qualifiers;
	return function;
}

/* Reads the name of a function inside another name, where the function's result is not shown. */
static struct ompp_term *parse_encoding(struct parser *p)
{
	struct ompp_term *node;

	if (++p->depth > DEEPEST)
		return NULL;
	node = parse_encoding_at(p, 0);
	p->depth--;
	return node;
}

/* Reads ".constprop.0", ".cold" and the like: the compiler adds them to a function that it has made of another. Each
 * word comes with its numbers. */
static struct ompp_term *parse_clones(struct parser *p, struct ompp_term *node)
{
	while (node && *p->at == '.') {
		const char *start = p->at++;

		while (*p->at && *p->at != '.')
			p->at++;
		while (*p->at == '.' && is_digit(p->at[1])) {
			p->at++;
			ompp_text_digits(&p->at);
		}
		node = make_text(p, OMPP_TERM_CLONE, start, (size_t)(p->at - start), node);
	}
	return node;
}

char *ompp_demangle(const char *symbol, enum ompp_demangle what, struct ompp_arena *arena)
{
	struct ompp_arena own;
	struct parser *p;
	struct ompp_term *node;
	struct ompp_text t;
	char *name = NULL;

	if (strncmp(symbol, "_Z", 2))
		return NULL;
	ompp_arena_init(&own, 0);
	p = ompp_arena_alloc(&own, sizeof(*p));
	if (p) {
		p->at = symbol + 2;
		node = parse_clones(p, parse_encoding_at(p, 1));
		ompp_text_init(&t, p->out, sizeof(p->out));
		if (node && !*p->at && !ompp_node_print(node, what == OMPP_DEMANGLE_NAME, &t))
			name = ompp_arena_strdup(arena, p->out);
	}
	ompp_arena_fini(&own);
	return name;
}

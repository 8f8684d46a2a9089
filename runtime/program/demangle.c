/*
 * Demangle: see demangle.h.  This file has names, types and the whole.  Its functions are named after the ABI's
 * productions; each returns NULL when the text does not match its production.
 */
#include "runtime/program/demangle.h"

#include <string.h>

#include "runtime/base/array.h"
#include "runtime/program/demangle_expression.h"
#include "runtime/program/demangle_parser.h"
#include "runtime/program/demangle_term.h"

/* What a name says of the function that it may be the name of. */
struct state {
	int is_template, has_no_result;
	unsigned int qualifiers;
};

static struct ompp_term *parse_type(struct ompp_demangle_parser *p);
static struct ompp_term *parse_name(struct ompp_demangle_parser *p, struct state *state);
static struct ompp_term *parse_encoding(struct ompp_demangle_parser *p);

/* Reads types up to one of the characters in ends.  "v" alone means no types; *list is NULL then.  Returns 0 on an
 * error. */
static int parse_types_until(struct ompp_demangle_parser *p, const char *ends, struct ompp_term **list)
{
	struct ompp_term **next = list;

	*list = NULL;
	if (*p->at == 'v' && (!p->at[1] || strchr(ends, p->at[1]))) {
		p->at++;
		return 1;
	}
	while (*p->at && !strchr(ends, *p->at)) {
		*next = ompp_term_of(p, OMPP_TERM_LIST, parse_type(p));
		if (!*next)
			return 0;
		next = &(*next)->b;
	}
	return 1;
}

/* Reads "Ul types E number _", a lambda, or "Ut number _", a type without a name. */
static struct ompp_term *parse_unnamed(struct ompp_demangle_parser *p)
{
	struct ompp_term *arguments = NULL;
	int is_lambda = ompp_demangle_takes(p, "Ul");
	unsigned int n;

	if (!is_lambda && !ompp_demangle_takes(p, "Ut"))
		return NULL;
	if (is_lambda && (!parse_types_until(p, "E", &arguments) || !ompp_demangle_takes(p, "E")))
		return NULL;
	if (!ompp_parse_sequence(p, 10, &n))
		return NULL;
	return ompp_term_number(p, is_lambda ? OMPP_TERM_LAMBDA : OMPP_TERM_UNNAMED, n + 1, arguments);
}

static struct ompp_term *parse_constructor(struct ompp_demangle_parser *p, struct ompp_term *class)
{
	int is_inherited = ompp_demangle_takes(p, "CI"), is_constructor = is_inherited || *p->at == 'C';

	class = ompp_term_last_name(class);
	if (!class || (!is_inherited && !p->at[1]))
		return NULL;
	p->at += is_inherited ? 0 : 1;
	if (!ompp_demangle_is_digit(*p->at))
		return NULL;
	p->at++;
	if (is_inherited && !parse_name(p, &(struct state){ 0 }))
		return NULL;
	return ompp_term_of(p, is_constructor ? OMPP_TERM_CONSTRUCTOR : OMPP_TERM_DESTRUCTOR, class);
}

/* Reads the names of a structured binding, "[a, b]". */
static struct ompp_term *parse_bindings(struct ompp_demangle_parser *p)
{
	struct ompp_term *list = NULL, **next = &list;

	while (!ompp_demangle_takes(p, "E")) {
		*next = ompp_term_of(p, OMPP_TERM_LIST, ompp_parse_source_name(p));
		if (!*next)
			return NULL;
		next = &(*next)->b;
	}
	return ompp_term_text(p, OMPP_TERM_SPECIAL, "[", 1, list);
}

/* Reads a name without its scope.
 * class: the class around it, for constructors and destructors; NULL when nothing encloses it */
static struct ompp_term *parse_unqualified(struct ompp_demangle_parser *p, struct ompp_term *class, struct state *state)
{
	struct ompp_term *name;

	state->has_no_result = 0;
	while (*p->at == 'L') /* L marks a name of this source file alone */
		p->at++;
	if (ompp_demangle_is_digit(*p->at)) {
		name = ompp_parse_source_name(p);
	} else if (*p->at == 'U') {
		name = parse_unnamed(p);
	} else if (class && (*p->at == 'C' || (*p->at == 'D' && ompp_demangle_is_digit(p->at[1])))) {
		state->has_no_result = 1;
		name = parse_constructor(p, class);
	} else if (ompp_demangle_takes(p, "DC")) {
		name = parse_bindings(p);
	} else {
		p->takes_conversion = 0;
		name = ompp_parse_operator(p);
		state->has_no_result = p->takes_conversion;
	}
	while (name && ompp_demangle_takes(p, "B")) {
		struct ompp_term *tag = ompp_parse_source_name(p);

		name = tag ? ompp_term_make(p, OMPP_TERM_TAGGED, name, tag) : NULL;
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
static struct ompp_term *parse_substitution(struct ompp_demangle_parser *p)
{
	unsigned int n;

	if (!ompp_demangle_takes(p, "S"))
		return NULL;
	for (size_t i = 0; i < OMPP_COUNT_OF(standard); i++)
		if (*p->at == standard[i].code) {
			int is_whole = p->at[1] == 'C' || p->at[1] == 'D';

			p->at++;
			return ompp_term_scoped(p, ompp_term_word(p, "std"),
			                        ompp_term_word(p, is_whole ? standard[i].whole : standard[i].name));
		}
	return ompp_parse_sequence(p, 36, &n) && n < p->n_substitutions ? p->substitutions[n] : NULL;
}

static struct ompp_term *parse_decltype(struct ompp_demangle_parser *p)
{
	struct ompp_term *node;

	if (!ompp_demangle_takes(p, "DT") && !ompp_demangle_takes(p, "Dt"))
		return NULL;
	node = ompp_term_of(p, OMPP_TERM_DECLTYPE, ompp_parse_expression(p));
	return ompp_demangle_takes(p, "E") ? node : NULL;
}

/* Reads one more part of a nested name.  Sets *is_known when later parts cannot refer to this one by a new number:
 * others refer to it already, or it is too short for that. */
static struct ompp_term *parse_part(struct ompp_demangle_parser *p, struct ompp_term *so_far, struct state *state,
                                    int *is_known)
{
	*is_known = 0;
	state->is_template = 0;
	if (*p->at == 'S' && p->at[1] != 't' && !so_far) {
		*is_known = 1;
		return parse_substitution(p);
	}
	if (!so_far && ompp_demangle_takes(p, "St")) {
		*is_known = 1;
		return ompp_term_word(p, "std");
	}
	if (*p->at == 'I' && so_far) {
		state->is_template = 1;
		return ompp_parse_template(p, so_far);
	}
	if (*p->at == 'T' && !so_far)
		return ompp_parse_parameter(p);
	if (*p->at == 'D' && (p->at[1] == 't' || p->at[1] == 'T') && !so_far)
		return parse_decltype(p);
	if (!so_far)
		return parse_unqualified(p, NULL, state);
	return ompp_term_scoped(p, so_far, parse_unqualified(p, so_far, state));
}

static struct ompp_term *parse_nested(struct ompp_demangle_parser *p, struct state *state)
{
	unsigned int qualifiers = ompp_parse_qualifiers(p);
	struct ompp_term *name = NULL;
	int is_known = 1;

	qualifiers |= ompp_demangle_takes(p, "O") ? OMPP_REF_REF : ompp_demangle_takes(p, "R") ? OMPP_REF : 0;
	while (!ompp_demangle_takes(p, "E")) {
		int had_no_result = state->has_no_result;

		if (ompp_demangle_takes(p, "M")) /* M stands after a member whose initial value has a lambda */
			continue;
		name = parse_part(p, name, state, &is_known);
		if (state->is_template)
			state->has_no_result = had_no_result;
		/* Later parts may refer to all but the whole name.  They may refer to the whole name when it is a
		 * type, and parse_type() remembers it then. */
		if (!name || (*p->at != 'E' && !is_known && !ompp_demangle_remember(p, name)))
			return NULL;
	}
	state->qualifiers = qualifiers;
	return name;
}

/* Skips the number that tells a local name from equal ones in the same function. */
static void skip_discriminator(struct ompp_demangle_parser *p)
{
	const char *start = p->at;

	if (ompp_demangle_takes(p, "__")) {
		ompp_text_digits(&p->at);
		if (!ompp_demangle_takes(p, "_"))
			p->at = start;
	} else if (*p->at == '_' && ompp_demangle_is_digit(p->at[1])) {
		p->at += 2;
	}
}

static struct ompp_term *parse_local(struct ompp_demangle_parser *p, struct state *state)
{
	struct ompp_term *function = parse_encoding(p), *name, *argument = NULL;
	unsigned int n;

	if (!function || !ompp_demangle_takes(p, "E"))
		return NULL;
	if (ompp_demangle_takes(p, "s")) {
		skip_discriminator(p);
		return ompp_term_scoped(p, function, ompp_term_word(p, "string literal"));
	}
	if (ompp_demangle_takes(p, "d")) {
		if (!ompp_parse_sequence(p, 10, &n))
			return NULL;
		argument = ompp_term_number(p, OMPP_TERM_DEFAULT_ARGUMENT, n + 1, NULL);
	}
	name = parse_name(p, state);
	skip_discriminator(p);
	return ompp_term_scoped(p, function, argument ? ompp_term_scoped(p, argument, name) : name);
}

static struct ompp_term *parse_name_at(struct ompp_demangle_parser *p, struct state *state)
{
	struct ompp_term *name;

	if (ompp_demangle_takes(p, "N"))
		return parse_nested(p, state);
	if (ompp_demangle_takes(p, "Z"))
		return parse_local(p, state);
	if (*p->at == 'S' && p->at[1] != 't') {
		name = parse_substitution(p);
		if (*p->at != 'I')
			return NULL;
	} else {
		struct ompp_term *std = ompp_demangle_takes(p, "St") ? ompp_term_word(p, "std") : NULL;

		name = parse_unqualified(p, NULL, state);
		if (std)
			name = ompp_term_scoped(p, std, name);
		if (*p->at == 'I' && !ompp_demangle_remember(p, name))
			return NULL;
	}
	if (*p->at != 'I')
		return name;
	state->is_template = 1;
	return ompp_parse_template(p, name);
}

static struct ompp_term *parse_name(struct ompp_demangle_parser *p, struct state *state)
{
	struct ompp_term *name;

	*state = (struct state){ 0 };
	if (++p->depth > OMPP_DEMANGLE_DEEPEST)
		return NULL;
	name = parse_name_at(p, state);
	p->depth--;
	return name;
}

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

static struct ompp_term *parse_builtin(struct ompp_demangle_parser *p)
{
	for (size_t i = 0; i < OMPP_COUNT_OF(builtins); i++)
		if (ompp_demangle_takes(p, builtins[i].code))
			return ompp_term_word(p, builtins[i].text);
	if (ompp_demangle_takes(p, "u"))
		return ompp_parse_source_name(p);
	return NULL;
}

/* Reads "[exception specification] F [Y] result arguments [R|O] E". */
static struct ompp_term *parse_function_type(struct ompp_demangle_parser *p)
{
	struct ompp_term *type, *result;
	unsigned int qualifiers = ompp_demangle_takes(p, "Do") ? OMPP_NOEXCEPT : 0;

	qualifiers |= ompp_demangle_takes(p, "Dx") ? OMPP_TRANSACTION : 0;
	if (!ompp_demangle_takes(p, "F"))
		return NULL;
	ompp_demangle_takes(p, "Y");
	result = parse_type(p);
	type = ompp_term_of(p, OMPP_TERM_SIGNATURE, result);
	if (!type || !parse_types_until(p, "ERO", &type->b))
		return NULL;
	/* R and O may also begin a type; they do not end the arguments then. */
	while (!ompp_demangle_takes(p, "E")) {
		struct ompp_term **last = &type->b;

		if (ompp_demangle_takes(p, "RE")) {
			qualifiers |= OMPP_REF;
			break;
		}
		if (ompp_demangle_takes(p, "OE")) {
			qualifiers |= OMPP_REF_REF;
			break;
		}
		while (*last)
			last = &(*last)->b;
		*last = ompp_term_of(p, OMPP_TERM_LIST, parse_type(p));
		if (!*last)
			return NULL;
	}
	return qualifiers ? ompp_term_number(p, OMPP_TERM_QUALIFIED, qualifiers, type) : type;
}

static struct ompp_term *parse_array(struct ompp_demangle_parser *p)
{
	struct ompp_term *n = NULL, *of;
	const char *start = p->at;

	ompp_text_digits(&p->at);
	if (p->at > start)
		n = ompp_term_text(p, OMPP_TERM_TEXT, start, (size_t)(p->at - start), NULL);
	else if (*p->at != '_' && !(n = ompp_parse_expression(p)))
		return NULL;
	if (!ompp_demangle_takes(p, "_"))
		return NULL;
	of = parse_type(p);
	return of ? ompp_term_make(p, OMPP_TERM_ARRAY, n, of) : NULL;
}

static struct ompp_term *parse_vector(struct ompp_demangle_parser *p)
{
	struct ompp_term *n, *of;
	const char *start = p->at;

	if (ompp_demangle_takes(p, "_")) {
		n = ompp_parse_expression(p);
	} else {
		ompp_text_digits(&p->at);
		n = ompp_term_text(p, OMPP_TERM_TEXT, start, (size_t)(p->at - start), NULL);
	}
	of = n && ompp_demangle_takes(p, "_") ? parse_type(p) : NULL;
	return of ? ompp_term_make(p, OMPP_TERM_VECTOR, n, of) : NULL;
}

static struct ompp_term *parse_member_pointer(struct ompp_demangle_parser *p)
{
	struct ompp_term *class = parse_type(p), *of = class ? parse_type(p) : NULL;

	return of ? ompp_term_make(p, OMPP_TERM_MEMBER_POINTER, class, of) : NULL;
}

/* Reads a type after qualifiers such as "const".  Those of a function type belong to the member function. */
static struct ompp_term *parse_qualified(struct ompp_demangle_parser *p)
{
	unsigned int qualifiers = ompp_parse_qualifiers(p);
	struct ompp_term *of = *p->at == 'F' || !strncmp(p->at, "Do", 2) ? parse_function_type(p) : parse_type(p);

	return of ? ompp_term_number(p, OMPP_TERM_QUALIFIED, qualifiers, of) : NULL;
}

static struct ompp_term *parse_vendor(struct ompp_demangle_parser *p)
{
	struct ompp_term *name = ompp_parse_source_name(p), *of;

	if (name && *p->at == 'I')
		name = ompp_parse_template(p, name);
	of = name ? parse_type(p) : NULL;
	return of ? ompp_term_make(p, OMPP_TERM_VENDOR, of, name) : NULL;
}

static struct ompp_term *parse_parameter_type(struct ompp_demangle_parser *p)
{
	struct ompp_term *type = ompp_parse_parameter(p);

	if (!type || *p->at != 'I' || p->in_conversion)
		return type;
	return ompp_demangle_remember(p, type) ? ompp_parse_template(p, type) : NULL;
}

/* Reads a type that begins with a reference.  Sets *is_known when the type is that reference itself, which has its
 * number already. */
static struct ompp_term *parse_substituted(struct ompp_demangle_parser *p, int *is_known)
{
	struct ompp_term *type = parse_substitution(p);

	*is_known = *p->at != 'I';
	return *is_known ? type : ompp_parse_template(p, type);
}

static struct ompp_term *parse_d_type(struct ompp_demangle_parser *p)
{
	if (p->at[1] == 't' || p->at[1] == 'T')
		return parse_decltype(p);
	if (ompp_demangle_takes(p, "Dp"))
		return ompp_term_of(p, OMPP_TERM_EXPANSION, parse_type(p));
	if (ompp_demangle_takes(p, "Dv"))
		return parse_vector(p);
	return p->at[1] == 'o' || p->at[1] == 'x' ? parse_function_type(p) : NULL;
}

static struct ompp_term *parse_compound(struct ompp_demangle_parser *p)
{
	struct ompp_term *of;
	int is_complex;

	switch (*p->at++) {
	/* clang-format off */
	case 'P': return ompp_term_of(p, OMPP_TERM_POINTER, parse_type(p));
	case 'R': return ompp_term_of(p, OMPP_TERM_REFERENCE, parse_type(p));
	case 'O': return ompp_term_of(p, OMPP_TERM_RVALUE, parse_type(p));
	case 'A': return parse_array(p);
	case 'M': return parse_member_pointer(p);
	case 'U': return parse_vendor(p);
	default:  break;
		/* clang-format on */
	}
	is_complex = p->at[-1] == 'C';
	of = parse_type(p);
	return of ? ompp_term_make(p, OMPP_TERM_VENDOR, of, ompp_term_word(p, is_complex ? "_Complex" : "_Imaginary"))
	          : NULL;
}

static struct ompp_term *parse_type_at(struct ompp_demangle_parser *p)
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
	else if (ompp_demangle_takes(p, "Ts") || ompp_demangle_takes(p, "Tu") ||
	         ompp_demangle_takes(p, "Te")) /* struct, union or enum */
		type = parse_name(p, &state);
	else if (*p->at == 'T')
		type = parse_parameter_type(p);
	else if (*p->at == 'S' && p->at[1] != 't')
		type = parse_substituted(p, &is_known);
	else
		type = parse_name(p, &state);
	return is_known ? type : ompp_demangle_remember(p, type);
}

static struct ompp_term *parse_type(struct ompp_demangle_parser *p)
{
	struct ompp_term *type;

	if (++p->depth > OMPP_DEMANGLE_DEEPEST)
		return NULL;
	type = parse_type_at(p);
	p->depth--;
	return type;
}

/* Skips by how much `this` is moved: "h n _" or "v n _ n _".  Returns 0 on an error. */
static int skip_offset(struct ompp_demangle_parser *p)
{
	int n = ompp_demangle_takes(p, "h") ? 1 : ompp_demangle_takes(p, "v") ? 2 : 0, i;

	for (i = 0; i < n; i++) {
		ompp_demangle_takes(p, "n");
		ompp_text_digits(&p->at);
		if (!ompp_demangle_takes(p, "_"))
			return 0;
	}
	return n;
}

static struct ompp_term *demangle_special(struct ompp_demangle_parser *p, const char *text, struct ompp_term *of)
{
	return of ? ompp_term_text(p, OMPP_TERM_SPECIAL, text, strlen(text), of) : NULL;
}

/* clang-format off */
static const struct { const char *code, *text; char is_type; } specials[] = {
	{ "TV", "vtable for ", 1 }, { "TT", "VTT for ", 1 }, { "TI", "typeinfo for ", 1 }, { "TS", "typeinfo name for ", 1 },
	{ "TH", "TLS init function for ", 0 }, { "TW", "TLS wrapper function for ", 0 }, { "GV", "guard variable for ", 0 },
	/* clang-format on */
	{ "TA", "template parameter object for ", 2 },
};

static struct ompp_term *parse_special(struct ompp_demangle_parser *p)
{
	struct state state;
	struct ompp_term *of;

	for (size_t i = 0; i < OMPP_COUNT_OF(specials); i++)
		if (ompp_demangle_takes(p, specials[i].code))
			return demangle_special(p, specials[i].text,
			                        specials[i].is_type == 2 ? ompp_parse_template_argument(p)
			                        : specials[i].is_type    ? parse_type(p)
			                                                 : parse_name(p, &state));
	if (ompp_demangle_takes(p, "GR")) {
		unsigned int n = 0;

		of = parse_name(p, &state);
		if (*p->at && !ompp_parse_sequence(p, 36, &n))
			return NULL;
		(void)n;
		return demangle_special(p, "reference temporary for ", of);
	}
	if (ompp_demangle_takes(p, "GTt"))
		return demangle_special(p, "transaction clone for ", parse_encoding(p));
	if (ompp_demangle_takes(p, "GTn"))
		return demangle_special(p, "non-transaction clone for ", parse_encoding(p));
	if (ompp_demangle_takes(p, "TC")) {
		struct ompp_term *in = parse_type(p);

		ompp_text_digits(&p->at);
		of = in && ompp_demangle_takes(p, "_") ? parse_type(p) : NULL;
		return demangle_special(p, "construction vtable for ",
		                        of ? ompp_term_make(p, OMPP_TERM_IN, of, in) : NULL);
	}
	if (ompp_demangle_takes(p, "Tc"))
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

static struct ompp_term *parse_encoding_at(struct ompp_demangle_parser *p, int is_outermost)
{
	struct ompp_term *name, *type, *function;
	struct state state;

	if (*p->at == 'T' || (*p->at == 'G' && p->at[1] != 'r'))
		return parse_special(p);
	name = parse_name(p, &state);
	if (!name || !*p->at || *p->at == 'E' || *p->at == '.')
		return name;
	type = ompp_term_make(p, OMPP_TERM_SIGNATURE, NULL, NULL);
	if (!type)
		return NULL;
	if (state.is_template && !state.has_no_result && !(type->a = parse_type(p)))
		return NULL;
	if (!is_outermost)
		type->a = NULL;
	if (!parse_types_until(p, "E.", &type->b))
		return NULL;
	function = ompp_term_make(p, OMPP_TERM_FUNCTION, name, type);
	if (function)
		function->n = state.qualifiers;
	return function;
}

/* Reads the name of a function inside another name, where the function's result is not shown. */
static struct ompp_term *parse_encoding(struct ompp_demangle_parser *p)
{
	struct ompp_term *node;

	if (++p->depth > OMPP_DEMANGLE_DEEPEST)
		return NULL;
	node = parse_encoding_at(p, 0);
	p->depth--;
	return node;
}

/* Reads ".constprop.0", ".cold" and the like: the compiler adds them to a function that it has made of another. Each
 * word comes with its numbers. */
static struct ompp_term *parse_clones(struct ompp_demangle_parser *p, struct ompp_term *node)
{
	while (node && *p->at == '.') {
		const char *start = p->at++;

		while (*p->at && *p->at != '.')
			p->at++;
		while (*p->at == '.' && ompp_demangle_is_digit(p->at[1])) {
			p->at++;
			ompp_text_digits(&p->at);
		}
		node = ompp_term_text(p, OMPP_TERM_CLONE, start, (size_t)(p->at - start), node);
	}
	return node;
}

char *ompp_demangle(const char *symbol, enum ompp_demangle what, struct ompp_arena *arena)
{
	struct ompp_arena own;
	struct ompp_demangle_parser *p;
	struct ompp_term *node;
	struct ompp_text t;
	char *name = NULL;

	if (strncmp(symbol, "_Z", 2))
		return NULL;
	ompp_arena_init(&own, 0);
	p = ompp_arena_alloc(&own, sizeof(*p));
	if (p) {
		p->at = symbol + 2;
		p->type = parse_type;
		p->encoding = parse_encoding;
		node = parse_clones(p, parse_encoding_at(p, 1));
		ompp_text_init(&t, p->out, sizeof(p->out));
		if (node && !*p->at && !ompp_node_print(node, what == OMPP_DEMANGLE_NAME, &t))
			name = ompp_arena_strdup(arena, p->out);
	}
	ompp_arena_fini(&own);
	return name;
}

int ompp_demangle_procedure(char *name)
{
	static const char sign[] = "_MOD_";
	char *p = strncmp(name, "__", 2) ? NULL : strstr(name, sign);
	size_t n;

	if (!p || p - name < 3) /* a module has a name */
		return 0;
	n = (size_t)(p - name) - 2;
	memmove(name, name + 2, n);
	memcpy(name + n, "::", 2);
	p += strlen(sign);
	memmove(name + n + 2, p, strlen(p) + 1);
	return 1;
}

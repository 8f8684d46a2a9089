/*
 * Demangle: see demangle.h.  This file has the printer.  A type is written around the name of the declared entity, so
 * each node prints in two parts: to the left and to the right of that name.
 */
#include "runtime/program/demangle_term.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/array.h"

enum { MOST_STEPS = 20000, DEEPEST = 256, NO_PACK = -1 };

/* The arguments that template parameters stand for, and the scope around them. */
struct scope {
	const struct ompp_term *arguments;
	const struct scope *outer;
};

struct printer {
	struct ompp_text *t;
	const struct scope *scope;
	int n_steps, depth, pack, in_lambda, failed;
	int name_alone;
};

typedef void print_part(struct printer *p, const struct ompp_term *node);

static print_part demangle_print_left, demangle_print_right;

static void demangle_print_put(struct printer *p, const char *text)
{
	ompp_text_str(p->t, text);
	p->failed |= p->t->n_bytes + 1 >= p->t->capacity_bytes;
}

static void put_text(struct printer *p, const struct ompp_term *node)
{
	ompp_text_strn(p->t, node->text, node->n_text);
	p->failed |= p->t->n_bytes + 1 >= p->t->capacity_bytes;
}

static void put_number(struct printer *p, const char *before, unsigned int n, const char *after)
{
	demangle_print_put(p, before);
	ompp_text_u64(p->t, n);
	demangle_print_put(p, after);
}

static char demangle_print_last(const struct printer *p)
{
	return p->t->n_bytes ? p->t->data[p->t->n_bytes - 1] : '\0';
}

static void demangle_print_whole(struct printer *p, const struct ompp_term *node)
{
	demangle_print_left(p, node);
	demangle_print_right(p, node);
}

/* ---- parameters of templates ---- */

static const struct ompp_term *demangle_print_element(const struct ompp_term *list, int n)
{
	while (n-- > 0 && list)
		list = list->b;
	return list ? list->a : NULL;
}

static int is_pack(const struct ompp_term *node)
{
	return node && node->kind == OMPP_TERM_LIST;
}

/* Returns what a template parameter stands for; in a pack, the element that is printed now.  Returns NULL when the
 * node is no parameter, or one of a lambda, or stands for nothing. */
static const struct ompp_term *argument_of(const struct printer *p, const struct ompp_term *node)
{
	const struct ompp_term *found;

	if (node->kind != OMPP_TERM_PARAMETER || !p->scope || p->in_lambda)
		return NULL;
	found = demangle_print_element(p->scope->arguments, (int)node->n);
	return is_pack(found) && p->pack != NO_PACK ? demangle_print_element(found, p->pack) : found;
}

/* Returns what a parameter stands for, and any other node itself. */
static const struct ompp_term *demangle_print_resolve(const struct printer *p, const struct ompp_term *node)
{
	const struct ompp_term *found = argument_of(p, node);

	return found ? found : node;
}

/* Prints what a parameter stands for.  This happens in the scope where the template is named, as parameters in the
 * argument belong to that scope. */
static void print_parameter(struct printer *p, const struct ompp_term *node, print_part *print)
{
	const struct ompp_term *found = argument_of(p, node);
	const struct scope *scope = p->scope;

	if (p->in_lambda) {
		if (print == demangle_print_left)
			put_number(p, "auto:", node->n + 1, "");
		return;
	}
	if (!found) {
		p->failed |= !scope || !demangle_print_element(scope->arguments, (int)node->n);
		return;
	}
	p->scope = scope->outer;
	print(p, found);
	p->scope = scope;
}

/* Returns the first pack that is named in an expansion; NULL when there is none. */
static const struct ompp_term *find_pack(const struct printer *p, const struct ompp_term *node, int depth)
{
	const struct ompp_term *found;

	if (!node || depth > DEEPEST || !p->scope)
		return NULL;
	if (node->kind == OMPP_TERM_PARAMETER) {
		found = demangle_print_element(p->scope->arguments, (int)node->n);
		return is_pack(found) ? found : NULL;
	}
	if (node->kind == OMPP_TERM_LAMBDA || node->kind == OMPP_TERM_TEXT)
		return NULL;
	found = find_pack(p, node->a, depth + 1);
	return found ? found : find_pack(p, node->b, depth + 1);
}

static void print_expansion(struct printer *p, const struct ompp_term *of)
{
	const struct ompp_term *pack = find_pack(p, of, 0);
	int before = p->pack, n = 0;
	size_t start = p->t->n_bytes;

	if (!pack) {
		demangle_print_whole(p, of);
		demangle_print_put(p, "...");
		return;
	}
	for (; pack && pack->a && !p->failed; pack = pack->b) {
		if (p->t->n_bytes > start)
			demangle_print_put(p, ", ");
		p->pack = n++;
		demangle_print_whole(p, of);
	}
	p->pack = before;
}

/* ---- lists ---- */

/* Prints a list with commas.  An element that prints nothing, such as an empty pack, gets no comma. */
static void print_list(struct printer *p, const struct ompp_term *list)
{
	int is_first = 1;

	for (; list && list->a && !p->failed; list = list->b) {
		size_t start = p->t->n_bytes, n;

		if (!is_first)
			demangle_print_put(p, ", ");
		n = p->t->n_bytes;
		demangle_print_whole(p, list->a);
		if (p->t->n_bytes > n) {
			is_first = 0;
		} else {
			p->t->n_bytes = start;
			p->t->data[start] = '\0';
		}
	}
}

static void print_template(struct printer *p, const struct ompp_term *node)
{
	demangle_print_whole(p, node->a);
	demangle_print_put(p, demangle_print_last(p) == '<' ? " <" : "<");
	print_list(p, node->b);
	demangle_print_put(p, demangle_print_last(p) == '>' ? " >" : ">");
}

static void print_lambda(struct printer *p, const struct ompp_term *node)
{
	int before = p->in_lambda;

	demangle_print_put(p, "{lambda(");
	p->in_lambda = 1;
	print_list(p, node->a);
	p->in_lambda = before;
	put_number(p, ")#", node->n, "}");
}

/* ---- functions ---- */

static void print_qualifiers(struct printer *p, unsigned int qualifiers)
{
	static const struct {
		unsigned int bit;
		const char *text;
	} words[] = {
		{ OMPP_CONST, " const" },         { OMPP_VOLATILE, " volatile" },
		{ OMPP_RESTRICT, " __restrict" }, { OMPP_REF, " &" },
		{ OMPP_REF_REF, " &&" },          { OMPP_TRANSACTION, " transaction_safe" },
		{ OMPP_NOEXCEPT, " noexcept" },
	};

	for (size_t i = 0; i < OMPP_COUNT_OF(words); i++)
		if (qualifiers & words[i].bit)
			demangle_print_put(p, words[i].text);
}

/* Returns the template arguments of the function itself; NULL when it is no template. */
static const struct ompp_term *arguments_of(const struct ompp_term *name)
{
	while (name && name->kind == OMPP_TERM_SCOPED)
		name = name->b;
	while (name && name->kind == OMPP_TERM_TAGGED)
		name = name->a;
	return name && name->kind == OMPP_TERM_TEMPLATE ? name->b : NULL;
}

static void print_function(struct printer *p, const struct ompp_term *node)
{
	const struct ompp_term *type = node->b;
	struct scope scope = { arguments_of(node->a), p->scope };
	const struct scope *before = p->scope;
	int name_alone = p->name_alone, pack = p->pack;

	p->name_alone = 0;
	p->pack = NO_PACK;
	if (scope.arguments)
		p->scope = &scope;
	if (type->a && !name_alone) {
		demangle_print_left(p, type->a);
		if (demangle_print_last(p) != ' ')
			demangle_print_put(p, " ");
	}
	demangle_print_whole(p, node->a);
	if (!name_alone) {
		demangle_print_put(p, "(");
		print_list(p, type->b);
		demangle_print_put(p, ")");
		print_qualifiers(p, node->n);
		if (type->a)
			demangle_print_right(p, type->a);
	}
	p->scope = before;
	p->pack = pack;
}

/* ---- expressions ---- */

static int is_simple(const struct ompp_term *node)
{
	return node->kind == OMPP_TERM_TEXT || node->kind == OMPP_TERM_SCOPED || node->kind == OMPP_TERM_BRACES ||
	       node->kind == OMPP_TERM_FUNCTION_PARAMETER;
}

static void demangle_print_operand(struct printer *p, const struct ompp_term *node)
{
	if (!is_simple(node))
		demangle_print_put(p, "(");
	if (node->kind == OMPP_TERM_LIST)
		print_list(p, node);
	else
		demangle_print_whole(p, node);
	if (!is_simple(node))
		demangle_print_put(p, ")");
}

static void print_literal(struct printer *p, const struct ompp_term *node)
{
	static const struct {
		const char *type, *suffix;
	} plain[] = {
		{ "int", "" },         { "unsigned int", "u" },         { "long", "l" }, { "unsigned long", "ul" },
		{ "long long", "ll" }, { "unsigned long long", "ull" },
	};
	const struct ompp_term *type = node->a;
	size_t i = 0, n = OMPP_COUNT_OF(plain);

	if (type->kind == OMPP_TERM_TEXT && type->n_text == 4 && !memcmp(type->text, "bool", 4) && node->n_text == 1 &&
	    !node->n && (node->text[0] == '0' || node->text[0] == '1')) {
		demangle_print_put(p, node->text[0] == '0' ? "false" : "true");
		return;
	}
	while (i < n && (type->kind != OMPP_TERM_TEXT || strlen(plain[i].type) != type->n_text ||
	                 memcmp(plain[i].type, type->text, type->n_text)))
		i++;
	if (i == n) {
		demangle_print_put(p, "(");
		demangle_print_whole(p, type);
		demangle_print_put(p, ")");
	}
	demangle_print_put(p, node->n ? "-" : "");
	if (type->kind == OMPP_TERM_TEXT && (type->text[0] == 'f' || type->text[0] == 'd') && i == n) {
		demangle_print_put(p, "[");
		put_text(p, node);
		demangle_print_put(p, "]");
	} else {
		put_text(p, node);
	}
	demangle_print_put(p, i < n ? plain[i].suffix : "");
}

/* Prints an operator and its operand.  A function whose address is taken is printed without result and arguments. */
static void print_unary(struct printer *p, const struct ompp_term *node)
{
	put_text(p, node);
	if (node->text[0] == '&' && node->a->kind == OMPP_TERM_FUNCTION && node->a->a->kind == OMPP_TERM_SCOPED)
		demangle_print_whole(p, node->a->a);
	else
		demangle_print_operand(p, node->a);
}

static void print_postfix(struct printer *p, const struct ompp_term *node)
{
	demangle_print_operand(p, node->a);
	put_text(p, node);
}

static void print_binary(struct printer *p, const struct ompp_term *node)
{
	/* In brackets '>' cannot be taken for the end of the template's arguments. */
	int is_greater = node->n_text == 1 && node->text[0] == '>';

	demangle_print_put(p, is_greater ? "(" : "");
	demangle_print_operand(p, node->a);
	put_text(p, node);
	demangle_print_operand(p, node->b);
	demangle_print_put(p, is_greater ? ")" : "");
}

static void print_condition(struct printer *p, const struct ompp_term *node)
{
	demangle_print_operand(p, node->a);
	demangle_print_put(p, "?");
	demangle_print_operand(p, node->b->a);
	demangle_print_put(p, " : ");
	demangle_print_operand(p, node->b->b);
}

static void print_call(struct printer *p, const struct ompp_term *node)
{
	demangle_print_operand(p, node->a);
	demangle_print_put(p, "(");
	print_list(p, node->b);
	demangle_print_put(p, ")");
}

static void print_cast(struct printer *p, const struct ompp_term *node)
{
	demangle_print_put(p, "(");
	demangle_print_whole(p, node->a);
	demangle_print_put(p, ")(");
	print_list(p, node->b);
	demangle_print_put(p, ")");
}

static void print_braces(struct printer *p, const struct ompp_term *node)
{
	if (node->a)
		demangle_print_whole(p, node->a);
	demangle_print_put(p, "{");
	print_list(p, node->b);
	demangle_print_put(p, "}");
}

/* ---- types ---- */

/* Returns the type itself, without its qualifiers; some of them remain when an argument stands for itself, as in no
 * name of a compiler's. */
static const struct ompp_term *without_qualifiers(const struct printer *p, const struct ompp_term *node)
{
	node = demangle_print_resolve(p, node);
	for (int n = 0; node->kind == OMPP_TERM_QUALIFIED && n < DEEPEST; n++)
		node = demangle_print_resolve(p, node->a);
	return node;
}

/* Returns 1 when a pointer or reference to this type has to be in brackets: the type continues to the right of it. */
static int is_around(const struct printer *p, const struct ompp_term *node)
{
	node = without_qualifiers(p, node);
	return node->kind == OMPP_TERM_SIGNATURE || node->kind == OMPP_TERM_ARRAY;
}

static void left_pointer(struct printer *p, const struct ompp_term *to, const char *mark)
{
	demangle_print_left(p, to);
	if (is_around(p, to))
		demangle_print_put(p, demangle_print_last(p) == ' ' ? "(" : " (");
	demangle_print_put(p, mark);
}

static void right_pointer(struct printer *p, const struct ompp_term *to)
{
	if (is_around(p, to))
		demangle_print_put(p, ")");
	demangle_print_right(p, to);
}

/* Returns what a reference refers to, and sets *mark to "&" or "&&".  A reference to a reference is one reference,
 * and it is "&&" only when both are. */
static const struct ompp_term *demangle_print_collapse(const struct printer *p, const struct ompp_term *node,
                                                       const char **mark)
{
	const struct ompp_term *to = demangle_print_resolve(p, node->a);

	*mark = node->kind == OMPP_TERM_REFERENCE ? "&" : "&&";
	if (node->a->kind != OMPP_TERM_PARAMETER || (to->kind != OMPP_TERM_REFERENCE && to->kind != OMPP_TERM_RVALUE))
		return node->a;
	if (to->kind == OMPP_TERM_REFERENCE)
		*mark = "&";
	return to->a;
}

static void left_member_pointer(struct printer *p, const struct ompp_term *node)
{
	demangle_print_left(p, node->b);
	if (is_around(p, node->b))
		demangle_print_put(p, demangle_print_last(p) == ' ' ? "(" : " (");
	else
		demangle_print_put(p, " ");
	demangle_print_whole(p, node->a);
	demangle_print_put(p, "::*");
}

static void left_vector(struct printer *p, const struct ompp_term *node)
{
	demangle_print_left(p, node->b);
	demangle_print_put(p, " __vector(");
	demangle_print_whole(p, node->a);
	demangle_print_put(p, ")");
}

static void right_array(struct printer *p, const struct ompp_term *node)
{
	demangle_print_put(p, demangle_print_last(p) == ']' ? "[" : " [");
	if (node->a)
		demangle_print_whole(p, node->a);
	demangle_print_put(p, "]");
	demangle_print_right(p, node->b);
}

static void right_signature(struct printer *p, const struct ompp_term *node)
{
	demangle_print_put(p, "(");
	print_list(p, node->b);
	demangle_print_put(p, ")");
	demangle_print_right(p, node->a);
}

/* ---- names ---- */

/* Prints the name of a class for its constructor.  A whole name of the standard library loses the template arguments
 * that it has in its text. */
static void print_class(struct printer *p, const struct ompp_term *class)
{
	struct ompp_term name = *class;
	const char *arguments = class->kind == OMPP_TERM_TEXT ? memchr(class->text, '<', class->n_text) : NULL;

	if (arguments)
		name.n_text = (size_t)(arguments - class->text);
	demangle_print_whole(p, &name);
}

static void print_operator(struct printer *p, const struct ompp_term *node)
{
	demangle_print_put(p, node->text[0] >= 'a' && node->text[0] <= 'z' ? "operator " : "operator");
	put_text(p, node);
	while (demangle_print_last(p) == ' ')
		p->t->data[--p->t->n_bytes] = '\0';
}

static void print_special(struct printer *p, const struct ompp_term *node)
{
	put_text(p, node);
	if (is_pack(node->a)) { /* the names of a structured binding */
		print_list(p, node->a);
		demangle_print_put(p, "]");
	} else {
		demangle_print_whole(p, node->a);
	}
}

/* Prints both parts of a name.  Only the last part is printed alone, without arguments, where the caller wants that. */
static void print_scoped(struct printer *p, const struct ompp_term *node)
{
	int name_alone = p->name_alone;

	p->name_alone = 0;
	demangle_print_whole(p, node->a);
	demangle_print_put(p, "::");
	p->name_alone = name_alone;
	demangle_print_whole(p, node->b);
}

static void print_clone(struct printer *p, const struct ompp_term *node)
{
	int name_alone = p->name_alone;

	demangle_print_whole(p, node->a);
	if (name_alone)
		return;
	demangle_print_put(p, " [clone ");
	put_text(p, node);
	demangle_print_put(p, "]");
}

static void print_name(struct printer *p, const struct ompp_term *node)
{
	switch (node->kind) {
	/* clang-format off */
	case OMPP_TERM_TEXT:                put_text(p, node); break;
	case OMPP_TERM_SCOPED:              print_scoped(p, node); break;
	case OMPP_TERM_TEMPLATE:            print_template(p, node); break;
	case OMPP_TERM_TAGGED:              demangle_print_whole(p, node->a); demangle_print_put(p, "[abi:"); demangle_print_whole(p, node->b); demangle_print_put(p, "]"); break;
	case OMPP_TERM_CONSTRUCTOR:         print_class(p, node->a); break;
	case OMPP_TERM_DESTRUCTOR:          demangle_print_put(p, "~"); print_class(p, node->a); break;
	case OMPP_TERM_OPERATOR:            print_operator(p, node); break;
	case OMPP_TERM_CONVERSION:          demangle_print_put(p, "operator "); demangle_print_whole(p, node->a); break;
	case OMPP_TERM_LITERAL_OPERATOR:    demangle_print_put(p, "operator\"\" "); put_text(p, node); break;
	case OMPP_TERM_LAMBDA:              print_lambda(p, node); break;
	case OMPP_TERM_UNNAMED:             put_number(p, "{unnamed type#", node->n, "}"); break;
	case OMPP_TERM_DEFAULT_ARGUMENT:    put_number(p, "{default arg#", node->n, "}"); break;
	case OMPP_TERM_FUNCTION:            print_function(p, node); break;
	case OMPP_TERM_SPECIAL:             print_special(p, node); break;
	case OMPP_TERM_CLONE:               print_clone(p, node); break;
	default:                            p->failed = 1; break;
		/* clang-format on */
	}
}

static void print_expression(struct printer *p, const struct ompp_term *node)
{
	switch (node->kind) {
	/* clang-format off */
	case OMPP_TERM_LITERAL:             print_literal(p, node); break;
	case OMPP_TERM_UNARY:               print_unary(p, node); break;
	case OMPP_TERM_POSTFIX:             print_postfix(p, node); break;
	case OMPP_TERM_BINARY:              print_binary(p, node); break;
	case OMPP_TERM_CONDITION:           print_condition(p, node); break;
	case OMPP_TERM_CALL:                print_call(p, node); break;
	case OMPP_TERM_CAST:                print_cast(p, node); break;
	case OMPP_TERM_FUNCTION_PARAMETER:  put_number(p, "{parm#", node->n, "}"); break;
	case OMPP_TERM_BRACES:              print_braces(p, node); break;
	case OMPP_TERM_MEMBER:              demangle_print_operand(p, node->a); put_text(p, node); demangle_print_whole(p, node->b); break;
	case OMPP_TERM_IN:                  demangle_print_whole(p, node->a); demangle_print_put(p, "-in-"); demangle_print_whole(p, node->b); break;
	default:                            print_name(p, node); break;
		/* clang-format on */
	}
}

static void left_of(struct printer *p, const struct ompp_term *node)
{
	const struct ompp_term *to;
	const char *mark;

	switch (node->kind) {
	case OMPP_TERM_SIGNATURE:
		demangle_print_left(p, node->a);
		demangle_print_put(p, " ");
		break;
	case OMPP_TERM_QUALIFIED:
		demangle_print_left(p, node->a);
		if (without_qualifiers(p, node)->kind != OMPP_TERM_SIGNATURE)
			print_qualifiers(p, node->n);
		break;
	/* clang-format off */
	case OMPP_TERM_VENDOR:              demangle_print_left(p, node->a); demangle_print_put(p, " "); demangle_print_whole(p, node->b); break;
	case OMPP_TERM_POINTER:             left_pointer(p, node->a, "*"); break;
	case OMPP_TERM_REFERENCE:
	case OMPP_TERM_RVALUE:              to = demangle_print_collapse(p, node, &mark); left_pointer(p, to, mark); break;
	case OMPP_TERM_MEMBER_POINTER:      left_member_pointer(p, node); break;
	case OMPP_TERM_ARRAY:               demangle_print_left(p, node->b); break;
	case OMPP_TERM_VECTOR:              left_vector(p, node); break;
	case OMPP_TERM_PARAMETER:           print_parameter(p, node, demangle_print_left); break;
	case OMPP_TERM_EXPANSION:           print_expansion(p, node->a); break;
	case OMPP_TERM_LIST:                print_list(p, node); break;
	case OMPP_TERM_DECLTYPE:            demangle_print_put(p, "decltype ("); demangle_print_whole(p, node->a); demangle_print_put(p, ")"); break;
	default:                            print_expression(p, node); break;
		/* clang-format on */
	}
}

static void right_of(struct printer *p, const struct ompp_term *node)
{
	const char *mark;

	switch (node->kind) {
	case OMPP_TERM_SIGNATURE:
		right_signature(p, node);
		break;
	case OMPP_TERM_QUALIFIED:
		demangle_print_right(p, node->a);
		if (without_qualifiers(p, node)->kind == OMPP_TERM_SIGNATURE)
			print_qualifiers(p, node->n);
		break;
	/* clang-format off */
	case OMPP_TERM_VENDOR:              demangle_print_right(p, node->a); break;
	case OMPP_TERM_POINTER:             right_pointer(p, node->a); break;
	case OMPP_TERM_REFERENCE:
	case OMPP_TERM_RVALUE:              right_pointer(p, demangle_print_collapse(p, node, &mark)); break;
	case OMPP_TERM_MEMBER_POINTER:      right_pointer(p, node->b); break;
	case OMPP_TERM_ARRAY:               right_array(p, node); break;
	case OMPP_TERM_VECTOR:              demangle_print_right(p, node->b); break;
	case OMPP_TERM_PARAMETER:           print_parameter(p, node, demangle_print_right); break;
	default:                            break;
		/* clang-format on */
	}
}

static void demangle_print_guarded(struct printer *p, const struct ompp_term *node, print_part *print)
{
	if (!node || p->failed)
		return;
	p->failed |= ++p->n_steps > MOST_STEPS || p->depth >= DEEPEST;
	p->depth++;
	if (!p->failed)
		print(p, node);
	p->depth--;
}

static void demangle_print_left(struct printer *p, const struct ompp_term *node)
{
	demangle_print_guarded(p, node, left_of);
}

static void demangle_print_right(struct printer *p, const struct ompp_term *node)
{
	demangle_print_guarded(p, node, right_of);
}

int ompp_node_print(const struct ompp_term *node, int name_alone, struct ompp_text *t)
{
	struct printer p = { .t = t, .pack = NO_PACK, .name_alone = name_alone };

	demangle_print_whole(&p, node);
	return p.failed ? -EINVAL : 0;
}

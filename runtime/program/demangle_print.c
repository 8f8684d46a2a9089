/*
 * Demangle: see demangle.h.  This file has the printer.  A type is written around the name of what has it, so each node
 * prints in two parts: what stands to the left of that name, and what stands to the right.
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

static print_part left, right;

static void put(struct printer *p, const char *text)
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
	put(p, before);
	ompp_text_u64(p->t, n);
	put(p, after);
}

static char last(const struct printer *p)
{
	return p->t->n_bytes ? p->t->data[p->t->n_bytes - 1] : '\0';
}

static void whole(struct printer *p, const struct ompp_term *node)
{
	left(p, node);
	right(p, node);
}

/* ---- parameters of templates ---- */

static const struct ompp_term *element(const struct ompp_term *list, int n)
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
	found = element(p->scope->arguments, (int)node->n);
	return is_pack(found) && p->pack != NO_PACK ? element(found, p->pack) : found;
}

/* Returns what a parameter stands for, and any other node itself. */
static const struct ompp_term *resolve(const struct printer *p, const struct ompp_term *node)
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
		if (print == left)
			put_number(p, "auto:", node->n + 1, "");
		return;
	}
	if (!found) {
		p->failed |= !scope || !element(scope->arguments, (int)node->n);
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
		found = element(p->scope->arguments, (int)node->n);
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
		whole(p, of);
		put(p, "...");
		return;
	}
	for (; pack && pack->a && !p->failed; pack = pack->b) {
		if (p->t->n_bytes > start)
			put(p, ", ");
		p->pack = n++;
		whole(p, of);
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
			put(p, ", ");
		n = p->t->n_bytes;
		whole(p, list->a);
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
	whole(p, node->a);
	put(p, last(p) == '<' ? " <" : "<");
	print_list(p, node->b);
	put(p, last(p) == '>' ? " >" : ">");
}

static void print_lambda(struct printer *p, const struct ompp_term *node)
{
	int before = p->in_lambda;

	put(p, "{lambda(");
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
			put(p, words[i].text);
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
		left(p, type->a);
		if (last(p) != ' ')
			put(p, " ");
	}
	whole(p, node->a);
	if (!name_alone) {
		put(p, "(");
		print_list(p, type->b);
		put(p, ")");
		print_qualifiers(p, node->n);
		if (type->a)
			right(p, type->a);
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

static void operand(struct printer *p, const struct ompp_term *node)
{
	if (!is_simple(node))
		put(p, "(");
	if (node->kind == OMPP_TERM_LIST)
		print_list(p, node);
	else
		whole(p, node);
	if (!is_simple(node))
		put(p, ")");
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
		put(p, node->text[0] == '0' ? "false" : "true");
		return;
	}
	while (i < n && (type->kind != OMPP_TERM_TEXT || strlen(plain[i].type) != type->n_text ||
	                 memcmp(plain[i].type, type->text, type->n_text)))
		i++;
	if (i == n) {
		put(p, "(");
		whole(p, type);
		put(p, ")");
	}
	put(p, node->n ? "-" : "");
	if (type->kind == OMPP_TERM_TEXT && (type->text[0] == 'f' || type->text[0] == 'd') && i == n) {
		put(p, "[");
		put_text(p, node);
		put(p, "]");
	} else {
		put_text(p, node);
	}
	put(p, i < n ? plain[i].suffix : "");
}

/* Prints an operator and its operand.  A function whose address is taken is printed without result and arguments. */
static void print_unary(struct printer *p, const struct ompp_term *node)
{
	put_text(p, node);
	if (node->text[0] == '&' && node->a->kind == OMPP_TERM_FUNCTION && node->a->a->kind == OMPP_TERM_SCOPED)
		whole(p, node->a->a);
	else
		operand(p, node->a);
}

static void print_binary(struct printer *p, const struct ompp_term *node)
{
	/* In brackets '>' cannot be taken for the end of the template's arguments. */
	int is_greater = node->n_text == 1 && node->text[0] == '>';

	put(p, is_greater ? "(" : "");
	operand(p, node->a);
	put_text(p, node);
	operand(p, node->b);
	put(p, is_greater ? ")" : "");
}

static void print_condition(struct printer *p, const struct ompp_term *node)
{
	operand(p, node->a);
	put(p, "?");
	operand(p, node->b->a);
	put(p, " : ");
	operand(p, node->b->b);
}

static void print_call(struct printer *p, const struct ompp_term *node)
{
	operand(p, node->a);
	put(p, "(");
	print_list(p, node->b);
	put(p, ")");
}

static void print_cast(struct printer *p, const struct ompp_term *node)
{
	put(p, "(");
	whole(p, node->a);
	put(p, ")(");
	print_list(p, node->b);
	put(p, ")");
}

static void print_braces(struct printer *p, const struct ompp_term *node)
{
	if (node->a)
		whole(p, node->a);
	put(p, "{");
	print_list(p, node->b);
	put(p, "}");
}

/* ---- types ---- */

/* Returns the type itself, without its qualifiers. */
static const struct ompp_term *without_qualifiers(const struct printer *p, const struct ompp_term *node)
{
	node = resolve(p, node);
	while (node->kind == OMPP_TERM_QUALIFIED)
		node = resolve(p, node->a);
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
	left(p, to);
	if (is_around(p, to))
		put(p, last(p) == ' ' ? "(" : " (");
	put(p, mark);
}

static void right_pointer(struct printer *p, const struct ompp_term *to)
{
	if (is_around(p, to))
		put(p, ")");
	right(p, to);
}

/* Returns what a reference refers to, and sets *mark to "&" or "&&".  A reference to a reference is one reference,
 * and it is "&&" only when both are. */
static const struct ompp_term *collapse(const struct printer *p, const struct ompp_term *node, const char **mark)
{
	const struct ompp_term *to = resolve(p, node->a);

	*mark = node->kind == OMPP_TERM_REFERENCE ? "&" : "&&";
	if (node->a->kind != OMPP_TERM_PARAMETER || (to->kind != OMPP_TERM_REFERENCE && to->kind != OMPP_TERM_RVALUE))
		return node->a;
	if (to->kind == OMPP_TERM_REFERENCE)
		*mark = "&";
	return to->a;
}

static void left_member_pointer(struct printer *p, const struct ompp_term *node)
{
	left(p, node->b);
	if (is_around(p, node->b))
		put(p, last(p) == ' ' ? "(" : " (");
	else
		put(p, " ");
	whole(p, node->a);
	put(p, "::*");
}

static void left_vector(struct printer *p, const struct ompp_term *node)
{
	left(p, node->b);
	put(p, " __vector(");
	whole(p, node->a);
	put(p, ")");
}

static void right_array(struct printer *p, const struct ompp_term *node)
{
	put(p, last(p) == ']' ? "[" : " [");
	if (node->a)
		whole(p, node->a);
	put(p, "]");
	right(p, node->b);
}

static void right_signature(struct printer *p, const struct ompp_term *node)
{
	put(p, "(");
	print_list(p, node->b);
	put(p, ")");
	right(p, node->a);
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
	whole(p, &name);
}

static void print_operator(struct printer *p, const struct ompp_term *node)
{
	put(p, node->text[0] >= 'a' && node->text[0] <= 'z' ? "operator " : "operator");
	put_text(p, node);
	while (last(p) == ' ')
		p->t->data[--p->t->n_bytes] = '\0';
}

static void print_special(struct printer *p, const struct ompp_term *node)
{
	put_text(p, node);
	if (is_pack(node->a)) { /* the names of a structured binding */
		print_list(p, node->a);
		put(p, "]");
	} else {
		whole(p, node->a);
	}
}

/* Prints both parts of a name.  Only the last part is printed alone, without arguments, where the caller wants that. */
static void print_scoped(struct printer *p, const struct ompp_term *node)
{
	int name_alone = p->name_alone;

	p->name_alone = 0;
	whole(p, node->a);
	put(p, "::");
	p->name_alone = name_alone;
	whole(p, node->b);
}

static void print_clone(struct printer *p, const struct ompp_term *node)
{
	int name_alone = p->name_alone;

	whole(p, node->a);
	if (name_alone)
		return;
	put(p, " [clone ");
	put_text(p, node);
	put(p, "]");
}

static void print_name(struct printer *p, const struct ompp_term *node)
{
	switch (node->kind) {
	/* clang-format off */
	case OMPP_TERM_TEXT:                put_text(p, node); break;
	case OMPP_TERM_SCOPED:              print_scoped(p, node); break;
	case OMPP_TERM_TEMPLATE:            print_template(p, node); break;
	case OMPP_TERM_TAGGED:              whole(p, node->a); put(p, "[abi:"); whole(p, node->b); put(p, "]"); break;
	case OMPP_TERM_CONSTRUCTOR:         print_class(p, node->a); break;
	case OMPP_TERM_DESTRUCTOR:          put(p, "~"); print_class(p, node->a); break;
	case OMPP_TERM_OPERATOR:            print_operator(p, node); break;
	case OMPP_TERM_CONVERSION:          put(p, "operator "); whole(p, node->a); break;
	case OMPP_TERM_LITERAL_OPERATOR:    put(p, "operator\"\" "); put_text(p, node); break;
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
	case OMPP_TERM_BINARY:              print_binary(p, node); break;
	case OMPP_TERM_CONDITION:           print_condition(p, node); break;
	case OMPP_TERM_CALL:                print_call(p, node); break;
	case OMPP_TERM_CAST:                print_cast(p, node); break;
	case OMPP_TERM_FUNCTION_PARAMETER:  put_number(p, "{parm#", node->n, "}"); break;
	case OMPP_TERM_BRACES:              print_braces(p, node); break;
	case OMPP_TERM_MEMBER:              operand(p, node->a); put_text(p, node); whole(p, node->b); break;
	case OMPP_TERM_IN:                  whole(p, node->a); put(p, "-in-"); whole(p, node->b); break;
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
		left(p, node->a);
		put(p, " ");
		break;
	case OMPP_TERM_QUALIFIED:
		left(p, node->a);
		if (without_qualifiers(p, node)->kind != OMPP_TERM_SIGNATURE)
			print_qualifiers(p, node->n);
		break;
	/* clang-format off */
	case OMPP_TERM_VENDOR:              left(p, node->a); put(p, " "); whole(p, node->b); break;
	case OMPP_TERM_POINTER:             left_pointer(p, node->a, "*"); break;
	case OMPP_TERM_REFERENCE:
	case OMPP_TERM_RVALUE:              to = collapse(p, node, &mark); left_pointer(p, to, mark); break;
	case OMPP_TERM_MEMBER_POINTER:      left_member_pointer(p, node); break;
	case OMPP_TERM_ARRAY:               left(p, node->b); break;
	case OMPP_TERM_VECTOR:              left_vector(p, node); break;
	case OMPP_TERM_PARAMETER:           print_parameter(p, node, left); break;
	case OMPP_TERM_EXPANSION:           print_expansion(p, node->a); break;
	case OMPP_TERM_LIST:                print_list(p, node); break;
	case OMPP_TERM_DECLTYPE:            put(p, "decltype ("); whole(p, node->a); put(p, ")"); break;
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
		right(p, node->a);
		if (without_qualifiers(p, node)->kind == OMPP_TERM_SIGNATURE)
			print_qualifiers(p, node->n);
		break;
	/* clang-format off */
	case OMPP_TERM_VENDOR:              right(p, node->a); break;
	case OMPP_TERM_POINTER:             right_pointer(p, node->a); break;
	case OMPP_TERM_REFERENCE:
	case OMPP_TERM_RVALUE:              right_pointer(p, collapse(p, node, &mark)); break;
	case OMPP_TERM_MEMBER_POINTER:      right_pointer(p, node->b); break;
	case OMPP_TERM_ARRAY:               right_array(p, node); break;
	case OMPP_TERM_VECTOR:              right(p, node->b); break;
	case OMPP_TERM_PARAMETER:           print_parameter(p, node, right); break;
	default:                            break;
		/* clang-format on */
	}
}

static void guarded(struct printer *p, const struct ompp_term *node, print_part *print)
{
	if (!node || p->failed)
		return;
	p->failed |= ++p->n_steps > MOST_STEPS || p->depth >= DEEPEST;
	p->depth++;
	if (!p->failed)
		print(p, node);
	p->depth--;
}

static void left(struct printer *p, const struct ompp_term *node)
{
	guarded(p, node, left_of);
}

static void right(struct printer *p, const struct ompp_term *node)
{
	guarded(p, node, right_of);
}

int ompp_node_print(const struct ompp_term *node, int name_alone, struct ompp_text *t)
{
	struct printer p = { .t = t, .pack = NO_PACK, .name_alone = name_alone };

	whole(&p, node);
	return p.failed ? -EINVAL : 0;
}

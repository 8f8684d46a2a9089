/*
 * Demangle node: what a name is made of, between the parser (demangle.c) and the printer (demangle_print.c).
 */
#ifndef OMPP_BASE_DEMANGLE_NODE_H
#define OMPP_BASE_DEMANGLE_NODE_H

#include <stddef.h>

#include "runtime/base/text.h"

enum ompp_node_kind {
	/* names; a is the first part, b the second */
	OMPP_NODE_TEXT,                 /* text */
	OMPP_NODE_SCOPED,               /* a::b */
	OMPP_NODE_TEMPLATE,             /* a<b>, b a list */
	OMPP_NODE_TAGGED,               /* a[abi:b] */
	OMPP_NODE_CONSTRUCTOR,          /* of the class a */
	OMPP_NODE_DESTRUCTOR,
	OMPP_NODE_OPERATOR,             /* text */
	OMPP_NODE_CONVERSION,           /* operator a */
	OMPP_NODE_LITERAL_OPERATOR,     /* operator"" text */
	OMPP_NODE_LAMBDA,               /* {lambda(a)#n}, a a list */
	OMPP_NODE_UNNAMED,              /* {unnamed type#n} */
	OMPP_NODE_FUNCTION,             /* a: name; b: OMPP_NODE_SIGNATURE; n: enum ompp_qualifier of the member function */
	OMPP_NODE_SPECIAL,              /* text a */
	OMPP_NODE_CLONE,                /* a [clone text] */
	OMPP_NODE_DEFAULT_ARGUMENT,     /* {default arg#n} */
	OMPP_NODE_IN,                   /* a-in-b */
	/* types */
	OMPP_NODE_SIGNATURE,            /* a: result or NULL; b: list of arguments */
	OMPP_NODE_QUALIFIED,            /* a with n, enum ompp_qualifier */
	OMPP_NODE_VENDOR,               /* a text */
	OMPP_NODE_POINTER, OMPP_NODE_REFERENCE, OMPP_NODE_RVALUE,
	OMPP_NODE_MEMBER_POINTER,       /* of the class a, to b */
	OMPP_NODE_ARRAY,                /* of b; a: how many, or NULL */
	OMPP_NODE_VECTOR,               /* of b, a elements */
	OMPP_NODE_PARAMETER,            /* number n of the template */
	OMPP_NODE_EXPANSION,            /* a, once for each of a pack in it */
	OMPP_NODE_LIST,                 /* a, then the list b (NULL: no more); of templates' arguments a pack is a list in a list */
	OMPP_NODE_DECLTYPE,
	/* expressions */
	OMPP_NODE_LITERAL,              /* text of the type a; n: 1 negative */
	OMPP_NODE_UNARY,                /* text a */
	OMPP_NODE_BINARY,               /* a text b */
	OMPP_NODE_CONDITION,            /* a ? b.a : b.b */
	OMPP_NODE_CALL,                 /* a(b), b a list */
	OMPP_NODE_CAST,                 /* (a)b */
	OMPP_NODE_FUNCTION_PARAMETER,   /* {parm#n} */
	OMPP_NODE_BRACES,               /* a{b}, a may be NULL */
	OMPP_NODE_MEMBER                /* a text b, without brackets: . and -> */
};

enum ompp_qualifier {
	OMPP_CONST = 1, OMPP_VOLATILE = 2, OMPP_RESTRICT = 4, OMPP_REF = 8, OMPP_REF_REF = 16, OMPP_NOEXCEPT = 32,
	OMPP_TRANSACTION = 64
};

struct ompp_node {
	enum ompp_node_kind kind;
	unsigned int        n;
	const char         *text;
	size_t              n_text;
	struct ompp_node   *a, *b;
};

/* Print the name into t.  0, or -EINVAL: it is too long or too deep, or names a parameter of no template. */
int ompp_node_print(const struct ompp_node *node, int name_alone, struct ompp_text *t);

#endif

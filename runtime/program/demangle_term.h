/*
 * Demangle term: a part of a C++ name, between the parser (demangle.c, demangle_expression.c) and the printer
 * (demangle_print.c).
 */
#ifndef OMPP_PROGRAM_DEMANGLE_TERM_H
#define OMPP_PROGRAM_DEMANGLE_TERM_H

#include <stddef.h>

#include "runtime/base/text.h"

enum ompp_term_kind {
	/* names; a is the first part, b the second */
	OMPP_TERM_TEXT,        /* text */
	OMPP_TERM_SCOPED,      /* a::b */
	OMPP_TERM_TEMPLATE,    /* a<b>, b a list */
	OMPP_TERM_TAGGED,      /* a[abi:b] */
	OMPP_TERM_CONSTRUCTOR, /* of the class a */
	OMPP_TERM_DESTRUCTOR,
	OMPP_TERM_OPERATOR,         /* text */
	OMPP_TERM_CONVERSION,       /* operator a */
	OMPP_TERM_LITERAL_OPERATOR, /* operator"" text */
	OMPP_TERM_LAMBDA,           /* {lambda(a)#n}, a a list */
	OMPP_TERM_UNNAMED,          /* {unnamed type#n} */
	OMPP_TERM_FUNCTION,         /* a: name; b: OMPP_TERM_SIGNATURE; n: enum ompp_qualifier of the member function */
	OMPP_TERM_SPECIAL,          /* text a */
	OMPP_TERM_CLONE,            /* a [clone text] */
	OMPP_TERM_DEFAULT_ARGUMENT, /* {default arg#n} */
	OMPP_TERM_IN,               /* a-in-b */
	/* types */
	OMPP_TERM_SIGNATURE, /* a: result or NULL; b: list of arguments */
	OMPP_TERM_QUALIFIED, /* a with n, enum ompp_qualifier */
	OMPP_TERM_VENDOR,    /* a text */
	OMPP_TERM_POINTER,
	OMPP_TERM_REFERENCE,
	OMPP_TERM_RVALUE,
	OMPP_TERM_MEMBER_POINTER, /* of the class a, to b */
	OMPP_TERM_ARRAY,          /* of b; a: how many, or NULL */
	OMPP_TERM_VECTOR,         /* of b, a elements */
	OMPP_TERM_PARAMETER,      /* number n of the template */
	OMPP_TERM_EXPANSION,      /* a, once for each of a pack in it */
	OMPP_TERM_LIST, /* a, then the list b, NULL at the end; among template arguments a pack is a list in the list */
	OMPP_TERM_DECLTYPE,
	/* expressions */
	OMPP_TERM_LITERAL,            /* text of the type a; n: 1 negative */
	OMPP_TERM_UNARY,              /* text a */
	OMPP_TERM_POSTFIX,            /* a text */
	OMPP_TERM_BINARY,             /* a text b */
	OMPP_TERM_CONDITION,          /* a ? b.a : b.b */
	OMPP_TERM_CALL,               /* a(b), b a list */
	OMPP_TERM_CAST,               /* (a)b */
	OMPP_TERM_FUNCTION_PARAMETER, /* {parm#n} */
	OMPP_TERM_BRACES,             /* a{b}, a may be NULL */
	OMPP_TERM_MEMBER              /* a text b, without brackets: . and -> */
};

enum ompp_qualifier {
	OMPP_CONST = 1,
	OMPP_VOLATILE = 2,
	OMPP_RESTRICT = 4,
	OMPP_REF = 8,
	OMPP_REF_REF = 16,
	OMPP_NOEXCEPT = 32,
	OMPP_TRANSACTION = 64
};

struct ompp_term {
	enum ompp_term_kind kind;
	unsigned int n;
	const char *text;
	size_t n_text;
	struct ompp_term *a, *b;
};

/* Prints the name into t.  Returns 0, or -EINVAL when the name is too long or too deep, or has a parameter of no
 * template. */
int ompp_node_print(const struct ompp_term *node, int name_alone, struct ompp_text *t);

#endif

/*
 * Debuginfo: what debug information knows of variables and functions.
 *
 * It comes from the helper ompp-symbols (elfutils), a process of its own, started at the first question; without it the answer
 * is "nothing".  COLD.
 */
#ifndef OMPP_BASE_DEBUGINFO_H
#define OMPP_BASE_DEBUGINFO_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/message.h"

enum ompp_debug_flag {
	OMPP_DEBUG_FORTRAN    = 1,
	OMPP_DEBUG_COMMON     = 2,      /* a common block */
	OMPP_DEBUG_MEMBER     = 4,      /* a variable in a common block; scope is the block's name */
	OMPP_DEBUG_DESCRIPTOR = 8,      /* allocatable or pointer: the address is that of its descriptor, or of its address */
	OMPP_DEBUG_TLS        = 16,     /* each thread has its own; no address */
	OMPP_DEBUG_GONE       = 32      /* static, but the compiler kept no memory for it; no address */
};

struct ompp_debug_variable {
	const char  *name, *scope;      /* scope: "f", "module", "module::f", "ns::Class"; "" outside of all */
	const char  *unit;              /* source file that was compiled, without folder */
	const char  *file;              /* where it is declared; "" not known */
	unsigned int line;              /* 0: not known */
	unsigned int flags;             /* enum ompp_debug_flag */
	int          in_function;       /* the scope ends with a function's name */
	uintptr_t    address;           /* in the file's address space */
	size_t       n_bytes;           /* 0: not known */
};

typedef void (*ompp_debug_found)(void *context, const struct ompp_debug_variable *variable);

/* Each variable with static storage: of all source files, or of those whose name without folder is `source`; of all names,
 * or of this `name` in any case (and all that is in common blocks).  What is handed out is valid during the call.  The
 * number of source files read; 0: there is no debug information, or none of that source; -ENOENT: there is no helper, and
 * *why (constant) says what to do; -errno. */
int ompp_debuginfo_variables(const char *path, const char *source, const char *name, ompp_debug_found found, void *context,
                             const char **why);

/* Where the function at this address of the file begins: the line of its brace, and in `file` (n_bytes) the path of its source as compiled,
 * cut where that is longer.  0: it is not known, and `file` is "". */
unsigned int ompp_debuginfo_place(const char *path, uintptr_t address, char *file, size_t n_bytes);

/* What the two sides say.  A question begins with what it asks.  VARIABLES: path, source and name ("": NULL); an ITEM is a
 * variable, and END the number.  PLACE: path and address; END is the line and the file. */
enum { OMPP_DEBUGINFO_VERSION = 4 };
enum { OMPP_DEBUGINFO_VARIABLES = 1, OMPP_DEBUGINFO_PLACE };

/* The helper's own side (runtime/symbols). */
int ompp_symbols_variables(const char *path, const char *source, const char *name, ompp_debug_found found, void *context);
void ompp_debuginfo_put(struct ompp_message *m, const struct ompp_debug_variable *variable);

#endif

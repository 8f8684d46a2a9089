/*
 * Debuginfo: what debug information knows of variables.
 *
 * It comes from the plug-in libompp_symbols.so (elfutils), loaded at the first question, so that programs gain no
 * dependency; without it, or in a static program, the answer is "nothing".  COLD: the plug-in calls malloc.
 */
#ifndef OMPP_BASE_DEBUGINFO_H
#define OMPP_BASE_DEBUGINFO_H

#include <stddef.h>
#include <stdint.h>

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

/* What the plug-in exports as ompp_debuginfo_plugin. */
struct ompp_debuginfo {
	unsigned int version;           /* OMPP_DEBUGINFO_VERSION */

	/* Each variable with static storage: of all source files, or of those whose name without folder is `source`;
	 * of all names, or of this `name` in any case (and all that is in common blocks).  What is handed out is valid
	 * during the call.  The number of source files read; 0: there is no debug information, or none of
	 * that source; -errno. */
	int (*variables)(const char *path, const char *source, const char *name, ompp_debug_found found,
	                 void *context);
};

enum { OMPP_DEBUGINFO_VERSION = 2 };

/* The plug-in, or NULL with a reason that a user can act on in *why (constant). */
const struct ompp_debuginfo *ompp_debuginfo(const char **why);

#endif

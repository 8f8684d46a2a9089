/*
 * Symbols: finds the addresses of variables that the user names, in the symbol tables of the program and its libraries.
 *
 * Symbol tables are read here, with only the C library, in static programs as well.  Debug information is used only
 * when they are not sufficient (a static variable of a function that the symbol does not name, a member of a common
 * block, an unknown name): through the helper of runtime/program/debuginfo.h.
 */
#ifndef OMPP_RANGES_SYMBOLS_H
#define OMPP_RANGES_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

struct ompp_symbol {
	const char *name;  /* as the user wrote it: "a", "f.buf", "ns::v", "module::variable", "/common/" */
	const char *file;  /* the program or library it is in */
	uintptr_t address; /* at run time */
	size_t n_bytes;    /* at least 1 */
	int is_constant;   /* in memory that cannot be written */
};

/* Finds each name of a comma-separated list in this process.  Returns 0, or -errno after a complaint when nothing can
 * be read; errno is kept.  COLD: the start of the session calls it.
 * names: a name may be shortened at "::", '.' and '/' where it stays unique ("buf" for "f.buf").  "file.c:" or
 * "libx.so:" before it tells in which source file or library it is, and "@0x4080" after it at which address of the
 * file.  A whole name goes before shortened ones, a global before the statics of files, the program before its
 * libraries.  "*" stands for everything in the program of at least min_bytes.
 * found: gets each, once, with `name` as the user wrote it; for "*" with the symbol's name, or a longer one where
 * others have the same.  What it gets is valid during the call.
 * say: gets each complaint: unknown (with the nearest right name), not unique (with the candidates), or stripped */
int ompp_symbols_find(const char *names, size_t min_bytes, void (*found)(const struct ompp_symbol *symbol),
                      void (*say)(const char *line));

/* Finds all variables of a library with its symbol table only; none in a stripped library, which has only its dynamic
 * symbols, as those of the system.  Returns 0 or -errno.  WARM: when it was loaded.
 * bias: its load bias */
int ompp_symbols_of_library(const char *path, uintptr_t bias, void (*found)(const struct ompp_symbol *symbol));

/* The same for all libraries that are loaded now.  COLD: the start of the session calls it. */
int ompp_symbols_of_libraries(void (*found)(const struct ompp_symbol *symbol));

#endif

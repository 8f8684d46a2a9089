/*
 * Symbols: from the names that a user writes to addresses, by the symbol tables of the program and its libraries.
 *
 * The reading itself (elfutils, the demangler) is in a plug-in, libompp_symbols.so, loaded only when names are asked
 * for, so that programs gain no dependency.
 */
#ifndef OMPP_DATA_SYMBOLS_H
#define OMPP_DATA_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

struct ompp_symbol {
	const char *name;               /* as the user may write it: "a", "f.buf", "ns::v", "module::variable", "/common/" */
	const char *file;               /* the program or library it is in */
	uintptr_t   address;            /* at run time; in a file: of the symbol */
	size_t      n_bytes;
};

/* Find each name of the comma list in this process ("*": all of at least min_bytes).  found() gets each, once, with
 * `name` as the user wrote it ("*": the symbol's); say() each complaint: unknown (with the nearest right name), not
 * unique (with the candidates), stripped.  0, or -errno after a complaint when nothing can be read at all. */
int ompp_symbols_find(const char *names, size_t min_bytes, void (*found)(const struct ompp_symbol *symbol),
                      void (*say)(const char *line));

#endif

/*
 * Variable: lists the static data of a program or library, by its symbol table and what debug information adds.
 *
 * Names are as users write them, not as the compiler does: "a", "f.buf" (static in a function), "ns::v", "ns::f.buf",
 * "module::variable", "/common/" and "/common/member".  A C function's static variable is only "buf" until debug
 * information is read, if the compiler (gcc) omits the function from the symbol.
 *
 * COLD; one user at a time.  Memory is the arena's.
 */
#ifndef OMPP_PROGRAM_VARIABLE_H
#define OMPP_PROGRAM_VARIABLE_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/arena.h"
#include "runtime/program/elf.h"

enum ompp_variable_flag {
	OMPP_VARIABLE_GLOBAL = 1,      /* visible to other source files */
	OMPP_VARIABLE_BARE = 2,        /* static in a function that is not known so far */
	OMPP_VARIABLE_FORTRAN = 4,     /* case-insensitive */
	OMPP_VARIABLE_MADE = 8,        /* of the compiler, its libraries or kinst, not of the program */
	OMPP_VARIABLE_MEMBER = 16,     /* lies in a common block */
	OMPP_VARIABLE_DESCRIPTOR = 32, /* describes data that are allocated dynamically (allocatable, pointer) */
	OMPP_VARIABLE_TLS = 64,        /* thread-local; the address is not valid */
	OMPP_VARIABLE_GONE = 128,      /* the compiler kept no memory for it; the address is not valid */
	OMPP_VARIABLE_NAMED = 256,     /* name and full are set */
	OMPP_VARIABLE_DEBUG = 512      /* has no symbol: known only from debug information */
};

/* A variable with one of these flags is not data of the program with an address of its own. */
#define OMPP_VARIABLE_NO_OBJECT \
	(OMPP_VARIABLE_MADE | OMPP_VARIABLE_MEMBER | OMPP_VARIABLE_DESCRIPTOR | OMPP_VARIABLE_TLS | OMPP_VARIABLE_GONE)

/* The section that a variable is in; OMPP_IN_NONE stands for none of these. */
enum ompp_variable_section { OMPP_IN_DATA, OMPP_IN_BSS, OMPP_IN_RODATA, OMPP_IN_NONE };

struct ompp_variable {
	const char *name;    /* use ompp_variable_name() */
	const char *full;    /* in C++ the name with the functions' arguments; else the name */
	const char *linkage; /* the symbol's name; the name where there is no symbol */
	const char *shown;   /* the name, or the one made by ompp_variables_unique() */
	const char *unit;    /* source file that was compiled, without folder; "" not known */
	const char *source;  /* file it is declared in, by debug information; "" not known */
	unsigned int line;   /* 0 when it is not known */
	unsigned int flags;
	enum ompp_variable_section section;
	uintptr_t address; /* in the file's address space; without one, a number that tells variables apart */
	size_t n_bytes;    /* 0 when it is not known */
	uint32_t next;     /* in the chain of its address: index + 1 */
};

struct ompp_variables {
	struct ompp_arena arena;
	struct ompp_elf elf, debug_elf; /* the file; its separate debug information, if any */
	const char *path, *debug_path;
	struct ompp_variable *items; /* symbols first, in the order of the table */
	size_t n, n_have;
	uint32_t *chains; /* by address: index + 1 of the first; at least as many as variables */
	unsigned int chain_bits;
	int is_stripped; /* only dynamic symbols are known */
	int is_fortran;  /* a part of it is Fortran */
	int debug_tried, all_debug_read;
};

/* Reads the symbols of a file; if it is stripped and `separate` is 1, those of its separate debug information.  Returns
 * 0, -ENOEXEC when it is not a program or library, -ENOENT when it has no symbols at all, or another -errno.  It must
 * be closed in any case. */
int ompp_variables_open(struct ompp_variables *v, const char *path, int separate);
void ompp_variables_close(struct ompp_variables *v);

/* Adds variables and data from debug information.  Returns 0, or -ENOENT when there is none.
 * source: only this source file, without folder; NULL for all
 * name: only variables and common blocks of this name, ignoring case; NULL for all
 * why: set to a text that says what to do when there is none; may be NULL */
int ompp_variables_debug(struct ompp_variables *v, const char *source, const char *name, const char **why);

/* Returns 1 when the name occurs as a whole string in the debug information.  This is fast, as it does not parse the
 * information. */
int ompp_variables_mention(struct ompp_variables *v, const char *name);

/* Returns the name of a variable; C++ names are demangled here. */
const char *ompp_variable_name(struct ompp_variables *v, struct ompp_variable *variable);

/* Gives each of n variables a name, in `shown`, that none of the others has: with its file, "file.c:buf", its symbol,
 * or with its address in the file, "buf@0x4080". */
int ompp_variables_unique(struct ompp_variables *v, struct ompp_variable *const *list, size_t n);

/* Returns 1 when the variable may be the descriptor of an allocatable or pointer array, as far as symbols and debug
 * information tell: in Fortran, a symbol with the size of one of gfortran's descriptors. */
int ompp_variable_may_describe(const struct ompp_variable *variable);

/* The objects of at least min_bytes, each once, with names in `shown` that all differ; and how many are left out
 * because they have no address of their own, or may be descriptors.  ompp_variables_list() fills it, and returns 0 or
 * -ENOMEM. */
struct ompp_variable_list {
	struct ompp_variable **items;
	size_t n, n_tls, n_descriptors, n_unsure;
};
int ompp_variables_list(struct ompp_variables *v, size_t min_bytes, struct ompp_variable_list *list);

/* Returns the name of a section: "data", "bss" or "rodata". */
const char *ompp_variable_section_name(enum ompp_variable_section section);

/* Returns the last word of a name, which every spelling of it has: "x" of "f(int)::x", "/common/x" and "file.c:x",
 * "common" of "/common/".  Sets *n to its length. */
const char *ompp_variable_word(const char *name, size_t n_name, size_t *n);

/* Returns the name of a source file without its folder. */
const char *ompp_variable_file(const char *path);

/* The functions below are private to this module. */

/* Returns the file with this section, which is the file itself or its separate debug information (found by build-id or
 * .gnu_debuglink, only with the same build-id), or NULL. */
const struct ompp_elf *ompp_variables_debug_elf(struct ompp_variables *v, const char *section);

/* Return the kind of a section, and of the section that contains an address; OMPP_IN_NONE when it has no data. */
enum ompp_variable_section ompp_variable_section_of(const struct ompp_elf_section *section);
enum ompp_variable_section ompp_variables_section(const struct ompp_variables *v, uintptr_t address);

/* Allocates the list, which is indexed by addresses.  Returns 0 or -ENOMEM. */
int ompp_variables_begin(struct ompp_variables *v);

/* Returns the next variable at an address after `before`, or the first one when that is NULL. */
struct ompp_variable *ompp_variables_at(struct ompp_variables *v, const struct ompp_variable *before,
                                        uintptr_t address);

/* Adds a variable at the end of the list; NULL without memory. */
struct ompp_variable *ompp_variables_add(struct ompp_variables *v, const char *name, uintptr_t address);

/* Returns the three texts as one, or b alone without memory. */
const char *ompp_variables_join(struct ompp_variables *v, const char *a, const char *between, const char *b);

#endif

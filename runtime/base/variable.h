/*
 * Variable: the static data of a program or library, by its symbol table, and what debug information adds.
 *
 * Names are as users write them, whatever the compiler made of them: "a", "f.buf" (static in a function), "ns::v",
 * "ns::f.buf", "module::variable", "/common/" and "/common/member".  A C function's static is only "buf" until debug
 * information is read, where the compiler (gcc) leaves its function out of the symbol.
 *
 * COLD; one user at a time.  Memory is the arena's.
 */
#ifndef OMPP_BASE_VARIABLE_H
#define OMPP_BASE_VARIABLE_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/arena.h"
#include "runtime/base/elf.h"

enum ompp_variable_flag {
	OMPP_VARIABLE_GLOBAL     = 1,   /* visible to other source files */
	OMPP_VARIABLE_BARE       = 2,   /* static in a function that is not known so far */
	OMPP_VARIABLE_FORTRAN    = 4,   /* case does not matter */
	OMPP_VARIABLE_MADE       = 8,   /* of the compiler, its libraries or kinst, not of the program */
	OMPP_VARIABLE_MEMBER     = 16,  /* lies in a common block */
	OMPP_VARIABLE_DESCRIPTOR = 32,  /* says where data is that comes and goes (allocatable, pointer) */
	OMPP_VARIABLE_TLS        = 64,  /* each thread has its own; the address is none */
	OMPP_VARIABLE_GONE       = 128, /* the compiler kept no memory for it; the address is none */
	OMPP_VARIABLE_NAMED      = 256, /* name and full are made */
	OMPP_VARIABLE_DEBUG      = 512  /* has no symbol: known by debug information alone */
};

/* What is not data of the program at one address of its own. */
#define OMPP_VARIABLE_NO_OBJECT (OMPP_VARIABLE_MADE | OMPP_VARIABLE_MEMBER | OMPP_VARIABLE_DESCRIPTOR | \
                                 OMPP_VARIABLE_TLS | OMPP_VARIABLE_GONE)


/* N_PLACES: in none of them. */
enum ompp_variable_place { OMPP_PLACE_DATA, OMPP_PLACE_BSS, OMPP_PLACE_RODATA, OMPP_N_PLACES };

struct ompp_variable {
	const char  *name;              /* ask ompp_variable_name() */
	const char  *full;              /* of C++: with the functions' arguments; else as name */
	const char  *linkage;           /* the symbol's name; of what has no symbol: name */
	const char  *shown;             /* the name, or what ompp_variables_unique() made of it */
	const char  *unit;              /* source file that was compiled, without folder; "" not known */
	const char  *source;            /* file it is declared in, by debug information; "" not known */
	unsigned int line;              /* 0: not known */
	unsigned int flags;
	enum ompp_variable_place place;
	uintptr_t    address;           /* in the file's address space; none: a number that only tells them apart */
	size_t       n_bytes;           /* 0: not known */
	uint32_t     next;              /* in the chain of its address: index + 1 */
};

struct ompp_variables {
	struct ompp_arena     arena;
	struct ompp_elf       elf, debug_elf;   /* the file; its separate debug information, if any */
	const char           *path, *debug_path;
	struct ompp_variable *items;            /* symbols first, in the order of the table */
	size_t                n, n_have;
	uint32_t             *chains;           /* by address: index + 1 of the first; at least as many as variables */
	unsigned int          chain_bits;
	int                   is_stripped;      /* only what libraries may refer to is known */
	int                   is_fortran;       /* some of it is Fortran */
	int                   debug_tried, all_debug_read;
};

/* The symbols of a file, or where it is stripped, if `separate`, those of its separate debug information.  0; -ENOEXEC:
 * not a program or library; -ENOENT: it has no symbols at all; -errno.  To close in any case. */
int ompp_variables_open(struct ompp_variables *v, const char *path, int separate);
void ompp_variables_close(struct ompp_variables *v);

/* Add what debug information knows of a source file (its name without folder; NULL: of all) and of variables and
 * common blocks of one name, in any case (NULL: of all).  0, or -ENOENT: there is none, and *why (if not NULL) says what
 * to do. */
int ompp_variables_debug(struct ompp_variables *v, const char *source, const char *name, const char **why);

/* Does the name occur as a whole string in the debug information?  Quick: without reading it. */
int ompp_variables_mention(struct ompp_variables *v, const char *name);

/* The name of a variable; C++ names are made here. */
const char *ompp_variable_name(struct ompp_variables *v, struct ompp_variable *variable);

/* Give each of n variables a name, in `shown`, that none of the others has: "file.c:buf", by its symbol, or with its
 * address in the file, "buf@0x4080". */
int ompp_variables_unique(struct ompp_variables *v, struct ompp_variable *const *list, size_t n);

/* May it be the descriptor of an allocatable or pointer array, for all that symbols and debug information say?  In
 * Fortran some sizes are those of gfortran's descriptors, and no symbol says more. */
int ompp_variable_may_describe(const struct ompp_variable *variable);

/* The objects of at least min_bytes, each once, with names that differ in `shown`; and how many are left out as they
 * have no address of their own, or may be descriptors.  0 or -ENOMEM. */
struct ompp_variable_list {
	struct ompp_variable **items;
	size_t                 n, n_tls, n_descriptors, n_unsure;
};
int ompp_variables_list(struct ompp_variables *v, size_t min_bytes, struct ompp_variable_list *list);

/* "data", "bss", "rodata". */
const char *ompp_variable_place_name(enum ompp_variable_place place);

/* The last word of a name, which every spelling of it has: "x" of "f(int)::x", "/common/x" and "file.c:x", "common"
 * of "/common/".  *n gets its length. */
const char *ompp_variable_word(const char *name, size_t n_name, size_t *n);

/* The name of a source file without its folder. */
const char *ompp_variable_file(const char *path);

/* Within the module: the file that has this section, the one itself or its separate debug information (found by
 * build-id or .gnu_debuglink, only with the same build-id), or NULL; in which section an address is (OMPP_N_PLACES:
 * none with data); the next variable at an address after `before` (NULL: the first); a new one at the end of the list;
 * a text. */
const struct ompp_elf *ompp_variables_debug_elf(struct ompp_variables *v, const char *section);
enum ompp_variable_place ompp_variables_place(const struct ompp_variables *v, uintptr_t address);
struct ompp_variable *ompp_variables_at(struct ompp_variables *v, const struct ompp_variable *before, uintptr_t address);
struct ompp_variable *ompp_variables_add(struct ompp_variables *v, const char *name, uintptr_t address);
const char *ompp_variables_join(struct ompp_variables *v, const char *a, const char *between, const char *b);

#endif

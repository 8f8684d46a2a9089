/*
 * Debuginfo: looks up variables and functions in debug information.
 *
 * The helper ompp-symbols (elfutils), a process that is started at the first question, reads it; without the helper
 * nothing is found.  COLD.
 */
#ifndef OMPP_PROGRAM_DEBUGINFO_H
#define OMPP_PROGRAM_DEBUGINFO_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/host/message.h"

enum ompp_debug_flag {
	OMPP_DEBUG_FORTRAN = 1,
	OMPP_DEBUG_COMMON = 2, /* a common block */
	OMPP_DEBUG_MEMBER = 4, /* a variable in a common block; scope is the block's name */
	OMPP_DEBUG_DESCRIPTOR =
		8,           /* allocatable or pointer: the address is that of its descriptor, or of its address */
	OMPP_DEBUG_TLS = 16, /* thread-local; no address */
	OMPP_DEBUG_GONE = 32 /* static, but the compiler kept no memory for it; no address */
};

struct ompp_debug_variable {
	const char *name, *scope; /* scope: "f", "module", "module::f", "ns::Class"; "" outside of all */
	const char *unit;         /* source file that was compiled, without folder */
	const char *file;         /* file of the declaration; "" not known */
	unsigned int line;        /* 0 when it is not known */
	unsigned int flags;       /* enum ompp_debug_flag */
	int in_function;          /* the scope ends with a function's name */
	uintptr_t address;        /* in the file's address space */
	size_t n_bytes;           /* 0 when it is not known */
};

typedef void (*ompp_debug_found)(void *context, const struct ompp_debug_variable *variable);

/* Calls found() for each variable with static storage; its argument is valid only during the call.  Returns the number
 * of source files that were read, 0 when there is no debug information of them, -ENOENT when there is no helper, or
 * another -errno.
 * source: only files with this name, without folder; NULL for all
 * name: only variables of this name, ignoring case, and those in common blocks; NULL for all
 * why: set to a constant text that says what to do when there is no helper */
int ompp_debuginfo_variables(const char *path, const char *source, const char *name, ompp_debug_found found,
                             void *context, const char **why);

/* Returns the line of the brace where the function at this address of the file begins, or 0 when it is not known.
 * file: set to the path of its source as compiled, truncated to n_bytes, or "" */
unsigned int ompp_debuginfo_location(const char *path, uintptr_t address, char *file, size_t n_bytes);

/* Returns the line of the instruction at this address of the file, as above.
 * function: set to the name of the function in the source, without arguments, truncated to n_function bytes, or "" */
unsigned int ompp_debuginfo_line(const char *path, uintptr_t address, char *file, size_t n_bytes, char *function,
                                 size_t n_function);

/* A frame of a call: the function that contains the instruction, or one into which that was inlined. */
struct ompp_debug_frame {
	const char *file;          /* the path of its source as compiled; "" when it is not known */
	const char *function;      /* as the source has it, without arguments; "" when it is not known */
	unsigned int line, column; /* of the call; 0 when it is not known */
	int is_of_system;          /* the source is one of compilers and libraries, or not known */
};

/* The data of a call, by the address of its instruction.  Compilers do not inline as deep as OMPP_DEBUG_MOST_FRAMES; if
 * there are more frames, the last one is the outermost. */
enum { OMPP_DEBUG_MOST_FRAMES = 40 };
struct ompp_debug_call {
	const struct ompp_debug_frame *frames; /* the innermost first; none without debug information */
	size_t n_frames;
	const char *symbol; /* the function that contains the instruction, from the symbol table; "" without one */
	uintptr_t offset;   /* of the instruction from the symbol */
	int is_of_system;   /* the symbol is one of the C++ library's templates, or what a stripped file exports */
	int is_own;         /* the symbol is one of kinst's libraries, of which the file has parts */
};

/* Looks up the call at this address of the file.  Returns 0, or -errno when nothing is known.  Texts are in the
 * arena. */
struct ompp_arena;
int ompp_debuginfo_call(const char *path, uintptr_t address, struct ompp_arena *arena, struct ompp_debug_call *call);

/* The protocol.  A question has one of these numbers.  VARIABLES is followed by path, source and name, with "" for
 * NULL; each ITEM of the answer has a variable, and END the number of files.  PLACE is followed by path and address;
 * END has the line and the file.  LINE is the same, and END also has the function.  CALL is followed by path and
 * address; each ITEM is a frame, and END has the symbol. */
enum { OMPP_DEBUGINFO_VERSION = 10 };
enum {
	OMPP_DEBUGINFO_VARIABLES = 1,
	OMPP_DEBUGINFO_LOCATION,
	OMPP_DEBUGINFO_LINE,
	OMPP_DEBUGINFO_CALL,
	OMPP_DEBUGINFO_ELEMENT /* element.h */
};

/* Begins a question about a file, and asks it as ompp_helper_ask(). */
void ompp_debuginfo_begin(struct ompp_message *m, int question, const char *path);
int ompp_debuginfo_ask(struct ompp_message *m, int (*item)(void *context, struct ompp_message *m), void *context,
                       const char **why);

/* The helper's own side (runtime/helpers/symbols). */
int ompp_symbols_variables(const char *path, const char *source, const char *name, ompp_debug_found found,
                           void *context);
void ompp_debuginfo_put(struct ompp_message *m, const struct ompp_debug_variable *variable);
void ompp_debuginfo_put_frame(struct ompp_message *m, const struct ompp_debug_frame *frame);

/* 1 in an emulator, which is what other processes see as the program's file. */
extern int ompp_debuginfo_is_emulated;

#endif

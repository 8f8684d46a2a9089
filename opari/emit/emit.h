/*
 * Emit: puts calls of the runtime around the OpenMP constructs of a preprocessed C or C++ text.
 *
 * Each construct gets braces around it, in which its handle is static.  So no data-sharing clause of the program needs
 * to list a variable of ours (`default(none)`, `private`, `target`).  Only `parallel` and `task` get clauses for the
 * handle and the team's token.  Combined constructs that begin with `parallel` are split in two (directive_split.h);
 * others are one region.  By line markers, all inserted text belongs to a system header and to the original's lines.
 */
#ifndef KINST_EMIT_H
#define KINST_EMIT_H

#include <stdint.h>

#include "opari/base/kinst_text.h"
#include "opari/command/disable.h"
#include "opari/data/marks.h"
#include "opari/emit/construct_location.h"
#include "opari/emit/emit_region.h"
#include "opari/read/directive.h"
#include "opari/read/extent.h"

enum kinst_combined {
	KINST_COMBINED_UNKNOWN, /* it passes over the second word and the rest of the line */
	KINST_COMBINED_OTHER,   /* what is computed depends on whether they are one directive or two */
	KINST_COMBINED_KNOWN
};

struct kinst_emit_options {
	int openmp;     /* OpenMP pragmas get calls, too, not only the user's pomp pragmas */
	int no_pomp;    /* of the user's own directives only `inst data` has an effect */
	int locks;      /* rewrite the calls of lock functions */
	int simd;       /* simd loops are regions too */
	int iterations; /* each iteration of worksharing loops is told */
	int device;     /* `target` is compiled for a device, too, so that nothing is called inside */
	int fortran;
	int cxx;
	int fixed;                           /* Fortran: the form of the text, as for kinst_fortran_columns() */
	const char *file;                    /* Fortran: the name of a text that does not begin with a line marker */
	int clang;                           /* clang compiles the result */
	enum kinst_combined combined;        /* how the compiler takes `parallel masked` and `parallel loop` */
	int associate;                       /* the standard of Fortran has ASSOCIATE, as it does since 2003 */
	int storage_size;                    /* it has storage_size, as it does since 2008 */
	int variants;                        /* the compiler knows metadirective and dispatch */
	const char *directory;               /* the folder that relative file names start from */
	const char *extra;                   /* more text for the prologue, or NULL */
	const struct kinst_disable *disable; /* constructs to leave alone, or NULL */
	const uint32_t *given_up;            /* the numbers of constructs to leave alone, ascending */
	size_t n_given_up;
	struct kinst_marks *data; /* C and C++: the directives `inst data`, or NULL */
	struct kinst_marks *pomp; /* the user's other directives, or NULL */
};

/* A construct of the text.  Constructs are in the order of their pragmas, and the index is the construct's number. */
struct kinst_construct {
	char *name; /* "parallel for", as written */
	char *file; /* as the text's markers have it */
	uint32_t first_line, last_line;
	char *directive_file; /* where its directive stands, which may be in a file that the other one includes */
	uint32_t directive_line;
	int is_measured;
	const char *why; /* why it is not measured; a static string */
};

struct kinst_emitted {
	struct kinst_text text;
	struct kinst_text messages;         /* about the user's directives that have no effect */
	struct kinst_construct *constructs; /* without declarative directives, which do nothing at run time */
	size_t n_constructs, room;
	int n_calls;    /* how often something was put in */
	int is_quieter; /* the compiler may give warnings for the original that it does not give for the text */
	char *failure;  /* why the whole text gets no calls; NULL when it could be read */
};

/* The reasons why constructs get no calls: nothing can be called there, or their team has no events. */
#define KINST_NO_CALLS "nothing can be called inside of a simd loop, an atomic or code for a device"
#define KINST_NO_TEAM  "the parallel region around it is not measured"

/* Puts calls into a text of C or C++.  Returns 0, or -EFBIG for too large a text. */
int kinst_emit(const char *text, size_t length, const struct kinst_emit_options *options,
               struct kinst_emitted *emitted);
void kinst_emitted_free(struct kinst_emitted *emitted);

/* Adds a construct, and returns its number.  Engines alone call this and the function below.
 * at: where its directive stands */
size_t kinst_emitted_add(struct kinst_emitted *emitted, const struct kinst_directive *directive,
                         struct kinst_location at, struct kinst_bounds bounds);

/* Notes that a construct is not measured.
 * why: the reason, a static string */
void kinst_emitted_give_up(struct kinst_emitted *emitted, size_t construct, const char *why);

/* Returns 1 when the directive is one of a construct, which is then either measured or named.  Declarative
 * directives and the blocks of a sections construct are no constructs; simd loops are when the user asks for them. */
int kinst_emit_is_construct(const struct kinst_emit_options *options, const struct kinst_directive *directive);

/* Returns `why` if nothing inside the construct can be measured when it has no calls itself; else NULL.  This is so for
 * parallel regions: without their events it is not known to which team the events inside belong. */
const char *kinst_emit_why_not_inside(const struct kinst_directive *directive, const char *why);

/* Returns 1 when the construct of this number has to be left alone. */
int kinst_emit_is_given_up(const struct kinst_emit_options *options, size_t construct);

/* Returns 1 when the user's --disable leaves out the constructs of this directive. */
int kinst_emit_is_disabled(const struct kinst_emit_options *options, const struct kinst_directive *directive);

#endif

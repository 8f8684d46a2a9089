/*
 * Emit: a preprocessed C or C++ text with calls of the runtime around its OpenMP constructs.
 *
 * Each construct gets braces around it, in which its handle is static; so no clause of the program's has to know a
 * variable of ours (`default(none)`, `private`, `target`), but for those of `parallel` and `task`, which are told of
 * the handle and of the team's token.  Combined constructs that begin with `parallel` are taken in two (directive.h),
 * other combined ones are one region.  All that is put in counts as text of a system header on the original's lines.
 */
#ifndef KINST_EMIT_H
#define KINST_EMIT_H

#include <stdint.h>

#include "opari/base/text.h"
#include "opari/data/data.h"
#include "opari/emit/emit_region.h"
#include "opari/read/directive.h"

struct kinst_emit_options {
	int openmp;                     /* OpenMP pragmas too, not only the user's pomp pragmas */
	int no_pomp;                    /* the user's directives about measuring have no effect, but for `inst data` */
	int locks;                      /* rewrite the calls of lock functions */
	int simd;                       /* simd loops are regions too */
	int device;                     /* `target` is compiled for a device too: nothing is called inside */
	int cxx;
	int clang;                      /* clang compiles the result */
	int combined;                   /* and knows `parallel masked` and `parallel loop` */
	int associate;                  /* Fortran has ASSOCIATE: since 2003 */
	int variants;                   /* metadirective and dispatch are more than unknown pragmas to the compiler */
	const char *directory;          /* what relative file names are relative to */
	const char *extra;              /* more text for the prologue, or NULL */
	const char *disable;            /* constructs to leave alone: opari2's list "omp:atomic,critical+…", or NULL */
	const uint32_t *given_up;       /* numbers of constructs to leave alone, ascending */
	size_t n_given_up;
	struct kinst_marks *data;       /* of C and C++: the directives `inst data`, or NULL */
	struct kinst_marks *pomp;       /* the other directives of the user's, or NULL */
};

/* A construct of the text, in order of its pragma; its number is its index. */
struct kinst_construct {
	char *name;                     /* "parallel for", as written */
	char *file;                     /* as the text's markers have it */
	uint32_t first_line, last_line;
	int is_measured;
	const char *why;                /* not measured: why; static */
};

struct kinst_emitted {
	struct kinst_text text;
	struct kinst_text messages;             /* about the user's directives that have no effect */
	struct kinst_construct *constructs;     /* what happens at run time; declarative directives are none */
	size_t n_constructs, room;
	int n_calls;                    /* 0: nothing was put in */
	int is_quieter;                 /* the compiler may warn of the original alone */
};

/* 0; -EFBIG for too large a text. */
int kinst_emit(const char *text, size_t length, const struct kinst_emit_options *options, struct kinst_emitted *emitted);
void kinst_emitted_free(struct kinst_emitted *emitted);

/* For those who emit, emitted.c: a further construct, from a place on; its number. */
size_t kinst_emitted_add(struct kinst_emitted *emitted, const struct kinst_directive *directive,
			 struct kinst_place first, uint32_t last_line);

/* It is not measured; why: static. */
void kinst_emitted_give_up(struct kinst_emitted *emitted, size_t construct, const char *why);

/* Shall it be left alone, by its number, or by the user's --disable? */
int kinst_emit_is_given_up(const struct kinst_emit_options *options, size_t construct);
int kinst_emit_is_disabled(const struct kinst_emit_options *options, const struct kinst_directive *directive);

#endif

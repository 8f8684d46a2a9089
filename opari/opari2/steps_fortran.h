/*
 * Steps, in Fortran: the directives and pieces of a text in the order in which opari2 gets them, and the list of the
 * constructs that it does not get.  See sites.h, which is the same for C.
 */
#ifndef KINST_STEPS_FORTRAN_H
#define KINST_STEPS_FORTRAN_H

#include "opari/emit/emit.h"
#include "opari/emit/pomp.h"
#include "opari/read/extent_fortran.h"

#define KINST_NO_CONSTRUCT SIZE_MAX

/* A construct that opari2 is shown, or a user region. */
struct kinst_fortran_site {
	struct kinst_fortran_extent s; /* for a user region: its first and last statement, and no directive */
	size_t construct;              /* its number; KINST_NO_CONSTRUCT for a user region */
	char *user;                    /* the name of the user region */
	int is_seen;                   /* 1 when opari2 has made a region of it */
};

enum kinst_step_kind {
	KINST_STEP_WORD,    /* statements up to `statement`, which is not among them */
	KINST_STEP_BEGIN,   /* the directive of a site */
	KINST_STEP_SECTION, /* a SECTION of a site */
	KINST_STEP_END,     /* the end directive of a site */
	KINST_STEP_POMP     /* a directive of the user's */
};

struct kinst_step {
	enum kinst_step_kind kind;
	size_t site;      /* the site's index; not set for a directive of the user's that opens or closes no region */
	size_t statement; /* KINST_NOWHERE for a directive that the text does not have, and that is put in */
	enum kinst_pomp_verb verb; /* what the user's directive says */
};

/* A statement that opari2 is not shown: it is left out, or a call comes before it that names a lock. */
struct kinst_aside {
	size_t statement;
	char *lock; /* what the call tells about itself; NULL when the statement is left out */
};

struct kinst_steps {
	struct kinst_fortran_site *sites;
	struct kinst_step *steps;
	struct kinst_aside *asides; /* in the order of the text */
	size_t n_sites, n_steps, n_asides, site_room, step_room, aside_room;
};

/* Returns 1 when a construct has the clause copyprivate; then opari2 lets it keep its own barrier. */
int kinst_steps_has_copy(const struct kinst_statements *statements, const struct kinst_fortran_extent *extent);

/* Finds all steps of a text.  Its constructs, and messages about the user's directives, are added to `emitted`. */
void kinst_steps_find(const struct kinst_statements *statements, const struct kinst_emit_options *options,
                      struct kinst_emitted *emitted, struct kinst_steps *steps);
void kinst_steps_free(struct kinst_steps *steps);

#endif

/*
 * Sites: the places of a C or C++ text at which opari2 shall put calls in, and the list of the constructs that have no
 * such place.
 *
 * Constructs, their extents and their numbers are the ones of kinst's own engine (emit.h).  A construct that opari2
 * does not know, or whose meaning it would change, is not passed to opari2: it is given up here, with the reason.
 */
#ifndef KINST_SITES_H
#define KINST_SITES_H

#include "opari/emit/emit.h"
#include "opari/read/lexer.h"

enum kinst_site_kind {
	KINST_ALONE,     /* barrier, taskwait, flush; the user's own pragmas */
	KINST_BLOCK,     /* parallel, critical, single, task, sections, section: a statement follows */
	KINST_LOOP,      /* for, parallel for: a for statement follows, its body is the block */
	KINST_STATEMENT, /* atomic: a statement follows that must not be braced */
	KINST_LEFT_OUT   /* one of the user's own pragmas that has no effect, and that no compiler shall see */
};

#define KINST_NO_CONSTRUCT SIZE_MAX

/* A pragma.  All of its places are token indices. */
struct kinst_site {
	enum kinst_site_kind kind;
	uint32_t pragma;      /* KINST_NONE for a first section without a pragma, which gets one */
	uint32_t first, last; /* the block; the pragma itself when it stands alone */
	int braced;           /* 1 when the block has braces already, which are then first and last */
	uint32_t wrap_last;   /* only for ALONE as the statement of an if, else or loop: the end of the statement that
	                         follows and is braced together with it; else KINST_NONE */
	size_t construct;     /* its number, or KINST_NO_CONSTRUCT, and then the rest is not filled in */
	int is_seen;          /* 1 when opari2 has made a region of it */
	size_t number;        /* opari2's number of this region, from 1 */
	int has_handle;       /* 1 when the region's own handle was put into its braces */
	char *name;           /* "parallel for", with the name of a critical construct and its parentheses */
	char *outer, *inner;  /* its clauses, in two lots when it is combined; opari2 sees only `shown` */
	char *threads;        /* the expression in num_threads, or NULL */
	const char *shown;    /* the clauses on which opari2's calls depend, with a blank in front, or "" */
	int has_copy;         /* 1 with the clause copyprivate: then opari2 lets it keep its barrier */
	char *attributes;     /* more for its context string, as in kinst's own engine */
};

struct kinst_sites {
	struct kinst_site *sites; /* in the order of the text; disjoint or nested */
	size_t n_sites, room;
};

/* Finds all sites.  The text's constructs, and messages about the user's own pragmas, are added to `emitted`. */
void kinst_sites_find(const struct kinst_tokens *tokens, const struct kinst_emit_options *options,
                      struct kinst_emitted *emitted, struct kinst_sites *sites);
void kinst_sites_free(struct kinst_sites *sites);

#endif

/*
 * Replacement: the command that kinst runs in place of the user's, with instrumented texts instead of their sources,
 * and with libompp where it links.
 */
#ifndef KINST_REPLACEMENT_H
#define KINST_REPLACEMENT_H

#include "opari/build/kinst_sources.h"
#include "opari/build/link.h"

struct kinst_replacement {
	struct kinst_context context;
	struct kinst_sources sources;
	char **objects;           /* the object of each source; NULL when one command compiles all of them */
	int links;                /* libompp is linked */
	int hooked;               /* 1 when libompp_access is linked */
	struct kinst_words extra; /* objects of ours that are linked, see extra.h */
};

/*
 * Adds the words of the command that compiles all sources, and links where the user's command does.
 *
 * quiet: 1 when its warnings were printed already, so that they are switched off
 */
void kinst_replacement_words(const struct kinst_replacement *replacement, int quiet, struct kinst_words *words);

/* Adds the words of the command for what is left to do when each source was compiled into its object. */
void kinst_replacement_rest(const struct kinst_replacement *replacement, struct kinst_words *words);

#endif

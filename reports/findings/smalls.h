/*
 * Smalls: which small variables a finding or a table is about when it names the rest of a file's data ("prog: bss").
 * This object holds all variables that are too small for objects of their own.  The addresses of samples tell the
 * variables apart; without samples the text says that they are not known.
 */
#ifndef OMPP_SMALLS_H
#define OMPP_SMALLS_H

#include "reports/findings/finding_say.h"
#include "reports/placing/places.h"

/* Adds the name of an object to a sentence: "a", or "variables in prog: bss" if it is not known which. */
void ompp_say_object(struct ompp_text *t, const struct ompp_analysis *a, uint32_t object);

struct ompp_small_sum {
	const char *name;
	struct ompp_sampled_sum sum;
};

struct ompp_smalls {
	const struct ompp_analysis *analysis;
	uint32_t object;
	int is_rest;                                   /* 1 when the object is the rest of a file's data */
	struct ompp_small_sum *list;                   /* most accesses first; in the arena, NULL without memory */
	size_t n, n_said;                              /* n_said of them are named */
	struct ompp_sampled_sum all, nameless, others; /* others: the nameless, and those that are not named */
};

/* Divides the object's samples by variable.  Only samples that memory may have answered and whose places are known
 * count.
 * region: only its samples count, unless only_far is 1: then far accesses of all regions count */
void ompp_smalls_find(struct ompp_smalls *smalls, const struct ompp_places *places, uint32_t object, uint32_t region,
                      int only_far);

/* The same for all samples of the object, whatever level served them, in all regions. */
void ompp_smalls_find_all(struct ompp_smalls *smalls, const struct ompp_analysis *a, uint32_t object);

/* Returns the error of the share that a sum has of all, in 10^-9. */
int64_t ompp_smalls_error(const struct ompp_smalls *smalls, const struct ompp_sampled_sum *sum);

/* Adds them to a sentence as its subject: "cnt in prog: bss", "cnt, sum and others in prog: bss", "variables in prog:
 * bss"; the object's name where it is not the rest of a file's data. */
void ompp_smalls_say(struct ompp_text *t, const struct ompp_smalls *smalls);

/* Adds a sentence with the share of each, unless one has all.
 * what: "far accesses" */
void ompp_smalls_say_shares(struct ompp_text *t, const struct ompp_smalls *smalls, const char *what);

/* Adds a sentence of its own: "prog: bss: of its sampled accesses 98.4 +- 0.3 % are to cnt, 1.6 +- 0.3 % to sum.", or
 * that it is not known.  If uses of pages were recorded, adds another one about the variables that lie in the used
 * parts of its pages. */
void ompp_smalls_say_all(struct ompp_text *t, const struct ompp_smalls *smalls);

#endif

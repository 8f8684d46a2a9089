/*
 * Disable: the list of --disable, which names the parts of a program that are not measured.
 *
 * The list is opari2's: "omp:atomic,sync+pomp" has the construct atomic, those that sync stands for, and the user's
 * own regions; "omp" alone has the whole of OpenMP.  Upper and lower case are the same.
 */
#ifndef KINST_DISABLE_H
#define KINST_DISABLE_H

#include <stddef.h>

#include "opari/base/kinst_text.h"

struct kinst_disable {
	int openmp;                    /* all constructs are disabled */
	int pomp;                      /* the user's regions are disabled */
	struct kinst_words constructs; /* the first words of their directives, and "locks" */
};

/*
 * Reads a list.  Complains about the first word that is unknown, as it would have no effect, and returns -1 then,
 * else 0.
 */
int kinst_disable_read(struct kinst_disable *disable, const char *list);

/* Returns 1 when the construct of this name is disabled.  The name has n bytes. */
int kinst_disable_has(const struct kinst_disable *disable, const char *name, size_t n);

void kinst_disable_free(struct kinst_disable *disable);

#endif

/*
 * CTC: the compile-time context string that opari2 puts into the program for each construct, e.g.
 *   "95*regionType=critical*sscl=/src/a.c:15:15*escl=/src/a.c:18:18*criticalName=abc**"
 *
 * Tolerant: unknown keys are skipped, and file names may contain '*' and ':'.  Nothing but the clauses is copied:
 * pointers go into the text, or to "".
 */
#ifndef OMPP_TERMS_CTC_H
#define OMPP_TERMS_CTC_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/terms/construct.h"

enum { OMPP_CLAUSES_BYTES = 192 };

struct ompp_ctc {
	enum ompp_construct construct; /* OMPP_N_CONSTRUCTS when unknown */
	const char *file;              /* not terminated */
	size_t file_bytes;
	uint32_t begin_line, end_line; /* 0: unknown */
	const char *name; /* of a critical or user region; "#2" of the second other one on its lines; not terminated */
	size_t name_bytes;
	uint32_t n_sections;
	uint32_t
		number; /* among the regions of the same construct and name in the file, from 1, by kinst; 0: unknown */
	int has_nowait, has_untied;
	int per_handle;                   /* each handle has a region of its own */
	int own_barrier;                  /* it waits at its end, without events around the barrier */
	char clauses[OMPP_CLAUSES_BYTES]; /* "schedule(dynamic, 4) nowait"; what does not fit is left out */
	size_t text_bytes;                /* length of the CTC string in the text */
};

/* Reads a string that ends with a NUL, or after max_bytes.  Returns 0, or -EINVAL when the construct or the places
 * could not be read; *out then has what could be. */
int ompp_ctc_parse(const char *text, size_t max_bytes, struct ompp_ctc *out);

#endif

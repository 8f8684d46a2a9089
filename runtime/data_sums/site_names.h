/*
 * Site names: names allocation sites by the source, from their return addresses only, and finds which of them are
 * copies of one call.
 *
 * The runtime does so when it makes a report, and ompp when a program was killed before its report.  Nothing here
 * depends on the running program.
 */
#ifndef OMPP_DATA_SUMS_SITE_NAMES_H
#define OMPP_DATA_SUMS_SITE_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/arena.h"
#include "runtime/data_sums/sum_calls.h"

struct ompp_site_name {
	/* given */
	const uintptr_t *callers; /* keys of return addresses, the innermost first */
	uint32_t n_callers;
	int has_object;        /* among copies, a site with an object leads, and only such sites have `calls` */
	const char *allocator; /* of OpenMP; "" for other functions */
	uint64_t weight;       /* among sites of one name, the heaviest has no number; set before sites are numbered */
	/* found */
	const char *name, *path; /* the calls of the program's own source, the innermost first */
	const char *calls;       /* identifies the site across runs */
	uint32_t leader;         /* index of the site of which it is a copy; mostly itself */
	/* Two sites are copies of one if their keys and parts are equal: the locations of their calls, the innermost
	 * first; and what distinguishes calls at one location. */
	const uint32_t *key;
	size_t n_key;
	uintptr_t part;
	const struct ompp_call *named_by; /* NULL when nothing is known of any call */
};

struct ompp_site_source;

struct ompp_site_names {
	/* given */
	struct ompp_arena *arena;
	struct ompp_calls *calls;
	struct ompp_site_name *all;
	/* of site_names.c */
	struct ompp_site_source *sources;
};

/* Names the n sites in `order` (indices in the array), and puts copies next to each other, the leader first.  Returns 0
 * or -ENOMEM. */
int ompp_site_names_find(struct ompp_site_names *names, uint32_t *order, size_t n);

/* Tells sites of one name apart, so that each name is one object: by the variables that the calls around them set, "p =
 * malloc(…) for a" and "p = malloc(…) for b", as for calls in a wrapper or a constructor, else by numbers.  Changes the
 * order.  Returns 0 or -ENOMEM. order: of those that are not copies of another */
int ompp_site_names_number(struct ompp_site_names *names, uint32_t *order, size_t n);

#endif

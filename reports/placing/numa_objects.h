/*
 * NUMA objects: how NUMA nodes use each data object, what is wrong with it, and where it would best be.  The evidence
 * is samples: a problem needs a hundred of them, and a share of far accesses that is above the threshold by two
 * standard errors.  Samples that a cache answered do not count, as for them it does not matter where the page lies.
 *
 * Nodes are the machine's or emulated ones (places.h); when places are threads, no problem is reported.
 */
#ifndef OMPP_NUMA_OBJECTS_H
#define OMPP_NUMA_OBJECTS_H

#include "reports/placing/numa_choice.h"
#include "reports/placing/places.h"

enum ompp_numa_problem {
	OMPP_NUMA_FINE, /* no problem, or not known; also an object spread over the nodes all of whose parts are used by
	                   all nodes */
	OMPP_NUMA_ELSEWHERE, /* one node uses it, or most of it, and another one has it */
	OMPP_NUMA_TURNS,     /* in each region or slice of time one node uses it, in others another one */
	OMPP_NUMA_PAGE,      /* several nodes use what fits into one page, and write it */
	OMPP_NUMA_PARTS,     /* one node has it, and each uses a part of its own */
	OMPP_NUMA_SHARED,    /* one node has it, and several use the same parts */
	OMPP_NUMA_SWAPPED    /* each node uses a part of its own, and these are on other nodes */
};

struct ompp_numa_object {
	uint32_t index;
	enum ompp_numa_problem problem;
	int64_t *from, *home; /* accesses that memory may have answered, by the place of the processor, and by that of
	                         the page */
	int64_t known;        /* their sum */
	struct ompp_nearness sum;
	int64_t stores, all;         /* accesses, of caches, too */
	int64_t share, error;        /* of far accesses, 10^-9 */
	uint32_t user, holder;       /* the places with most accesses, and with most accessed memory */
	uint32_t region;             /* with most far accesses; OMPP_NONE for outside of all regions */
	int64_t region_stores;       /* stores there, of caches, too */
	int64_t most, most_variance; /* far accesses of the thread that makes most of them */
	const struct ompp_first_touch
		*touch;                 /* of a problem: where most pages of the object were touched first; or NULL */
	const struct ompp_use *toucher; /* of a problem: of the pages with most of the far accesses; or NULL */
	int64_t *lo, *hi; /* by place: lowest and highest address that it accesses in `region`; hi is 0 for none */
	int is_one_page;  /* 1 when all that is accessed there lies within the size of one page */
	int is_chosen; /* 1 when `choice` is made: with enough samples, and a share of far accesses that is high enough
	                */
	struct ompp_choice choice;
	int is_to_place; /* 1 when choice.best_placed is worthwhile: fewer accesses are far, or the load of one node is
	                    spread */
};

struct ompp_numa_objects {
	const struct ompp_analysis *analysis;
	struct ompp_places places;
	int64_t all;       /* accesses of all samples */
	int64_t all_ticks; /* their latency */
	/* state of the iteration over objects */
	uint32_t *order; /* uses by object, and of an object by region */
	uint32_t next;   /* element of order */
	int rc;
	int64_t *regions;  /* by region + 1 */
	int64_t *by_place; /* accesses in one region */
	int64_t *by_row;   /* far accesses */
	int64_t *by_row_variance;
	struct ompp_numa_object object;
};

/* Gets ready to look at the objects.  Returns 0, -ENOENT when there is nothing to look at, or -ENOMEM. */
int ompp_numa_objects_init(struct ompp_numa_objects *objects, const struct ompp_analysis *a);

/* Returns the next named object that is asked for, which is valid until the next call; NULL after the last, and without
 * memory: then objects->rc is -ENOMEM. */
const struct ompp_numa_object *ompp_numa_objects_next(struct ompp_numa_objects *objects);

#endif

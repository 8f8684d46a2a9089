/*
 * Page smalls: finds the small variables (without their own objects) in the used parts of pages.  This shows only the
 * layout of the program in memory: not which of several variables in one part was used.
 */
#ifndef OMPP_DATA_SUMS_PAGE_SMALLS_H
#define OMPP_DATA_SUMS_PAGE_SMALLS_H

#include "reports/profile/profile.h"
#include "runtime/data_sums/sum_smalls.h"

/* The data of one variable. */
struct ompp_page_small {
	uint32_t object;
	uint64_t n_bytes, n_parts, n_alone; /* as in struct ompp_page_variable */
};

struct ompp_page_smalls {
	struct ompp_smalls_named named; /* its counts are of parts */
	struct ompp_page_small *of;     /* by number, as `named` */
};

/* Starts with nothing.  Returns 0 or -ENOMEM. */
int ompp_page_smalls_start(struct ompp_page_smalls *smalls, struct ompp_arena *arena);

/* The used parts of a page of an object. */
struct ompp_page_small_use {
	const char *object; /* the name of the rest of a file's data */
	uintptr_t page;
	uint64_t parts; /* a bit for each OMPP_PAGED_PARTS of the page */
};

/* Adds the variables that lie there; once for each object and page.
 * object: its number in the profile */
void ompp_page_smalls_add(struct ompp_page_smalls *smalls, uint32_t object, const struct ompp_page_small_use *use);

/* Puts them into the profile.  Returns 0 or -ENOMEM. */
int ompp_page_smalls_put(struct ompp_page_smalls *smalls, struct ompp_arena *arena, struct ompp_profile *p);

/* Returns the names of the variables that lie there, "cnt sum", or the first of many; "" when none are known, NULL
 * without memory. */
const char *ompp_page_smalls_text(struct ompp_arena *arena, const struct ompp_page_small_use *use);

#endif

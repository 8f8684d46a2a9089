/*
 * Structure: the accesses to each member of the structures of which an object consists.
 *
 * Two members are used together to the degree that the same regions use both: sum over regions of the smaller of their
 * two counts, divided by the sum of the larger ones.
 */
#ifndef OMPP_TABLES_STRUCTURE_H
#define OMPP_TABLES_STRUCTURE_H

#include "reports/analysis/analysis.h"

enum ompp_member_use_class {
	OMPP_MEMBER_HOT,
	OMPP_MEMBER_COLD, /* less than a tenth of the accesses of the member that has most */
	OMPP_MEMBER_UNUSED,
	OMPP_MEMBER_PADDING
};

/* A region's accesses to the members of one object. */
struct ompp_structure_part {
	uint32_t region;                 /* OMPP_NONE outside of regions */
	size_t first, n_uses;            /* in `order` */
	struct ompp_member_access *sums; /* by member, over all threads and call paths */
};

struct ompp_structures {
	const struct ompp_analysis *analysis;
	uint32_t *order; /* member_accesses by object, region, member and thread; those that are shown */
	size_t n_order;
};

struct ompp_structure_use {
	const struct ompp_structure *structure;
	const struct ompp_member *members;
	size_t n;                        /* members */
	struct ompp_member_access *sums; /* by member, over all regions that are shown */
	uint64_t n_accesses, n_most;     /* of all members, those of padding left out; of the one that has most */
	uint64_t n_bytes, all_bytes;     /* accessed bytes of all members; the same with padding */
	int has_atomics;
	struct ompp_structure_part *parts;
	size_t n_parts;
};

/* Prepares the uses of all structures.  Returns 0 or -ENOMEM. */
int ompp_structures_start(struct ompp_structures *all, const struct ompp_analysis *analysis);

/* Finds the use of one of the profile's structures.  Returns 0 or -ENOMEM. */
int ompp_structure_use(const struct ompp_structures *all, size_t structure, struct ompp_structure_use *use);

/* Returns all accesses to a member, and their bytes. */
uint64_t ompp_member_accesses(const struct ompp_member_access *sum);
uint64_t ompp_member_bytes(const struct ompp_member_access *sum);

int ompp_member_is_padding(const struct ompp_member *member);

/* Returns how a member is used, and the word for that; "" for hot. */
enum ompp_member_use_class ompp_member_use_class(const struct ompp_structure_use *use, size_t member);
const char *ompp_member_use_word(enum ompp_member_use_class class);

/* Returns how far two members are used together, 10^-9 of a whole. */
int64_t ompp_members_together(const struct ompp_structure_use *use, size_t a, size_t b);

#endif

/*
 * Record: what is done with records of any section alike, as the rows of fields.def say.
 */
#ifndef OMPP_RECORD_H
#define OMPP_RECORD_H

#include "reports/profile/profile.h"
#include "reports/profile/schema.h"

/* Compares two records by the members by which their section is sorted.  Returns less than, equal to, or more than 0.
 */
int ompp_record_compare(enum ompp_section section, const void *a, const void *b);

/* Adds a record to another one for the same, as each word says; words with code of their own stay as they are. */
void ompp_record_add(enum ompp_section section, void *sum, const void *more);

/* Puts the words right that may be put right.  Returns 0 when another one is not what it may be in this profile, which
 * has all sections that stand before this one. */
int ompp_record_check(enum ompp_section section, const struct ompp_profile *p, void *record);

/* Returns how many records a profile has of the section that indices of this bound point into. */
size_t ompp_bound_end(enum ompp_bound bound, const struct ompp_profile *p);

#endif

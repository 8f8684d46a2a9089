/*
 * Record: operations on records of any section, driven by the rows of fields.def.
 */
#ifndef OMPP_RECORD_H
#define OMPP_RECORD_H

#include "reports/profile/profile.h"
#include "reports/profile/schema.h"

/* Returns how many records of a section a profile has, and in *list the first one. */
size_t ompp_records(enum ompp_section section, const struct ompp_profile *p, const void **list);

/* Gives a profile n records of a section. */
void ompp_records_set(enum ompp_section section, struct ompp_profile *p, const void *list, size_t n);

/* Compares two records by the members by which their section is sorted.  Returns less than, equal to, or more than 0.
 */
int ompp_record_compare(enum ompp_section section, const void *a, const void *b);

/* Adds a record to another one, word by word as fields.def says; words with code of their own, and those by which the
 * section is sorted, are not changed. */
void ompp_record_add(enum ompp_section section, void *sum, const void *more);

/* Corrects the words that may be corrected.  Returns the number of records before the first one of which another word
 * is out of its range in this profile, which must have all sections before this one. */
size_t ompp_records_check(enum ompp_section section, const struct ompp_profile *p, void *records, size_t n);

/* Returns the end of an index with this bound: the number of records of the section that it points into. */
size_t ompp_bound_end(enum ompp_bound bound, const struct ompp_profile *p);

#endif

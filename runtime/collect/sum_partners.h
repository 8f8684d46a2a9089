/*
 * Sum, partners: the ranks with which this process exchanged most messages.
 */
#ifndef OMPP_COLLECT_SUM_PARTNERS_H
#define OMPP_COLLECT_SUM_PARTNERS_H

#include "reports/profile/profile.h"

enum { OMPP_SHOWN_PARTNERS = 64 }; /* the others are one record together */

/* Fills in the profile's partners.  Returns 0 or -ENOMEM. */
int ompp_collect_partners(struct ompp_profile *profile, struct ompp_arena *arena);

#endif

/*
 * Finding id: a name of a finding that stays from run to run and from build to build, so that scripts can follow it.
 *
 * It is made of what the finding is (the property's name) and of where it is: the construct, the file's name without
 * folders, the region's name, the instantiation, which of such regions of the file it is by their lines, and the data
 * object.  It has no line, time or count, so that it stays when lines move, when other findings come or go, and when
 * the cost changes.
 *
 * It changes when the file or the region is renamed, and when a region of the same construct is added to the file above
 * it.  Regions that were not executed are not in the profile: when another input or branch executes one more or one
 * less above it, the id changes, too.  An object without a name is named by its address (symbol+offset), which may
 * change with each build.  Findings that differ only in lines or folders are told apart by their order in the list,
 * which is by cost.
 */
#ifndef OMPP_FINDING_ID_H
#define OMPP_FINDING_ID_H

#include "reports/findings/findings.h"

struct ompp_finding_id {
	char text[14]; /* "F", 12 hexadecimal digits, and the byte that ends it */
};

/* Returns the ids of all findings of the list, in the analysis's memory; NULL without memory.  A second one of which
 * all that an id is made of is the same gets another id, by the order of the list, so that ids of a list are unique. */
struct ompp_finding_id *ompp_finding_ids(const struct ompp_analysis *a, const struct ompp_findings *findings);

#endif

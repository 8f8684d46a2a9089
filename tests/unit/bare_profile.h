/*
 * Bare profile: the members of a profile in which nothing special was measured, for tests that make one of their own:
 *
 *   profile = (struct ompp_profile){ BARE_PROFILE, .duration_ns = …, .regions = regions, … };
 */
#ifndef TESTS_BARE_PROFILE_H
#define TESTS_BARE_PROFILE_H

#include "reports/profile/profile.h"

/* clang-format off */
#define BARE_PROFILE .app = "a", .version = "1", .mpi_rank = -1, .clock = "tsc", .filter = "", .data_method = "", \
	.others_ns = OMPP_MISSING, .sample_source = "", .sample_latencies = "", .pages_method = "", .build_stamp = "", .build_commit = "", .final = 1
/* clang-format on */

#endif

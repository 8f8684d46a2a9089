/*
 * Varied play: a measured run of chance.  Three threads make teams, loops, tasks, barriers and locks, and access named
 * memory, one after another as one generator says, with the fake clock and memory at fixed addresses; so each number of
 * the profile is known.
 */
#ifndef TESTS_UNIT_VARIED_PLAY_H
#define TESTS_UNIT_VARIED_PLAY_H

#include <stdint.h>
#include <stdio.h>

#include "reports/profile/profile.h"
#include "reports/profile/schema.h"

#ifndef __has_feature
#define __has_feature(name) 0
#endif

/* ThreadSanitizer has the memory there, and ends programs that ask for it. */
#if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
#define HAS_PLACES 0
#else
#define HAS_PLACES 1
#endif

/* What a run does beside the usual constructs. */
enum varied_use {
	VARIED_PLAIN = 0,
	VARIED_ACCESSES = 1,   /* to names that stay */
	VARIED_NAMES = 2,      /* and all that programs do with memory (varied_memory.h) */
	VARIED_MEMORY = 3,     /* both */
	VARIED_CONSTRUCTS = 4, /* what few programs do (varied_constructs.h) */
	VARIED_STORMS = 8      /* thousands of short visits (varied_storm.h) */
};

struct varied_kind {
	const char *name;
	uint64_t seed;
	unsigned int uses; /* of enum varied_use */
	int n_teams;
	const char *options[24]; /* names and values, in place of those that the environment or each run has */
};

/* Makes a run, once in a process; ends with 77 where the memory has no known place.  Then the profile can be
 * collected. */
void varied_play(const struct varied_kind *kind);

/* Ends the threads. */
void varied_play_end(void);

/* Writes all numbers of a section that follow from the run alone: nothing of the others. */
void varied_play_put(FILE *to, enum ompp_section section, const struct ompp_profile *p);

#endif

/*
 * Ended: finds the cover that an address had some time ago.
 *
 * A sample of an access may be evaluated after the memory was freed, moved or renamed.  So each change of named memory
 * first records what was there until then.  The records are a ring buffer, written under the lock of range.c, and read
 * by any thread without it.
 */
#ifndef OMPP_RANGES_ENDED_H
#define OMPP_RANGES_ENDED_H

#include <stdint.h>

enum { OMPP_ENDED_NOTES = 16384 };
#define OMPP_ENDED_UNKNOWN UINT32_MAX

/* Starts recording.  Returns 0 or -ENOMEM.  COLD. */
int ompp_ended_start(void);

/* Records the current covers of [lo, hi).  Called under the lock, before readers can see the change. */
void ompp_ended_note(uintptr_t lo, uintptr_t hi);

/* Returns the cover of an address at a time stamp (host/stamp.h); OMPP_ENDED_UNKNOWN when that is older than the
 * records. */
uint32_t ompp_ended_cover(uintptr_t address, uint64_t stamp);

#endif

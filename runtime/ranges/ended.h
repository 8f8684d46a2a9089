/*
 * Ended: what covered an address some time ago.
 *
 * A sample of an access may be looked at after the memory was freed, moved or named anew.  So each change of the named
 * memory first notes what was there until then.  The notes are a ring, written under the lock of range.c, and read by
 * any thread without it.
 */
#ifndef OMPP_RANGES_ENDED_H
#define OMPP_RANGES_ENDED_H

#include <stdint.h>

enum { OMPP_ENDED_NOTES = 16384 };
#define OMPP_ENDED_UNKNOWN UINT32_MAX

/* Starts to keep notes; nothing is noted before.  Returns 0 or -ENOMEM.  COLD. */
int ompp_ended_start(void);

/* Notes what [lo, hi) is until now.  Under the lock, before a change is seen by readers. */
void ompp_ended_note(uintptr_t lo, uintptr_t hi);

/* Returns the cover of an address at a time stamp (host/stamp.h); OMPP_ENDED_UNKNOWN when that is longer ago than the
 * notes go. */
uint32_t ompp_ended_cover(uintptr_t address, uint64_t stamp);

#endif

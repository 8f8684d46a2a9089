/*
 * Reuse: how many other lines a thread accesses between two accesses to one line.  In a fully associative LRU cache of
 * n lines an access misses when that distance is n or more: so one run gives the misses for all sizes of cache.
 *
 * Only a sample of the lines is examined, chosen by a hash of their addresses, as in SHARDS (Waldspurger et al., FAST
 * 2015): one line of each 16 neighbours, so that contiguous data has as many samples as its size requires.  The
 * distance is 16 times the number of sampled lines that were used between two accesses to one of them.  The thread
 * remembers the latest 4096 sampled lines, a rung.  A line that is no longer there is searched for in the next rung,
 * which samples one of 16 lines of the rung before, and so on.  So memory is bounded, and long distances still rest on
 * hundreds of samples.
 *
 * A line's first access is cold.  Distances below OMPP_REUSE_LEAST lines are in no bucket: these accesses hit in any
 * cache of at least that size.
 */
#ifndef OMPP_DATA_REUSE_H
#define OMPP_DATA_REUSE_H

#include <stddef.h>
#include <stdint.h>

enum {
	OMPP_REUSE_LINE_BITS = 6, /* lines of 64 bytes */
	OMPP_REUSE_LINE = 1 << OMPP_REUSE_LINE_BITS,
	OMPP_REUSE_GROUP_BITS = 4, /* neighbours, one of which is in the sample: of lines, and of samples in a rung */
	OMPP_REUSE_LEAST_BITS = 8,
	OMPP_REUSE_LEAST = 1 << OMPP_REUSE_LEAST_BITS,
	OMPP_REUSE_OCTAVES = 18,
	OMPP_REUSE_PARTS = 4,                                   /* buckets of an octave */
	OMPP_REUSE_FAR = OMPP_REUSE_OCTAVES * OMPP_REUSE_PARTS, /* the bucket of all larger distances */
	OMPP_REUSE_COLD,                                        /* the bucket of first accesses */
	OMPP_REUSE_BUCKETS,
	OMPP_REUSE_HALVES = 2, /* a line is in one of two halves, whose difference shows the error of the sampling */
	OMPP_REUSE_SLOTS = (OMPP_REUSE_HALVES * OMPP_REUSE_BUCKETS + 7) / 8 * 8
};

struct ompp_reuse;

/* Returns how many bytes of zeroed memory a thread needs.  Most of it is touched by threads with much memory alone. */
size_t ompp_reuse_bytes(void);

/* Returns the line of the sample among the neighbours with this number. */
static inline uint64_t ompp_reuse_sampled(uint64_t group)
{
	return group << OMPP_REUSE_GROUP_BITS | group * UINT64_C(0x9E3779B97F4A7C15) >> (64 - OMPP_REUSE_GROUP_BITS);
}

static inline int ompp_reuse_is_sampled(uint64_t line)
{
	return line == ompp_reuse_sampled(line >> OMPP_REUSE_GROUP_BITS);
}

/* Makes an access to a line of the sample.  Adds the accesses for which it stands to its bucket.  Only the thread
 * itself calls it.  WARM. slots: [OMPP_REUSE_SLOTS], by half and bucket; NULL when the access is known to be a hit and
 * only makes the line the one used last */
void ompp_reuse_access(struct ompp_reuse *reuse, uint64_t line, uint64_t *slots);

/* Has accesses change nothing until ompp_reuse_go_on() gets what this returns, or the next one holds it whose frame is
 * not below that of this one, as a jump has left this one then.  Between the thread's alternate signal stack and
 * another one addresses say nothing: a frame there may be a handler's that has interrupted this one, one elsewhere is
 * not. stack: the address of the frame */
int ompp_reuse_hold(struct ompp_reuse *reuse, uintptr_t stack);
void ompp_reuse_go_on(struct ompp_reuse *reuse, int before);

/* The line of the sample that was used last; UINT64_MAX before the first. */
uint64_t ompp_reuse_latest(const struct ompp_reuse *reuse);

static inline int ompp_reuse_is_latest(const struct ompp_reuse *reuse, uint64_t line)
{
	return ompp_reuse_latest(reuse) == line;
}

/* Does an access to this line change anything? */
static inline int ompp_reuse_needs(const struct ompp_reuse *reuse, uint64_t line)
{
	return ompp_reuse_is_sampled(line) && !ompp_reuse_is_latest(reuse, line);
}

/* Returns the bucket of a distance in lines, at least OMPP_REUSE_LEAST. */
unsigned int ompp_reuse_bucket(uint64_t distance);

/* Returns the least distance of a bucket that is not the cold one. */
uint64_t ompp_reuse_least(unsigned int bucket);

#endif

/*
 * Recent: finds the call-tree node in which a thread was some time ago.
 *
 * A sample belongs to the node in which its thread was when it was taken, not when it is read.  So while the processor
 * samples, each thread records at the end of a node the time until which this was the innermost one.  The records are a
 * ring buffer, written only by its thread and read by any.
 */
#ifndef OMPP_CORE_RECENT_H
#define OMPP_CORE_RECENT_H

#include <stdint.h>

struct ompp_callnode;

enum { OMPP_RECENT_CHANGES = 4096 };

struct ompp_recent_change {
	uint64_t until; /* time stamp, host/stamp.h */
	const struct ompp_callnode *node;
};

struct ompp_recent {
	uint64_t n; /* changes so far; change i is in slot i % OMPP_RECENT_CHANGES */
	struct ompp_recent_change change[OMPP_RECENT_CHANGES];
};

/* Records that the thread was in the node until now.  Called by its thread, before the next node becomes the innermost.
 * HOT while the processor samples. */
void ompp_recent_end(struct ompp_recent *recent, const struct ompp_callnode *node, uint64_t until);

/* Returns the node in which the thread was at a time stamp; NULL when the stamp is older than the records.
 * now: the thread's innermost node, which was read before this call and after the sample had come */
const struct ompp_callnode *ompp_recent_node(const struct ompp_recent *recent, uint64_t stamp,
                                             const struct ompp_callnode *now);

/* The first records that measuring was switched off (1) or on (0), one call at a time; the second returns 1 when it was
 * off at a time stamp.  Only the last 64 times are known. */
void ompp_recent_switch(int off);
int ompp_recent_was_off(uint64_t stamp);

#endif

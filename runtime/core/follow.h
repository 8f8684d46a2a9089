/*
 * Follow: the data of containers (data/container.h) moves when the program changes them.
 *
 * A container is changed by a few stores one after the other, and what it says of its data in between is nonsense.  So
 * a thread that has stored into one holds its next accesses back, as if they were to come, until some in a row were
 * elsewhere, or an event comes; then the container is looked at, and what was held is counted.  Other threads come to
 * the container by loads, which find that it is not what it was when it was looked at last.
 */
#ifndef OMPP_CORE_FOLLOW_H
#define OMPP_CORE_FOLLOW_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/data/container.h"

struct ompp_thread;

enum { OMPP_HELD = 16, OMPP_TOUCHED = 4 };

struct ompp_held { uintptr_t address; size_t n_bytes; uint8_t slot, size; int is_block; };

/* Of a thread, by itself. */
struct ompp_follow {
	int                    is_busy;         /* is_holding, or the program is asked: accesses come here first */
	int                    is_holding;
	int                    is_asking;       /* the program is asked: */
	int                    is_open;         /* it has read memory that is not the container's own; */
	uintptr_t              lo, hi, frame;   /* the container's own bytes, and the stack above what asks */
	uint32_t               n_held, n_quiet; /* held; the last of them that were elsewhere in a row */
	uint32_t               n_touched;       /* containers that the thread has stored into; more than OMPP_TOUCHED: some
	                                           of them were forgotten */
	struct ompp_container *touched[OMPP_TOUCHED];
	struct ompp_held       held[OMPP_HELD];
};

/* WARM.  An access of a thread that is busy.  1: it was held, or is none of the program's. */
int ompp_follow_hold(struct ompp_thread *t, const struct ompp_held *access);

/* WARM.  An access to a container was counted. */
void ompp_follow_met(struct ompp_thread *t, struct ompp_container *container, int is_store);

/* Look at what was touched, and count what was held. */
void ompp_follow_settle(struct ompp_thread *t);

/* Look at a container in this thread, and let its range follow. */
void ompp_follow_look(struct ompp_thread *t, struct ompp_container *container);

/* Ask what has its data elsewhere where that is.  Returns 1 when the answer comes from memory beyond the object's own
 * bytes [lo, hi), so that it may become wrong unseen, or the question a wrong one; otherwise 0. */
int ompp_follow_ask(struct ompp_thread *t, ompp_look *look, uintptr_t lo, uintptr_t hi, const void **data,
                    size_t *n_bytes);

/* Say in the report why not all is followed that the user may expect under a name. */
void ompp_follow_not(const char *name, const char *why);
#define OMPP_FOLLOW_OPEN   "its data() or size() reads memory outside of it; name it again where its data moves"
#define OMPP_FOLLOW_NESTED "its elements have data elsewhere, which is not counted for it; name those one by one"

#endif

/*
 * Meetings: where ranks of MPI wait for each other, so that the profiles of all of them together tell who waited for
 * whom (reports/profile/merge_meetings.h).  A meeting is a collective call of one communicator, or a message.  All of
 * its ranks know it by the same key and index: the key is of the communicator, or of it, the two ranks and the tag; the
 * index counts its calls, or messages, in MPI's order.  Nothing is sent for that.
 *
 * Begin and end of calls are kept in tables of fixed size.  When one is full, half of them are dropped, by chance that
 * the index alone decides, so that all ranks keep the same ones as far as they keep as many.
 */
#ifndef OMPP_EVENTS_MEETINGS_H
#define OMPP_EVENTS_MEETINGS_H

#include <stdint.h>

#include "runtime/terms/meeting.h"

struct ompp_meeting {
	uint64_t key, index;
	uint64_t begin_ticks, end_ticks; /* of the call that may have waited: that which completed it */
	uint64_t post_ticks;             /* when this rank began it, by the same call or one before */
	uint32_t region, peer;           /* the region's id; the other rank, in MPI_COMM_WORLD, or how many they are */
	int32_t place;                   /* where it was counted */
	enum ompp_meeting_kind kind;
};

/* Returns a key of several words, none of which is 0. */
static inline uint64_t ompp_meeting_key(uint64_t key, uint64_t word)
{
	key = (key ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	key ^= key >> 29;
	key *= UINT64_C(0xbf58476d1ce4e5b9);
	return key ^ key >> 32;
}

/* Returns the key by which they are counted: a rank may send to itself, and receives are counted apart. */
static inline uint64_t ompp_meeting_counted(uint64_t key, enum ompp_meeting_kind kind)
{
	return kind == OMPP_MEETING_RECEIVE ? ~key : key;
}

/* Returns where the meetings of such a key are counted; -1 where there is no room.  WARM. */
int32_t ompp_meeting_place(uint64_t key);

/* Count a meeting, and a message that is received.  Return its index, from 0 on.
 * are_many: several threads may count at once */
uint64_t ompp_meeting_next(int32_t place, int are_many);
uint64_t ompp_meeting_next_receive(int32_t place, int are_many);

/* Returns a number that is larger after each receive that is counted; and whether any of a key was counted since. */
uint64_t ompp_meeting_now(void);
int ompp_meeting_was_counted(int32_t place, uint64_t since);

/* Notes that the index of a key's meetings is not known: nothing is told of any of them. */
void ompp_meeting_spoil(int32_t place);

/* Notes the same of all messages. */
void ompp_meeting_spoil_messages(void);

/* Is the meeting one to be kept?  phase: its index, or a number that is the same for meetings of one step */
int ompp_meeting_is_kept(enum ompp_meeting_kind kind, uint64_t phase);

/* Keeps it, unless another thread is keeping one at the moment. */
void ompp_meeting_keep(const struct ompp_meeting *m, uint64_t phase);

/* Stops keeping.  Returns 0, or -1 when a thread is busy with them, forever as it may be. */
int ompp_meetings_stop(void);
void ompp_meetings_go(void);

/* Returns number i of those kept, of collective calls (0) or messages (1), after stopping; NULL behind the last. */
const struct ompp_meeting *ompp_meetings(int are_messages, uint32_t i);

/* Returns how many were counted at a place, UINT64_MAX where that is not known. */
uint64_t ompp_meeting_total(int32_t place);

#endif

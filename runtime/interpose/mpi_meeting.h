/*
 * MPI meeting: counts collective calls and messages as MPI orders them, and keeps when they began and ended
 * (events/meetings.h).  Messages of one communicator, sender, receiver and tag arrive in the order in which they are
 * sent, and are taken in the order in which their receives were begun.  Where that order is not known, nothing is told
 * of them: of messages that were probed with MPI_Mprobe, of a receive that was cancelled, and where several threads
 * receive or send at once.
 *
 * Times are those of the call in which the thread is (mpi_library.h).  Any thread; WARM.
 */
#ifndef OMPP_INTERPOSE_MPI_MEETING_H
#define OMPP_INTERPOSE_MPI_MEETING_H

#include "runtime/events/meetings.h"
#include "runtime/interpose/mpi_neighbours.h"
#include "runtime/interpose/mpi_world.h"

/* A collective call or message of this rank, until it is complete. */
struct ompp_mpi_begun {
	struct ompp_meeting meeting;            /* begin and end: of the call that began it */
	uint64_t phase;                         /* of ompp_meeting_is_kept() */
	const struct ompp_mpi_neighbours *with; /* NULL; else it is a message to, or from, each of them */
};

/* Count a collective call of a communicator, and one among neighbours, as the call that begins it ends.  Return 1 and
 * fill b in when it is one to be kept; of neighbours that is what comes from them, as nobody waits for what is sent. */
int ompp_mpi_collective_begun(struct ompp_mpi_comm comm, enum ompp_meeting_kind kind, struct ompp_mpi_begun *b);
int ompp_mpi_neighbours_begun(struct ompp_mpi_comm comm, const struct ompp_mpi_neighbours *with,
                              struct ompp_mpi_begun *b);

/* The same of a copy of a communicator, and of what a rank does without others, and so waits for none of them. */
int ompp_mpi_copy_begun(struct ompp_mpi_comm of, struct ompp_mpi_copy copy, struct ompp_mpi_begun *b);
int ompp_mpi_alone_begun(struct ompp_mpi_begun *b);

/* Returns a communicator for the starts alone of a persistent collective operation of this one: these are begun in the
 * same order on all ranks, and started in any. */
struct ompp_mpi_comm ompp_mpi_persistent(struct ompp_mpi_comm comm);

/* Collective calls that are complete as they end. */
void ompp_mpi_met(struct ompp_mpi_comm comm, enum ompp_meeting_kind kind);
void ompp_mpi_met_neighbours(struct ompp_mpi_comm comm, const struct ompp_mpi_neighbours *with);

/* A kind of messages: where they are counted; -1 for none. */
struct ompp_mpi_channel {
	int32_t place;
	int tag, peer; /* peer: the other rank, in MPI_COMM_WORLD */
	uint64_t key;
};

/* Returns the messages to a rank of a communicator, and those from it, with a tag. */
struct ompp_mpi_channel ompp_mpi_channel_to(struct ompp_mpi_comm comm, int rank, int tag);
struct ompp_mpi_channel ompp_mpi_channel_from(struct ompp_mpi_comm comm, int rank, int tag);

/* Counts a message as the call that begins to send it ends.  Returns 1 and fills b in when it is one to be kept. */
int ompp_mpi_send_begun(struct ompp_mpi_channel to, enum ompp_meeting_kind kind, struct ompp_mpi_begun *b);

/* A message was sent. */
void ompp_mpi_sent(struct ompp_mpi_channel to, enum ompp_meeting_kind kind);

/* A message that is, or will be, received. */
struct ompp_mpi_receive {
	struct ompp_mpi_channel from;
	uint64_t index, posted_ticks, posted_at; /* posted_at: ompp_meeting_now() */
};

/* Begins a receive.  rank, tag: below 0 where any will do, so that it is counted when it is known */
struct ompp_mpi_receive ompp_mpi_receive_begin(struct ompp_mpi_comm comm, int rank, int tag);

/* Ends it, when it is known whose message it is. */
void ompp_mpi_receive_end(struct ompp_mpi_receive *r, struct ompp_mpi_comm comm, int rank, int tag);

/* Ends one that brings nothing. */
void ompp_mpi_receive_cancel(const struct ompp_mpi_receive *r);

/* Returns 1 and fills b in when a receive that came to its end is one to be kept. */
int ompp_mpi_receive_begun(const struct ompp_mpi_receive *r, struct ompp_mpi_begun *b);

/* Keeps what one call completes.  As it waited for the last of them, it is told what it waited only where all of them
 * are known; else when they were begun is kept, which other ranks need.
 *
 *   is_told: 0 where it completes others, of which nothing is known */
void ompp_mpi_completed(struct ompp_mpi_begun *list, uint32_t n, int is_told);

/* Keeps one of which it is not known when it is complete. */
void ompp_mpi_not_completed(struct ompp_mpi_begun *b);

#endif

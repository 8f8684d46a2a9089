/*
 * MPI message: a message of MPI that this thread sent or received, for the sums by partner and for a trace.
 */
#ifndef OMPP_EVENTS_MPI_MESSAGE_H
#define OMPP_EVENTS_MPI_MESSAGE_H

#include <stdint.h>

struct ompp_mpi_message {
	int is_received;
	int rank; /* the other one in MPI_COMM_WORLD; below 0 when it is not known */
	int tag;
	uint32_t comm;      /* a number of the communicator that is the same in all its ranks; 0 when not known */
	int64_t bytes;      /* below 0 when they are not known */
	uint64_t posted_ns; /* of what was received: ompp_mpi_message_begun() of the call that began to receive */
};

/* What a trace does with each message, and when it saw the innermost call of this thread begin, in ns of
 * CLOCK_MONOTONIC; NULL without a trace.  Both are set while the session starts. */
extern void (*ompp_mpi_message_told)(const struct ompp_mpi_message *m) __attribute__((visibility("hidden")));
extern uint64_t (*ompp_mpi_message_call)(void) __attribute__((visibility("hidden")));

/* Counts a message, and tells the trace of it.  Called before the call that sent or completed it ends.  WARM. */
void ompp_mpi_message_add(const struct ompp_mpi_message *m);

/* Returns when the call in which the thread is began; 0 without a trace.  WARM. */
static inline uint64_t ompp_mpi_message_begun(void)
{
	return ompp_mpi_message_call ? ompp_mpi_message_call() : 0;
}

#endif

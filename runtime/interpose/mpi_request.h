/*
 * MPI request: nonblocking operations, from the call that begins one to the call that completes it (MPI_Wait …).  How
 * many bytes a receive brings, and from whom, is known at its completion.  So the completing call is charged with them,
 * and with the time that it waits for other ranks, also of sends and collective operations.  One table of fixed size
 * has the requests of all threads.  When it is full, that is noted, and what further requests receive is not known.
 *
 * Addresses of requests and statuses are those that the program passes.  Any thread; WARM.
 */
#ifndef OMPP_INTERPOSE_MPI_REQUEST_H
#define OMPP_INTERPOSE_MPI_REQUEST_H

#include <stdint.h>

#include "runtime/interpose/mpi_meeting.h"
#include "runtime/interpose/mpi_world.h"

enum { OMPP_MPI_NOT_KNOWN = -1 }; /* bytes */

enum ompp_mpi_request_kind {
	OMPP_MPI_REQUEST_RECEIVE,    /* a receive that was begun */
	OMPP_MPI_REQUEST_PERSISTENT, /* one that MPI_Start begins */
	OMPP_MPI_REQUEST_PROBED      /* one of a message that was probed */
};

/* Notes the request of a receive from a rank of a communicator, with a tag, as the program gives them.  Returns the
 * bytes that this call brought: 0, or OMPP_MPI_NOT_KNOWN where the request could not be noted. */
int64_t ompp_mpi_request_receive(uintptr_t request, struct ompp_mpi_comm comm, int source, int tag,
                                 enum ompp_mpi_request_kind kind);

/* Notes the request of what is read from a file, which is no message.  Returns as ompp_mpi_request_receive().
 * b: NULL where it is not known for whom it waits */
int64_t ompp_mpi_request_read(uintptr_t request, const struct ompp_mpi_begun *b);

/* Notes the request of what several ranks write to a file together: it is not known for whom it waits. */
void ompp_mpi_request_write(uintptr_t request);

/* Notes the request of a send or collective call that was begun and is to be kept.  Without room, and where nobody
 * waits for it, as MPI was ready with it at once, it is kept as far as it is known. */
void ompp_mpi_request_begun(uintptr_t request, struct ompp_mpi_begun *b);

/* Notes a persistent send of so many bytes, a persistent collective operation, and one among neighbours. */
void ompp_mpi_request_send(uintptr_t request, struct ompp_mpi_comm comm, int rank, int tag, int64_t bytes,
                           enum ompp_meeting_kind kind);
void ompp_mpi_request_collective(uintptr_t request, struct ompp_mpi_comm comm, enum ompp_meeting_kind kind);
void ompp_mpi_request_neighbours(uintptr_t request, struct ompp_mpi_comm comm, const struct ompp_mpi_neighbours *with);

/* Begins n persistent requests.  Returns the bytes sent. */
int64_t ompp_mpi_request_start(int64_t n, uintptr_t requests);

/* Forgets a request that is to be freed. */
void ompp_mpi_request_forget(uintptr_t request);

/* Keeps the communicator of a message that was probed, until the call that receives it takes it. */
void ompp_mpi_message_keep(uintptr_t message, struct ompp_mpi_comm comm);

/* Whose message a call receives. */
struct ompp_mpi_from {
	struct ompp_mpi_comm comm;
	int is_probed;      /* so that its order is not known */
	uint64_t posted_ns; /* of a message that was probed: ompp_mpi_message_begun() of the call that did */
};
struct ompp_mpi_from ompp_mpi_message_take(uintptr_t message);

/* Counts a message that a call waited for and received, as its status tells.  Returns its bytes. */
int64_t ompp_mpi_received(uintptr_t status, struct ompp_mpi_from from);

enum { OMPP_MPI_FEW_REQUESTS = 32, OMPP_MPI_STATUS_WORDS = 3 };

/* A call that completes requests. */
struct ompp_mpi_completion {
	const struct ompp_mpi_abi *abi; /* NULL: nothing is known */
	uint32_t n;                     /* of requests of which something may be known */
	int has_statuses;               /* after the call; else no receive is among them */
	uintptr_t statuses;             /* those to be passed to MPI */
	uintptr_t *handles;             /* as they were before the call */
	void *room;                     /* of many requests; else NULL */
	size_t room_bytes;
	int64_t bytes; /* received so far */
	struct ompp_mpi_begun *met;
	uint32_t n_met;
	int is_told; /* until one is complete of which nothing is known */
	uintptr_t few_handles[OMPP_MPI_FEW_REQUESTS];
	struct ompp_mpi_begun few_met[OMPP_MPI_FEW_REQUESTS];
	uint64_t few_statuses[OMPP_MPI_FEW_REQUESTS * OMPP_MPI_STATUS_WORDS];
};

/* Begins it.  statuses: the program's, or MPI_STATUSES_IGNORE.  Returns the statuses to be passed to MPI. */
uintptr_t ompp_mpi_completion_begin(struct ompp_mpi_completion *c, int64_t n, uintptr_t requests, uintptr_t statuses);

/* Ends it, when all of them, one, or those of a list are complete: it has its status in this order. */
void ompp_mpi_completion_all(struct ompp_mpi_completion *c);
void ompp_mpi_completion_list(struct ompp_mpi_completion *c, const int *list, int n);

/* Returns the bytes received, and frees what it has.
 * error: what MPI returned */
int64_t ompp_mpi_completion_end(struct ompp_mpi_completion *c, int error);

#endif

/*
 * MPI world: what must be known of the MPI library beyond its functions, and which rank of MPI_COMM_WORLD a rank of a
 * communicator is.
 */
#ifndef OMPP_INTERPOSE_MPI_WORLD_H
#define OMPP_INTERPOSE_MPI_WORLD_H

#include <stddef.h>
#include <stdint.h>

/* The ABI of the library: those of Open MPI, and of MPICH and those that have its ABI (Intel MPI, MVAPICH). */
struct ompp_mpi_abi {
	size_t request_bytes, status_bytes, source_at; /* of a handle; of MPI_Status, and where MPI_SOURCE is in it,
	                                                  before MPI_TAG */
	int proc_null, cart, graph, dist_graph;        /* MPI_PROC_NULL, MPI_CART … */
	uintptr_t byte, world, comm_null;              /* MPI_BYTE, MPI_COMM_WORLD, MPI_COMM_NULL */
	int has_many;                                  /* several threads may call MPI at once */
};

/* Returns it; NULL where the library is none of these, and before MPI_Init.  Any thread.  WARM. */
const struct ompp_mpi_abi *ompp_mpi_abi(void);

/* Words of keys that are made of a communicator's key (events/meetings.h) for what is no message: the key of messages
 * has the two ranks there, which is below 1 << 63. */
#define OMPP_MPI_WORD(n)         (UINT64_C(1) << 63 | (n))
#define OMPP_MPI_WORD_PERSISTENT OMPP_MPI_WORD(1) /* counts persistent collective operations that were made */
#define OMPP_MPI_WORD_STARTS     OMPP_MPI_WORD(2) /* of each of these, its starts */
#define OMPP_MPI_WORD_IDUP       OMPP_MPI_WORD(3) /* counts copies that were begun */
#define OMPP_MPI_WORD_COPY       OMPP_MPI_WORD(4) /* of each of these, what it is used for */
#define OMPP_MPI_WORD_ALONE      OMPP_MPI_WORD(5) /* counts what a rank does without others */

/* The ranks of a communicator; of one between two groups, those of the other one. */
struct ompp_mpi_group {
	uint32_t n;
	const int *ranks;              /* in MPI_COMM_WORLD, -1 for those that are not in it; NULL: they are the same */
	uint64_t key;                  /* of these ranks; the same on each of them */
	uint32_t n_made;               /* communicators of them that were made so far */
	struct ompp_mpi_group *before; /* the one that was found before it */
};

struct ompp_mpi_neighbours;

/* What is known of a communicator.  The group stays when the communicator is freed; NULL: it is not known, as there is
 * no room for more than a thousand different ones, nor for those of more than 8 MiB. */
struct ompp_mpi_comm {
	const struct ompp_mpi_group *group;
	uint64_t key;  /* the same on all of its ranks (events/meetings.h); 0: not known */
	int32_t place; /* where its collective calls are counted; -1: they are not, as in one of two groups */
};

/* Returns a number of it for traces, which is the same on all of its ranks; 0 when it is not known. */
static inline uint32_t ompp_mpi_comm_number(struct ompp_mpi_comm comm)
{
	return (uint32_t)(comm.key >> 32);
}

/* Returns it, by value, as the communicator may be freed.  WARM. */
struct ompp_mpi_comm ompp_mpi_comm(uintptr_t comm);
static inline const struct ompp_mpi_group *ompp_mpi_group(uintptr_t comm)
{
	return ompp_mpi_comm(comm).group;
}

/* Returns the neighbours in a communicator; NULL where they are not known (interpose/mpi_neighbours.h).  WARM. */
const struct ompp_mpi_neighbours *ompp_mpi_comm_neighbours(uintptr_t comm);

/* Notes the communicator whose handle is at an address, and that was just made by all of its ranks. */
void ompp_mpi_comm_made(uintptr_t at);

/* Notes a copy of a communicator that was only begun (MPI_Comm_idup): both MPIs know its handle by then, but nothing
 * may be asked of it yet.  Ranks may begin copies of different communicators in any order, so those of each are counted
 * by themselves.  Returns where they are, and which one this is. */
struct ompp_mpi_copy {
	uint64_t key, index;
	int32_t place; /* -1: not known */
};
struct ompp_mpi_copy ompp_mpi_comm_begun(uintptr_t of, uintptr_t at);

/* Forgets a communicator that is to be freed. */
void ompp_mpi_comm_forget(uintptr_t comm);

/* Returns the rank in MPI_COMM_WORLD of one of a group, which may be NULL; -1 when it is not known. */
static inline int ompp_mpi_world_rank(const struct ompp_mpi_group *group, int rank)
{
	if (!group || rank < 0 || (uint32_t)rank >= group->n)
		return -1;
	return group->ranks ? group->ranks[rank] : rank;
}

/* Reads a handle at an address. */
static inline uintptr_t ompp_mpi_handle(const struct ompp_mpi_abi *abi, uintptr_t at, size_t i)
{
	return abi->request_bytes == sizeof(int) ? (uintptr_t)((const int *)at)[i] : ((const uintptr_t *)at)[i];
}

#endif

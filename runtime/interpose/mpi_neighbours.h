/*
 * MPI neighbours: with which ranks a rank exchanges data in the collective calls among neighbours of a communicator
 * with a topology.  As far as ranks wait for each other, such a call is a message to each neighbour and one from each.
 */
#ifndef OMPP_INTERPOSE_MPI_NEIGHBOURS_H
#define OMPP_INTERPOSE_MPI_NEIGHBOURS_H

#include <stdint.h>

#include "runtime/interpose/mpi_world.h"

/* A message: the other rank, in MPI_COMM_WORLD, and the key by which both know it (events/meetings.h). */
struct ompp_mpi_neighbour {
	uint32_t rank;
	uint64_t key;
};

/* Those to which the rank sends (0), and from which it receives (1). */
struct ompp_mpi_neighbours {
	uint32_t n[2];
	struct ompp_mpi_neighbour *list[2];
};

/* Asks for the neighbours in a communicator, of which the key and the group are known.  They stay.  Returns NULL where
 * it has no topology, where they are more than 64 or one is not in MPI_COMM_WORLD, and without memory. */
const struct ompp_mpi_neighbours *ompp_mpi_neighbours_ask(const struct ompp_mpi_abi *abi, uintptr_t comm,
                                                          struct ompp_mpi_comm known);

#endif

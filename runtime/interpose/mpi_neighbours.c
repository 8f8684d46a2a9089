/*
 * MPI neighbours: see mpi_neighbours.h.
 */
#include "runtime/interpose/mpi_neighbours.h"

#include <stddef.h>

#include "runtime/base/space.h"
#include "runtime/events/meetings.h"
#include "runtime/events/partners.h"
#include "runtime/interpose/mpi_library.h"

enum { MOST_NEIGHBOURS = 64, MOST_BYTES = 4 << 20 };

static const struct ompp_mpi_questions *const ask = &ompp_mpi_questions;

static uint32_t n_bytes_kept;

/* What MPI says: ranks of the communicator, of which those of no process are left out. */
struct asked {
	int n[2], ranks[2][MOST_NEIGHBOURS];
};

static void asked_add(struct asked *a, int are_from, int rank)
{
	if (rank >= 0)
		a->ranks[are_from][a->n[are_from]++] = rank;
}

/* Returns 0, or -1 where it is not known. */
static int ask_cart(uintptr_t comm, struct asked *a)
{
	int n = 0, before, after;

	if (!ask->cartdim_get || !ask->cart_shift || ask->cartdim_get(comm, &n) || n < 0 || n > MOST_NEIGHBOURS / 2)
		return -1;
	for (int i = 0; i < n; i++) {
		if (ask->cart_shift(comm, i, 1, &before, &after))
			return -1;
		for (int are_from = 0; are_from < 2; are_from++) {
			asked_add(a, are_from, before);
			asked_add(a, are_from, after);
		}
	}
	return 0;
}

static int ask_graph(uintptr_t comm, struct asked *a)
{
	int rank, n = 0, list[MOST_NEIGHBOURS];

	if (!ask->graph_neighbors_count || !ask->graph_neighbors || ask->comm_rank(comm, &rank) ||
	    ask->graph_neighbors_count(comm, rank, &n) || n < 0 || n > MOST_NEIGHBOURS ||
	    ask->graph_neighbors(comm, rank, n, list))
		return -1;
	for (int i = 0; i < n; i++) {
		asked_add(a, 0, list[i]);
		asked_add(a, 1, list[i]);
	}
	return 0;
}

static int ask_dist_graph(uintptr_t comm, struct asked *a)
{
	int n_from = 0, n_to = 0, have_weights, from[MOST_NEIGHBOURS], to[MOST_NEIGHBOURS], weights[2][MOST_NEIGHBOURS];

	if (!ask->dist_graph_neighbors_count || !ask->dist_graph_neighbors ||
	    ask->dist_graph_neighbors_count(comm, &n_from, &n_to, &have_weights) || n_from < 0 || n_to < 0 ||
	    n_from > MOST_NEIGHBOURS || n_to > MOST_NEIGHBOURS ||
	    ask->dist_graph_neighbors(comm, n_from, from, weights[0], n_to, to, weights[1]))
		return -1;
	for (int i = 0; i < n_to; i++)
		asked_add(a, 0, to[i]);
	for (int i = 0; i < n_from; i++)
		asked_add(a, 1, from[i]);
	return 0;
}

/* Fills in the messages of one direction.  Two to the same rank are told apart by how many were before.  Returns 0, or
 * -1 where a rank is not in MPI_COMM_WORLD. */
static int neighbours_fill(struct ompp_mpi_neighbour *list, const struct asked *a, int are_from, int own,
                           struct ompp_mpi_comm known)
{
	for (int i = 0; i < a->n[are_from]; i++) {
		int rank = ompp_mpi_world_rank(known.group, a->ranks[are_from][i]);
		uint64_t n_before = 0, from = (uint64_t)(are_from ? rank : own), to = (uint64_t)(are_from ? own : rank);

		if (rank < 0)
			return -1;
		for (int k = 0; k < i; k++)
			n_before += a->ranks[are_from][k] == a->ranks[are_from][i];
		list[i].rank = (uint32_t)rank;
		list[i].key = ompp_meeting_key(ompp_meeting_key(known.key, (from << 32 | to) + 1), ~n_before);
	}
	return 0;
}

const struct ompp_mpi_neighbours *ompp_mpi_neighbours_ask(const struct ompp_mpi_abi *abi, uintptr_t comm,
                                                          struct ompp_mpi_comm known)
{
	struct ompp_mpi_neighbours *made;
	struct asked a = { .n = { 0, 0 } };
	uint32_t n_bytes, n_ranks;
	int own = ompp_partners_rank(&n_ranks), topology, rc = -1;

	if (!known.key || own < 0 || !ask->topo_test || ask->topo_test(comm, &topology))
		return NULL;
	if (topology == abi->cart)
		rc = ask_cart(comm, &a);
	else if (topology == abi->graph)
		rc = ask_graph(comm, &a);
	else if (topology == abi->dist_graph)
		rc = ask_dist_graph(comm, &a);
	n_bytes = (uint32_t)(sizeof(*made) + (size_t)(a.n[0] + a.n[1]) * sizeof(*made->list[0]));
	if (rc || __atomic_add_fetch(&n_bytes_kept, n_bytes, __ATOMIC_RELAXED) > MOST_BYTES)
		return NULL;
	made = ompp_space_take(n_bytes);
	if (!made)
		return NULL;
	made->list[0] = (struct ompp_mpi_neighbour *)(made + 1);
	made->list[1] = made->list[0] + a.n[0];
	for (int are_from = 0; are_from < 2; are_from++) {
		made->n[are_from] = (uint32_t)a.n[are_from];
		if (neighbours_fill(made->list[are_from], &a, are_from, own, known))
			return NULL; /* it asks no more than once for each communicator */
	}
	return made;
}

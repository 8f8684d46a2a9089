/*
 * MPI library: finds MPI's libraries among the loaded files.
 */
#ifndef OMPP_INTERPOSE_MPI_LIBRARY_H
#define OMPP_INTERPOSE_MPI_LIBRARY_H

#include <stdint.h>

/* The MPI library's functions that only tell something, and answer at once.  NULL before there is one. */
struct ompp_mpi_questions {
	int (*type_size)(uintptr_t type, int *n_bytes);
	int (*comm_size)(uintptr_t comm, int *n);
	int (*comm_rank)(uintptr_t comm, int *rank);
	int (*get_count)(uintptr_t status, uintptr_t type, int *n);
	int (*get_count_c)(uintptr_t status, uintptr_t type, int64_t *n); /* NULL before MPI 4.0 */
	int (*get_elements)(uintptr_t status, uintptr_t type, int64_t *n);
	int (*test_cancelled)(uintptr_t status, int *is_cancelled);
	int (*initialized)(int *is_there);
	int (*query_thread)(int *level);
	int (*version)(char *text, int *n_bytes);
	uintptr_t (*comm_f2c)(int number); /* the two are macros in MPICH */
	uintptr_t (*type_f2c)(int number);
	int (*comm_test_inter)(uintptr_t comm, int *is_between);
	int (*comm_group)(uintptr_t comm, uintptr_t *group);
	int (*comm_remote_group)(uintptr_t comm, uintptr_t *group);
	int (*group_size)(uintptr_t group, int *n);
	int (*translate)(uintptr_t group, int n, const int *ranks, uintptr_t to, int *its_ranks);
	int (*group_free)(uintptr_t *group);
	int (*topo_test)(uintptr_t comm, int *topology);
	int (*cartdim_get)(uintptr_t comm, int *n);
	int (*cart_shift)(uintptr_t comm, int dimension, int by, int *before, int *after);
	int (*graph_neighbors_count)(uintptr_t comm, int rank, int *n);
	int (*graph_neighbors)(uintptr_t comm, int rank, int most, int *ranks);
	int (*dist_graph_neighbors_count)(uintptr_t comm, int *n_from, int *n_to, int *have_weights);
	int (*dist_graph_neighbors)(uintptr_t comm, int most_from, int *from, int *from_weights, int most_to, int *to,
	                            int *to_weights);
};
extern struct ompp_mpi_questions ompp_mpi_questions __attribute__((visibility("hidden")));

/* 1 while this thread is in a call of MPI, which waits and makes threads for itself: that is part of the call. */
extern __thread int ompp_mpi_inside __attribute__((visibility("hidden"), tls_model("initial-exec")));

/* The call of MPI in which this thread is, or was last. */
struct ompp_mpi_now {
	uint64_t began_ticks; /* 0: it is not measured */
	uint32_t region;
};
extern __thread struct ompp_mpi_now ompp_mpi_now __attribute__((visibility("hidden"), tls_model("initial-exec")));

/* Looks at the files that are loaded now.  Returns 1 when an MPI library is among them.  One thread at a time. */
int ompp_mpi_library_look(void);

/* Returns 1 when an address is in a library that has MPI's functions for Fortran, which call those for C.  Any thread
 * may call it. */
int ompp_mpi_library_is_fortran(uintptr_t address);

#endif

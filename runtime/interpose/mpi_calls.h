/*
 * MPI calls: makes regions of the program's calls to those MPI functions that may take long, whether or not kinst built
 * the program.
 *
 * MPI's functions for C are redirected (host/redirect.h), in the files that call them; those for Fortran call these.
 * MPI libraries differ in what handles are, but all pass them in a register, so that nothing here depends on which
 * library it is.  Functions that only return information (MPI_Comm_rank) are not measured.
 */
#ifndef OMPP_INTERPOSE_MPI_CALLS_H
#define OMPP_INTERPOSE_MPI_CALLS_H

/* Has these calls redirected from the next ompp_redirect_all() on, once an MPI library is loaded.  One thread at a
 * time. */
void ompp_mpi_calls_look(void);

#endif

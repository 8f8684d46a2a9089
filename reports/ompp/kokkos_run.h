/*
 * Kokkos run: ompp run --kokkos, by which the program's Kokkos tells libompp of its kernels.
 */
#ifndef OMPP_KOKKOS_RUN_H
#define OMPP_KOKKOS_RUN_H

/* Sets the variables by which Kokkos loads libompp_kokkos (runtime/kokkos).  Where that is not found, or the user loads
 * another tool, it says so, and changes nothing. */
void ompp_kokkos_run(void);

#endif

# kokkos: programs whose regions are told by Kokkos, or by Caliper's annotations
script_tests += tests/kokkos/caliper.sh tests/kokkos/kokkos.sh
EXTRA_DIST += tests/kokkos/caliper.cpp tests/kokkos/kokkos.cpp

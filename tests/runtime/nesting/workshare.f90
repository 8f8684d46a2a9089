! workshare, sections and ordered loops in each other's teams, and what their compilers leave to one thread
! settings: OMP_NUM_THREADS=3
program shares
  implicit none
  integer :: a(100), i, s, t
  a = 0
  s = 0
  t = 0
  !$omp parallel shared(a, s) ! = PARALLEL SUM execC 3
  !$omp workshare ! = WORKSHARE SUM execC 3
  a = 2
  s = sum(a)
  !$omp end workshare
  !$omp workshare ! = WORKSHARE SUM execC 3
  a(1:50) = a(51:100) + 1
  !$omp end workshare nowait
  !$omp barrier
  !$omp do ordered ! = LOOP SUM execC 3
  do i = 1, 6
    !$omp ordered ! = ORDERED SUM execC 6
    t = t * 2 + i
    !$omp end ordered
  end do
  !$omp end do
  !$omp sections ! = SECTIONS SUM sectC 2
  !$omp section
  !$omp atomic
  s = s + 1
  !$omp section
  !$omp atomic
  s = s + 1
  !$omp end sections
  !$omp end parallel
  !$omp parallel workshare ! = PARALLEL_WORKSHARE SUM execC 3
  a = a + 1
  !$omp end parallel workshare
  print *, s, t, sum(a)
end program

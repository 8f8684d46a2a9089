! teams in teams, many at once, in Fortran, where a member is told of its team by nothing but its place
! settings: OMP_MAX_ACTIVE_LEVELS=3
program teams
  implicit none
  integer :: i, n
  n = 0
  do i = 1, 20
    !$omp parallel num_threads(3) ! = PARALLEL SUM execC 60
    !$omp parallel num_threads(2) ! = PARALLEL SUM execC 120; PARALLEL 0.0 execC 20; PARALLEL 2.1 execC 20
    !$omp atomic ! = ATOMIC SUM execC 120
    n = n + 1
    !$omp parallel num_threads(2) ! = PARALLEL SUM execC 240; PARALLEL 1.0.1 execC 20; PARALLEL 2.1.1 execC 20
    !$omp atomic ! = ATOMIC SUM execC 240
    n = n + 1
    !$omp end parallel
    !$omp end parallel
    !$omp end parallel
  end do
  print *, n
end program

! cancel in Fortran: a loop, sections, a team
! settings: OMP_CANCELLATION=true OMP_CANCELLATION=false
! notes: left
program cancelled
  use omp_lib
  implicit none
  integer :: i, n, round
  n = 0
  do round = 1, 10
    !$omp parallel num_threads(3) ! = PARALLEL SUM execC 30
    !$omp do ! = LOOP SUM execC 30; LOOP SUM exitBarT -
    do i = 1, 20
      if (i == 4) then
        !$omp cancel do
      end if
      !$omp cancellation point do
    end do
    !$omp end do
    !$omp sections ! = SECTIONS SUM execC 30; SECTIONS SUM exitBarT -
    !$omp section
    !$omp cancel sections
    !$omp section
    i = 1
    !$omp end sections
    !$omp atomic ! = ATOMIC SUM execC 30
    n = n + 1
    !$omp end parallel
    !$omp parallel do num_threads(3) reduction(+: n) ! = PARALLEL_LOOP SUM execC 30; PARALLEL_LOOP SUM exitBarT -
    do i = 1, 6
      n = n + 1
      !$omp cancel do if (i > 100)
    end do
    !$omp parallel num_threads(3) ! = PARALLEL SUM execC 30
    !$omp atomic
    n = n + 1
    !$omp barrier
    if (omp_get_thread_num() == 1) then
      !$omp cancel parallel
    end if
    !$omp cancellation point parallel
    !$omp end parallel
  end do
  print *, n
end program

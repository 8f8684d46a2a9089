! atomic with two statements, and with an end.
! Regions: PARALLEL 2, ATOMIC 2, ATOMIC 2, ATOMIC 2.
program p
  implicit none
  integer :: i, v
  i = 0
!$omp parallel private(v) num_threads(2)
!$omp atomic capture
  v = i
  i = i + 1
!$omp end atomic
!$omp atomic update
  i = i + 10
!$omp end atomic
!$omp atomic
  i = i + 100
!$omp end parallel
  if (i /= 222) stop 1
end program

! Named data, whose name keeps its case.
! Regions: PARALLEL 2, SINGLE 2.
program p
  implicit none
  integer :: n
  real(8) :: a(10)
  n = 10
!$POMP INST DATA(a, n*8, "MyArr")
!$omp parallel num_threads(2)
!$omp single
  a = n
!$omp end single
!$omp end parallel
  if (sum(a) /= 100) stop 1
end program

! Empty sections at the end: gfortran leaves those of parallel sections out: lastprivate comes from the one before.
! Regions: PARALLEL SECTIONS 2, PARALLEL 2, SECTIONS 2.
program p
  implicit none
  integer :: a, b
  a = 0
  b = 0
!$omp parallel sections lastprivate(a) num_threads(2)
!$omp section
  a = 1
!$omp section
  a = 2
!$omp section
!$omp section
  ! nothing
!$omp end parallel sections
  if (a /= 2) stop 1
!$omp parallel num_threads(2)
!$omp sections
!$omp section
!$omp section
  b = 2
!$omp section
!$omp end sections
!$omp end parallel
  if (b /= 2) stop 2
end program

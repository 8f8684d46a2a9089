! workshare, combined and alone.
! Regions: PARALLEL WORKSHARE 2, PARALLEL 2, WORKSHARE 2.
program p
  implicit none
  integer :: a(10)
  a = 1
!$omp parallel workshare num_threads(2)
  a = a + 1
!$omp end parallel workshare
!$omp parallel num_threads(2)
!$omp workshare
  where (a > 1) a = 3
!$omp end workshare
!$omp end parallel
  if (sum(a) /= 30) stop 1
end program

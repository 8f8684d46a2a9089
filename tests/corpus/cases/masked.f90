! masked, and a loop behind it.
! Regions: PARALLEL 2, MASKED 1, BARRIER 2, LOOP 2.
program p
  implicit none
  integer :: i, s
  s = 0
!$omp parallel num_threads(2)
!$omp masked
  s = s + 1
!$omp end masked
!$omp barrier
!$omp do reduction(+:s)
  do i = 1, 10
    s = s + 1
  end do
!$omp end do
!$omp end parallel
  if (s /= 11) stop 1
end program

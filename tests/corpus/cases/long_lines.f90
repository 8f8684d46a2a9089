! Directives near the longest line, and several statements on one.
! Regions: PARALLEL LOOP 2.
program p
  implicit none
  integer :: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, ccccccccccccccccccc, i
  ccccccccccccccccccc = 0
!$omp parallel do private(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb) num_threads(2) &
!$omp& reduction(+:ccccccccccccccccccc)
  do i = 1, 10
    ccccccccccccccccccc = ccccccccccccccccccc + 1; end do
!$omp end parallel do
  if (ccccccccccccccccccc /= 10) stop 1
end program

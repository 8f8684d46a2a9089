! target around a loop with its end, without it, and around nothing parallel.
! Regions: TARGET 1, PARALLEL LOOP 2, TARGET 1, PARALLEL LOOP 2, TARGET 1.
program p
  implicit none
  integer :: i, s(100), one
!$omp target map(from:s)
!$omp parallel do num_threads(2)
  do i = 1, 100
    s(i) = i
  end do
!$omp end parallel do
!$omp end target
!$omp target map(tofrom:s)
!$omp parallel do num_threads(2)
  do i = 1, 100
    s(i) = s(i) + 1
  end do
!$omp end target
!$omp target map(from:one)
  one = 1
!$omp end target
  if (s(100) /= 101 .or. one /= 1) stop 1
end program

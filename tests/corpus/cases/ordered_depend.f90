! ordered depend in a doacross loop.
! Regions: PARALLEL LOOP 2, ORDERED 99, ORDERED 99.
program p
  implicit none
  integer :: i, a(0:100)
  a = 0
!$omp parallel do ordered(1) num_threads(2)
  do i = 1, 99
!$omp ordered depend(sink:i-1)
    a(i) = a(i-1) + 1
!$omp ordered depend(source)
  end do
!$omp end parallel do
  if (a(99) /= 99) stop 1
end program

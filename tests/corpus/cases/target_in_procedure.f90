! target of a dummy array, with a loop without its end.
! Regions: TARGET 1, PARALLEL LOOP 2.
subroutine fill(z, n)
  implicit none
  integer :: n, i
  real :: z(n)
!$omp target map(z(1:n))
!$omp parallel do num_threads(2)
  do i = 1, n
    z(i) = i
  end do
!$omp end target
end subroutine
program p
  implicit none
  real :: z(4)
  call fill(z, 4)
  if (sum(z) /= 10) stop 1
end program

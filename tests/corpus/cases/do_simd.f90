! do simd and parallel do simd; simd alone in a PURE procedure.
! Regions: PARALLEL 2, LOOP 2, PARALLEL LOOP 2.
module m
contains
  pure subroutine fill(a)
    real, intent(inout) :: a(:)
    integer :: i
!$omp simd
    do i = 1, size(a)
      a(i) = 1
    end do
  end subroutine
  elemental real function half(x)
    real, intent(in) :: x
    half = x / 2
  end function
end module
program p
  use m
  implicit none
  integer :: i, s
  real :: a(4)
  s = 0
!$omp parallel num_threads(2)
!$omp do simd reduction(+:s)
  do i = 1, 100
    s = s + i
  end do
!$omp end do simd
!$omp end parallel
!$omp parallel do simd reduction(+:s) num_threads(2)
  do i = 1, 100
    s = s + i
  end do
!$omp end parallel do simd
  call fill(a)
  if (s /= 10100 .or. sum(half(a)) /= 2) stop 1
end program

! IMPORT in interface bodies, of the specification part and alone, and a PURE function beside regions.
! Regions: PARALLEL LOOP 2.
module m
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: number = c_int
  interface
    integer(number) function absolute(n) bind(c, name="abs")
      import :: number
      integer(number), value :: n
    end function
  end interface
contains
  subroutine work(k)
    integer, intent(inout) :: k
    integer :: i
    interface
      subroutine never(n)
        import
        integer(number) :: n
      end subroutine
    end interface
!$omp parallel do reduction(+:k) num_threads(2)
    do i = 1, 3
      k = k + int(absolute(-int(i, number)))
    end do
  end subroutine
  pure integer function next(x)
    integer, intent(in) :: x
    next = x + 1
  end function
end module
program p
  use m
  implicit none
  integer :: k
  k = 0
  call work(k)
  if (next(k) /= 7) stop 1
end program

module area
  implicit none
  integer, parameter :: sides = 4
  interface
  module function whole(n) result(s)
  integer, intent(in) :: n
  integer :: s
  end function
  end interface
end module

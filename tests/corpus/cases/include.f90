! A construct in an included file.
! Regions: PARALLEL 2.
program p
  implicit none
  integer :: s
  s = 0
  include 'include_part.inc'
  if (s /= 2) stop 1
end program

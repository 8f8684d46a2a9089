! atomic compare and capture, without end directives: one statement, two, an IF construct, several on a line.
! Regions: ATOMIC 1, ATOMIC 1, ATOMIC 1, ATOMIC 1, ATOMIC 1, ATOMIC 1.
program p
  implicit none
  integer :: x, v
  x = 1
  v = 0
!$omp atomic compare
  if (x == 1) x = 2
!$omp atomic compare capture
  v = x
  if (x == 2) x = 3
!$omp atomic compare capture
  if (x == 9) then
    x = 8
  else
    v = x
  end if
!$omp atomic capture compare
  if (x == 9) then; x = 8; else; v = x; endif
!$omp atomic capture
  x = x + 10; v = x
!$omp atomic compare capture
  v = x; if (x == 13) x = 20
!$omp end atomic
  if (x /= 20 .or. v /= 13) stop 1
end program

program main
  use area
  implicit none
  integer :: s
#include "limit.h"
  include 'shared.inc'
  s = 0
!$omp parallel reduction(+ : s)
!$omp do
  do i = 1, LIMIT
  s = s + i
  end do
!$omp end parallel
  print *, s, whole(10)
end program

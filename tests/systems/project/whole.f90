program whole
  implicit none
  integer :: i, s
  s = 0
!$omp parallel do reduction(+ : s)
  do i = 1, 10
    s = s + i
  end do
  print *, s
end program

submodule (area) area_whole
contains
  module procedure whole
  integer :: i
  s = 0
!$omp parallel do reduction(+ : s)
  do i = 1, n
  s = s + sides
  end do
  end procedure
end submodule

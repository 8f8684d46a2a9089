! Off: the same in Fortran, where a team is found by its region.
program off
  use omp_lib
  implicit none
  integer :: i, round
  integer(8) :: total
  total = 0
  do round = 1, 3
     if (round == 2) then
!$pomp inst off
     end if
!$omp parallel do reduction(+:total)
     do i = 1, 100
        total = total + i
     end do
!$omp end parallel do
!$omp parallel num_threads(2)
!$omp critical
     total = total + 1
!$omp end critical
!$omp end parallel
     if (round == 2) then
!$pomp inst on
     end if
  end do
  print *, total
end program off

! Calls whose arguments are on the stack: see many_arguments.c.
! Regions: PARALLEL 2, CRITICAL 1, MASTER 1.
subroutine add(a, b, c, n)
  implicit none
  character(*), intent(in) :: a, b, c
  integer, intent(inout) :: n
  n = n + len(a) + len(b) + len(c)
end subroutine
program p
  implicit none
  integer :: s
  s = 0
!$omp parallel num_threads(2)
!$omp end parallel
  call add('a', 'b', 'c', s)
!$omp critical
  call add('a', 'b', 'c', s)
!$omp master
  s = s + 1
!$omp end master
!$omp end critical
  if (s /= 7) stop 1
end program

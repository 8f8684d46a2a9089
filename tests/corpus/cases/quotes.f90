! Quotes, comment marks and continuations in strings and comments.
! Regions: PARALLEL 2, MASTER 1.
program p
  implicit none
  character(40) :: s
  integer :: n
  n = 0
  s = 'it''s /* not'//" a // comment !$omp parallel"
!$omp parallel num_threads(2)
!$omp master
  n = len_trim(s)
!$omp end master
!$omp end parallel ! don't break
  if (n /= 39) stop 1
end program

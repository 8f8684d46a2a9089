! BLOCK as the body of a construct, and around one; contained procedures with tasks.
! Regions: PARALLEL 2, PARALLEL 2, PARALLEL 2, SINGLE 2, TASK 3, TASKEXEC 3, TASKWAIT 3, ATOMIC 3.
program p
  implicit none
  integer :: s
  s = 0
!$omp parallel reduction(+:s) num_threads(2)
  block
    integer :: k
    k = 1
    s = s + k
  end block
  block
    integer :: k
    k = 10
!$omp parallel reduction(+:s) firstprivate(k) num_threads(2)
    s = s + k
!$omp end parallel
  end block
!$omp parallel num_threads(2)
!$omp single
  call down(3)
!$omp end single
!$omp end parallel
  if (s /= 122) stop 1
contains
  recursive subroutine down(n)
    integer, value :: n
!$omp task if(n > 1) firstprivate(n)
    if (n > 1) call down(n - 1)
!$omp end task
!$omp taskwait
!$omp atomic
    s = s + 100 / 3 + mod(n, 2) - mod(n / 3, 2)
  end subroutine
end program

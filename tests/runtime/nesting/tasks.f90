! tasks, taskloops, orphaned worksharing and teams in teams, in Fortran
! settings: OMP_NUM_THREADS=1 OMP_NUM_THREADS=4,OMP_MAX_ACTIVE_LEVELS=2
module counts
  integer :: n = 0, private_one = 1
  !$omp threadprivate(private_one)
contains
  recursive integer function fib(k) result(f)
    integer, intent(in) :: k
    integer :: a, b
    if (k < 2) then
      f = k
      return
    end if
    !$omp task shared(a) final(k < 5) ! = TASK SUM execC 88
    a = fib(k - 1)
    !$omp end task
    !$omp task shared(b) untied if (k > 3) ! = TASK SUM execC 88; TASKEXEC SUM execC 88
    b = fib(k - 2)
    !$omp end task
    !$omp taskwait ! = TASKWAIT SUM execC 88
    f = a + b
  end function

  subroutine orphan
    integer :: i
    !$omp do
    do i = 1, 10
      !$omp atomic
      n = n + 1
    end do
    !$omp single
    !$omp critical
    n = n + 1
    !$omp end critical
    !$omp end single
  end subroutine
end module

program tasks
  use counts
  use omp_lib
  implicit none
  integer :: f, i, k, x, y, got
  x = 0
  y = 0
  !$omp parallel ! = PARALLEL 0 execC 1
  !$omp single ! = SINGLE SUM singleC 1
  f = fib(10)
  !$omp task depend(out: x)
  x = 3
  !$omp end task
  !$omp task depend(in: x) depend(out: y)
  y = x * 2
  !$omp end task
  !$omp taskgroup ! = TASKGROUP SUM execC 1
  !$omp taskloop grainsize(2) ! = TASKLOOP SUM execC 1; TASKEXEC SUM execC 10
  do i = 1, 10
    if (mod(i, 3) == 0) cycle
    !$omp atomic
    n = n + 1
  end do
  !$omp end taskgroup
  !$omp end single
  call orphan
  !$omp end parallel
  call orphan
  !$omp parallel num_threads(2) ! = PARALLEL SUM execC 2
  !$omp parallel num_threads(2) private(k) copyin(private_one) ! = PARALLEL 0.0 execC 1
  do k = 1, 3
    !$omp atomic
    n = n + private_one * 0
  end do
  !$omp end parallel
  !$omp end parallel
  !$omp parallel num_threads(2) private(got) ! = PARALLEL SUM execC 2
  !$omp single ! = SINGLE SUM exitBarT -
  got = 5
  !$omp end single copyprivate(got)
  !$omp atomic
  n = n + got * 0
  !$omp end parallel
  print *, f, x, y, n
end program

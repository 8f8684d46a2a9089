! Regions: PARALLEL LOOP 2, PARALLEL LOOP 3, PARALLEL 2, PARALLEL SECTIONS 2, CRITICAL 1, PARALLEL 2, LOOP 2,
! ATOMIC 4, SINGLE 2, BARRIER 2, MASTER 1, TASK 2, TASKEXEC 2, ATOMIC 2, TASKWAIT 2, WORKSHARE 2, PARALLEL
! WORKSHARE 2, PARALLEL 2, ATOMIC 2.
module numbers
  implicit none (type, external)
  integer, parameter :: n = 12
contains
  subroutine fill(a)
    integer, intent(out) :: a(:)
    integer :: i
!$omp parallel do default(none) shared(a) private(i) schedule(static, 2) num_threads(2)
    do i = 1, size(a)
      a(i) = i
    end do
  end subroutine
  pure integer function twice(x)
    integer, intent(in) :: x
    twice = 2 * x
  end function
end module
program p
  use numbers
  implicit none (type, external)
  integer :: a(n), s, i, j, k, v, last
  character(12) :: c
  call fill(a)
  s = 0; k = 0; v = 0
!$omp parallel do &
!$omp& private(i, j) reduction(+:s) lastprivate(last) &
!$omp& num_threads(3) collapse(2)
  outer: do i = 1, n
    inner: do j = 1, 2
      s = s + a(i) * twice(j)
      last = i
    end do inner
  end do outer
!$omp end parallel do
!$OMP PARALLEL NUM_THREADS(2) REDUCTION(+:K)
  block
    integer :: mine
    mine = 1
    k = k + mine
  end block
!$omp parallel sections num_threads(2)
  v = v + 0
!$omp section
!$omp critical (name)
  k = k + 1
!$omp end critical (name)
!$omp end parallel sections
!$omp parallel num_threads(2) private(i)
!$omp do
  do i = 1, 4
!$omp atomic
    k = k + i
  end do
!$omp single
  c = 'it''s ! here'
!$omp end single nowait
!$omp barrier
!$omp master
  v = v + 1
!$omp end master
!$omp task shared(v)
!$omp atomic update
  v = v + 1
!$omp end atomic
!$omp end task
!$omp taskwait
!$omp workshare
  a = a + 1
!$omp end workshare
!$omp endparallel
!$omp parallel workshare num_threads(2)
  a(1:3) = 0
!$omp end parallel workshare
!$ v = v + 100
  associate (u => v)
!$omp parallel num_threads(2)
!$omp atomic
    u = u + 1
!$omp end parallel
  end associate
  print *, s, k, v, last, sum(a), c
end program

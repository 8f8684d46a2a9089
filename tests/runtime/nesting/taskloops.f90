! taskloops whose iterations end in every way that there is: cycle, with names, in conditions, in loops inside; collapse
! settings: OMP_NUM_THREADS=3
program taskloops
  implicit none
  integer :: i, k, m, n(6)
  character(5) :: text
  n = 0
  text = 'cycle'
  !$omp parallel
  !$omp single
  !$omp taskloop num_tasks(4) shared(n) ! = TASKLOOP SUM execC 1; TASKEXEC SUM execC 20
  do i = 1, 20
    if (i == 3) cycle
    if (mod(i, 2) == 0) then
      do k = 1, 3
        if (k == 2) cycle
        !$omp atomic
        n(1) = n(1) + 1
      end do
      CYCLE
    else if (i == 5) then
      select case (i)
      case (5)
        cycle
      end select
    end if
    !$omp atomic
    n(2) = n(2) + 1
  end do
  !$omp end taskloop
  !$omp taskloop collapse(2) shared(n) private(m) ! = TASKLOOP SUM execC 1; TASKEXEC SUM execC 12
  outer: do i = 1, 4
    inner: do k = 1, 3
      do m = 1, 5
        if (m + k > 5) cycle inner
        !$omp atomic
        n(3) = n(3) + 1
      end do
      !$omp atomic
      n(4) = n(4) + 1
    end do inner
  end do outer
  !$omp taskloop shared(n) ! = TASKLOOP SUM execC 1; TASKEXEC SUM execC 4
  do i = 1, 4
    if (text /= 'cycle') cycle
    !$omp taskloop shared(n) private(m) ! = TASKLOOP SUM execC 4; TASKEXEC SUM execC 8
    do k = 1, 2
      if (k == 1) cycle
      !$omp atomic
      n(5) = n(5) + 1
    end do
  end do
  !$omp taskloop shared(n) ! = TASKLOOP SUM execC 1
  do 10 i = 1, 4
    if (i == 2) goto 10
    !$omp atomic
    n(6) = n(6) + 1
10 continue
  !$omp end single
  !$omp end parallel
  print *, n
end program

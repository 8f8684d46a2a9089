module m
  implicit none
  integer :: g = 0
  interface
    module subroutine sub(x)
      integer, intent(in) :: x
    end subroutine
  end interface
contains
  pure integer function pf(x)
    integer, intent(in) :: x
    pf = x
  end function
end module
submodule (m) sm
contains
  module procedure sub
    !$omp parallel num_threads(2)
    !$omp critical
    g = g + x
    !$omp end critical
    !$omp end parallel
  end procedure
end submodule
block data bd
  integer :: c
  common /cc/ c
  data c /3/
end block data
program p
  use m
  use omp_lib, only: omp_get_thread_num
  implicit none
  integer :: i, j, k, s, do1, a(10), do2i
  character(len=80) :: t
  real :: sf, x
  integer :: c
  common /cc/ c
  sf(x) = x * 2  ! statement function
  s = 0; a = 1
  t = 'it''s & !$omp parallel &
     & "still" ! in it'
  print *, trim(t)
!$omp parallel do reduction(+:s) &
!$omp & num_threads(2) ! a comment &
  outer: do i = 1, 10
    if (mod(i, 2) == 0) cycle outer
    s = s + i
  end do outer
  print *, s
!$OMP PARALLEL DO REDUCTION(+:s) NUM_THREADS(2)
  do 10 i = 1, 3
  do 10 j = 1, 3
    s = s + i * j
10 continue
  print *, s
  do1 = 3
  do2i = 4
  do 20, i = 1, 2
  !$omp parallel num_threads(2) reduction(+:s)
  s = s + 1
  !$omp end parallel
20 end do
  if (s > 0) print *, 'one line'
  if (s > 0) then
    !$omp parallel num_threads(2)
    block
      integer :: z
      z = 1
      !$omp atomic
      g = g + z
    end block
  else if (s < -5) then
    !$omp barrier
  else
    !$omp taskwait
  end if
  associate (y => a(3))
    !$omp parallel do num_threads(2)
    do i = 1, 10
      a(i) = a(i) + i
    enddo
  end associate
  select case (a(1))
  case (2)
    !$omp parallel sections num_threads(2)
    !$omp section
    a(1) = 5
    !$omp section
    a(2) = 6
    !$omp end parallel sections
  case default
    !$omp single
    a(1) = 9
    !$omp endsingle
  end select
  do concurrent (i = 1:3)
    a(i) = a(i) + 1
  end do
  !$omp parallel workshare num_threads(2)
  where (a > 3) a = a - 1
  forall (i = 1:3) a(i) = a(i) + i
  !$omp end parallel workshare
  print *, a
  !$ print *, 'conditional &
  !$ & text'
  !$ if (s > 0) &
  !$ & print *, 'c2'
  if (s > 0) &
    call sub(2)
  !$omp parallel num_threads(2)
  call sub(3)
  !$omp end parallel
  print *, g, c, sf(2.0), pf(3)
  !$omp parallel num_threads(2) if (s > &
  !$omp      0)
  !$omp single
  do while (s < 200)
    !$omp task shared(s) firstprivate(k)
    !$omp atomic
    s = s + 1
    !$omp end task
    !$omp taskwait
  end do
  !$omp end single nowait
  !$omp end parallel
  print *, s
  i = 0
  do
    i = i + 1
    !$omp parallel num_threads(2)
    !$omp master
    s = s + 1
    !$omp end master
    !$omp end parallel
    if (i == 3) exit
  end do
  !$acc parallel
  s = s + 0
  print *, s; call inner; print *, s
contains
  subroutine inner
    integer :: q
    !$omp parallel do lastprivate(q) num_threads(2) collapse(2)
    do q = 1, 2
      do j = 1, 2
        a(q) = j
      end do
    end do
    !$omp end parallel do
    !$omp parallel num_threads(2)
    !$omp do ordered
    do 30 q = 1, 4
      !$omp ordered
      s = s + q
      !$omp end ordered
30  continue
    !$omp end do nowait
    !$omp end parallel
  end subroutine
end program p

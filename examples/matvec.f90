! matvec: y = A x, the published case; run it as `matvec [n [column|row]]`, by default with 4000 and column.
!
! The report must show USER REGION product once, and below it PARALLEL and LOOP once for each thread, with nearly all of
! the time in the body of LOOP.  Fortran stores the matrix by columns: a(i,j) walks along a row with a step of n x 8
! bytes; a(j,i) ("row") is the same work in a fraction of the time.  The program prints what each thread measured.
program matvec
  use omp_lib
  implicit none
  integer, parameter :: wide = selected_real_kind(15)
  integer :: n, i, j, t, n_threads
  logical :: by_row
  character(len=16) :: word
  real(wide), allocatable :: a(:,:), x(:), y(:)
  real(wide) :: begin, loop(0:63)

  n = 4000
  n_threads = 1
  word = ''
  if (command_argument_count() > 0) then
     call get_command_argument(1, word)
     read (word, *) n
  end if
  call get_command_argument(2, word)
  by_row = word == 'row'
  allocate (a(n, n), x(n), y(n))
  a = 1
  x = [(real(i - 1, wide), i = 1, n)]
  y = 0

!$pomp inst begin(product)
!$omp parallel private(j, begin)
  begin = omp_get_wtime()
!$omp do schedule(static)
  do i = 1, n
     if (by_row) then
        do j = 1, n
           y(i) = y(i) + a(j, i) * x(j)
        end do
     else
        do j = 1, n
           y(i) = y(i) + a(i, j) * x(j)
        end do
     end if
  end do
!$omp end do
  loop(omp_get_thread_num()) = omp_get_wtime() - begin
!$omp master
  n_threads = omp_get_num_threads()
!$omp end master
!$omp end parallel
!$pomp inst end(product)

  print '(a, f0.0)', 'sum ', sum(y)
  do t = 0, n_threads - 1
     print '(a, i0, a, f0.6)', 'measured LOOP ', t, ' execT ', loop(t)
  end do
end program matvec

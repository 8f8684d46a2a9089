! matvec_data: y = A x with its arrays named; run it as `matvec_data [n [column|row]]`, by default with 4000 and column.
!
! The report must show that each thread loads `a` exactly n x n / threads times, in either order, and never stores to it.
! Fortran stores the matrix by columns: a(i,j) walks along a row with a step of n x 8 bytes ("column", as in C); a(j,i) is
! "row".
program matvec_data
  implicit none
  integer, parameter :: wide = selected_real_kind(15)
  integer :: n, i, j
  character(len=16) :: word
  real(wide), allocatable :: a(:,:), x(:), y(:)
  real(wide) :: s

  n = 4000
  word = ''
  if (command_argument_count() > 0) then
     call get_command_argument(1, word)
     read (word, *) n
  end if
  call get_command_argument(2, word)
  allocate (a(n, n), x(n), y(n))
  a = 1
  x = [(real(i - 1, wide), i = 1, n)]

  !$pomp inst data(a)
  !$pomp inst data(x)
  !$pomp inst data(y)
  if (word == 'row') then
     !$omp parallel do schedule(static) private(j, s)
     do i = 1, n
        s = 0
        do j = 1, n
           s = s + a(j, i) * x(j)
        end do
        y(i) = s
     end do
     !$omp end parallel do
  else
     !$omp parallel do schedule(static) private(j, s)
     do i = 1, n
        s = 0
        do j = 1, n
           s = s + a(i, j) * x(j)
        end do
        y(i) = s
     end do
     !$omp end parallel do
  end if
  print '(a, f0.0)', 'sum ', sum(y)
end program matvec_data

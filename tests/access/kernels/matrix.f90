! matrix: allocatable arrays and an assumed-shape dummy; matrix-vector products by columns and by rows, two threads.
module products
  implicit none
  integer, parameter :: wide = selected_real_kind(15)
  interface
     subroutine kernel_array(name, array, n_bytes)
       character(len=*), intent(in) :: name
       type(*), intent(in) :: array(*)
       integer(selected_int_kind(18)), intent(in) :: n_bytes
     end subroutine kernel_array
  end interface
contains
  subroutine product_of(a, x, y, by_row)
    real(wide), intent(in) :: a(:, :), x(:)
    real(wide), intent(inout) :: y(:)
    logical, intent(in) :: by_row
    integer :: i, j
    real(wide) :: s
    !$omp parallel do schedule(static) num_threads(2) private(j, s)
    do i = 1, size(y)
       s = 0
       do j = 1, size(x)
          if (by_row) then
             s = s + a(j, i) * x(j)
          else
             s = s + a(i, j) * x(j)
          end if
       end do
       y(i) = y(i) + s
    end do
  end subroutine product_of
end module products

program matrix
  use products
  implicit none
  integer, parameter :: n = 90, long = selected_int_kind(18)
  real(wide), allocatable, target :: a(:, :), x(:), y(:)
  real(wide) :: total
  integer :: i, j

  allocate (a(n, n), x(n), y(n))
  !$pomp inst data(a, n*n*8, "a")
  !$pomp inst data(x, n*8, "x")
  !$pomp inst data(y, n*8, "y")
  call kernel_array('a', a, int(n*n*8, long))
  call kernel_array('x', x, int(n*8, long))
  call kernel_array('y', y, int(n*8, long))
  do j = 1, n
     x(j) = j
     y(j) = 0
     do i = 1, n
        a(i, j) = mod(i + j, 4)
     end do
  end do
  call product_of(a, x, y, .false.)
  call product_of(a, x, y, .true.)
  total = 0
  do i = 1, n
     total = total + y(i)
  end do
  call kernel_sum(total)
  call kernel_expect('a', int(2*n*n, long), int(n*n, long))
  call kernel_expect('x', int(2*n*n, long), int(n, long))
  call kernel_expect('y', int(2*n + n, long), int(n + 2*n, long))
end program matrix

! module: arrays of a module, used by its procedures with array expressions and loops, by two threads.
module fields
  implicit none
  integer, parameter :: wide = selected_real_kind(15), n = 60
  real(wide) :: u(n, n), v(n, n), row(n)
  integer :: mask(n)
  interface
     subroutine kernel_array(name, array, n_bytes)
       character(len=*), intent(in) :: name
       type(*), intent(in) :: array(*)
       integer(selected_int_kind(18)), intent(in) :: n_bytes
     end subroutine kernel_array
  end interface
contains
  subroutine prepare()
    integer :: i, j
    do j = 1, n
       do i = 1, n
          u(i, j) = real(mod(i * j, 11), wide)
          v(i, j) = 0
       end do
       row(j) = 1
       mask(j) = mod(j, 3)
    end do
  end subroutine prepare

  subroutine smooth()
    integer :: i, j
    !$omp parallel do schedule(static) num_threads(2) private(i)
    do j = 2, n - 1
       do i = 1, n
          v(i, j) = (u(i, j - 1) + u(i, j + 1)) / 2
       end do
    end do
  end subroutine smooth

  subroutine add_rows()
    integer :: j
    do j = 1, n
       if (mask(j) == 0) row = row + v(:, j)
    end do
  end subroutine add_rows
end module fields

program module_arrays
  use fields
  implicit none
  integer, parameter :: long = selected_int_kind(18)
  real(wide) :: total
  integer :: j
  integer(long) :: n_rows

  !$pomp inst data(u, n*n*8, "u")
  !$pomp inst data(v)
  !$POMP INST DATA(row, &
  !$POMP   n*8, "row")
  !$pomp inst data(mask)
  call kernel_array('u', u, int(n*n*8, long))
  call kernel_array('v', v, int(n*n*8, long))
  call kernel_array('row', row, int(n*8, long))
  call kernel_array('mask', mask, int(n*4, long))
  call prepare()
  call smooth()
  call add_rows()
  total = 0
  do j = 1, n
     total = total + row(j)
  end do
  call kernel_sum(total)
  n_rows = n / 3
  call kernel_expect('u', int(2*n*(n-2), long), int(n*n, long))
  call kernel_expect('v', n_rows*n, int(n*n + n*(n-2), long))
  call kernel_expect('row', n_rows*n + n, n + n_rows*n)
  call kernel_expect('mask', int(n, long), int(n, long))
end program module_arrays

! holes: what hooks see of Fortran.  Each kernel is a region; x and y are named data; what it does with them is known by
! arithmetic, at every level of optimisation.  Usage: holes LIST
module room
  implicit none
  integer, parameter :: n = 1000, none(4) = 0
  integer, save :: out = 10
  real(8), save :: total
  type :: small
     sequence
     real(8) :: part(4)
  end type
  type :: large
     sequence
     real(8) :: part(100)
  end type
contains
  ! Write what a kernel shall have done: loads, stores, atomics and bytes of x and of y.
  subroutine expect(name, x, y)
    character(len=*), intent(in) :: name
    integer, intent(in) :: x(4), y(4)
    write (out, '(a, " x", 4(1x, i0))') name, x
    write (out, '(a, " y", 4(1x, i0))') name, y
  end subroutine
  function loads(count, bytes)
    integer, intent(in) :: count, bytes
    integer :: loads(4)
    loads = [count, 0, 0, count * bytes]
  end function
  function stores(count, bytes)
    integer, intent(in) :: count, bytes
    integer :: stores(4)
    stores = [0, count, 0, count * bytes]
  end function
end module

subroutine reals(x, y)
  use room
  real(8) :: x(n), y(n)
  integer :: i
  do i = 1, n
     y(i) = x(i) + 1
  end do
end subroutine

subroutine expression(x, y)
  use room
  real(8) :: x(n), y(n)
  y = 2 * x + 1
end subroutine

subroutine copied(x, y)
  use room
  real(8) :: x(n), y(n)
  y = x
end subroutine

subroutine copied_8(x, y)
  use room
  real(8) :: x(8), y(8)
  y = x
end subroutine

subroutine zeros(x, y)
  use room
  real(8) :: x(n), y(n)
  y = 0
end subroutine

subroutine zeros_8(x, y)
  use room
  real(8) :: x(8), y(8)
  y = 0
end subroutine

subroutine sums(x, y)
  use room
  real(8) :: x(n), y(n)
  total = sum(x) + dot_product(x, y)
end subroutine

subroutine transposed(x, y)
  use room
  real(8) :: x(20, 50), y(50, 20)
  y = transpose(x)
end subroutine

subroutine where_positive(x, y)
  use room
  real(8) :: x(n), y(n)
  where (x > 0) y = 1
end subroutine

subroutine strided(x, y)
  use room
  real(8) :: x(2 * n), y(n)
  y = x(1:2*n:2)
end subroutine

subroutine characters_40(x, y)
  use room
  character(len=40) :: x(n), y(n)
  integer :: i
  do i = 1, n
     y(i) = x(i)
  end do
end subroutine

subroutine characters_8(x, y)
  use room
  character(len=8) :: x(n), y(n)
  integer :: i
  do i = 1, n
     y(i) = x(i)
  end do
end subroutine

subroutine characters_400(x, y)
  use room
  character(len=400) :: x(n), y(n)
  integer :: i
  do i = 1, n
     y(i) = x(i)
  end do
end subroutine

subroutine derived_32(x, y)
  use room
  type(small) :: x(n), y(n)
  integer :: i
  do i = 1, n
     y(i) = x(i)
  end do
end subroutine

subroutine derived_800(x, y)
  use room
  type(large) :: x(100), y(100)
  integer :: i
  do i = 1, 100
     y(i) = x(i)
  end do
end subroutine

subroutine quads(x, y)
  use room
  real(16) :: x(n), y(n)
  integer :: i
  do i = 1, n
     y(i) = x(i)
  end do
end subroutine

subroutine complexes(x, y)
  use room
  complex(8) :: x(n), y(n)
  integer :: i
  do i = 1, n
     y(i) = x(i)
  end do
end subroutine

subroutine integer_atomic(x, y)
  use room
  integer :: x(n), y(n)
  integer :: i
  do i = 1, n
     !$omp atomic
     x(i) = x(i) + 1
  end do
end subroutine

subroutine real_atomic(x, y)
  use room
  real(8) :: x(n), y(n)
  integer :: i
  do i = 1, n
     !$omp atomic
     x(i) = x(i) + 1
  end do
end subroutine

subroutine multiplied(x, y)
  use room
  real(8) :: x(100, 100), y(100, 100)
  y = matmul(x, x)
end subroutine

program holes
  use room
  use ompp
  implicit none
  real(8), save :: x(100000) = 1, y(100000) = 1
  character(len=200) :: list
  external :: reals, expression, copied, copied_8, zeros, zeros_8, &
       sums, transposed, where_positive, strided, characters_40, characters_8, &
       characters_400, derived_32, derived_800, quads, complexes, integer_atomic, &
       real_atomic, multiplied
  call get_command_argument(1, list)
  open (newunit=out, file=trim(list))
  call ompp_data_begin(x, 800000_8, 'x')
  call ompp_data_begin(y, 800000_8, 'y')
  call run('reals', reals, loads(n, 8), stores(n, 8))
  call run('expression', expression, loads(n, 8), stores(n, 8))
  call run('copied', copied, loads(1, 8 * n), stores(1, 8 * n))
  call run('copied_8', copied_8, loads(1, 64), stores(1, 64))
  call run('zeros', zeros, none, stores(1, 8 * n))
  call run('zeros_8', zeros_8, none, stores(1, 64))
  call run('sums', sums, loads(2 * n, 8), loads(n, 8))
  call run('transposed', transposed, loads(n, 8), stores(n, 8))
  call run('where_positive', where_positive, loads(n, 8), stores(n, 8))
  call run('strided', strided, loads(n, 8), stores(n, 8))
  call run('characters_40', characters_40, loads(n, 40), stores(n, 40))
  call run('characters_8', characters_8, loads(n, 8), stores(n, 8))
  call run('characters_400', characters_400, loads(n, 400), stores(n, 400))
  call run('derived_32', derived_32, loads(n, 32), stores(n, 32))
  call run('derived_800', derived_800, loads(100, 800), stores(100, 800))
  call run('quads', quads, loads(n, 16), stores(n, 16))
  call run('complexes', complexes, loads(n, 16), stores(n, 16))
  call run('integer_atomic', integer_atomic, [0, 0, n, 4 * n], none)
  call run('real_atomic', real_atomic, [n, 0, n, 16 * n], none)
  call run('multiplied', multiplied, loads(2000000, 8), stores(10000, 8))
  close (out)
contains
  subroutine run(name, kernel, in_x, in_y)
    character(len=*), intent(in) :: name
    external :: kernel
    integer, intent(in) :: in_x(4), in_y(4)
    call ompp_region_begin(name)
    call kernel(x, y)
    call ompp_region_end(name)
    call expect(name, in_x, in_y)
  end subroutine
end program

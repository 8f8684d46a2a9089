! shapes: as shapes.c, in Fortran: shapes KERNEL N ROUNDS, with N of at most `most`.  Its static arrays have names with
! OMPP_DATA_NAME, those that it allocates have none then.
module shapes_data
  implicit none
  integer, parameter :: most = 100
  real(8), save :: a(most, most), b(most, most), c(most, most)
  logical, save :: mask(most, most)
  type cell
    real(8) :: density, energy, pressure
    integer :: material
  end type
  type grid
    type(cell), allocatable :: cells(:, :)
    real(8), pointer :: flux(:, :) => null()
  end type
end module

module shapes_kernels
  use shapes_data
  implicit none
contains
  function syntax(n, rounds) result(total)
    integer, intent(in) :: n, rounds
    real(8) :: total
    integer :: r
    a(1:n, 1:n) = 1d0
    b(1:n, 1:n) = 2d0
    c(1:n, 1:n) = 0d0
    a(1:n:3, 1:n) = 5d0
    do r = 1, rounds
      c(2:n - 1, 2:n - 1) = 0.25d0 * (a(1:n - 2, 2:n - 1) + a(3:n, 2:n - 1) + a(2:n - 1, 1:n - 2) + a(2:n - 1, 3:n))
      where (c(1:n, 1:n) > 1.5d0)
        b(1:n, 1:n) = b(1:n, 1:n) + c(1:n, 1:n)
      elsewhere
        b(1:n, 1:n) = b(1:n, 1:n) * 0.5d0
      end where
      a(1:n, 1:n) = a(1:n, 1:n) * 0.9d0 + b(1:n, 1:n) * 1d-3
      mask(1:n, 1:n) = a(1:n, 1:n) > c(1:n, 1:n)
      b(1:n, mod(r, n) + 1) = sum(c(1:n, 1:n), dim = 2) / n
      a(mod(r, n) + 1, 1:n) = maxval(b(1:n, 1:n), dim = 1) * 1d-2
    end do
    total = sum(a(1:n, 1:n)) + sum(b(1:n, 1:n)) + count(mask(1:n, 1:n))
  end function

  subroutine add(factor, x, y)
    real(8), intent(in) :: factor, x(:)
    real(8), intent(inout) :: y(:)
    integer :: i
    do i = 1, size(x)
      y(i) = y(i) + factor * x(i)
    end do
  end subroutine

  subroutine relax(u, f, w)
    real(8), intent(inout) :: u(0:, 0:)
    real(8), intent(in) :: f(:, :), w
    integer :: i, j
    do j = 1, size(f, 2)
      do i = 1, size(f, 1)
        u(i, j) = (1 - w) * u(i, j) + w * 0.25d0 * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) - f(i, j))
      end do
    end do
  end subroutine

  ! Arrays of assumed shape, some with strides.
  function assumed(n, rounds) result(total)
    integer, intent(in) :: n, rounds
    real(8) :: total
    real(8), allocatable :: u(:, :), w(:, :)
    real(8) :: much, little ! constants are counted elsewhere
    integer :: r, k
    allocate(u(0:n + 1, 0:n + 1), w(n, n))
    u = 0
    w = 1
    b(1:n, 1:n) = 1d-3
    do r = 1, rounds
      k = mod(r, n) + 1
      much = 1 + 1d0 / (r + 5)
      little = 1d-3 / r
      call relax(u, b(1:n, 1:n), much)
      call add(little, u(1:n:2, k), b(1:(n + 1) / 2, k))
      call add(little, w(:, k), b(k, 1:n))
      call relax(u(0:n + 1, n + 1:0:-1), b(1:n, 1:n), much)
    end do
    total = sum(u) + sum(b(1:n, 1:n))
  end function

  function derived(n, rounds) result(total)
    integer, intent(in) :: n, rounds
    real(8) :: total
    type(grid) :: g
    integer :: i, j, r
    allocate(g%cells(n, n), g%flux(n, n))
    do j = 1, n
      do i = 1, n
        g%cells(i, j) = cell(1d0 + i * 1d-3, 1d0, 0d0, mod(i * j, 3))
      end do
    end do
    g%flux = 0
    total = 0
    do r = 1, rounds
      !$omp parallel do private(i) reduction(+:total)
      do j = 2, n - 1
        do i = 2, n - 1
          select case (g%cells(i, j)%material)
          case (0)
            g%cells(i, j)%pressure = 0.4d0 * g%cells(i, j)%density * g%cells(i, j)%energy
          case (1)
            g%cells(i, j)%pressure = 0.6d0 * g%cells(i, j)%density * g%cells(i, j)%energy + 1d-3
          case default
            g%cells(i, j)%pressure = sqrt(abs(g%cells(i, j)%energy))
          end select
          g%flux(i, j) = 0.5d0 * (g%cells(i + 1, j)%energy - g%cells(i - 1, j)%energy)
          total = total + g%cells(i, j)%pressure
        end do
      end do
      do j = 2, n - 1
        do i = 2, n - 1
          g%cells(i, j)%energy = g%cells(i, j)%energy + 1d-3 * g%flux(i, j)
          if (g%cells(i, j)%energy > 2d0) g%cells(i, j)%energy = 2d0
        end do
      end do
    end do
  end function
end module

program shapes
  use shapes_kernels
  implicit none
  character(len = 16) :: word
  integer :: n, rounds
  real(8) :: total
  call get_command_argument(2, word)
  read (word, *) n
  call get_command_argument(3, word)
  read (word, *) rounds
  call get_command_argument(1, word)
  select case (word)
  case ('syntax')
    total = syntax(n, rounds)
  case ('assumed')
    total = assumed(n, rounds)
  case ('derived')
    total = derived(n, rounds)
  case default
    stop 1
  end select
  print '(es16.8)', total
end program

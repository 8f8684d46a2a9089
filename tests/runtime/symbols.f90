! symbols.f90: data of all kinds, in Fortran.  Prints "name address bytes" of each object.
module field
  implicit none
  real(8), target :: grid(100, 10)
  real(8), allocatable, target :: moving(:, :)
  integer, private, save, target :: hidden(1100)
contains
  subroutine show(name, where, n_bytes)
    character(*), intent(in) :: name
    integer(8), intent(in) :: where
    integer, intent(in) :: n_bytes
    write (*, '(A, " 0x", Z0, " ", I0)') name, where, n_bytes
  end subroutine show
  subroutine step(n)
    integer, intent(in) :: n
    integer, save, target :: counts(1200)
    counts(n) = counts(n) + 1
    hidden(n) = counts(n)
    call show('step.counts', loc(counts), 4 * size(counts))
    call show('field::hidden', loc(hidden), 4 * size(hidden))
  end subroutine step
end module field

subroutine other(n)
  use field
  implicit none
  integer, intent(in) :: n
  integer, save, target :: counts(1300) = 7
  real :: p, q(1400)
  common /block/ p, q
  q(n) = p + real(counts(n))
  counts(n) = int(q(n)) + n
  call show('other.counts', loc(counts), 4 * size(counts))
  call show('/block/', loc(p), 4 * (1 + size(q)))
  call show('q', loc(q), 4 * size(q))
end subroutine other

program symbols
  use field
  use ompp
  implicit none
  integer, save, target :: of_program(1500)
  real :: blank
  common blank(1600)
  call ompp_region_begin('r')
  allocate (moving(10, 10))
  moving = 1
  grid = 2
  of_program = 3
  blank = 4
  call show('field::grid', loc(grid), 8 * size(grid))
  call show('of_program', loc(of_program), 4 * size(of_program))
  call show('//', loc(blank), 4 * size(blank))
  call step(3)
  call other(2)
  if (sum(moving) + sum(grid) < 0 .or. of_program(2) < 0) print *, 'no'
  call ompp_region_end('r')
end program symbols

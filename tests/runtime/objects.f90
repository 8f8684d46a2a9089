! objects: allocations of Fortran
program objects
  implicit none
  real(8), allocatable :: a(:, :)
  allocate (a(100, 50))
  a = 1
  call scale(a, 5000)
  print *, sum(a)
  deallocate (a)
contains
  subroutine scale(x, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n)
    real(8) :: twice(n)
    twice = x*2
    x = twice
  end subroutine
end program

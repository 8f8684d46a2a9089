! fields: derived types whose counts are known.  The script has the formulas.
module shapes
  type :: vec
    double precision :: x, y, z
  end type
  type :: particle
    integer :: id
    type(vec) :: pos
    type(vec) :: past(4)
    logical :: alive
  end type
  type(vec) :: fixed(1000)
end module
program main
  use shapes
  implicit none
  type(particle), allocatable :: p(:)
  type(vec), pointer :: w(:)
  integer :: i, n
  double precision :: s
  n = 2000
  allocate(p(n))
  allocate(w(n))
  !$omp parallel do
  do i = 1, n
    p(i)%id = i
    p(i)%pos%x = i
    p(i)%past(2)%z = 3
  end do
  do i = 1, n
    w(i)%y = 2
  end do
  s = 0
  do i = 1, n
    s = s + p(i)%pos%x * w(i)%y
  end do
  do i = 1, 1000
    fixed(i)%x = i
  end do
  print *, s
end program

! As numa.c, in Fortran.
program numa
  use omp_lib
  implicit none
  integer, parameter :: pages = 40, rounds = 6, each = 512
  real(8), allocatable :: a(:)
  integer :: i, n, round
  n = omp_get_max_threads() * pages
  allocate(a(n * each))
#ifdef MENDED
  !$omp parallel do schedule(static)
#endif
  do i = 1, n
#ifdef PARTS
    a(modulo(i - 1 + pages, n) * each + 1) = 0
#else
    a((i - 1) * each + 1) = 0
#endif
  end do
  do round = 1, rounds
#ifdef OTHER
    !$omp parallel private(i) ! planted
    if (omp_get_thread_num() == 2) then
      do i = 1, n
        a((i - 1) * each + 1) = a((i - 1) * each + 1) + 1
      end do
    end if
    !$omp end parallel
#else
    !$omp parallel do schedule(static) ! planted
    do i = 1, n
      a((i - 1) * each + 1) = a((i - 1) * each + 1) + 1
    end do
#endif
  end do
  print *, a(1)
end program

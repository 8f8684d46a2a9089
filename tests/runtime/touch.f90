! touch: a static array and an allocated one, a word of each page; prints the first touches that a report has to show.
program touch
  use omp_lib
  implicit none
  integer, parameter :: n = 200, threads = 2, page = 65536 / 8
  real(8), save :: s(page * (n + 1))
  real(8), allocatable :: a(:)
  integer(8) :: i, first, of_s
  integer :: t
  allocate (a(page * (n + 1)))
!$pomp inst data(s, size(s) * 8, "s")
!$pomp inst data(a, size(a) * 8, "a")
  of_s = mod(page - mod(loc(s) / 8, int(page, 8)), int(page, 8)) + 1
  do i = 0, n - 1
     s(of_s + i * page) = 1
  end do
  first = mod(page - mod(loc(a) / 8, int(page, 8)), int(page, 8)) + 1
!$omp parallel do schedule(static) num_threads(threads)
  do i = 0, n - 1
     a(first + i * page) = s(of_s + i * page)
  end do
  print '(a)', 's,0,200,,15'
  do t = 0, threads - 1
     print '(a,i1,a)', 'a,', t, ',100,18,20'
  end do
end program

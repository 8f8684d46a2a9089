! A loop of N iterations of STEPS steps, TIMES times, in chunks of CHUNK.
program chunks_loop
  implicit none
  real(8) :: a(N), x
  integer :: i, j, t
  a = 0
  do t = 1, TIMES
    !$omp parallel do schedule(dynamic, CHUNK) private(j, x)
    do i = 1, N
      x = 1
      do j = 1, STEPS
        x = x * 0.999d0 + 0.5d0
      end do
      a(i) = a(i) * 0.5d0 + x
    end do
    !$omp end parallel do
  end do
  print *, a(N)
end program

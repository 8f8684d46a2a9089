! One thread makes N tasks of STEPS steps each; mended, each task has BLOCK of them.
#ifndef BLOCK
#define BLOCK 1
#endif
program tasks_loop
  implicit none
  real(8) :: a(N)
  integer :: i, k
  !$omp parallel
  !$omp single
  do i = 1, N, BLOCK
    !$omp task firstprivate(i) private(k) shared(a)
    do k = i, min(i + BLOCK - 1, N)
      call work(a(k))
    end do
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  print *, a(N)
contains
  subroutine work(x)
    real(8), intent(out) :: x
    integer :: j
    x = 1
    do j = 1, STEPS
      x = x * 0.999d0 + 0.5d0
    end do
  end subroutine
end program

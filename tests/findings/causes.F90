! As causes.c, in Fortran.
#ifndef TIMES
#define TIMES 50
#endif
#ifndef STEPS
#define STEPS 60000
#endif
#ifndef MORE
#define MORE 3
#endif
module grid
  implicit none
  real(8) :: a(64) = 0
  real(8) :: m(2000, 1000) = 0
#ifdef GROWING
  real(8) :: keys(TIMES * MORE * (STEPS / 100)) = 0
  integer :: n_keys = 0
#endif
contains
  real(8) function work(n)
    integer, intent(in) :: n
    integer :: k
    work = 1
    do k = 1, n
      work = work * 0.999d0 + 0.5d0
    end do
  end function

  subroutine balanced(n)
    integer, intent(in) :: n
    integer :: i
    !$omp parallel do schedule(static)
    do i = 1, 64
      a(i) = a(i) + work(n)
    end do
  end subroutine

  subroutine step(t)
    integer, intent(in) :: t
    integer :: i
#if defined(LOOP)
#ifdef MENDED
    !$omp parallel do schedule(static, 1)
#else
    !$omp parallel do schedule(static) ! planted
#endif
    do i = 1, 64
      a(i) = a(i) + work(merge(STEPS, MORE * STEPS, i <= 32))
    end do
#elif defined(TRIANGLE)
#ifdef MENDED
    !$omp parallel do schedule(static, 1)
#else
    !$omp parallel do schedule(static) ! planted
#endif
    do i = 1, 64
      a(i) = a(i) + work(i * MORE * STEPS / 64)
    end do
#elif defined(UNEQUAL)
    !$omp parallel sections ! planted
    !$omp section
    a(1) = a(1) + work(20 * STEPS)
    !$omp section
#ifdef MENDED
    a(2) = a(2) + work(20 * STEPS)
#else
    a(2) = a(2) + work(MORE * 20 * STEPS)
#endif
    !$omp end parallel sections
#elif defined(SINGLE)
    !$omp parallel private(i)
#ifdef MENDED
    !$omp do schedule(static)
    do i = 1, 64
      a(i) = a(i) + work(MORE * STEPS / 10)
    end do
#else
    !$omp single ! planted
    a(1) = a(1) + work(64 * MORE * STEPS / 10)
    !$omp end single
#endif
    !$omp do schedule(static)
    do i = 1, 64
      a(i) = a(i) + work(STEPS)
    end do
    !$omp end parallel
#elif defined(CRITICAL)
    real(8) :: x
    !$omp parallel do schedule(static) private(x)
    do i = 1, 64
      x = work((10 - MORE) * STEPS / 10)
#ifdef MENDED
      a(i) = a(i) + work(MORE * STEPS / 10) + x
#else
      !$omp critical ! planted
      a(1) = a(1) + work(MORE * STEPS / 10) + x
      !$omp end critical
#endif
    end do
#elif defined(OUTSIDE)
    interface
      integer(c_int) function usleep(us) bind(c)
        use, intrinsic :: iso_c_binding, only: c_int
        integer(c_int), value :: us
      end function
    end interface
#ifndef MENDED
    i = usleep(10000 * MORE)
#endif
    call balanced(STEPS)
#elif defined(SERIAL)
#ifdef MENDED
    call balanced(MORE * STEPS / 10)
#else
    a(1) = a(1) + work(64 * MORE * STEPS / 10)
#endif
    call balanced(STEPS)
#elif defined(GROWING)
    integer :: k, n_new
    n_new = MORE * (STEPS / 100)
#ifdef MENDED
    ! as many all the time as there would be in the middle
    n_new = merge(n_new * TIMES / 2, 0, t == 1)
#endif
    keys(n_keys + 1:n_keys + n_new) = t
    n_keys = n_keys + n_new
    !$omp parallel do schedule(static) private(k) ! planted
    do i = 1, 64
      do k = 1, n_keys
        if (keys(k) == -i) exit
      end do
      a(i) = a(i) + k
    end do
#elif defined(STRIDE)
    integer :: j
    real(8) :: s
    s = 0
    !$omp parallel do reduction(+:s) private(j) ! planted
#ifdef MENDED
    do i = 1, 1000
      do j = 1, 2000
        s = s + m(j, i)
      end do
    end do
#else
    do i = 1, 2000
      do j = 1, 1000
        s = s + m(i, j)
      end do
    end do
#endif
    a(1) = a(1) + s
#else
    call balanced(STEPS)
#endif
    if (t < 0) call balanced(1)
  end subroutine
end module

program causes
  use grid
  implicit none
  integer :: t
  do t = 0, TIMES - 1
    call step(t)
  end do
  print *, a(1) > 0
end program

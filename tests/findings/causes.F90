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
  use omp_lib
  implicit none
  real(8) :: a(64) = 0
  real(8) :: m(2000, 1000) = 0
  integer :: hits = 0
#ifdef LOCK
  integer(omp_lock_kind) :: lock
#endif
#ifdef MEMORY
  integer, parameter :: long = 12000000, block = 8000, passes = 8
  real(8), allocatable :: from(:), to(:)
#endif
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
#elif defined(REGION)
    !$omp parallel private(i) ! planted
    i = omp_get_thread_num()
#ifdef MENDED
    a(i + 1) = a(i + 1) + work(int(10 * (1 + MORE) * STEPS))
#else
    a(i + 1) = a(i + 1) + work(merge(20 * STEPS, int(MORE * 20 * STEPS), i > 0))
#endif
    !$omp end parallel
#elif defined(BEFORE)
    !$omp parallel private(i)
#ifdef MENDED
    !$omp do schedule(static, 1)
#else
    !$omp do schedule(static)
#endif
    do i = 1, 64
      a(i) = a(i) + work(merge(STEPS, int(MORE * STEPS), i <= 32))
    end do
    !$omp end do nowait
    !$omp do schedule(static) ! planted
    do i = 1, 64
      a(i) = a(i) + work(STEPS / 4)
    end do
    !$omp end parallel
#elif defined(UNEQUAL)
    !$omp parallel sections ! planted
#ifdef MENDED
    !$omp section
    a(1) = a(1) + work(10 * (1 + MORE) * STEPS)
    !$omp section
    a(2) = a(2) + work(10 * (1 + MORE) * STEPS)
#else
    !$omp section
    a(1) = a(1) + work(20 * STEPS)
    !$omp section
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
#elif defined(LOCK)
    real(8) :: x
    if (t == 0) call omp_init_lock(lock)
    !$omp parallel do schedule(static) private(x)
    do i = 1, 64
      x = work((10 - MORE) * STEPS / 10)
#ifdef MENDED
      a(i) = a(i) + work(MORE * STEPS / 10) + x
#else
      call omp_set_lock(lock)
      a(1) = a(1) + work(MORE * STEPS / 10) + x
      call omp_unset_lock(lock)
#endif
    end do
#elif defined(ORDERED)
    real(8) :: x
    !$omp parallel do schedule(static, 1) ordered private(x)
    do i = 1, 64
      x = work((10 - MORE) * STEPS / 10)
#ifdef MENDED
      a(i) = a(i) + work(MORE * STEPS / 10) + x
#else
      !$omp ordered ! planted
      a(1) = a(1) + work(MORE * STEPS / 10) + x
      !$omp end ordered
#endif
    end do
#elif defined(ATOMIC)
#ifdef MENDED
    !$omp parallel do schedule(static) reduction(+:hits)
    do i = 1, 32000
      if (work(STEPS / 1000) > 0) hits = hits + 1
    end do
#else
    !$omp parallel do schedule(static)
    do i = 1, 32000
      if (work(STEPS / 1000) > 0) then
        !$omp atomic ! planted
        hits = hits + 1
      end if
    end do
#endif
#elif defined(FORKS)
#ifdef MENDED
    call balanced(100 * (STEPS / 1000))
#else
    integer :: k
    do k = 1, 100
      !$omp parallel do schedule(static) ! planted
      do i = 1, 64
        a(i) = a(i) + work(STEPS / 1000)
      end do
    end do
#endif
#elif defined(BARRIERS)
    integer :: k
    !$omp parallel private(i, k)
    i = omp_get_thread_num() + 1
    do k = 1, 20000
      a(i) = a(i) + work(STEPS / 1000)
#ifndef MENDED
      !$omp barrier ! planted
#endif
    end do
    !$omp end parallel
#elif defined(FIRST)
#ifdef MENDED
    integer, parameter :: long_first = STEPS
#else
    integer, parameter :: long_first = TIMES * STEPS * MORE / 10
#endif
    !$omp parallel do schedule(static) ! planted
    do i = 1, 64
      a(i) = a(i) + work(merge(long_first, STEPS, t == 0))
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
    ! as many all the time as in the middle of the run, or with MENDED=8 after an eighth of it
    n_new = merge(n_new * TIMES / max(2, MENDED), 0, t == 1)
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
#elif defined(MEMORY)
    ! long arrays are read and written from memory again and again; mended, while a part is in caches
    integer :: j, k
    if (t == 0) then
      allocate (from(long), to(long))
      !$omp parallel do schedule(static)
      do i = 1, long
        from(i) = 1
        to(i) = 1
      end do
    end if
#ifdef MENDED
    !$omp parallel do schedule(static) private(j, k) ! planted
    do i = 1, long, block
      do k = 1, passes
        do j = i, i + block - 1
          to(j) = to(j) + 0.5d0 * from(j)
        end do
      end do
    end do
#else
    do k = 1, passes
      !$omp parallel do schedule(static) ! planted
      do j = 1, long
        to(j) = to(j) + 0.5d0 * from(j)
      end do
    end do
#endif
    a(1) = a(1) + to(t + 1)
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
  print *, a(1) > 0, hits
end program

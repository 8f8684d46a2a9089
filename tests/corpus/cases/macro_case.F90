! Macros in directives, whose case matters.
! Regions: PARALLEL LOOP 2.
#define CHUNK 4
#define Threads 2
program p
  implicit none
  integer :: a(CHUNK), i
!$omp parallel do schedule(static, CHUNK) num_threads(Threads)
  do i = 1, CHUNK
    a(i) = i
  end do
  if (sum(a) /= 10) stop 1
end program

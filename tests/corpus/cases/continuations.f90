! Continued directives in free form: a line with the sentinel alone, blanks before it, conditional compilation.
! Regions: PARALLEL 2, CRITICAL 2, PARALLEL 2, ATOMIC 2.
program p
!$ use omp_lib
  implicit none
  integer :: n, s
  n = 1
  s = 0
!$ n = omp_get_max_threads()
!$OMP PARALLEL DEFAULT(SHARED) &
!$OMP& NUM_THREADS(2) &
!$omp&
!$OMP CRITICAL
  s = s + 1
!$OMP END CRITICAL
!$OMP END PARALLEL
!$OMP   parallel &
   !$omp num_threads(2)
!$omp atomic
  s = s + 1
!$omp end parallel
  if (n < 1 .or. s /= 4) stop 1
end program

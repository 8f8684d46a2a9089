! Continued directives in fixed form, with every sentinel, and conditional compilation.
! Regions: PARALLEL LOOP 2, PARALLEL 2, CRITICAL 2.
      program p
      integer i, s, a
      s = 0
      a = 0
c$omp parallel do reduction(+:s)
c$omp& private(a)
C$OMP+ schedule(static) num_threads(2)
      do 10 i = 1, 10
      a = i
      s = s + a
 10   continue
*$omp parallel
*$omp1 shared(s) num_threads(2)
!$    if (.true.) then
c$omp critical
!$    s = s + 1
c$omp end critical
!$    end if
*$omp end parallel
      if (s .ne. 57) stop 1
      end

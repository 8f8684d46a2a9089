      program p
      integer s
      s = 1
!$    s = s +
!$   &3
c$    s = s + 1
*$ 10 s = s + 1
!$    if (s .lt. 0) goto 10
C$OMP PARALLEL NUM_THREADS(2)
c$omp& reduction(+:s)
!$    s = s + 1
c$omp end parallel
c$x   not this
!$	s = s + 1
      print *, s
      end

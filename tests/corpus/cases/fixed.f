c     No PROGRAM statement, shared labels, text beyond column 72.
c Regions: PARALLEL LOOP 2, PARALLEL 2, LOOP 2, ATOMIC 2, CRITICAL 2, PARALLEL LOOP 4, PARALLEL 2, SINGLE 2.
      integer i, j, s, t, a(10)
      s = 0
      t = 0
c$omp parallel do private(j) reduction(+:s)
c$omp+ num_threads(2)
      do 20 i = 1, 4                                                    beyond
      do 20 j = 1, 3
         s = s + i * j
 20   continue
!$omp parallel num_threads(2)
*$omp do
      do 30, i = 1, 10
 30      a(i) = i
c$omp end do nowait
C$OMP ATOMIC
      t = t +
     &    1
c$omp critical
      t = t + 1
c$omp end critical
c$omp end parallel
      do 40 i = 1, 2
!$omp parallel do num_threads(2) reduction(+:t)
      do 40 j = 1, 2
 40   t = t + j
      call sub(t)
c$    t = t + 1000
      print *, s, t, a(10)
      end
      subroutine sub(t)
      implicit real (t)
      integer t
!$omp parallel num_threads(2)
!$omp single
      t = t + 1
!$omp end single
!$omp end parallel
      end

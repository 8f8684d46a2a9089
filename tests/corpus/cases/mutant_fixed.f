      program p
      integer i, s, a(10), endo, do10i
      character*20 t
      s = 0
      do10i = 5
C$OMP PARALLEL DO REDUCTION(+:S)
C$OMP+NUM_THREADS(2)
C a comment
*$OMP1SCHEDULE(STATIC)
      do 10 i = 1, 10
      if (i .eq. 3) go to 10
      s = s + i
   10 continue
!$omp end parallel do
      print *, s, do10i
      do 30 i = 1, 3
c$omp parallel num_threads(2)
c$omp do
      do 20 j = 1, 3
   20 a(j) = i + j                                                      comment
c$omp enddo nowait
c$omp end parallel
   30 s = s + a(2)
      print *, s
c$    print *, 'cond'
!$   &, 'more'
      t = 'abc!$omp
     &parallel'
      print *, t
      if (s .gt. 3)
     &then
c$omp critical (x)
      s = s + 1
c$omp endcritical (x)
      endif
	if (s .gt. 3) s = s + 1
c$omp	barrier
!$omp parallel num_threads(2)
!$omp&reduction(+:s)
!$omp sections
      s = s + 1
!$omp section
      s=s+2
!$omp end sections
!$omp end parallel
      do 50 i = 1, 2
      do 50 j = 1, 2
c$omp parallel do num_threads(2)
      do 40 k = 1, 4
      a(k) = a(k) + 1
   40 continue
   50 continue
      print *, s, a(1)
c$omp parallel do private(j, k) collapse(2) num_threads(2)
      do 60 i = 1, 2
      do 60 j = 1, 2
   60 a(i + 2 * j) = i + j
      print *, a(3), a(6)
      e n d

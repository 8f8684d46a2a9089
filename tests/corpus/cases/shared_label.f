! Loops that share a label: a worksharing one outside, one inside of a sequential loop.
! Regions: PARALLEL 2, LOOP 2, PARALLEL LOOP 4, LOOP 2.
      program p
      integer i, j, a(10, 10), n
      common /c/ n
      a = 0
!$omp parallel num_threads(2)
!$omp do
      do 100 j = 1, 10
      do 100 i = 1, 10
         a(i, j) = 1
100   continue
!$omp end parallel
      call work()
      if (sum(a) .ne. 100 .or. n .ne. 4) stop 1
      call more()
      end
      subroutine more()
      integer i, j, k, s(5, 5, 2)
      s = 0
      do 10 k = 1, 2
!$omp parallel do private(i) num_threads(2)
      do 10 j = 1, 5
      do 10 i = 1, 5
        s(i, j, k) = s(i, j, k) + 10 * i
  10  s(i, j, k) = s(i, j, k)
     &  + 1
      if (sum(s) .ne. 1550) stop 2
      end
      subroutine work()
      integer i, j, n
      common /c/ n
      n = 0
      do 200 i = 1, 2
!$omp do
      do 200 j = 1, 2
         n = n + 1
200   continue
      end

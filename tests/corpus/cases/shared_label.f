! Loops that share a label: a worksharing one outside, one inside of a sequential loop.
! Regions: PARALLEL 2, LOOP 2.
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

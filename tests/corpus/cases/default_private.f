! default(private) with lastprivate in fixed form.
! Regions: PARALLEL LOOP 2.
      program p
      integer i, j, a(10), n
      n = 3
!$omp parallel do default(private) lastprivate(a) num_threads(2)
!$omp& firstprivate(n)
      do i = 1, 10
      do j = 1, 10
       a(j) = j + n
      end do
      end do
!$omp end parallel do
      if (a(10) .ne. 13) stop 1
      end

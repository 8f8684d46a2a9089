! masked in fixed form.
! Regions: PARALLEL 2, MASKED 1, LOOP 2.
      program p
      integer i, s
      s = 0
!$omp parallel num_threads(2)
!$omp masked
      s = s + 1
!$omp end masked
!$omp do
      do i = 1, 10
      end do
!$omp end do
!$omp end parallel
      if (s .ne. 1) stop 1
      end

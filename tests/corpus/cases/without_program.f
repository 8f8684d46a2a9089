! A main program without a PROGRAM statement, in fixed form; names are implicitly typed.
! Regions: PARALLEL 2, SINGLE 2, TASK 10, TASKEXEC 10, ATOMIC 10.
      integer a, i
      common /c/ a
      a = 0
!$omp parallel private(i) num_threads(2)
!$omp single
      do i = 1, 10
!$omp task
      call work(i)
!$omp end task
      end do
!$omp end single
!$omp end parallel
      if (a .ne. 55) stop 1
      end
      subroutine work(i)
      integer i, a
      common /c/ a
!$omp atomic
      a = a + i
      end

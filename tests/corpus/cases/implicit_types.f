! Nothing is declared: what kinst adds may not be typed by its first letter.
! Regions: PARALLEL 2, PARALLEL 2, SINGLE 2, TASK 1, TASKEXEC 1, ATOMIC 3.
      subroutine s(n)
!$omp parallel if(n.gt.1) num_threads(2)
      call work(n)
!$omp end parallel
      end
      program p
      common /c/ k
      k = 0
      call s(3)
      call t
      if (k .ne. 7) stop 1
      end
      subroutine t
!$omp parallel num_threads(2)
!$omp single
!$omp task
      call work(1)
!$omp end task
!$omp end single
!$omp end parallel
      end
      subroutine work(n)
      implicit real (a-z)
      integer n, k
      common /c/ k
!$omp atomic
      k = k + n
      end

! default(none) and default(private) with lastprivate.
! Regions: PARALLEL 2, CRITICAL 2, LOOP 2, TASK 2, TASKEXEC 2, ATOMIC 2, PARALLEL LOOP 2.
program p
  implicit none
  integer :: i, k, s
  s = 0
!$omp parallel default(none) shared(s) private(i) num_threads(2)
!$omp critical
  s = s + 1
!$omp end critical
!$omp do
  do i = 1, 3
  end do
!$omp end do
!$omp task default(none) shared(s)
!$omp atomic
  s = s + 1
!$omp end task
!$omp end parallel
  k = 0
!$omp parallel do default(none) lastprivate(k) num_threads(2)
  do i = 1, 4
    k = i
  end do
  if (s /= 4 .or. k /= 4) stop 1
end program

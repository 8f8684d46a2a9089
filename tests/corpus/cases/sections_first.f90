! Sections whose first has no directive; one whose only section holds a loop with tasks.
! Regions: PARALLEL SECTIONS 2, ATOMIC 1, ATOMIC 1, PARALLEL SECTIONS 2, TASK 10, TASKEXEC 10.
program p
  implicit none
  integer :: i, s, v
  s = 0
  v = 0
!$omp parallel sections num_threads(2)
!$omp atomic
  s = s + 1
!$omp section
!$omp atomic
  s = s + 1
!$omp end parallel sections
!$omp parallel sections num_threads(2)
  do i = 1, 10
    !$omp task shared(v) if(.false.)
    v = v + 1
    !$omp end task
  end do
!$omp end parallel sections
  if (s /= 2 .or. v /= 10) stop 1
end program

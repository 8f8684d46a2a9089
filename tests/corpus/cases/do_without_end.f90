! Loops without an end directive: labelled, nested, named with CYCLE out of the inner one, DO CONCURRENT beside.
! Regions: PARALLEL 2, LOOP 2, LOOP 2, PARALLEL LOOP 2, PARALLEL LOOP 2.
program p
  implicit none
  integer :: i, j, s, a(10)
  s = 0
!$omp parallel num_threads(2)
!$omp do
  do i = 1, 10
    a(i) = i
  end do
!$omp do
  do 10 i = 1, 10
    a(i) = a(i) + i
10 continue
!$omp end parallel
!$omp parallel do private(j) reduction(+:s) num_threads(2)
  outer: do i = 1, 10
    do j = 1, 10
      if (j == 5) cycle outer
      s = s + 1
    enddo
  end do outer
  do concurrent (i = 1:10)
    a(i) = a(i) + 1
  end do
!$omp parallel do num_threads(2)
  do i = 1, 10; a(i) = a(i) + 1; end do
  if (s /= 40 .or. sum(a) /= 130) stop 1
end program

! A region inside of ASSOCIATE.
! Regions: PARALLEL 2, SINGLE 2.
program p
  implicit none
  real :: v
  v = 1
  associate (u => v)
!$omp parallel num_threads(2)
!$omp single
    u = u + 2
!$omp end single
!$omp end parallel
  end associate
  if (v /= 3) stop 1
end program

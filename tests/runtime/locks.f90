! locks: nothing of OpenMP but locks, from Fortran.
program locks
  use omp_lib
  implicit none
  integer(omp_nest_lock_kind) :: nest
  integer(omp_lock_kind) :: lock
  integer :: first, second

  call omp_init_lock(lock)
  call omp_set_lock(lock)
  call omp_unset_lock(lock)
  call omp_init_nest_lock(nest)
  first = omp_test_nest_lock(nest)
  second = omp_test_nest_lock(nest)
  call omp_unset_nest_lock(nest)
  call omp_unset_nest_lock(nest)
  print '(i1, i2, l2)', first, second, omp_test_lock(lock)
end program locks

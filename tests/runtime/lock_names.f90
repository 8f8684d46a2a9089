! Lock names: locks of modules, arrays and the heap.  As in lock_names.c; elements are numbered from 1, whatever the bounds.
module m
  use omp_lib
  integer(omp_lock_kind) :: lck(6), one
  integer(omp_nest_lock_kind) :: nst(0:2)
end module m
program lock_names
  use m
  implicit none
  integer :: i
  integer(omp_lock_kind), allocatable :: dyn(:)
  call omp_init_lock(one)
  do i = 1, 6
     call omp_init_lock(lck(i))
  end do
  do i = 0, 2
     call omp_init_nest_lock(nst(i))
  end do
  allocate(dyn(40))
  do i = 1, 40
     call omp_init_lock(dyn(i))
  end do
  do while (.not. omp_test_lock(one))             ! set: one
  end do
  call omp_unset_lock(one)
  call omp_set_lock(lck(2)); call omp_unset_lock(lck(2))  ! set: lck #2
  if (omp_test_lock(lck(3))) call omp_unset_lock(lck(3))  ! set: lck #3
  call OMP_SET_NEST_LOCK (  & ! set: nst #2
       nst(1))
  call omp_unset_nest_lock(nst(1))
  do i = 1, 40
     if (i > 3) call omp_set_lock(dyn(i))         ! set: dyn(*)
     if (i > 3) call omp_unset_lock(dyn(i))
  end do
  print *, 'done'
end program lock_names

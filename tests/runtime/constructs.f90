! Constructs: each OpenMP construct a known number of times, by two threads.  No parallel sections: beside a sections
! construct, opari2 makes of them a call that gfortran rejects.
program constructs
  use omp_lib
  implicit none
  integer(omp_lock_kind) :: lock
  integer(omp_nest_lock_kind) :: nest
  integer :: i, k, total, in_critical, in_lock, in_nest
  integer :: a(8)

  total = 0
  in_critical = 0
  in_lock = 0
  in_nest = 0
  call omp_init_lock(lock)
  call omp_init_nest_lock(nest)
!$omp parallel num_threads(2) private(k)
  do k = 1, 10
!$omp do reduction(+:total)
    do i = 1, 8
      total = total + i
    end do
!$omp end do
!$omp do ordered reduction(+:total)
    do i = 1, 8
!$omp ordered
      total = total + i
!$omp end ordered
    end do
!$omp end do
!$omp sections
!$omp section
!$omp atomic
    total = total + 1
!$omp section
!$omp atomic
    total = total + 1
!$omp section
!$omp atomic
    total = total + 1
!$omp end sections
!$omp single
    total = total + 1
!$omp end single
!$omp workshare
    a = k
!$omp end workshare
!$omp master
!$omp atomic
    total = total + 1
!$omp end master
!$omp critical (name)
    in_critical = in_critical + 1
!$omp end critical (name)
!$omp barrier
!$omp flush
!$omp task
!$omp atomic
    total = total + 1
!$omp end task
!$omp taskwait
    call omp_set_lock(lock)
    in_lock = in_lock + 1
    call omp_unset_lock(lock)
    call omp_set_nest_lock(nest)
    call omp_set_nest_lock(nest)
    in_nest = in_nest + 1
    call omp_unset_nest_lock(nest)
    call omp_unset_nest_lock(nest)
!$POMP INST BEGIN(mine)
!$omp atomic
    total = total + 1
!$POMP INST END(mine)
  end do
!$omp end parallel
  do k = 1, 3
!$omp parallel do num_threads(2) reduction(+:total)
    do i = 1, 8
      total = total + i
    end do
!$omp end parallel do
!$omp parallel workshare num_threads(2)
    a = 2
!$omp end parallel workshare
  end do
  print '(4(i0, 1x))', total, in_critical, in_lock, in_nest
end program constructs

program p
integer :: s
s = 1
!$ s = s + &
!$& 3
!$ print *, s, 'abc &
!$&def'
  !$ s = s &
  !$   & + 4
!$	s = s + 1
!$omp parallel num_threads(2) &
!$omp& reduction(+:s)
!$ s = s + 1
!$omp end parallel
!$print *, 'no'
!$ 10 continue
!$ if (s < 0) goto 10
!$ block; integer :: z; z = 3; s = s + z; end block
print *, s
end

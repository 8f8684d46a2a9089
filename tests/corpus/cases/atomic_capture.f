! atomic with two statements in fixed form.
! Regions: ATOMIC 1.
      program p
      integer i, v
      i = 4
!$omp atomic capture
      v = i
      i = i + 1
!$omp end atomic
      if (i .ne. 5 .or. v .ne. 4) stop 1
      end

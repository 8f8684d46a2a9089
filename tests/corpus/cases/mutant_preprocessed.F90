#define N 4
#define CONCAT(a,b) a/**/b
program p
integer :: s, j, i
s = 0
!$omp parallel do &
#ifdef X
!$omp& lastprivate(j) &
#else











!$omp& private(j) &
#endif

! comment
!$omp& reduction(+:s) num_threads(2)
do i = 1, N
  j = i
  s = s + j &
#ifdef X
   + 1 &
#endif
   + 2
end do
!$omp parallel num_threads(2)
!$omp critical
s = s + 1
!$omp end critical
if (s < 0) &
 s = 0
!$omp end parallel
print *, s
end

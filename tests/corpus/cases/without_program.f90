! A main program without a PROGRAM statement, in free form, that ends with a bare END.
! Regions: ATOMIC 1.
integer :: a
a = 1
!$omp atomic
a = a + 4
if (a /= 5) stop 1
end

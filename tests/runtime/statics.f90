! statics: prints where static data lie, from the first of them
module state
	implicit none
	integer, save :: counter = 1
	real(8), save :: table(33)
	character, save :: odd
end module

subroutine show(name, place)
	use, intrinsic :: iso_c_binding
	use state
	implicit none
	character(*) :: name
	type(c_ptr) :: place
	integer, save, target :: origin = 1
	integer(c_intptr_t) :: here, from

	here = transfer(place, here)
	from = transfer(c_loc(origin), from)
	print '(a, i0)', name, here - from
end subroutine

program statics
	use, intrinsic :: iso_c_binding
	use state
	implicit none
	real(8), save, target :: kept(17) = 1
	real(4), save, target :: zeros(9)
	character, save, target :: c
	real(8), target :: block(11)
	integer, target :: small
	common /shared/ block, small
	integer :: i

	!$omp parallel do
	do i = 1, 9
		zeros(i) = i
		!$omp critical
		kept(i) = kept(i) + 1
		!$omp end critical
	end do
	!$omp parallel
	!$omp single
	c = 'a'
	block(3) = 1
	small = 2
	table(4) = 1
	odd = 'b'
	!$omp end single
	!$omp barrier
	!$omp atomic
	counter = counter + 1
	!$omp end parallel
	call show('kept ', c_loc(kept))
	call show('zeros ', c_loc(zeros))
	call show('c ', c_loc(c))
	call show('block ', c_loc(block))
	call show('small ', c_loc(small))
end program

! parts: arrays that threads share in different ways, each named after the class that the report must show
program parts
	implicit none
	integer, parameter :: n = 20000
	real(8), allocatable :: own(:), rows(:, :), cyclic(:)
	integer :: i, k

	allocate(own(n), rows(100, 200), cyclic(n))
!$pomp inst data(own, 8_8 * n, "partitioned")
!$pomp inst data(rows, 8_8 * n, "parts-written")
!$pomp inst data(cyclic, 8_8 * n, "shared-written")
	do k = 1, 2
		own = k
		rows = k
		cyclic = k
	end do
!$omp parallel do schedule(static) num_threads(3)
	do i = 1, n
		own(i) = own(i) + i
	end do
!$omp parallel do schedule(static) num_threads(3)
	do i = 2, 200
		rows(:, i) = rows(:, i - 1) + i
	end do
!$omp parallel do schedule(static, 1) num_threads(3)
	do i = 1, n
		cyclic(i) = i
	end do
	print *, own(5) + cyclic(7)
end program

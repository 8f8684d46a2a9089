! mem_loads: where the loads of a loop are served from, by samples of the processor (module ompp_mem).
!
!      gfortran mem_loads.f90 -I INCLUDEDIR -lompp_mem_fortran $(pkg-config --libs ompp-mem)
!
! It prints how many samples there are and the share of each level; where the machine has none, it prints why.
program mem_loads
  use, intrinsic :: iso_c_binding
  use ompp_mem
  implicit none
  integer, parameter :: n = 2**22
  real(8), allocatable :: a(:)
  real(8) :: total
  type(c_ptr) :: mem
  type(ompp_mem_options) :: options
  integer :: i

  if (ompp_mem_supported(ompp_mem_loads) /= 0) then
     print '(2a)', 'no samples of loads: ', ompp_mem_message()
     stop
  end if
  allocate (a(n), source=0d0)
  options%period = 1000
  if (ompp_mem_begin(mem, options) /= 0) error stop 'no session'
  if (ompp_mem_start(mem, ompp_mem_loads) /= 0) error stop 'no start'
  total = 0
  do i = 0, n - 1
     total = total + a(1 + mod(i * 7919_8, int(n, 8)))
  end do
  if (ompp_mem_stop(mem) /= 0) error stop 'no stop'
  if (ompp_mem_print(mem, '', .false.) /= 0) error stop 'no print'
  call ompp_mem_free(mem)
  if (total /= 0) error stop 'wrong sum'
end program mem_loads

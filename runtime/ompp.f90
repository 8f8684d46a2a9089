! ompp: what a Fortran program may call of libompp (see ompp.h).
module ompp
  implicit none
  interface
     ! A user region; the end names the innermost open region of that name.
     subroutine ompp_region_begin(name)
       character(len=*), intent(in) :: name
     end subroutine ompp_region_begin
     subroutine ompp_region_end(name)
       character(len=*), intent(in) :: name
     end subroutine ompp_region_end
     ! Stop and resume measuring in all threads.
     subroutine ompp_off()
     end subroutine ompp_off
     subroutine ompp_on()
     end subroutine ompp_on
     ! Write an incremental report now.
     subroutine ompp_dump()
     end subroutine ompp_dump
  end interface
end module ompp

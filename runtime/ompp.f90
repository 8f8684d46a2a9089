! ompp: what a Fortran program may call of libompp (see ompp.h).
module ompp
  implicit none
  interface
     ! A user region; the end names the innermost open region of that name.
     subroutine ompp_region_begin(name)
       character(len=*), intent(in) :: name
     end subroutine ompp_region_begin
     ! One that goes on where the caller returns, for the program's own timers.
     subroutine ompp_region_open(name)
       character(len=*), intent(in) :: name
     end subroutine ompp_region_open
     subroutine ompp_region_end(name)
       character(len=*), intent(in) :: name
     end subroutine ompp_region_end
     ! End the range of a name.
     subroutine ompp_data_end(name)
       character(len=*), intent(in) :: name
     end subroutine ompp_data_end
     ! Stop and resume measuring in all threads.
     subroutine ompp_off()
     end subroutine ompp_off
     subroutine ompp_on()
     end subroutine ompp_on
     ! Write an incremental report now.
     subroutine ompp_dump()
     end subroutine ompp_dump
     ! Show a label, and a value, to ompp stat and ompp record.
     subroutine ompp_label(text)
       character(len=*), intent(in) :: text
     end subroutine ompp_label
     subroutine ompp_sensor_set(name, number)
       character(len=*), intent(in) :: name
       integer(8), intent(in) :: number
     end subroutine ompp_sensor_set
  end interface
  ! Name memory, from the first element of an array on; the size in bytes may have any of the common kinds.  The array has
  ! to be contiguous: of another one a copy would be named.
  interface ompp_data_begin
     subroutine ompp_data_begin(data, bytes, name)
       !GCC$ ATTRIBUTES NO_ARG_CHECK :: data
       type(*), dimension(*), intent(in) :: data
       integer(8), intent(in) :: bytes
       character(len=*), intent(in) :: name
     end subroutine ompp_data_begin
     subroutine ompp_data_begin4(data, bytes, name)
       !GCC$ ATTRIBUTES NO_ARG_CHECK :: data
       type(*), dimension(*), intent(in) :: data
       integer(4), intent(in) :: bytes
       character(len=*), intent(in) :: name
     end subroutine ompp_data_begin4
  end interface
  ! The same, under the name that ompP gave it.
  interface ompp_papi_set_drange
     subroutine ompp_papi_set_drange(data, bytes, name)
       !GCC$ ATTRIBUTES NO_ARG_CHECK :: data
       type(*), dimension(*), intent(in) :: data
       integer(8), intent(in) :: bytes
       character(len=*), intent(in) :: name
     end subroutine ompp_papi_set_drange
     subroutine ompp_papi_set_drange4(data, bytes, name)
       !GCC$ ATTRIBUTES NO_ARG_CHECK :: data
       type(*), dimension(*), intent(in) :: data
       integer(4), intent(in) :: bytes
       character(len=*), intent(in) :: name
     end subroutine ompp_papi_set_drange4
  end interface
end module ompp

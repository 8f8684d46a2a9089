! ompp_mem: samples of memory accesses, and the traffic of memory controllers, for one's own programs; see ompp_mem.h, whose
! functions these are.  Sessions are of type(c_ptr).  ompp_mem_begin() makes one of the calling thread, as Fortran has no numbers
! of threads.
module ompp_mem
  use, intrinsic :: iso_c_binding
  implicit none

  integer(c_int), parameter :: ompp_mem_loads = 1, ompp_mem_stores = 2, ompp_mem_both = 3

  ! One access that was looked at.
  type, bind(C) :: ompp_mem_sample
     integer(c_int64_t) :: time_ns, ip, address, physical, data_source, period, page_bytes
     integer(c_int32_t) :: latency, pid, tid, cpu
     integer(c_int8_t) :: kind, level, snoop, translation, lock
  end type ompp_mem_sample

  type, bind(C) :: ompp_mem_options
     integer(c_int64_t) :: period = 0
     integer(c_int32_t) :: latency = 0, ring_pages = 0
     integer(c_size_t) :: most_samples = 0
     integer(c_int) :: physical = 0
  end type ompp_mem_options

  type, bind(C) :: ompp_mem_sums
     integer(c_int64_t) :: samples, others, lost, throttled, undecodable
  end type ompp_mem_sums

  ! Bytes of a NUMA node's memory controllers; -1 where they are not known.
  type, bind(C) :: ompp_mem_node_bytes
     integer(c_int32_t) :: node
     integer(c_int64_t) :: bytes_read, bytes_written
  end type ompp_mem_node_bytes

  interface
     integer(c_int) function ompp_mem_supported(kinds) bind(C)
       import :: c_int
       integer(c_int), value :: kinds
     end function ompp_mem_supported
     integer(c_int) function ompp_mem_new(mem, tids, n_tids, options) bind(C)
       import :: c_int, c_ptr, c_size_t, ompp_mem_options
       type(c_ptr), intent(out) :: mem
       type(c_ptr), value :: tids
       integer(c_size_t), value :: n_tids
       type(ompp_mem_options), intent(in) :: options
     end function ompp_mem_new
     subroutine ompp_mem_free(mem) bind(C)
       import :: c_ptr
       type(c_ptr), value :: mem
     end subroutine ompp_mem_free
     integer(c_int) function ompp_mem_start(mem, kinds) bind(C)
       import :: c_int, c_ptr
       type(c_ptr), value :: mem
       integer(c_int), value :: kinds
     end function ompp_mem_start
     integer(c_int) function ompp_mem_resume(mem, kinds) bind(C)
       import :: c_int, c_ptr
       type(c_ptr), value :: mem
       integer(c_int), value :: kinds
     end function ompp_mem_resume
     integer(c_int) function ompp_mem_stop(mem) bind(C)
       import :: c_int, c_ptr
       type(c_ptr), value :: mem
     end function ompp_mem_stop
     integer(c_int) function ompp_mem_set_handler(mem, n_samples, handler, context) bind(C)
       import :: c_int, c_ptr, c_size_t, c_funptr
       type(c_ptr), value :: mem, context
       integer(c_size_t), value :: n_samples
       type(c_funptr), value :: handler
     end function ompp_mem_set_handler
     ! thread: its place in tids, from 0 on.
     integer(c_size_t) function ompp_mem_n_samples(mem, thread) bind(C)
       import :: c_ptr, c_size_t
       type(c_ptr), value :: mem
       integer(c_size_t), value :: thread
     end function ompp_mem_n_samples
     integer(c_size_t) function ompp_mem_copy(mem, thread, first, samples, most) bind(C)
       import :: c_ptr, c_size_t, ompp_mem_sample
       type(c_ptr), value :: mem
       integer(c_size_t), value :: thread, first, most
       type(ompp_mem_sample), intent(inout) :: samples(*)
     end function ompp_mem_copy
     integer(c_size_t) function ompp_mem_take(mem, thread, samples, most) bind(C)
       import :: c_ptr, c_size_t, ompp_mem_sample
       type(c_ptr), value :: mem
       integer(c_size_t), value :: thread, most
       type(ompp_mem_sample), intent(inout) :: samples(*)
     end function ompp_mem_take
     type(ompp_mem_sums) function ompp_mem_counts(mem, thread) bind(C)
       import :: c_ptr, c_size_t, ompp_mem_sums
       type(c_ptr), value :: mem
       integer(c_size_t), value :: thread
     end function ompp_mem_counts
     integer(c_int) function ompp_mem_traffic_new(traffic) bind(C)
       import :: c_int, c_ptr
       type(c_ptr), intent(out) :: traffic
     end function ompp_mem_traffic_new
     subroutine ompp_mem_traffic_free(traffic) bind(C)
       import :: c_ptr
       type(c_ptr), value :: traffic
     end subroutine ompp_mem_traffic_free
     integer(c_int) function ompp_mem_traffic_start(traffic) bind(C)
       import :: c_int, c_ptr
       type(c_ptr), value :: traffic
     end function ompp_mem_traffic_start
     integer(c_int) function ompp_mem_traffic_stop(traffic) bind(C)
       import :: c_int, c_ptr
       type(c_ptr), value :: traffic
     end function ompp_mem_traffic_stop
     integer(c_size_t) function ompp_mem_n_nodes(traffic) bind(C)
       import :: c_ptr, c_size_t
       type(c_ptr), value :: traffic
     end function ompp_mem_n_nodes
     integer(c_int) function ompp_mem_node(traffic, i, node) bind(C)
       import :: c_int, c_ptr, c_size_t, ompp_mem_node_bytes
       type(c_ptr), value :: traffic
       integer(c_size_t), value :: i
       type(ompp_mem_node_bytes), intent(out) :: node
     end function ompp_mem_node
  end interface

  interface
     function ompp_mem_c_message() bind(C, name='ompp_mem_message')
       import :: c_ptr
       type(c_ptr) :: ompp_mem_c_message
     end function ompp_mem_c_message
     function ompp_mem_c_level_name(level) bind(C, name='ompp_mem_level_name')
       import :: c_ptr, c_int
       integer(c_int), value :: level
       type(c_ptr) :: ompp_mem_c_level_name
     end function ompp_mem_c_level_name
     integer(c_int) function ompp_mem_c_print_file(mem, path, each_sample) bind(C, name='ompp_mem_print_file')
       import :: c_int, c_ptr, c_char
       type(c_ptr), value :: mem
       character(kind=c_char), intent(in) :: path(*)
       integer(c_int), value :: each_sample
     end function ompp_mem_c_print_file
     integer(c_size_t) function ompp_mem_c_length(text) bind(C, name='strlen')
       import :: c_size_t, c_ptr
       type(c_ptr), value :: text
     end function ompp_mem_c_length
  end interface
  private :: fortran_text

contains

  ! A session of the calling thread.  0 or an error.
  integer(c_int) function ompp_mem_begin(mem, options)
    type(c_ptr), intent(out) :: mem
    type(ompp_mem_options), intent(in), optional :: options
    if (present(options)) then
       ompp_mem_begin = ompp_mem_new(mem, c_null_ptr, 1_c_size_t, options)
    else
       ompp_mem_begin = ompp_mem_new(mem, c_null_ptr, 1_c_size_t, ompp_mem_options())
    end if
  end function ompp_mem_begin

  ! What was wrong with the last call that failed.
  function ompp_mem_message() result(text)
    character(len=:), allocatable :: text
    text = fortran_text(ompp_mem_c_message())
  end function ompp_mem_message

  function ompp_mem_level_name(level) result(text)
    integer, intent(in) :: level
    character(len=:), allocatable :: text
    text = fortran_text(ompp_mem_c_level_name(int(level, c_int)))
  end function ompp_mem_level_name

  ! To the end of a file; '': to standard output.
  integer(c_int) function ompp_mem_print(mem, path, each_sample)
    type(c_ptr), intent(in) :: mem
    character(len=*), intent(in) :: path
    logical, intent(in) :: each_sample
    ompp_mem_print = ompp_mem_c_print_file(mem, trim(path)//c_null_char, merge(1_c_int, 0_c_int, each_sample))
  end function ompp_mem_print

  function fortran_text(from) result(text)
    type(c_ptr), intent(in) :: from
    character(len=:), allocatable :: text
    character(kind=c_char), pointer :: bytes(:)
    integer :: i
    call c_f_pointer(from, bytes, [ompp_mem_c_length(from)])
    allocate (character(len=size(bytes)) :: text)
    do i = 1, size(bytes)
       text(i:i) = bytes(i)
    end do
  end function fortran_text
end module ompp_mem

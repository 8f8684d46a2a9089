/*
 * Static calls: the functions for C programs.
 */
#include "runtime/adapters/static_call.h"

/* Each program with threads has these. */
OMPP_STATIC_CALL(malloc);
OMPP_STATIC_CALL(calloc);
OMPP_STATIC_CALL(realloc);
OMPP_STATIC_CALL(free);

/* Allocators have these where they have malloc().  One that lacks some must not get the C library's malloc() besides,
 * which these would bring along. */
OMPP_STATIC_CALL_WEAK(aligned_alloc);
OMPP_STATIC_CALL_WEAK(memalign);
OMPP_STATIC_CALL_WEAK(posix_memalign);
OMPP_STATIC_CALL_WEAK(valloc);
OMPP_STATIC_CALL_WEAK(pvalloc);

OMPP_STATIC_CALL(mmap);
OMPP_STATIC_CALL(mmap64);
OMPP_STATIC_CALL(munmap);
OMPP_STATIC_CALL(mremap);
OMPP_STATIC_CALL(ioctl);

/* By these a filter of system calls is put in place (filter_calls.h). */
OMPP_STATIC_CALL(prctl);
OMPP_STATIC_CALL(syscall);

/* By these SIGTRAP is blocked (signal_mask.h). */
OMPP_STATIC_CALL(pthread_sigmask);
OMPP_STATIC_CALL(sigprocmask);
OMPP_STATIC_CALL(sigsuspend);
OMPP_STATIC_CALL(ppoll);
OMPP_STATIC_CALL(pselect);
OMPP_STATIC_CALL(epoll_pwait);

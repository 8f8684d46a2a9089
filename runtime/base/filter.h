/*
 * Filter: the seccomp filters that the program has put in place, as far as libompp has seen them, and what libompp's
 * own system calls do under them.
 *
 * A filter is a program of classic BPF that is given the number and the arguments of a system call.  It is run here,
 * too, before each system call of libompp: a call that the filter would not let pass is not made, and fails.  So no
 * call of ours ends the program, or is written to the kernel's log.  A filter is applied to the calls of all threads,
 * even if the program put it in place for one.
 *
 * Some calls have an answer without the kernel: who we are, memory, and pauses.
 */
#ifndef OMPP_BASE_FILTER_H
#define OMPP_BASE_FILTER_H

#include <stddef.h>
#include <stdint.h>

struct sock_filter;

/* 1 from the first filter on.  Written before that is in place, by the thread that puts it there; read by all. */
extern int ompp_filtered;

/* 1 while the calling thread's work is done by a process that no filter binds (session/delegate.h), so that all calls
 * pass.  But that is not the measured process: what would tell about the caller fails. */
extern __thread int ompp_filter_is_free __attribute__((tls_model("initial-exec")));

/* Gives the memory that there is for copies of filters, and for libompp where a filter allows no mmap().  Called once,
 * before the first filter.
 * memory: zeroes in whole pages */
void ompp_filter_reserve(void *memory, size_t n_bytes, size_t page_bytes);

/* Remembers a filter that is put in place next.  Returns 0; -EINVAL or -EFAULT where the kernel would refuse it, too;
 * -ENOMEM when there is no memory.
 * code: NULL for seccomp's strict mode */
int ompp_filter_add(const struct sock_filter *code, size_t n);

/* Copies what the program gives to the kernel, which may lie nowhere.  Returns 0 or -EFAULT. */
int ompp_filter_copy(void *to, const void *from, size_t n_bytes);

/* Forgets the newest filter: the kernel has not taken it. */
void ompp_filter_drop(void);

/* Returns what the filters say to a system call: an action of linux/seccomp.h with its data. */
uint32_t ompp_filter_says(long number, const long arguments[6]);

/* Would a system call with these first arguments, the others being 0, fail under the filters? */
int ompp_filter_refuses(long number, long a, long b);

/* Notes which process this is, and its main thread.  Called at the start, and in a forked child. */
void ompp_filter_begin(void);

/* Makes a system call, if all filters let it pass: the slow path of base/sys.h. */
long ompp_filter_call(long number, long a, long b, long c, long d, long e, long f);

#endif

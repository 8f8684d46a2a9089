/*
 * CPU: the CPU time of the calling thread, its voluntary context switches, and its page faults.
 *
 * Two system calls: CLOCK_THREAD_CPUTIME_ID, which is exact, and RUSAGE_THREAD, whose CPU time is that of the last
 * timer tick.  So hot paths call it only rarely, see events/arrival.h.
 */
#ifndef OMPP_HOST_CPU_H
#define OMPP_HOST_CPU_H

#include <stdint.h>

struct ompp_cpu_reading {
	int64_t monotonic_ns; /* when */
	int64_t cpu_ns;       /* of this thread so far */
	uint64_t n_voluntary; /* voluntary context switches */
	uint64_t n_faults;    /* page faults, those from disk included */
};

/* Reads both for the calling thread.  Returns 0, or -errno where the kernel does not tell; errno is kept. */
int ompp_cpu_read(struct ompp_cpu_reading *reading);

/* Returns how many ticks of the clock a fixed piece of work takes now: 1,000 additions of which four and more can be
 * done at a time, the shorter one of two tries, as the other may have been interrupted.  It is longer where the
 * processor's frequency is lower, or where another thread shares its core.  The fake clock is not read for it: there it
 * returns 0. */
uint64_t ompp_cpu_pace(void);

/* Returns how many picoseconds a page fault takes that gets a zeroed page, or −1 where no memory can be had: the mean
 * of some at which the calling thread touches memory that it maps for that, and unmaps again.  COLD. */
int64_t ompp_cpu_fault_ps(void);

/* Returns the ratio of elapsed time to CPU time of the calling thread that is due to waiting for a processor.  The
 * result is in thousandths: 1000 when the thread never had to wait, or when the kernel does not tell.  COLD.
 * file: in the format of /proc/thread-self/schedstat */
uint64_t ompp_cpu_stretch_milli(const char *file);

/* Returns for how many nanoseconds a thread was runnable but had no processor, or −1 when the kernel does not tell.
 * COLD.
 * file: as above; /proc/self/schedstat describes the main thread */
int64_t ompp_cpu_queued_ns(const char *file);

/* Returns the same of all threads in a folder like /proc/self/task together: those that live now, and may end
 * meanwhile. COLD. */
int64_t ompp_cpu_queued_all_ns(const char *folder);

#endif

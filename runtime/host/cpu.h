/*
 * CPU: how long the calling thread has had a processor, and how often it gave it up itself.
 *
 * Two system calls (CLOCK_THREAD_CPUTIME_ID, which is exact to the moment, and RUSAGE_THREAD, whose CPU time is that of
 * the last timer tick): never on a hot path but rarely, see events/arrival.h.
 */
#ifndef OMPP_HOST_CPU_H
#define OMPP_HOST_CPU_H

#include <stdint.h>

struct ompp_cpu_reading {
	int64_t monotonic_ns; /* when */
	int64_t cpu_ns;       /* of this thread so far */
	uint64_t n_voluntary; /* times that it went to sleep by itself */
};

/* Reads both for the calling thread.  Returns 0, or -errno where the kernel does not tell; errno is kept. */
int ompp_cpu_read(struct ompp_cpu_reading *reading);

/* Returns how much longer the calling thread took for its work because it had to wait for a processor.  The result is
 * in thousandths: 1000 when the thread never had to wait, or when the kernel does not tell.  COLD. file: what the
 * kernel says of the thread, in the form of /proc/thread-self/schedstat */
uint64_t ompp_cpu_stretch_milli(const char *file);

/* Returns for how many nanoseconds a thread could have run and had no processor, or −1 when the kernel does not tell.
 * COLD. file: as above; /proc/self/schedstat is of the thread that the process began with */
int64_t ompp_cpu_queued_ns(const char *file);

#endif

/*
 * Steal: how long a hypervisor ran something else on the processors of this process, as /proc/stat counts it.
 *
 * The kernel counts by processor, not by thread, in units of 10 ms.  So the value is an upper bound of what a thread
 * lost.
 */
#ifndef OMPP_SESSION_STEAL_H
#define OMPP_SESSION_STEAL_H

#include <stdint.h>

/* Is there a hypervisor, as far as the processor says?  Without one nothing is stolen.  COLD. */
int ompp_steal_may_be(void);

/* Remembers what was stolen from the processors on which the calling thread may run.  Those above number 1023 are left
 * out.  COLD.
 * file: in the format of /proc/stat */
void ompp_steal_start(const char *file);

/* Finds what was stolen since then: of all these processors, and of the one that lost most.  Returns 0, or -errno where
 * the kernel does not tell.  COLD. */
int ompp_steal_read(const char *file, int64_t *all_ns, int64_t *most_ns);

#endif

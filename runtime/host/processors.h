/*
 * Processors: the processors that this process may use, and the NUMA nodes.
 */
#ifndef OMPP_HOST_PROCESSORS_H
#define OMPP_HOST_PROCESSORS_H

#include <stdint.h>

/* Returns how many processors the calling thread may run on; 0 when that is not known. */
uint32_t ompp_processors_allowed(void);

/* Returns how many processors are online; where that is not known, how many this thread may run on. */
uint32_t ompp_processors_online(void);

/* Returns the CPU quota of the process's control group, in thousandths of a processor; INT64_MAX when there is no
 * limit.
 * groups: a file in the format of /proc/self/cgroup; root: a folder laid out as /sys/fs/cgroup */
int64_t ompp_processors_quota(const char *groups, const char *root);

/* Returns the processor on which the calling thread runs; UINT32_MAX when that is not known.  No system call where
 * glibc provides it (rseq). */
uint32_t ompp_processor(void);

/* Returns how many NUMA nodes have memory; 0 when that is not known.
 * list: a file in the form of /sys/devices/system/node/has_memory */
uint32_t ompp_numa_nodes(const char *list);

/* Returns the NUMA nodes in such a file as a bit set; nodes above 63 are left out. */
uint64_t ompp_numa_set(const char *list);

/* Parses a value of OMPP_NUMA: "auto" or "" gives 0, "emulate:4" gives 4.  Returns 0, or -1 for anything else. */
int ompp_numa_wish(const char *text, uint32_t *n_emulated);

/* Reads which processors belong to which NUMA node.  COLD.
 * root: a folder in the form of /sys/devices/system/node */
void ompp_numa_start(const char *root);

/* Returns the NUMA node of a processor, as read by ompp_numa_start(); OMPP_NUMA_UNKNOWN when that is not known. */
#define OMPP_NUMA_UNKNOWN UINT32_MAX
uint32_t ompp_numa_node_of(uint32_t cpu);

#endif

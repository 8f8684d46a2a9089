/*
 * Processors: how many of them this process may use, and the NUMA nodes.
 */
#ifndef OMPP_HOST_PROCESSORS_H
#define OMPP_HOST_PROCESSORS_H

#include <stdint.h>

/* Returns how many processors the calling thread may run on; 0 when that is not known. */
uint32_t ompp_processors_allowed(void);

/* Returns how many processors are switched on; where that is not known, how many this thread may run on. */
uint32_t ompp_processors_online(void);

/* Returns how much time of processors the process's control group may use, in thousandths of a processor; INT64_MAX
 * when there is no limit. groups: a file in the form of /proc/self/cgroup root: a folder in the form of /sys/fs/cgroup
 */
int64_t ompp_processors_quota(const char *groups, const char *root);

/* Returns the processor on which the calling thread runs; UINT32_MAX when that is not known.  No system call where
 * glibc tells it (rseq). */
uint32_t ompp_processor(void);

/* Returns how many NUMA nodes have memory; 0 when that is not known.
 * list: a file in the form of /sys/devices/system/node/has_memory */
uint32_t ompp_numa_nodes(const char *list);

/* Returns the NUMA nodes that are in such a file as a set of bits; those above 63 are left out. */
uint64_t ompp_numa_set(const char *list);

/* Reads what OMPP_NUMA may say: "auto" or "", which gives 0, or "emulate:4", which gives 4.  Returns 0, or -1 for
 * anything else. */
int ompp_numa_wish(const char *text, uint32_t *n_emulated);

/* Learns which processors are of which NUMA node.  COLD.
 * root: a folder in the form of /sys/devices/system/node */
void ompp_numa_start(const char *root);

/* Returns the NUMA node of a processor, as ompp_numa_start() has learnt it; OMPP_NUMA_UNKNOWN when that is not
 * known. */
#define OMPP_NUMA_UNKNOWN UINT32_MAX
uint32_t ompp_numa_node_of(uint32_t cpu);

#endif

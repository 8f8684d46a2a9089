/*
 * Processors: how many of them this process may use, and the NUMA nodes.
 */
#ifndef OMPP_BASE_PROCESSORS_H
#define OMPP_BASE_PROCESSORS_H

#include <stdint.h>

/* Those that the calling thread may run on; 0: not known. */
uint32_t ompp_processors_allowed(void);

/* Those that are switched on; as above where that is not known. */
uint32_t ompp_processors_online(void);

/* Of the time of processors, what the process's control group may use: thousandths of a processor; INT64_MAX: all.
 * groups: a file as /proc/self/cgroup; root: the folder as /sys/fs/cgroup. */
int64_t ompp_processors_quota(const char *groups, const char *root);

/* NUMA nodes that have memory, by a file as /sys/devices/system/node/has_memory; 0: not known. */
uint32_t ompp_numa_nodes(const char *list);

#endif

/*
 * Memory event: finds the events with which the processor samples accesses to memory: Intel's PEBS (load latency and
 * stores), AMD's IBS and Arm's SPE.
 *
 * They are looked up first in sysfs, where the kernel lists those of the present processor; then in libpfm4, through
 * the helper ompp-papi; and last in a table of processor families.  COLD.
 */
#ifndef OMPP_SAMPLES_MEMORY_EVENT_H
#define OMPP_SAMPLES_MEMORY_EVENT_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/ompp_mem.h"

struct ompp_text;

/* The unit that takes the samples: one of the processor, or the kernel at each page fault. */
enum ompp_memory_unit { OMPP_UNIT_PEBS, OMPP_UNIT_IBS, OMPP_UNIT_SPE, OMPP_UNIT_FAULTS };

enum { OMPP_MEMORY_EVENTS = 8 }; /* room for loads and stores on two kinds of cores, and some to spare */

struct ompp_memory_event {
	enum ompp_memory_unit unit;
	char pmu[64];        /* name of the PMU in sysfs */
	uint8_t kinds;       /* the kinds of its samples: enum ompp_mem_kind */
	uint8_t has_leader;  /* 1 when leader_config leads the group, and must be opened first */
	uint8_t precise;     /* precise_ip */
	uint8_t sees_kernel; /* 1 when it also samples the kernel, for which rights are needed; a processor's samples of
	                        the kernel are dropped later, as it does not support exclude_kernel then */
	uint32_t type;
	uint64_t config, config1, config2, leader_config;
	uint32_t period_step, period_least; /* the period is a multiple of the first, and at least the second */
	uint32_t latency_least;             /* threshold in cycles that the processor itself applies; 0 without one */
};

/* Finds the events that sample accesses of these kinds.  Returns how many; or, with the cause in `why`, -ENODEV when
 * this machine has none, or -ENOTSUP when it has none of these kinds.
 * unit: the one to look for; -1 for whichever there is
 * latency: minimum latency of loads in cycles, if the processor supports it; 0 for any */
int ompp_memory_events(int unit, unsigned int kinds, unsigned int latency, struct ompp_memory_event *events,
                       struct ompp_text *why);

/* Describes the event of minor page faults (without disk access).  Every Linux has it, also in virtual machines, and it
 * needs no privileges.  Its samples are neither loads nor stores, and have no latency and no level.
 * sees_kernel: 1 to include faults in system calls; requires permission to sample the kernel */
void ompp_memory_faults(struct ompp_memory_event *event, int sees_kernel);

/* Returns the supported period of an event for the wanted one. */
uint64_t ompp_memory_period(const struct ompp_memory_event *event, uint64_t wanted);

/* Returns "pebs", "ibs", "spe" or "touch". */
const char *ompp_memory_unit_name(enum ompp_memory_unit unit);

/* The path of /proc/cpuinfo, from which the processor's family is read.  A test puts a file of its own here. */
extern const char *ompp_memory_cpuinfo;

#endif

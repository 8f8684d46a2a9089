/*
 * Waits: data about arrivals at barriers, in the members of a team and in call-graph nodes (arrival.h).
 */
#ifndef OMPP_CORE_WAITS_H
#define OMPP_CORE_WAITS_H

#include <stdint.h>

#include "runtime/statistics/series.h"
#include "runtime/terms/wait.h"

/* One arrival; written by the member, read by other members after the barrier. */
struct ompp_arrival {
	uint64_t begin_ticks; /* of the stretch */
	uint64_t enter_ticks; /* enter of the construct; the stretch's begin when that was later, and for an explicit
	                         barrier, whose construct is the whole stretch */
	uint64_t arrive_ticks;
	uint64_t off_ticks;    /* time in the stretch without a processor, after preemption */
	uint64_t asleep_ticks; /* the same, for a thread that went to sleep at least once */
};

/* The data of a node whose visits are barriers; written by the owner, in ticks. */
struct ompp_waits {
	uint64_t n;                       /* arrivals */
	uint64_t work_ticks;              /* time in the construct before the arrivals, minus preempted time */
	uint64_t squares[2];              /* the sum of the squares of these times, low and high word */
	uint64_t least_ticks, most_ticks; /* the shortest and the longest of these times */
	uint64_t off_ticks, asleep_ticks;
	uint64_t n_faults;               /* page faults between two readings, the later one before an arrival */
	uint64_t n_looked, looked_ticks; /* waits whose causes were examined, and their time */
	uint64_t causes[OMPP_N_CAUSES];  /* the parts of looked_ticks */
	struct ompp_series series;       /* the work over time, with the paces (host/cpu.h) */
	struct ompp_series looks; /* over the waits that were examined: their parts by unequal work in the construct,
	                             and with these those by what was done before it */
};

/* A thread's CPU time at the last reading; used only by the thread. */
struct ompp_cpu_state {
	uint64_t read_ticks, looked_ticks; /* time of the last reading, and of the last examination of causes */
	uint64_t off_ticks, asleep_ticks;  /* totals up to the last reading */
	uint64_t task_off_ticks; /* the part of off_ticks that is still to be charged to open tasks (arrival.h) */
	int64_t monotonic_ns, cpu_ns;
	uint64_t pace_ticks, least_pace_ticks; /* the latest pace, and the least so far; 0 before the first */
	uint64_t n_voluntary, n_faults;
	uint64_t sum_faults; /* between readings with measuring on, up to the last one */
	uint32_t n_switches; /* switches of measuring between on and off */
	int is_read;         /* 0 before the first reading */
};

#endif

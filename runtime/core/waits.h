/*
 * Waits: what the members of a team and the call-graph nodes keep about arrivals at barriers (arrival.h).
 */
#ifndef OMPP_CORE_WAITS_H
#define OMPP_CORE_WAITS_H

#include <stdint.h>

#include "runtime/terms/wait.h"

/* One arrival; written by the member, read by the others after the barrier. */
struct ompp_arrival {
	uint64_t begin_ticks; /* of the stretch */
	uint64_t enter_ticks; /* of the construct; the stretch's begin when that was later, and for an explicit barrier,
	                         whose construct is the whole stretch */
	uint64_t arrive_ticks;
	uint64_t off_ticks;    /* time in the stretch without a processor because it was taken away */
	uint64_t asleep_ticks; /* such time of a thread that went to sleep at least once */
};

/* What a node keeps whose visits are barriers; written by the owner, in ticks. */
struct ompp_waits {
	uint64_t n;                       /* arrivals */
	uint64_t work_ticks;              /* time in the construct before the arrivals, less what was taken away */
	uint64_t squares[2];              /* the sum of the squares of these times, low and high word */
	uint64_t least_ticks, most_ticks; /* the shortest and the longest of these times */
	uint64_t off_ticks, asleep_ticks;
	uint64_t n_looked, looked_ticks; /* waits whose causes were looked for, and their time */
	uint64_t causes[OMPP_N_CAUSES];  /* the parts of looked_ticks */
};

/* A thread's CPU time as it was read last; used by the thread alone. */
struct ompp_cpu_state {
	uint64_t read_ticks, looked_ticks; /* when the last reading was, and the last look at causes */
	uint64_t off_ticks, asleep_ticks;  /* totals up to the last reading */
	int64_t monotonic_ns, cpu_ns;
	uint64_t n_voluntary;
	uint32_t n_switches; /* switches of measuring between on and off */
	int is_read;         /* 0 before the first reading */
};

#endif

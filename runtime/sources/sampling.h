/*
 * Sampling: what is sampled in this run.  Written at the start of the session by the source that samples memory
 * accesses; shown in the report's header.
 */
#ifndef OMPP_SOURCES_SAMPLING_H
#define OMPP_SOURCES_SAMPLING_H

#include <stdint.h>

/* Which page faults of threads the kernel reports.  Those in system calls require permission to sample the kernel. */
enum ompp_faults_told { OMPP_FAULTS_NONE, OMPP_FAULTS_OF_CODE, OMPP_FAULTS_ALL };

struct ompp_sampling {
	const char *source; /* "pebs", "ibs", "spe", "hook"; "" while accesses are not sampled */
	const char
		*latencies; /* the unit of latencies, "cycles", "TSC cycles", "cntvct ticks"; "" when none are known */
	uint64_t period;    /* mean number of accesses from one sample to the next */
	uint32_t kinds;     /* enum ompp_mem_kind */
	uint32_t latency;   /* faster loads are left out; 0 leaves out none */
	uint64_t seed;      /* of all random choices of this process, at least 1 */
	int asks_hooks;     /* 1 when access hooks shall sample: requested, or nothing else works */
	int faults;         /* enum ompp_faults_told; NONE when they are not needed */
	int touched;        /* the same, if first touches are recorded; else 0 */
	uint32_t emulated;  /* emulated NUMA nodes that reports shall show; 0 for the machine's own */
};

extern struct ompp_sampling ompp_sampling;

/* Uses the user's seed, or draws one.  COLD.
 * pid: of this process */
void ompp_sampling_seed(uint64_t given, uint64_t pid);

/* Derives the seed of this rank of an MPI run from the user's seed, before the first random number. */
void ompp_sampling_seed_rank(uint64_t rank);

/* Called before a fork, and in the child, which gets its own seed, derived from its parent's and the number of earlier
 * forks. */
void ompp_sampling_before_fork(void);
void ompp_sampling_after_fork(void);

#endif

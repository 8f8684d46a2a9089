/*
 * Sampling: what is sampled in this run.  Whoever samples memory accesses writes it at the start of the session; the
 * report's header shows it.
 */
#ifndef OMPP_SOURCES_SAMPLING_H
#define OMPP_SOURCES_SAMPLING_H

#include <stdint.h>

/* Which page faults of threads the kernel tells.  Those in system calls are told to those who may see the kernel's
 * samples. */
enum ompp_faults_told { OMPP_FAULTS_NONE, OMPP_FAULTS_OF_CODE, OMPP_FAULTS_ALL };

struct ompp_sampling {
	const char *source;    /* "pebs", "ibs", "spe", "hook"; "" while accesses are not sampled */
	const char *latencies; /* the unit of latencies, "cycles" or "TSC cycles"; "" when none are known */
	uint64_t period;       /* accesses from one sample to the next, in the mean */
	uint32_t kinds;        /* enum ompp_mem_kind */
	uint32_t latency;      /* faster loads are left out; 0 leaves out none */
	uint64_t seed;         /* of all random choices of this process, 1 at least */
	int asks_hooks;        /* 1 when access hooks shall sample: they are asked for, or nothing else works */
	int faults;            /* enum ompp_faults_told; NONE where nobody needs them */
	int touched;           /* the same, where first touches are looked for; else 0 */
	uint32_t emulated;     /* imagined NUMA nodes that reports shall show; 0 for the machine's own */
};

extern struct ompp_sampling ompp_sampling;

/* Takes the seed that the user gives, or draws one.  COLD.
 * pid: of this process */
void ompp_sampling_seed(uint64_t given, uint64_t pid);

/* Makes of the seed that the user gave one of this rank of an MPI run, before anything is drawn. */
void ompp_sampling_seed_rank(uint64_t rank);

/* Before a fork, and in the child: it gets a seed of its own, which follows from its parent's and from how many forks
 * there were before. */
void ompp_sampling_before_fork(void);
void ompp_sampling_after_fork(void);

#endif

/*
 * Counter: the list of all names of countable things, and their meaning as events of the kernel.
 *
 * A name is, in this order: an access count (ACC_LD), operations of the program's code (flops), an event of the
 * kernel's software (page-faults), a PAPI name (PAPI_TOT_INS), an event of perf (cycles, L1-dcache-load-misses,
 * msr/tsc/, r01c2), or a name of libpfm4.  PAPI and libpfm4 are used through the helper ompp-papi, a separate process,
 * which translates a name into events of the kernel; these are always counted by the kernel, with
 * sources/source_counters.c.  So counters never interfere with the program's own use of PAPI, and all of a thread's
 * counters are read together.  COLD.
 *
 * A ready group, "@cache", stands for counters and for numbers computed from them.
 */
#ifndef OMPP_COUNTERS_COUNTER_H
#define OMPP_COUNTERS_COUNTER_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/counters/metric.h"

struct ompp_text;

enum {
	OMPP_COUNTER_EVENTS = 12, /* of the kernel, for one counter */
	OMPP_COUNTER_NAME = 128
};

enum ompp_counter_kind {
	OMPP_COUNTER_THREAD, /* events of the kernel, of a thread */
	OMPP_COUNTER_NODE,   /* events of the whole machine, by NUMA node or socket (uncore) */
	OMPP_COUNTER_ACCESS, /* counts of access hooks */
	OMPP_COUNTER_WORK    /* operations that code built with kinst --work counts, of a thread */
};

/* Access counts: ACC_LD of all data that hooked code accesses, ACC_LD(*) of all named data, ACC_LD(a) of
 * one object.  A read-modify-write is a load and a store. */
enum ompp_access_counter {
	OMPP_ACC_LD,
	OMPP_ACC_ST,
	OMPP_ACC_LST,
	OMPP_ACC_ATOMIC,
	OMPP_ACC_LD_BYTES,
	OMPP_ACC_ST_BYTES,
	OMPP_ACC_BYTES,
	OMPP_ACC_N
};

/* One event of the kernel, as perf_event_open() takes it. */
struct ompp_event_code {
	uint32_t type;
	uint64_t config, config1, config2;
	uint32_t pmu;     /* with several kinds of cores: the kernel's type number of their PMU, as events of two PMUs
	                     cannot share a group; else 0 */
	int32_t factor;   /* the counter is the sum of factor × count */
	uint8_t software; /* 1 when it needs no PMU */
	uint8_t counts_kernel; /* 1 when it makes no sense in user mode only, e.g. context switches */
	uint8_t busy;          /* 1 when the loop of counter_try.h must count it */
};

struct ompp_counter {
	char name[OMPP_COUNTER_NAME]; /* as the user gave it */
	const char *what;             /* one line; static, or in the list's memory */
	const char *unit;             /* "" for a plain count, "ns", "bytes", "J" or another */
	const char *source;           /* "kernel", "PAPI", "libpfm4", "perf", "hooks", "code" */
	enum ompp_counter_kind kind;
	enum ompp_access_counter access;
	char object[OMPP_COUNTER_NAME]; /* ACCESS: "a", "*", or "" */
	uint32_t work;                  /* WORK: the words of ompp_work whose sum it is (work.h) */
	uint32_t n_events;
	struct ompp_event_code event[OMPP_COUNTER_EVENTS];
	int32_t scale_mul, scale_shift; /* value = sum × mul >> shift; most counters have 1 and 0 */
	char cpus[256];                 /* NODE: the PMU's cpumask, "0,12", with one event on each of these CPUs */
};

/* Returns 1 when the program's own code counts it. */
static inline int ompp_counter_is_own(const struct ompp_counter *counter)
{
	return counter->kind == OMPP_COUNTER_ACCESS || counter->kind == OMPP_COUNTER_WORK;
}

/* 1 when the program has access hooks.  Written once, before sources are opened.  Then PAPI_LD_INS, PAPI_SR_INS and
 * PAPI_LST_INS are counts of the hooks if no hardware counts them. */
extern int ompp_counter_hooked;

/* Looks up a name.  Returns 0, -ENOENT for an unknown name, -ENODEV for a known one that the PMU lacks or that needs a
 * missing PMU, or -EINVAL for a syntax error.
 * why: set to "cause; what to do", with the most similar name or the equivalent access count */
int ompp_counter_find(const char *name, size_t n_name, struct ompp_counter *counter, struct ompp_text *why);

/* Returns 1 when PAPI reports the preset as available on this processor, whether or not the kernel counts it; 0 when it
 * does not, or without PAPI. */
int ompp_counter_papi_has(const char *name);

/* Calls found() for each counter that has a name, in groups of sources; those of libpfm4 and PAPI come from the helper.
 * Stops when a call returns other than 0, and returns that value.  For lists and for similar names: only the texts of
 * the counter are filled in; ompp_counter_find() gives its meaning on this machine, if any. */
int ompp_counter_each(int (*found)(void *context, const struct ompp_counter *counter), void *context);

/* A ready group "@cache" for this machine: its counters, a comma-separated list, and the values computed from them. */
struct ompp_counter_group {
	const char *name, *what;
	const char *note; /* what is missing here, and what to do; "" when nothing is */
	const char *counters;
	size_t n_evals;
	struct ompp_eval evals[8];
};
/* Finds a group by its name.  Returns 0, -ENOENT when it is unknown, or -ENODEV when nothing of it can be counted here,
 * with the reason in `why`. */
int ompp_counter_group_find(const char *name, size_t n_name, struct ompp_counter_group *group, struct ompp_text *why);
const char *ompp_counter_group_name(size_t i); /* NULL past the last */

/* What a thread can find out about itself when events are not permitted, with getrusage() and its clock. */
enum ompp_own {
	OMPP_OWN_NONE,
	OMPP_OWN_FAULTS,
	OMPP_OWN_MINOR,
	OMPP_OWN_MAJOR,
	OMPP_OWN_SWITCHES,
	OMPP_OWN_CPU_NS,
	OMPP_OWN_N
};
/* Returns the one that is equivalent to an event, or NONE. */
enum ompp_own ompp_counter_own(const struct ompp_event_code *code);

/* Returns 1 when this machine has a hardware PMU for its cores, according to /sys/bus/event_source/devices or by
 * opening an event. */
int ompp_counter_has_pmu(void);

/* Returns "", or a constant text that says why PAPI and libpfm4 are not available, and what to do. */
const char *ompp_counter_helper_reason(void);

/* The remark of reports for a hardware counter next to named data. */
#define OMPP_COUNTER_OF_ALL "of all memory, not of the named data"

/* Returns 1 when one of its events needs a PMU. */
int ompp_counter_is_hardware(const struct ompp_counter *counter);

/* Asks PAPI whether a counter can be restricted to an address range (PAPI_DATA_ADDRESS).  Returns 0 when it can, and
 * -ENOTSUP with the reason in `why` when it cannot. */
int ompp_counter_can_restrict(const char *name, struct ompp_text *why);

/* The questions to the helper ompp-papi; the functions that answer are in runtime/helpers/papi.  They return 0, or
 * -errno with the reason in `why`. */
enum { OMPP_PAPI_VERSION = 2 };

struct ompp_papi {
	int (*papi)(const char *name, struct ompp_counter *counter, struct ompp_text *why); /* presets */
	int (*pfm)(const char *name, struct ompp_counter *counter, struct ompp_text *why);  /* libpfm4's names */
	int (*each)(int (*found)(void *context, const struct ompp_counter *counter), void *context);
	int (*restrict_range)(const char *name, struct ompp_text *why);
};

#endif

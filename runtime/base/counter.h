/*
 * Counter: the one list of names of what can be counted, and what each means for the kernel.
 *
 * A name is, in this order: an access count (ACC_LD), an event of the kernel's software (page-faults), a
 * PAPI name (PAPI_TOT_INS), an event of perf (cycles, L1-dcache-load-misses, msr/tsc/, r01c2), or a name of
 * libpfm4.  PAPI and libpfm4 are asked through the helper ompp-papi, a process of its own, which says what a
 * name means in events of the kernel; the counting is always the kernel's, by sources/counters.c.  So counters
 * never touch what the program itself does with PAPI, and all of a thread's counters are read together.  COLD.
 *
 * A ready group, "@cache", stands for counters and for numbers computed from them.
 */
#ifndef OMPP_BASE_COUNTER_H
#define OMPP_BASE_COUNTER_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/metric.h"

struct ompp_text;

enum {
	OMPP_COUNTER_EVENTS = 12,               /* of the kernel, for one counter */
	OMPP_COUNTER_NAME = 128
};

enum ompp_counter_kind {
	OMPP_COUNTER_THREAD,                    /* events of the kernel, of a thread */
	OMPP_COUNTER_NODE,                      /* events of the whole machine, by NUMA node or socket (uncore) */
	OMPP_COUNTER_ACCESS                     /* counts of access hooks */
};

/* Access counts: ACC_LD of all data that hooked code accesses, ACC_LD(*) of all named data, ACC_LD(a) of
 * one object.  A read-modify-write is a load and a store. */
enum ompp_access_counter {
	OMPP_ACC_LD, OMPP_ACC_ST, OMPP_ACC_LST, OMPP_ACC_ATOMIC, OMPP_ACC_LD_BYTES, OMPP_ACC_ST_BYTES, OMPP_ACC_BYTES,
	OMPP_ACC_N
};

/* One event of the kernel, as perf_event_open() takes it. */
struct ompp_event_code {
	uint32_t type;
	uint64_t config, config1, config2;
	uint32_t pmu;                           /* events of different ones cannot share a group: the kernel's
	                                           type number of a core's PMU, of several kinds, else 0 */
	int32_t  factor;                        /* the counter is the sum of factor × count */
	uint8_t  software;                      /* 1: needs no PMU */
	uint8_t  counts_kernel;                 /* 1: means nothing in user mode alone (context switches) */
	uint8_t  busy;                          /* 1: the loop of counter_try.h must count it */
};

struct ompp_counter {
	char                     name[OMPP_COUNTER_NAME];       /* as the user gave it */
	const char              *what;          /* one line; static, or in the list's memory */
	const char              *unit;          /* "" a plain count, "ns", "bytes", "J" … */
	const char              *source;        /* "kernel", "PAPI", "libpfm4", "perf", "hooks" */
	enum ompp_counter_kind   kind;
	enum ompp_access_counter access;
	char                     object[OMPP_COUNTER_NAME];     /* ACCESS: "a", "*", or "" */
	uint32_t                 n_events;
	struct ompp_event_code   event[OMPP_COUNTER_EVENTS];
	int32_t                  scale_mul, scale_shift;        /* value = sum × mul >> shift; 1, 0 for most */
	char                     cpus[256];     /* NODE: of the PMU's cpumask, "0,12": one event on each */
};

/* 1: the program has access hooks.  Written once, before sources are opened.  Then PAPI_LD_INS, PAPI_SR_INS
 * and PAPI_LST_INS are counts of the hooks where no hardware counts them. */
extern int ompp_counter_hooked;

/* What a name means: 0; or -ENOENT (unknown), -ENODEV (known, but no PMU or the PMU lacks it), -EINVAL
 * (badly written), and in why "cause; what to do", with the nearest right name or the access count that
 * gives the same. */
int ompp_counter_find(const char *name, size_t n_name, struct ompp_counter *counter, struct ompp_text *why);

/* Returns 1 when PAPI calls the preset available on this processor, whether or not the kernel counts it; 0 when it does
 * not, or cannot be asked. */
int ompp_counter_papi_has(const char *name);

/* Each counter that names are known of, in groups of sources; stops when found() is not 0, with its
 * answer.  Those of libpfm4 and PAPI are asked of the helper.  For lists and for nearest names: only the
 * words are filled in, and what a counter means here, and whether, is what ompp_counter_find() says. */
int ompp_counter_each(int (*found)(void *context, const struct ompp_counter *counter), void *context);

/* A ready group "@cache" for this machine: its counters, a comma list, and what is computed from them.  0;
 * -ENOENT (unknown group), -ENODEV (nothing of it can be counted here), and why. */
struct ompp_counter_group {
	const char       *name, *what;
	const char       *note;                 /* what it lacks here, and what to do; "": nothing */
	const char       *counters;
	size_t            n_evals;
	struct ompp_eval  evals[8];
};
int ompp_counter_group_find(const char *name, size_t n_name, struct ompp_counter_group *group, struct ompp_text *why);
const char *ompp_counter_group_name(size_t i);          /* NULL past the last */

/* What a thread can ask of itself where events are not permitted: getrusage() and its clock.  Of an event which; NONE. */
enum ompp_own {
	OMPP_OWN_NONE, OMPP_OWN_FAULTS, OMPP_OWN_MINOR, OMPP_OWN_MAJOR, OMPP_OWN_SWITCHES, OMPP_OWN_CPU_NS, OMPP_OWN_N
};
enum ompp_own ompp_counter_own(const struct ompp_event_code *code);

/* Does this machine show a hardware PMU for its cores at all?  By /sys/bus/event_source/devices, and by
 * opening. */
int ompp_counter_has_pmu(void);

/* "", or why PAPI and libpfm4 cannot be asked, and what to do; constant. */
const char *ompp_counter_helper_reason(void);

/* Said of a hardware counter beside named data. */
#define OMPP_COUNTER_OF_ALL "of all memory, not of the named data"

/* Has it an event that needs a PMU? */
int ompp_counter_is_hardware(const struct ompp_counter *counter);

/* What PAPI answers when a counter shall count within an address range alone (PAPI_DATA_ADDRESS): 0 when it
 * can, -ENOTSUP with why. */
int ompp_counter_can_restrict(const char *name, struct ompp_text *why);

/* What the helper ompp-papi can be asked, and how it answers itself (runtime/papi).  Functions answer 0 or -errno, and why. */
enum { OMPP_PAPI_VERSION = 2 };

struct ompp_papi {
	int (*papi)(const char *name, struct ompp_counter *counter, struct ompp_text *why);     /* presets */
	int (*pfm)(const char *name, struct ompp_counter *counter, struct ompp_text *why);      /* libpfm4's names */
	int (*each)(int (*found)(void *context, const struct ompp_counter *counter), void *context);
	int (*restrict_range)(const char *name, struct ompp_text *why);
};

#endif

/*
 * Counter list: the parts of counter.c's list of names, and their common functions.
 *
 * Each function *_find returns 0 and fills all but the counter's name; or -ENOENT, and nothing in why, when the name
 * does not belong to its part; or another error as ompp_counter_find().  Each function *_each calls found() for the
 * counters of its part; it stops when a call returns other than 0, and returns that value.
 */
#ifndef OMPP_COUNTERS_COUNTER_LIST_H
#define OMPP_COUNTERS_COUNTER_LIST_H

#include "runtime/counters/counter.h"

typedef int (*ompp_counter_found)(void *context, const struct ompp_counter *counter);

/* Counts of access hooks: ACC_LD, ACC_LD(a). */
int ompp_counter_access_find(const char *name, size_t n_name, struct ompp_counter *counter, struct ompp_text *why);
int ompp_counter_access_each(ompp_counter_found found, void *context);

/* Operations of the program's code: flops. */
int ompp_counter_work_find(const char *name, size_t n_name, struct ompp_counter *counter, struct ompp_text *why);
int ompp_counter_work_each(ompp_counter_found found, void *context);

/* The kernel's software events. */
int ompp_counter_software_find(const char *name, size_t n_name, struct ompp_counter *counter, struct ompp_text *why);
int ompp_counter_software_each(ompp_counter_found found, void *context);

/* PAPI's presets, through the helper or as the equivalent event of perf. */
int ompp_counter_preset_find(const char *name, size_t n_name, struct ompp_counter *counter, struct ompp_text *why);
int ompp_counter_preset_each(ompp_counter_found found, void *context);

/* perf's hardware events by their general names and by numbers (r01c2), and events of PMUs by their names in sysfs. */
int ompp_counter_hardware_find(const char *name, size_t n_name, struct ompp_counter *counter, struct ompp_text *why);
int ompp_counter_hardware_each(ompp_counter_found found, void *context);
int ompp_counter_sysfs_find(const char *name, size_t n_name, struct ompp_counter *counter, struct ompp_text *why);
int ompp_counter_sysfs_each(ompp_counter_found found, void *context);

/* Names of libpfm4, through the helper. */
int ompp_counter_pfm_find(const char *name, size_t n_name, struct ompp_counter *counter, struct ompp_text *why);
int ompp_counter_pfm_each(ompp_counter_found found, void *context);

/* Returns 1 when the name is one of the words, "page-faults faults".  Case is ignored, as libpfm4 writes these names in
 * capitals; so are a prefix "perf::" and a suffix ":u". */
int ompp_counter_is(const char *words, const char *name, size_t n_name);

/* Returns 1 when the loop of counter_try.h causes such events on a core; config is the processor's raw event number
 * (PERF_TYPE_RAW). */
int ompp_counter_is_busy(uint64_t config);

/* Returns -ENODEV and writes why: there is no PMU, or the PMU has no such event. */
int ompp_counter_lacking(struct ompp_text *why);

/* Removes the events that the kernel does not support.  Returns 0, or the result of ompp_counter_lacking() when none is
 * left. */
int ompp_counter_keep_known(struct ompp_counter *counter, struct ompp_text *why);

/* Fills a counter for a list: its name is the first of the words, and `what` says what it is. */
void ompp_counter_entry(struct ompp_counter *counter, const char *words, const char *source, const char *what);

#endif

/*
 * Counter list: the parts of the list of names, for counter.c, and what they share.
 *
 * Each find answers 0; -ENOENT, and nothing in why, when the name is none of its own; else as
 * ompp_counter_find().  It fills all but the counter's name.  Each `each` stops when found() is not 0, with
 * its answer.
 */
#ifndef OMPP_BASE_COUNTER_LIST_H
#define OMPP_BASE_COUNTER_LIST_H

#include "runtime/base/counter.h"

typedef int (*ompp_counter_found)(void *context, const struct ompp_counter *counter);

/* Counts of access hooks: ACC_LD, ACC_LD(a). */
int ompp_counter_access_find(const char *name, size_t n_name, struct ompp_counter *counter, struct ompp_text *why);
int ompp_counter_access_each(ompp_counter_found found, void *context);

/* The kernel's software events. */
int ompp_counter_software_find(const char *name, size_t n_name, struct ompp_counter *counter, struct ompp_text *why);
int ompp_counter_software_each(ompp_counter_found found, void *context);

/* PAPI's presets: of the helper, or the same event of perf. */
int ompp_counter_preset_find(const char *name, size_t n_name, struct ompp_counter *counter, struct ompp_text *why);
int ompp_counter_preset_each(ompp_counter_found found, void *context);

/* perf's hardware events by their general names, r… numbers, and events of PMUs by those of sysfs. */
int ompp_counter_hardware_find(const char *name, size_t n_name, struct ompp_counter *counter, struct ompp_text *why);
int ompp_counter_hardware_each(ompp_counter_found found, void *context);
int ompp_counter_sysfs_find(const char *name, size_t n_name, struct ompp_counter *counter, struct ompp_text *why);
int ompp_counter_sysfs_each(ompp_counter_found found, void *context);

/* Names of libpfm4, by the helper. */
int ompp_counter_pfm_find(const char *name, size_t n_name, struct ompp_counter *counter, struct ompp_text *why);
int ompp_counter_pfm_each(ompp_counter_found found, void *context);

/* Is the name one of the words of a list "page-faults faults"?  Without regard to case, as libpfm4 has it
 * in capitals; "perf::" in front and ":u" behind change nothing. */
int ompp_counter_is(const char *words, const char *name, size_t n_name);

/* Has the loop of counter_try.h such events of a core, by the processor's number? */
int ompp_counter_is_busy(uint64_t config);

/* -ENODEV, and why: without a PMU that; else that the PMU has no such event. */
int ompp_counter_lacking(struct ompp_text *why);

/* Leave those events out that the kernel does not know.  0, or as ompp_counter_lacking() when none is left. */
int ompp_counter_keep_known(struct ompp_counter *counter, struct ompp_text *why);

/* A counter for a list: its first word, and what it is. */
void ompp_counter_entry(struct ompp_counter *counter, const char *words, const char *source, const char *what);

#endif

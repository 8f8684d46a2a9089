/*
 * PMU: a performance monitoring unit, as described by the kernel in sysfs: its kind, its named events, its format.
 *
 * The list of PMUs is read once, as machines may have more than a hundred; their events and formats are read at each
 * query.  COLD; these functions change errno.
 */
#ifndef OMPP_COUNTERS_PMU_H
#define OMPP_COUNTERS_PMU_H

#include <stddef.h>
#include <stdint.h>

struct ompp_text;
struct ompp_event_code;

struct ompp_pmu {
	char name[64];
	uint32_t type;      /* the kernel's type number, for event codes */
	uint8_t is_core;    /* 1 when it counts events of threads on a core; each kind of cores has its own */
	uint8_t is_machine; /* 1 when it counts events of the machine, on the CPUs of its cpumask */
	char cpus[256];     /* that cpumask, "0,12" */
};

/* The folder with one folder per PMU.  A test may use its own, and calls ompp_pmu_forget() after each change. */
extern const char *ompp_pmu_root;
void ompp_pmu_forget(void);

/* Calls found() for each PMU, in the order of names.  Stops when a call returns other than 0, and returns that value.
 * Returns -errno when there is no such folder. */
int ompp_pmu_each(int (*found)(void *context, const struct ompp_pmu *pmu), void *context);

/* Writes the first `most` PMUs of cores, and returns how many there are. */
size_t ompp_pmu_cores(struct ompp_pmu *pmus, size_t most);

/* Finds the PMU of a type.  Returns 0 or -ENOENT. */
int ompp_pmu_of_type(uint32_t type, struct ompp_pmu *pmu);

/* Reads the first line of a file in the PMU's folder "events" or "format", without its end.  Returns its length or
 * -errno. */
int ompp_pmu_line(const struct ompp_pmu *pmu, const char *folder, const char *file, size_t n_file, char *line,
                  size_t most);

/* Call found() for each event that sysfs names, and for each field of the PMU's format, in the order of names. */
int ompp_pmu_events(const struct ompp_pmu *pmu, int (*found)(void *context, const char *event), void *context);
int ompp_pmu_fields(const struct ompp_pmu *pmu, int (*found)(void *context, const char *field), void *context);
int ompp_pmu_has_event(const struct ompp_pmu *pmu, const char *event, size_t n_event);

/* Encodes terms like "event=0x3c,umask=1", "inst_retired" or both mixed; of two terms for one field the later one is
 * used.  Returns 0, or -EINVAL and the reason in `why`. */
int ompp_pmu_encode(const struct ompp_pmu *pmu, const char *terms, size_t n_terms, struct ompp_event_code *code,
                    struct ompp_text *why);

/* Finds the kernel's scale of an event's counts: value × mul >> shift is in `unit`.  Returns 0, or -ENOENT when they
 * are plain counts. */
int ompp_pmu_scale(const struct ompp_pmu *pmu, const char *event, size_t n_event, int32_t *mul, int32_t *shift,
                   const char **unit);

/* Parses a scale as in sysfs, "6.103515625e-5", multiplies it by `times`, and converts it to mul and shift, with mul
 * below 2^31.  Returns 0 or -EINVAL. */
int ompp_pmu_scale_parse(const char *text, uint64_t times, int32_t *mul, int32_t *shift);

/* Returns 0 when the kernel can open the event for this thread (disabled), or -errno.  A test may replace it. */
extern int (*ompp_pmu_try)(const struct ompp_event_code *code);

#endif

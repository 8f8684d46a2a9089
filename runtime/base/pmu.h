/*
 * PMU: what counts events, as the kernel shows it in sysfs: its kind, its events by name, its format.
 *
 * The list of PMUs is read once, as machines have more than a hundred; their events and formats at each
 * question.  COLD: malloc.  These functions change errno.
 */
#ifndef OMPP_BASE_PMU_H
#define OMPP_BASE_PMU_H

#include <stddef.h>
#include <stdint.h>

struct ompp_text;
struct ompp_event_code;

struct ompp_pmu {
	char     name[64];
	uint32_t type;                  /* the kernel's number, of event codes */
	uint8_t  is_core;               /* counts what threads do on a core; several: different kinds of cores */
	uint8_t  is_machine;            /* counts what the machine does, on the CPUs of its cpumask */
	char     cpus[256];             /* that cpumask, "0,12" */
};

/* The folder with one folder a PMU; of a test its own, with ompp_pmu_forget() after each change. */
extern const char *ompp_pmu_root;
void ompp_pmu_forget(void);

/* Each PMU, in the order of their names; stops when found() is not 0, with its answer.  -errno: no such
 * folder. */
int ompp_pmu_each(int (*found)(void *context, const struct ompp_pmu *pmu), void *context);

/* The first `most` PMUs for cores; how many there are. */
size_t ompp_pmu_cores(struct ompp_pmu *pmus, size_t most);

/* The PMU of a type: 0 or -ENOENT. */
int ompp_pmu_of_type(uint32_t type, struct ompp_pmu *pmu);

/* The first line of a file in the PMU's folder "events" or "format", without its end; its length or -errno. */
int ompp_pmu_line(const struct ompp_pmu *pmu, const char *folder, const char *file, size_t n_file, char *line,
                  size_t most);

/* Each event that sysfs names, and each field of its format, in the order of names. */
int ompp_pmu_events(const struct ompp_pmu *pmu, int (*found)(void *context, const char *event), void *context);
int ompp_pmu_fields(const struct ompp_pmu *pmu, int (*found)(void *context, const char *field), void *context);
int ompp_pmu_has_event(const struct ompp_pmu *pmu, const char *event, size_t n_event);

/* The code of "event=0x3c,umask=1", "inst_retired" or both mixed, later ones before earlier ones: 0, or
 * -EINVAL and why. */
int ompp_pmu_encode(const struct ompp_pmu *pmu, const char *terms, size_t n_terms, struct ompp_event_code *code,
                    struct ompp_text *why);

/* What the kernel says of an event's counts: value × mul >> shift is in `unit`.  0; -ENOENT: they are plain
 * counts. */
int ompp_pmu_scale(const struct ompp_pmu *pmu, const char *event, size_t n_event, int32_t *mul, int32_t *shift,
                   const char **unit);

/* A scale as sysfs has it, "6.103515625e-5", times a power of the unit's, to mul and shift with mul below
 * 2^31. 0 or -EINVAL. */
int ompp_pmu_scale_parse(const char *text, uint64_t times, int32_t *mul, int32_t *shift);

/* Does the kernel open the event for this thread, switched off?  0 or -errno.  Of a test its own answers. */
extern int (*ompp_pmu_try)(const struct ompp_event_code *code);

#endif

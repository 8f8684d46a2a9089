/*
 * Times: see times.h.
 */
#include "reports/show/times.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "reports/analysis/init.h"
#include "reports/analysis/label.h"
#include "reports/compare/match.h"
#include "reports/roofs/roof_file.h"
#include "reports/show/show.h"

enum { WHY_BYTES = 1024 };

struct times_joiner {
	const struct ompp_profile *counted;
	struct ompp_profile plain;
	struct ompp_analysis analysis, counted_analysis; /* of the plain profile, and of the other one */
	uint32_t *match;                                 /* by region of the plain profile: that of the counted one */
	uint32_t *of;                                    /* the inverse */
	struct ompp_arena *arena;
	const char *file, *counted_file;
};

/* Are these times those of the program itself, with as many threads?  If not, it complains and returns 0. */
static int times_fit(const struct times_joiner *j)
{
	if (j->plain.hooked)
		ompp_complain(j->file, "no times of the program: they include the cost of access hooks; give the "
		                       "profile of a build without them (kinst --no-access)");
	else if (ompp_profile_is_emulated(&j->plain))
		ompp_complain(j->file, "no times of the program: they are an emulator's; give the profile of a run "
		                       "without it");
	else if (j->plain.max_threads != j->counted->max_threads)
		ompp_complain(j->file,
		              "not joined: it is of %u threads, and %s of %u; run both with the same OMP_NUM_THREADS",
		              j->plain.max_threads, j->counted_file, j->counted->max_threads);
	else
		return 1;
	return 0;
}

/* Returns a sentence about a region of one of the two profiles. */
__attribute__((format(printf, 4, 5))) static const char *times_say(const struct times_joiner *j,
                                                                   const struct ompp_analysis *a, uint32_t region,
                                                                   const char *format, ...)
{
	const char *label = ompp_region_label(a, &a->profile->regions[region]);
	char text[WHY_BYTES];
	va_list more;
	int n = snprintf(text, sizeof(text), "%s ", ompp_shown(label ? label : ""));

	va_start(more, format);
	if (n > 0 && (size_t)n < sizeof(text))
		vsnprintf(text + n, sizeof(text) - (size_t)n, format, more);
	va_end(more);
	return ompp_arena_strdup(j->arena, text);
}

/* Returns why a region of the counted profile has no time; NULL when it has one. */
static const char *why_not(const struct times_joiner *j, uint32_t region, const struct ompp_region_time *time)
{
	struct ompp_region_time own;

	if (j->of[region] == OMPP_NONE)
		return times_say(j, &j->counted_analysis, region, "is not in %s.", ompp_shown(j->file));
	if (j->counted->regions[region].begin_line != j->plain.regions[j->of[region]].begin_line)
		return times_say(j, &j->counted_analysis, region, "stands in line %u in %s: another source.",
		                 j->plain.regions[j->of[region]].begin_line, ompp_shown(j->file));
	ompp_region_time(&j->counted_analysis, region, &own);
	if (own.n_exec != time->n_exec)
		return times_say(j, &j->counted_analysis, region, "was executed %llu times here, and %llu times in %s.",
		                 (unsigned long long)own.n_exec, (unsigned long long)time->n_exec, ompp_shown(j->file));
	return NULL;
}

static int times_fill(const struct times_joiner *j, struct ompp_times *times)
{
	size_t n = j->counted->n_regions;
	struct ompp_region_time *time = ompp_arena_alloc(j->arena, (n + 1) * sizeof(*time));
	const char **why = ompp_arena_alloc(j->arena, (n + 1) * sizeof(*why));
	const char **others = ompp_arena_alloc(j->arena, (j->plain.n_regions + 1) * sizeof(*others));

	if (!time || !why || !others)
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++) {
		memset(&time[i], 0, sizeof(time[i]));
		if (j->of[i] != OMPP_NONE)
			ompp_region_time(&j->analysis, j->of[i], &time[i]);
		why[i] = why_not(j, i, &time[i]);
	}
	for (uint32_t k = 0; k < j->plain.n_regions; k++)
		if (j->match[k] == OMPP_NONE)
			others[times->n_others++] = times_say(j, &j->analysis, k, "of %s is not in %s.",
			                                      ompp_shown(j->file), ompp_shown(j->counted_file));
	times->time = time;
	times->why = why;
	times->others = others;
	return 0;
}

/* Finds which regions are the same.  Returns how many are, or -ENOMEM. */
static long times_match(struct times_joiner *j)
{
	long n = 0;

	j->match = ompp_arena_alloc(j->arena, (j->plain.n_regions + 1) * sizeof(*j->match));
	j->of = ompp_arena_alloc(j->arena, (j->counted->n_regions + 1) * sizeof(*j->of));
	if (!j->match || !j->of ||
	    ompp_match(j->counted->regions, j->counted->n_regions, j->plain.regions, j->plain.n_regions, j->match,
	               j->arena))
		return -ENOMEM;
	for (size_t i = 0; i < j->counted->n_regions; i++)
		j->of[i] = OMPP_NONE;
	for (uint32_t k = 0; k < j->plain.n_regions; k++)
		if (j->match[k] != OMPP_NONE) {
			j->of[j->match[k]] = k;
			n++;
		}
	return n;
}

static int times_failed(const char *file)
{
	ompp_complain(file, "not enough memory");
	return OMPP_EXIT_FAILED;
}

int ompp_times_join(const char *file, const struct ompp_profile *counted, const char *counted_file,
                    struct ompp_arena *arena, const struct ompp_times **out)
{
	const struct ompp_report_options all = { .views = "" };
	struct times_joiner j = { .counted = counted, .arena = arena, .file = file, .counted_file = counted_file };
	struct ompp_times *times = ompp_arena_alloc(arena, sizeof(*times));
	long n;

	if (!times)
		return times_failed(file);
	if (ompp_load(file, arena, &j.plain))
		return OMPP_EXIT_FAILED;
	if (!times_fit(&j))
		return OMPP_EXIT_USAGE;
	n = times_match(&j);
	if (!n) {
		ompp_complain(file,
		              "not of the program of %s: they have no region in common; give the profile of the "
		              "same sources, built without hooks",
		              counted_file);
		return OMPP_EXIT_USAGE;
	}
	if (n < 0 || ompp_analysis_init(&j.analysis, &j.plain, &all, arena) ||
	    ompp_analysis_init(&j.counted_analysis, counted, &all, arena))
		return times_failed(file);
	*times = (struct ompp_times){ .file = file,
		                      .duration_ns = j.analysis.measured_ns,
		                      .delayed = ompp_region_delayed(&j.plain) };
	if (times_fill(&j, times))
		return times_failed(file);
	*out = times;
	return 0;
}

/* ---- roofs ---- */

int ompp_times_roofs(const char *file, const struct ompp_profile *profile, struct ompp_arena *arena,
                     const struct ompp_roofs **out)
{
	const char *host = ompp_profile_condition(profile, "Host"), *cpu = ompp_profile_condition(profile, "CPU"), *why;
	const char *path = file ? file : host[0] && !strchr(host, '/') ? ompp_roofs_path(host, arena) : NULL;
	struct ompp_roofs *roofs = ompp_arena_alloc(arena, sizeof(*roofs));
	int rc = !roofs ? -ENOMEM : path ? ompp_roofs_read(roofs, path, arena, &why) : -ENOENT;

	*out = NULL;
	if (!rc && !file && strncmp(cpu, roofs->cpu, strlen(roofs->cpu)))
		return 0; /* another machine has this name, or it has another processor now */
	if (!rc)
		*out = roofs;
	if (!rc || (rc == -ENOENT && !file))
		return 0;
	if (rc == -EINVAL)
		ompp_complain(path, "%s", why);
	else
		ompp_complain(path, "cannot be read: %s; 'ompp machine --file=FILE' writes one", strerror(-rc));
	return file ? OMPP_EXIT_FAILED : 0;
}

/*
 * Print: loads profiles, and prints reports of them.
 */
#include "reports/show/show.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "reports/analysis/init.h"
#include "reports/command/terminal.h"
#include "reports/exchange/exchange.h"
#include "reports/flow/code.h"
#include "reports/profile/merge.h"
#include "reports/profile/profile_file.h"
#include "reports/report.h"
#include "reports/watch/recording.h"
#include "runtime/base/array.h"

/* Is the file a trace (OMPP_TRACE=1)? */
static int is_trace(int fd)
{
	char start[sizeof(OMPP_FLOW_MAGIC) - 1];

	return pread(fd, start, sizeof(start), 0) == (ssize_t)sizeof(start) &&
	       !memcmp(start, OMPP_FLOW_MAGIC, sizeof(start));
}

/* Is it a recording (ompp record)? */
static int is_recording(int fd)
{
	char start[sizeof(OMPP_RECORDING_START) - 1];

	return pread(fd, start, sizeof(start), 0) == (ssize_t)sizeof(start) &&
	       !memcmp(start, OMPP_RECORDING_START, sizeof(start));
}

int ompp_load(const char *path, struct ompp_arena *arena, struct ompp_profile *profile)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), rc;
	const char *why = "";

	if (fd < 0) {
		ompp_complain(path, "cannot be opened: %s; give a saved profile (.ompp)", strerror(errno));
		return -1;
	}
	rc = ompp_profile_read(fd, arena, profile, &why);
	if (rc == -EINVAL && is_trace(fd))
		why = "a trace of memory accesses (OMPP_TRACE=1): 'ompp flow' reads it; for a report give the profile, "
		      "whose name ends in .ompp";
	if (rc == -EINVAL && is_recording(fd))
		why = "a recording of ompp record: 'ompp stat' and 'ompp live' show it; for a report give a profile, "
		      "whose name ends in .ompp";
	if (rc == -EINVAL || rc == -EPROTO || rc == -ENOMEM)
		ompp_complain(path, "%s", why);
	else if (rc)
		ompp_complain(path, "cannot be read: %s; give a saved profile (.ompp)", strerror(-rc));
	else if (profile->is_damaged)
		ompp_complain(path, "%s", profile->notes[profile->n_notes - 1].text);
	close(fd);
	return rc ? -1 : 0;
}

/* Was nothing chosen?  Then a terminal gets the summary alone, as the rest would push it out of sight. */
static int is_brief(const struct ompp_report_options *o)
{
	const char *const choices[] = { o->views, o->format, o->region, o->sort, o->object, o->columns, o->numa };

	for (size_t i = 0; i < OMPP_COUNT_OF(choices); i++)
		if (choices[i] && choices[i][0])
			return 0;
	return !o->top && isatty(STDOUT_FILENO);
}

enum { SECTION_COLUMNS = 79 };

/* Prints the names of the sections that a terminal of so many columns did not get, and how to see them: commands stand
 * in lines of their own where they do not fit beside that. */
static void print_sections(const struct ompp_analysis *analysis, const char *file, uint32_t columns)
{
	static const char how[] = "To see some, or all:", some[] = " ompp report --view=flat,properties ";
	int width = columns ? (int)columns : SECTION_COLUMNS, at = printf("Sections:");
	int is_beside = sizeof(how) + sizeof(some) - 2 + strlen(ompp_shown(file)) <= (size_t)width;

	for (size_t i = 1; ompp_report_view(i + 1); i++) { /* the first was shown, and the last is "all" */
		const char *section = ompp_report_view(i);

		if (!ompp_report_has_view(analysis, i))
			continue;
		if (at + 1 + (int)strlen(section) > width)
			at = printf("\n         ") - 1;
		at += printf(" %s", section);
	}
	printf("\n%s%s%s%s\n", how, is_beside ? "" : "\n ", some, ompp_shown(file));
	printf("%*s ompp report --view=all %s\n", is_beside ? (int)sizeof(how) - 1 : 1, "", ompp_shown(file));
}

int ompp_print(const struct ompp_profile *profiles, size_t n, const struct ompp_report_options *options,
               const char *file, struct ompp_arena *arena)
{
	struct ompp_profile merged = profiles[0];
	struct ompp_report_options shown = *options;
	struct ompp_analysis analysis;
	int rc = n > 1 ? ompp_profile_merge(profiles, n, arena, &merged) : 0, brief = is_brief(options);
	pid_t pager = 0;

	shown.path = n == 1 ? file : NULL;
	if (brief)
		shown.views = "summary";
	if (!rc && ompp_report_is_text(shown.format)) {
		ompp_terminal_look(&shown);
		pager = ompp_pager_start();
	}
	if (!rc && ompp_exchange_lacks(shown.format, &merged)) {
		ompp_complain(file, "%s", ompp_exchange_lacks(shown.format, &merged));
		return OMPP_EXIT_FAILED;
	}
	if (!rc && ompp_exchange_has(shown.format)) {
		rc = ompp_exchange_write(&merged, &shown, STDOUT_FILENO, arena);
	} else if (!rc) {
		rc = ompp_analysis_init(&analysis, &merged, &shown, arena);
		if (!rc)
			rc = ompp_report_put(&analysis, &shown, STDOUT_FILENO);
	}
	if (rc && rc != -EPIPE)
		ompp_complain("standard output", "cannot be written: %s", strerror(-rc));
	if (!rc && brief)
		print_sections(&analysis, file, shown.text_columns);
	if (ompp_pager_end(pager) && !rc)
		rc = -ENOEXEC;
	return rc || merged.is_damaged ? OMPP_EXIT_FAILED : 0;
}

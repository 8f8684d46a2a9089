/*
 * Report text: the report of a profile, as a text in which tests look for words.  The including file has the headers of
 * cmocka, and _GNU_SOURCE for memfd_create().
 */
#ifndef TESTS_REPORT_TEXT_H
#define TESTS_REPORT_TEXT_H

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "reports/report.h"

/* Returns the report, in the arena. */
static inline char *report_text(const struct ompp_profile *profile, const struct ompp_report_options *options,
                                struct ompp_arena *arena)
{
	int fd = memfd_create("report", 0);
	off_t end;
	char *data;

	assert_int_equal(ompp_report_show(profile, options, fd, arena), 0);
	end = lseek(fd, 0, SEEK_END);
	data = ompp_arena_alloc(arena, (size_t)end + 1);
	assert_non_null(data);
	assert_int_equal(pread(fd, data, (size_t)end, 0), end);
	close(fd);
	return data;
}

static inline void has(const char *report, const char *text)
{
	if (!strstr(report, text))
		fail_msg("not in the report: %s\n%s", text, report);
}

#endif

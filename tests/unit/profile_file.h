/*
 * Profile file: a saved profile of the example as bytes, which tests read back, damage and merge.  To include first.
 */
#ifndef TESTS_PROFILE_FILE_H
#define TESTS_PROFILE_FILE_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "reports/profile/merge.h"
#include "reports/profile/misfit.h"
#include "reports/profile/profile_file.h"
#include "reports/profile/schema.h"
#include "reports/report.h"
#include "runtime/base/array.h"
#include "runtime/base/histogram.h"
#include "runtime/ompp_mem.h"
#include "tests/golden/example.h"

static unsigned char *file;

static size_t n_file;

/* Returns all bytes that were written to a file descriptor; the caller frees them. */
static inline unsigned char *contents(int fd, size_t *n)
{
	off_t end = lseek(fd, 0, SEEK_END);
	unsigned char *data = malloc((size_t)end + 1);

	assert_non_null(data);
	assert_int_equal(pread(fd, data, (size_t)end, 0), end);
	data[end] = '\0';
	*n = (size_t)end;
	close(fd);
	return data;
}

static inline char *report(const struct ompp_profile *profile, const char *format)
{
	struct ompp_arena arena;
	int fd = memfd_create("report", 0);
	size_t n;

	ompp_arena_init(&arena, 0);
	assert_int_equal(ompp_report_write(profile, "", format, fd, &arena), 0);
	ompp_arena_fini(&arena);
	return (char *)contents(fd, &n);
}

static inline int save(void **state)
{
	struct ompp_profile profile;
	struct ompp_arena arena;
	int fd = memfd_create("profile", 0);

	(void)state;
	example_data_profile(&profile, 0);
	ompp_arena_init(&arena, 0);
	assert_int_equal(ompp_profile_write(&profile, fd, &arena), 0);
	ompp_arena_fini(&arena);
	file = contents(fd, &n_file);
	return 0;
}

static inline int forget(void **state)
{
	(void)state;
	free(file);
	return 0;
}

static inline size_t n_measured(const struct ompp_profile *profile)
{
	size_t n = 0;

	for (size_t i = 0; i < profile->n_objects; i++)
		n += profile->objects[i].measured != 0;
	return n;
}

/* Writes the profile to a file, and reads that into `again`.  Returns the file's bytes. */
static inline size_t reread(const struct ompp_profile *profile, struct ompp_arena *arena, struct ompp_profile *again)
{
	int fd = memfd_create("again", 0);
	unsigned char *data;
	const char *why;
	size_t n;

	assert_int_equal(ompp_profile_write(profile, fd, arena), 0);
	data = contents(fd, &n);
	assert_int_equal(ompp_profile_parse(data, n, arena, again, &why), 0);
	free(data);
	return n;
}

#endif

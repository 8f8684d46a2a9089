/*
 * Views case: the example's profile, analysed, and its report as a text.  To include first.
 */
#ifndef TESTS_VIEWS_CASE_H
#define TESTS_VIEWS_CASE_H

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

#include "reports/analysis/init.h"
#include "reports/analysis/weights.h"
#include "reports/report.h"
#include "runtime/base/array.h"
#include "tests/golden/example.h"
#include "tests/unit/report_text.h"

#define MS INT64_C(1000000)

static struct ompp_arena arena;

static struct ompp_profile profile;

static struct ompp_analysis analysis;

static inline int start(void **state)
{
	(void)state;
	example_profile(&profile);
	ompp_arena_init(&arena, 0);
	return ompp_analysis_init(&analysis, &profile, &(struct ompp_report_options){ 0 }, &arena);
}

static inline int stop(void **state)
{
	(void)state;
	ompp_arena_fini(&arena);
	return 0;
}

static inline char *show(const struct ompp_report_options *options)
{
	return report_text(&profile, options, &arena);
}

#endif

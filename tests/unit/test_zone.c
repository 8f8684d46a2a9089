/*
 * Zone: the C library's localtime_r() is the oracle, for rules and for each zone of which the system has a file.
 */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include <cmocka.h>

#include "runtime/base/array.h"
#include "runtime/base/zone.h"

static void compare(const char *tz, int64_t unix_s)
{
	time_t at = (time_t)unix_s;
	struct tm local;

	setenv("TZ", tz, 1);
	tzset();
	assert_non_null(localtime_r(&at, &local));
	if (ompp_zone_offset(unix_s, tz, NULL) != local.tm_gmtoff)
		fail_msg("TZ=%s at %lld: %lld, localtime has %ld", tz, (long long)unix_s,
		         (long long)ompp_zone_offset(unix_s, tz, NULL), local.tm_gmtoff);
}

/* Compares the years from 1980 to 2100, on changing days and hours. */
static void compare_years(const char *tz, int64_t step)
{
	for (int64_t at = 315532800; at < 4102444800; at += step)
		compare(tz, at);
}

static void test_rules(void **state)
{
	/* clang-format off */
	static const char *const rules[] = {
		"UTC0", "CET-1CEST,M3.5.0,M10.5.0/3", "EST5EDT,M3.2.0,M11.1.0", "EST5EDT", "NZST-12NZDT,M9.5.0,M4.1.0/3",
		"<+0330>-3:30", "<-03>3", "IST-5:30", "AAA10BBB8:15,J60,J300/5:30:10", "XXX-1YYY,59/1,299",
		"EET-2EEST,M3.5.4/24,M10.5.5/1", "IST-1GMT0,M10.5.0,M3.5.0/1", "<-02>2<-01>,M3.5.0/-1,M10.5.0/0", ""
	};
	/* clang-format on */

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(rules); i++)
		compare_years(rules[i], 86400 * 3 + 3607);
}

/* Compares each second around both changes of a year. */
static void test_seconds(void **state)
{
	static const int64_t changes[] = { 1711846800, 1729990800 };

	(void)state;
	for (int i = 0; i < 2; i++)
		for (int64_t s = -2; s <= 2; s++)
			compare("CET-1CEST,M3.5.0,M10.5.0/3", changes[i] + s);
}

static void test_no_zone(void **state)
{
	static const char *const wrong[] = {
		"nowhere/at_all", "C", "CET", "CET-1CEST,M13.1.0,M10.5.0", "/dev/null", ":"
	};

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(wrong); i++)
		compare(wrong[i], 1700000000);
}

static int n_files;

static void each_file(const char *folder, const char *name)
{
	char path[1024], tz[512];
	struct dirent *e;
	struct stat st;
	DIR *d;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	d = stat(path, &st) || !S_ISDIR(st.st_mode) ? NULL : opendir(path);
	while (d && (e = readdir(d))) {
		if (e->d_name[0] == '.' || !strcmp(e->d_name, "right")) /* those count leap seconds */
			continue;
		snprintf(tz, sizeof(tz), "%s%s%s", name, name[0] ? "/" : "", e->d_name);
		each_file(folder, tz);
		snprintf(path, sizeof(path), "%s/%s", folder, tz);
		if (stat(path, &st) || !S_ISREG(st.st_mode) || strchr(tz, '.') || n_files++ % 9)
			continue;
		compare_years(tz, 86400 * 17 + 3607);
	}
	if (d)
		closedir(d);
}

static void test_files(void **state)
{
	(void)state;
	each_file("/usr/share/zoneinfo", "");
	if (!n_files)
		skip();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rules),
		cmocka_unit_test(test_seconds),
		cmocka_unit_test(test_no_zone),
		cmocka_unit_test(test_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

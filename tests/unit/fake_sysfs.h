/*
 * Fake sysfs: builds a folder of PMUs as sysfs has it on machines that are not here: with cores of two kinds, with
 * memory controllers, or with AMD's fields.
 */
#ifndef TESTS_UNIT_FAKE_SYSFS_H
#define TESTS_UNIT_FAKE_SYSFS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/base/array.h"
#include "runtime/counters/pmu.h"

static char fake_root[] = "/tmp/kinst-sysfs-XXXXXX";

/* Writes a file below the fake folder, and makes the folders that lead to it. */
static void fake_put(const char *file, const char *text)
{
	char path[512];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", fake_root, file);
	for (char *slash = strchr(path + strlen(fake_root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0777);
		*slash = '/';
	}
	f = fopen(path, "w");
	assert_non_null(f);
	fprintf(f, "%s\n", text);
	fclose(f);
	ompp_pmu_forget();
}

/* Removes the fake folder.  Returns 0 when that worked. */
static int fake_drop(void)
{
	char command[128];
	int status;

	snprintf(command, sizeof(command), "rm -rf %s", fake_root);
	status = system(command);
	if (status)
		perror(command);
	return status;
}

/* Makes an empty fake folder, and lets ompp_pmu_root lead to it. */
static int fake_new(void **state)
{
	(void)state;
	strcpy(fake_root + sizeof(fake_root) - 7, "XXXXXX");
	if (!mkdtemp(fake_root))
		return -1;
	ompp_pmu_root = fake_root;
	ompp_pmu_forget();
	fake_put("software/type", "1");
	return 0;
}

/* Adds the PMU of a core, with the fields that Intel's have. */
static inline void fake_intel(const char *pmu, const char *type, const char *cpus)
{
	static const char *const fields[][2] = {
		{ "event", "config:0-7" },   { "umask", "config:8-15" },        { "edge", "config:18" },
		{ "cmask", "config:24-31" }, { "offcore_rsp", "config1:0-63" }, { "ldlat", "config1:0-15" },
	};
	char file[128];

	snprintf(file, sizeof(file), "%s/type", pmu);
	fake_put(file, type);
	if (cpus) {
		snprintf(file, sizeof(file), "%s/cpus", pmu);
		fake_put(file, cpus);
	}
	for (size_t i = 0; i < OMPP_COUNT_OF(fields); i++) {
		snprintf(file, sizeof(file), "%s/format/%s", pmu, fields[i][0]);
		fake_put(file, fields[i][1]);
	}
	snprintf(file, sizeof(file), "%s/events/mem-loads", pmu);
	fake_put(file, "event=0xcd,umask=0x1,ldlat=3");
}

#endif

/*
 * Aside: see aside.h.
 */
#define _GNU_SOURCE
#include "reports/watch/aside.h"

#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/command/arguments.h"

enum { CPUS = 4096, LIST_BYTES = 4096 };
#define SET_BYTES CPU_ALLOC_SIZE(CPUS)

/* Reads a list of processors into a set.  Returns how many they are; -1 when it is none. */
static int read_list(const char *list, cpu_set_t *set)
{
	CPU_ZERO_S(SET_BYTES, set);
	while (*list && *list != '\n') {
		char *end;
		long first = strtol(list, &end, 10), last = first;

		if (end == list || *list < '0' || *list > '9')
			return -1;
		if (*end == '-' && end[1] >= '0' && end[1] <= '9')
			last = strtol(end + 1, &end, 10);
		if (first > last || last >= CPUS || (*end && *end != ',' && *end != '\n'))
			return -1;
		for (; first <= last; first++)
			CPU_SET_S((size_t)first, SET_BYTES, set);
		list = end + (*end == ',');
	}
	return CPU_COUNT_S(SET_BYTES, set);
}

int ompp_aside_on(const char *cpus)
{
	cpu_set_t *set = CPU_ALLOC(CPUS);
	int n = set ? read_list(cpus, set) : -1, rc = 0;

	if (n <= 0) {
		ompp_complain("--cpus", "'%s' is not a list of processors; write 0-3,8", cpus);
		rc = -1;
	} else if (sched_setaffinity(0, SET_BYTES, set)) {
		ompp_complain("--cpus", "'%s' has no processor that ompp may use: %s", cpus, strerror(errno));
		rc = -1;
	}
	CPU_FREE(set);
	return rc;
}

/* Takes the processors of all threads of the program out of the set. */
static void take_out(pid_t pid, cpu_set_t *set, cpu_set_t *one)
{
	char path[40];
	struct dirent *entry;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		if (entry->d_name[0] < '0' || entry->d_name[0] > '9' ||
		    sched_getaffinity(atoi(entry->d_name), SET_BYTES, one))
			continue;
		for (size_t cpu = 0; cpu < CPUS; cpu++)
			if (CPU_ISSET_S(cpu, SET_BYTES, one))
				CPU_CLR_S(cpu, SET_BYTES, set);
	}
	if (dir)
		closedir(dir);
}

void ompp_aside_of(pid_t pid)
{
	cpu_set_t *set = CPU_ALLOC(CPUS), *one = CPU_ALLOC(CPUS);
	char list[LIST_BYTES] = "";
	FILE *f = fopen("/sys/devices/system/cpu/online", "re");

	if (f && set && one && fgets(list, sizeof(list), f) && read_list(list, set) > 1) {
		take_out(pid, set, one);
		if (CPU_COUNT_S(SET_BYTES, set) && sched_setaffinity(0, SET_BYTES, set))
			errno = 0; /* the user may not use these processors, so ompp stays where it is */
	}
	if (f)
		fclose(f);
	CPU_FREE(set);
	CPU_FREE(one);
}

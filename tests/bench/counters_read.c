/*
 * What the kernel itself takes to answer one reading of N software counters, that count as ours do: prints ns.
 * Usage: counters_read N
 */
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	/* page-faults, task-clock, minor-faults, context-switches: as counters.sh asks for them */
	static const uint64_t config[] = {
		PERF_COUNT_SW_PAGE_FAULTS, PERF_COUNT_SW_TASK_CLOCK, PERF_COUNT_SW_PAGE_FAULTS_MIN,
		PERF_COUNT_SW_CONTEXT_SWITCHES
	};
	int n = argc == 2 ? atoi(argv[1]) : 0, leader = -1, i, fd;
	struct timespec from, to;
	uint64_t words[16];
	long k;

	for (i = 0; i < n && i < 4; i++) {
		struct perf_event_attr attr;

		memset(&attr, 0, sizeof(attr));
		attr.size = sizeof(attr);
		attr.type = PERF_TYPE_SOFTWARE;
		attr.config = config[i];
		attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED |
		                   PERF_FORMAT_TOTAL_TIME_RUNNING;
		attr.exclude_kernel = attr.exclude_hv = config[i] != PERF_COUNT_SW_CONTEXT_SWITCHES;
		fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, leader, 0);
		if (fd < 0)
			return 77;
		leader = leader < 0 ? fd : leader;
	}
	clock_gettime(CLOCK_MONOTONIC, &from);
	for (k = 0; k < 1000000 && n; k++)
		if (syscall(SYS_read, leader, words, sizeof(words)) < 0)
			return 1;
	clock_gettime(CLOCK_MONOTONIC, &to);
	printf("%.1f\n", (double)((to.tv_sec - from.tv_sec) * 1000000000L + to.tv_nsec - from.tv_nsec) / 1e6);
	return 0;
}

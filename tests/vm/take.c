/*
 * take: holds six counters of processor 0 while a command runs, as perf and the kernel's watchdog do, so that nobody
 * else can count instructions there.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COUNTERS = 6, INSTRUCTIONS = 8 };

int main(int argc, char **argv)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_RAW,
		.size = sizeof(attr),
		.config = INSTRUCTIONS,
		.pinned = 1,
	};
	int i, status = 1;
	pid_t child;

	for (i = 0; i < COUNTERS; i++) {
		if (syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC) < 0) {
			printf("take: %s\n", strerror(errno));
			return 1;
		}
	}
	child = argc > 1 ? fork() : -1;
	if (!child) {
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	if (child > 0)
		waitpid(child, &status, 0);
	return status != 0;
}

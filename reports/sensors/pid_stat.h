/*
 * Pid stat: the numbers in /proc/PID/stat and /proc/PID/task/TID/stat.
 */
#ifndef OMPP_SENSORS_PID_STAT_H
#define OMPP_SENSORS_PID_STAT_H

#include <stdint.h>
#include <string.h>

#include "reports/sensors/feed.h"

/* Their places, as proc(5) counts them, from 1. */
enum ompp_pid_stat {
	OMPP_PID_MINOR = 10,
	OMPP_PID_MAJOR = 12,
	OMPP_PID_USER = 14,
	OMPP_PID_SYSTEM = 15,
	OMPP_PID_CHILDREN_USER = 16,
	OMPP_PID_CHILDREN_SYSTEM = 17,
	OMPP_PID_THREADS = 20,
	OMPP_PID_BYTES = 23,
	OMPP_PID_RESIDENT = 24,
	OMPP_PID_CPU = 39,
	OMPP_PID_N = 40
};

/* Reads the numbers; words and negative numbers become 0.  Returns 0 when the text is not such a file.
 */
static inline int ompp_pid_stat(const char *text, uint64_t numbers[OMPP_PID_N])
{
	const char *at = strrchr(text, ')'); /* the name in the parentheses may contain any characters */

	memset(numbers, 0, OMPP_PID_N * sizeof(*numbers));
	if (!at)
		return 0;
	at++;
	for (int i = 3; i < OMPP_PID_N && *at; i++)
		if (!ompp_feed_take(&at, &numbers[i]))
			numbers[i] = 0;
	return 1;
}

#endif

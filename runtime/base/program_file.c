/*
 * Program file: see program_file.h.
 */
#define _GNU_SOURCE
#include "runtime/base/program_file.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/proc.h"
#include "runtime/base/sys.h"

static const char of_main[] = "/proc/self/exe", of_thread[] = "/proc/thread-self/exe";

const char *ompp_program_file = of_main;

void ompp_program_file_choose(void)
{
	char path[2][512];
	ssize_t n = ompp_sys_readlink(of_main, path[0], sizeof(path[0]));

	if (ompp_program_file == of_main && n > 0 && ompp_sys_readlink(of_thread, path[1], sizeof(path[1])) == n &&
	    !memcmp(path[0], path[1], (size_t)n)) {
		ompp_program_file = of_thread;
		ompp_proc_folder = "/proc/thread-self/";
	}
}

size_t ompp_program_path(char *path, size_t n_room)
{
	ssize_t n = ompp_sys_readlink(ompp_program_file, path, n_room - 1);

	if (n == -EINVAL) { /* it is no link, but the path itself */
		n = (ssize_t)strnlen(ompp_program_file, n_room);
		memcpy(path, ompp_program_file, (size_t)n < n_room ? (size_t)n : 0);
	}
	if (n <= 0 || (size_t)n >= n_room - 1)
		n = 0;
	path[n] = '\0';
	return (size_t)n;
}

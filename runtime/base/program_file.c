/*
 * Program file: see program_file.h.
 */
#define _GNU_SOURCE
#include "runtime/base/program_file.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/sys.h"

const char *ompp_program_file = "/proc/self/exe";

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

/*
 * File: see file.h.
 */
#include "runtime/host/file.h"

#include <string.h>

#include "runtime/base/sys.h"

int ompp_file_read(const char *path, char *text, size_t most_bytes)
{
	int fd = ompp_sys_open(path, O_RDONLY | O_CLOEXEC, 0);
	ssize_t n = fd;

	if (fd >= 0) {
		n = ompp_sys_read(fd, text, most_bytes - 1);
		ompp_sys_close(fd);
	}
	text[n > 0 ? n : 0] = '\0';
	return (int)n;
}

int ompp_file_line(const char *path, char *line, size_t most_bytes)
{
	int n = ompp_file_read(path, line, most_bytes);

	if (n < 0)
		return n;
	n = (int)strcspn(line, "\n");
	line[n] = '\0';
	return n;
}

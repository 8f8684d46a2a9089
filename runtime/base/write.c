/*
 * Write: see write.h.
 */
#include "runtime/base/write.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

int ompp_write_all(int fd, const void *data, size_t n_bytes)
{
	const char *p = data;
	int saved = errno, rc = 0;

	while (n_bytes && !rc) {
		ssize_t n = write(fd, p, n_bytes);

		if (n > 0) {
			p += n;
			n_bytes -= (size_t)n;
		} else if (n == 0) {
			rc = -EIO;
		} else if (errno == EAGAIN) {
			struct pollfd ready = { .fd = fd, .events = POLLOUT };

			poll(&ready, 1, -1);
		} else if (errno != EINTR) {
			rc = -errno;
		}
	}
	errno = saved;
	return rc;
}

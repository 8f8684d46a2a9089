/*
 * Write: see write.h.
 */
#include "runtime/host/write.h"

#include <errno.h>

#include "runtime/base/sys.h"
#include "runtime/host/stream.h"

int ompp_write_patience_ms = -1;

int ompp_write_all(int fd, const void *data, size_t n_bytes)
{
	const char *p = data;
	int rc = 0;

	if (ompp_write_patience_ms >= 0)
		return ompp_stream_write(fd, data, n_bytes, ompp_write_patience_ms);
	while (n_bytes && !rc) {
		ssize_t n = ompp_sys_write(fd, p, n_bytes);

		if (n > 0) {
			p += n;
			n_bytes -= (size_t)n;
		} else if (n == 0) {
			rc = -EIO;
		} else if (n == -EAGAIN) {
			struct pollfd ready = { .fd = fd, .events = POLLOUT };

			ompp_sys_poll(&ready, 1, -1);
		} else if (n != -EINTR) {
			rc = (int)n;
		}
	}
	return rc;
}

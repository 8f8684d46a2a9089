/*
 * Stream: see stream.h.
 *
 * write(2) itself blocks when the file is full, and O_NONBLOCK would apply to all processes that share the open file.
 * So each kind of file is written in a way that does not block: a socket by send(2), a pipe by vmsplice(2), and a
 * terminal through a second descriptor of our own.
 */
#define _GNU_SOURCE
#include "runtime/host/stream.h"
#include "runtime/base/space.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <termios.h>

#include "runtime/base/auxv.h"
#include "runtime/base/proc.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"

enum { POLL_MS = 100, PIECE_BYTES = 65536, N_STANDARD = 3 };

static struct {
	dev_t device;
	ino_t file;
	int is_open;
} at_start[N_STANDARD];

void ompp_stream_start(void)
{
	struct stat st;

	for (int fd = 0; fd < N_STANDARD; fd++) {
		at_start[fd].is_open = !ompp_sys_fstat(fd, &st);
		at_start[fd].device = st.st_dev;
		at_start[fd].file = st.st_ino;
	}
}

int ompp_stream_is_same(int fd)
{
	struct stat st;

	return at_start[fd].is_open && !ompp_sys_fstat(fd, &st) && st.st_dev == at_start[fd].device &&
	       st.st_ino == at_start[fd].file;
}

/* Returns 1 when there is room now. */
static int is_ready(int fd)
{
	struct pollfd ready = { .fd = fd, .events = POLLOUT };

	return ompp_sys_poll(&ready, 1, 0) > 0;
}

/* A file that has room takes at least so much, unless others write meanwhile. */
static ssize_t push_if_ready(int fd, const void *data, size_t n)
{
	return is_ready(fd) ? ompp_sys_write(fd, data, n < PIPE_BUF ? n : PIPE_BUF) : -EAGAIN;
}

/* Writes to a pipe.  It gets the pages themselves, so they are fresh ones, and are never written to again. */
static ssize_t push_pipe(int fd, const void *data, size_t n)
{
	size_t page = ompp_page_bytes(), n_pages = (n + page - 1) / page;
	void *copy = ompp_space_take(n_pages * page);
	struct iovec block = { copy, n };
	ssize_t done;

	if (!copy)
		return push_if_ready(fd, data, n);
	memcpy(copy, data, n);
	done = OMPP_SYS4(vmsplice, fd, &block, 1, SPLICE_F_NONBLOCK);
	ompp_sys_munmap(copy, n_pages * page);
	if (done == -ENOSYS || done == -EPERM || done == -EINVAL) /* not every kernel and sandbox has it */
		return push_if_ready(fd, data, n);
	return done;
}

static ssize_t push_terminal(int fd, const void *data, size_t n)
{
	char name[16];
	struct ompp_text t;
	ssize_t done;
	int own;

	ompp_text_init(&t, name, sizeof(name));
	ompp_text_str(&t, "fd/");
	ompp_text_u64(&t, (uint64_t)fd);
	own = ompp_proc_open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (own < 0) /* somebody else's terminal, after su */
		return push_if_ready(fd, data, n);
	done = ompp_sys_write(own, data, n);
	ompp_sys_close(own);
	return done;
}

/* Writes some of the data without waiting.  Returns how much, -EAGAIN when there is no room, or another -errno. */
static ssize_t stream_push(int fd, const void *data, size_t n)
{
	struct termios terminal;
	struct stat st;
	int rc = ompp_sys_fstat(fd, &st);

	if (rc)
		return rc;
	if (n > PIECE_BYTES)
		n = PIECE_BYTES;
	if (S_ISREG(st.st_mode))
		return ompp_sys_write(fd, data, n);
	if (S_ISSOCK(st.st_mode))
		return OMPP_SYS6(sendto, fd, data, n, MSG_DONTWAIT | MSG_NOSIGNAL, NULL, 0);
	if (S_ISFIFO(st.st_mode))
		return push_pipe(fd, data, n);
	if (S_ISCHR(st.st_mode) && !ompp_sys_ioctl(fd, TCGETS, &terminal))
		return push_terminal(fd, data, n);
	return push_if_ready(fd, data, n);
}

static int64_t now_ms(void)
{
	struct timespec now = { 0, 0 };

	ompp_sys_clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int push_all(int fd, const char *p, size_t n_bytes, int patience_ms)
{
	int64_t since = now_ms();

	while (n_bytes) {
		ssize_t n = stream_push(fd, p, n_bytes);

		if (n > 0) {
			p += n;
			n_bytes -= (size_t)n;
			since = now_ms();
		} else if (n == -EAGAIN) {
			struct pollfd ready = { .fd = fd, .events = POLLOUT };

			if (now_ms() - since >= patience_ms)
				return -ETIMEDOUT;
			ompp_sys_poll(&ready, 1, POLL_MS);
			ompp_sys_sleep(1000000); /* others may be quicker each time */
		} else if (n != -EINTR) {
			return n ? (int)n : -EIO;
		}
	}
	return 0;
}

/* The signals that a write may raise, in this thread alone: nobody reads, the file is too long, or the terminal is
 * another group's. */
int ompp_stream_write(int fd, const void *data, size_t n_bytes, int patience_ms)
{
	uint64_t signals = OMPP_SIGNAL(SIGPIPE) | OMPP_SIGNAL(SIGXFSZ) | OMPP_SIGNAL(SIGTTOU), before, pending;
	int rc;

	ompp_sys_sigmask(SIG_BLOCK, &signals, &before);
	pending = ompp_sys_sigpending();
	rc = push_all(fd, data, n_bytes, patience_ms);
	if (rc == -EPIPE && !(pending & OMPP_SIGNAL(SIGPIPE)))
		ompp_sys_sigtake(OMPP_SIGNAL(SIGPIPE));
	if (rc == -EFBIG && !(pending & OMPP_SIGNAL(SIGXFSZ)))
		ompp_sys_sigtake(OMPP_SIGNAL(SIGXFSZ));
	ompp_sys_sigmask(SIG_SETMASK, &before, NULL);
	return rc;
}

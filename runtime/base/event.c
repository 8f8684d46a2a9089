/*
 * Event: see event.h.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/base/text.h"
#include "runtime/base/event.h"

enum { FD_FROM = 512 };                 /* away from the numbers that programs expect */

int ompp_event_open(struct perf_event_attr *attr, int group)
{
	int fd, high;

	attr->size = sizeof(*attr);
	attr->read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	attr->disabled = group < 0;
	fd = (int)syscall(SYS_perf_event_open, attr, 0, -1, group, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return -errno;
	high = fcntl(fd, F_DUPFD_CLOEXEC, FD_FROM);
	if (high < 0 && fd <= STDERR_FILENO)
		high = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (high < 0)
		return fd;
	close(fd);
	return high;
}

int ompp_event_enable(int fd)
{
	return ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) ? -errno : 0;
}

uint64_t ompp_event_id(int fd)
{
	uint64_t id = 0;

	return ioctl(fd, PERF_EVENT_IOC_ID, &id) ? 0 : id;
}

int ompp_event_read(int fd, uint32_t n, uint64_t *counts)
{
	uint64_t words[3 + OMPP_EVENT_GROUP];           /* n, time enabled, time running, counts */
	ssize_t wanted = (ssize_t)((3 + n) * sizeof(*words)), got;

	got = read(fd, words, sizeof(words));
	if (got != wanted || words[0] != n)
		return got < 0 ? -errno : -EIO;
	if (words[2] < words[1])
		return -EBUSY;
	memcpy(counts, words + 3, n * sizeof(*counts));
	return 0;
}

/* The value of perf_event_paranoid; -1: unknown. */
static int paranoid(void)
{
	int fd = open("/proc/sys/kernel/perf_event_paranoid", O_RDONLY | O_CLOEXEC);
	char digit = '\0';
	ssize_t n;

	if (fd < 0)
		return -1;
	n = read(fd, &digit, 1);
	close(fd);
	return n == 1 && digit >= '0' && digit <= '9' ? digit - '0' : -1;
}

static void not_permitted(struct ompp_text *why)
{
	int level = paranoid();

	ompp_text_str(why, "perf_event_open is not permitted");
	if (level > 2) {
		ompp_text_str(why, ", kernel.perf_event_paranoid is ");
		ompp_text_u64(why, (uint64_t)level);
		ompp_text_str(why, "; set it to 2");
		return;
	}
	if (level >= 0) {
		ompp_text_str(why, ", though kernel.perf_event_paranoid is ");
		ompp_text_u64(why, (uint64_t)level);
	}
	ompp_text_str(why, "; allow it in the container's security profile");
}

void ompp_event_explain(struct ompp_text *why, int error)
{
	switch (error) {
	case EACCES:
	case EPERM:
		not_permitted(why);
		break;
	case ENOSYS:
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
		ompp_text_str(why, "no hardware breakpoints in this machine or its kernel; run it on another");
		break;
	case ENOSPC:
		ompp_text_str(why, "no debug register is free; end the debugger that has them");
		break;
	case EBUSY:
		ompp_text_str(why, "debug registers were taken away; end the debugger that has them");
		break;
	case EMFILE:
	case ENFILE:
		ompp_text_str(why, "no file descriptor is free; raise `ulimit -n`");
		break;
	case EBADF:
		ompp_text_str(why, "the program closed the counters' file descriptors; let it close its own only");
		break;
	case EINVAL:
		ompp_text_str(why, "not memory of the program; name what is");
		break;
	default:
		ompp_text_str(why, "perf_event_open failed with errno ");
		ompp_text_u64(why, (uint64_t)error);
		ompp_text_str(why, "; see perf_event_open(2)");
	}
}

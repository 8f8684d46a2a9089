/*
 * Event: see event.h.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/counters/counter.h"
#include "runtime/counters/event.h"
#include "runtime/host/file.h"

/* Events are moved to numbers from FD_FROM, away from those that programs expect.  FD_SPARE numbers below the limit
 * stay free for the program. */
enum { STANDARD_FILES = 2, FD_FROM = 512, FD_SPARE = 8 };

int ompp_event_move(int fd)
{
	int high;

	if (fd < 0)
		return fd;
	high = ompp_sys_fcntl(fd, F_DUPFD_CLOEXEC, FD_FROM);
	if (high < 0 && fd <= STANDARD_FILES)
		high = ompp_sys_fcntl(fd, F_DUPFD_CLOEXEC, STANDARD_FILES + 1);
	if (high < 0)
		return fd;
	ompp_sys_close(fd);
	return high;
}

int ompp_event_is_none;

/* Opens an event of the calling thread, when cpu is −1, or of all threads that run on this CPU.  Returns the
 * descriptor or -errno. */
static int open_event(struct perf_event_attr *attr, int cpu, int group)
{
	if (ompp_event_is_none)
		return -ENOSYS;
	attr->size = sizeof(*attr);
	attr->read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED |
	                    PERF_FORMAT_TOTAL_TIME_RUNNING;
	attr->disabled = group < 0;
	return ompp_event_move(
		(int)OMPP_SYS6(perf_event_open, attr, cpu < 0 ? 0 : -1, cpu, group, PERF_FLAG_FD_CLOEXEC, 0));
}

int ompp_event_open(struct perf_event_attr *attr, int group)
{
	return open_event(attr, -1, group);
}

/* Returns the descriptor, or closes it and returns -EMFILE when it is one of the last that the process may have: the
 * program and the report need some, too. */
static int keep_spare(int fd)
{
	struct rlimit limit = { 0, 0 };

	if (fd < 0 || fd >= FD_FROM || ompp_sys_getrlimit(RLIMIT_NOFILE, &limit))
		return fd;
	if (limit.rlim_cur > FD_FROM ? 0 : (rlim_t)fd + FD_SPARE < limit.rlim_cur)
		return fd;
	ompp_sys_close(fd);
	return -EMFILE;
}

static void event_fill(struct perf_event_attr *attr, const struct ompp_event_code *code)
{
	memset(attr, 0, sizeof(*attr));
	attr->type = code->type;
	attr->config = code->config;
	attr->config1 = code->config1;
	attr->config2 = code->config2;
}

int ompp_event_open_on_cpu(const struct ompp_event_code *code, int cpu)
{
	struct perf_event_attr attr;

	event_fill(&attr, code);
	return keep_spare(open_event(&attr, cpu, -1));
}

int ompp_event_open_code(const struct ompp_event_code *code, int group)
{
	struct perf_event_attr attr;
	int fd;

	event_fill(&attr, code);
	attr.exclude_kernel = attr.exclude_hv = !code->counts_kernel;
	fd = keep_spare(ompp_event_open(&attr, group));
	if (fd != -EINVAL || code->counts_kernel)
		return fd;
	/* This PMU cannot tell modes apart.  It counts what the thread makes happen in all of them. */
	attr.exclude_kernel = attr.exclude_hv = 0;
	fd = keep_spare(ompp_event_open(&attr, group));
	return fd < 0 ? -EINVAL : fd;
}

void ompp_event_close(int fd, uint64_t id)
{
	if (fd >= 0 && id && ompp_event_id(fd) == id)
		ompp_sys_close(fd);
}

int ompp_event_enable(int fd)
{
	return ompp_sys_ioctl(fd, PERF_EVENT_IOC_ENABLE, NULL);
}

uint64_t ompp_event_id(int fd)
{
	uint64_t id = 0;

	return ompp_sys_ioctl(fd, PERF_EVENT_IOC_ID, &id) ? 0 : id;
}

int ompp_event_identify(int fd, uint64_t *id)
{
	*id = fd < 0 ? 0 : ompp_event_id(fd);
	if (fd < 0 || *id)
		return fd;
	ompp_sys_close(fd);
	return -ENOTTY;
}

int ompp_event_read_group(int fd, uint64_t id, uint32_t n, struct ompp_event_reading *reading)
{
	struct {
		uint64_t n, enabled_ns, running_ns;
		struct {
			uint64_t count, id;
		} event[OMPP_EVENT_GROUP];
	} raw;
	ssize_t got = ompp_sys_read(fd, &raw, sizeof(raw));
	uint32_t i;

	if (got < 0)
		return (int)got;
	if ((size_t)got != 3 * sizeof(uint64_t) + n * sizeof(raw.event[0]) || raw.n != n ||
	    (id && raw.event[0].id != id))
		return -EIO;
	reading->enabled_ns = raw.enabled_ns;
	reading->running_ns = raw.running_ns;
	for (i = 0; i < n; i++)
		reading->counts[i] = raw.event[i].count;
	return 0;
}

int ompp_event_read(int fd, uint32_t n, uint64_t *counts)
{
	struct ompp_event_reading reading;
	int rc = ompp_event_read_group(fd, 0, n, &reading);

	if (rc)
		return rc;
	if (reading.running_ns < reading.enabled_ns)
		return -EBUSY;
	memcpy(counts, reading.counts, n * sizeof(*counts));
	return 0;
}

/* Returns the value of perf_event_paranoid; -1 when it is not known. */
static int event_paranoid(void)
{
	char text[8];

	ompp_file_read("/proc/sys/kernel/perf_event_paranoid", text, sizeof(text));
	return text[0] >= '0' && text[0] <= '9' ? text[0] - '0' : -1;
}

static void not_permitted(struct ompp_text *why)
{
	int level = event_paranoid();

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

static void explain_failed(struct ompp_text *why, int error)
{
	if (error == EBADF || error == EIO) {
		ompp_text_str(why, "the program closed the counters' file descriptors; let it close its own only");
		return;
	}
	ompp_text_str(why, "perf_event_open failed with errno ");
	ompp_text_u64(why, (uint64_t)error);
	ompp_text_str(why, "; see perf_event_open(2)");
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
	case EINVAL:
		ompp_text_str(why, "not memory of the program; name what is");
		break;
	default:
		explain_failed(why, error);
	}
}

/* Returns the mode of seccomp that this process is in; -1 when it is not known. */
static int seccomp_mode(void)
{
	const char *at;
	char text[4096];

	ompp_file_read("/proc/self/status", text, sizeof(text));
	at = strstr(text, "\nSeccomp:\t");
	return at ? at[10] - '0' : -1;
}

/* Writes why the kernel refused to count.  Its own check fails with EACCES; a filter of system calls, as a rule,
 * fails with EPERM. */
static void not_permitted_counting(struct ompp_text *why, int error, int needed)
{
	int level = event_paranoid(), filtered = error == EPERM && seccomp_mode() > 0;

	ompp_text_str(why, "perf_event_open is not permitted: ");
	if (level > needed && !filtered) {
		ompp_text_str(why, "kernel.perf_event_paranoid is ");
		ompp_text_u64(why, (uint64_t)level);
		ompp_text_str(why, "; set it to ");
		ompp_text_u64(why, (uint64_t)needed);
		ompp_text_str(why, " or less");
	} else if (filtered) {
		ompp_text_str(why, "a seccomp filter is in force (Seccomp: ");
		ompp_text_u64(why, (uint64_t)seccomp_mode());
		ompp_text_str(why, "); allow perf_event_open in the container's profile");
	} else {
		ompp_text_str(why, "a security module forbids it; give the program CAP_PERFMON");
	}
}

static void too_many_files(struct ompp_text *why, uint32_t n_events)
{
	struct rlimit limit = { 0, 0 };

	ompp_sys_getrlimit(RLIMIT_NOFILE, &limit);
	ompp_text_str(why, "too many open files: `ulimit -n` is ");
	ompp_text_u64(why, limit.rlim_cur);
	ompp_text_str(why, "; counting needs ");
	ompp_text_u64(why, n_events);
	ompp_text_str(why, " in each thread, and leaves 8 to the program; raise it");
}

void ompp_event_explain_counting(struct ompp_text *why, int error, int counts_kernel, uint32_t n_events)
{
	switch (error) {
	case EACCES:
	case EPERM:
		not_permitted_counting(why, error, 2 - counts_kernel);
		break;
	case ENOSYS:
		if (ompp_filter_refuses(SYS_perf_event_open, 0, 0)) {
			ompp_text_str(why, "the program's own seccomp filter does not allow perf_event_open; allow it "
			                   "there");
			break;
		}
		ompp_text_str(why, "the kernel has no perf_event_open; run it on another");
		break;
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
		ompp_text_str(why, "this machine or its kernel has no such event; `ompp counters` lists what it has");
		break;
	case EINVAL:
		ompp_text_str(why, "the kernel does not take this event; `ompp counters` explains it by name");
		break;
	case EBUSY:
		ompp_text_str(why, "the PMU is in use by others (the NMI watchdog, perf, a debugger); end them");
		break;
	case ENODATA:
		ompp_text_str(why, "not working: it opens, but never counts; use another");
		break;
	case EMFILE:
		too_many_files(why, n_events);
		break;
	case ENFILE:
		ompp_text_str(why, "the system has too many open files; raise fs.file-max");
		break;
	default:
		explain_failed(why, error);
	}
}

/*
 * Breakpoint, one counter: see breakpoint_set.h.
 */
#define _GNU_SOURCE
#include "runtime/sources/breakpoint_set.h"

#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <string.h>

#include "runtime/base/sys.h"
#include "runtime/counters/event.h"

_Atomic int ompp_breakpoint_error;
__thread struct ompp_breakpoints *ompp_breakpoint_mine __attribute__((tls_model("initial-exec")));

int ompp_breakpoint_open(const struct ompp_breakpoint_counter *counter, int group, uint64_t stop_after)
{
	struct perf_event_attr attr;
	int fd, rc;

	memset(&attr, 0, sizeof(attr));
	attr.type = PERF_TYPE_BREAKPOINT;
	attr.bp_type = counter->kind == OMPP_BREAKPOINT_STORES ? HW_BREAKPOINT_W : HW_BREAKPOINT_RW;
	attr.bp_addr = counter->address;
	attr.bp_len = counter->n_bytes;
	attr.sample_period = stop_after;
	attr.exclude_kernel = 1;
	attr.exclude_hv = 1;
	fd = ompp_event_open(&attr, group);
	if (fd < 0 || !stop_after || !(rc = ompp_sys_ioctl(fd, PERF_EVENT_IOC_REFRESH, (void *)1)))
		return fd;
	ompp_sys_close(fd);
	return rc;
}

uint32_t ompp_breakpoint_n_open(void)
{
	return ompp_breakpoint_mine ? ompp_breakpoint_mine->n : 0;
}

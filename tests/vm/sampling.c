/*
 * sampling: an event that overflows after each `period` counts must have count / period samples.
 *
 * Prints, for cycles and for instructions of a loop, "NAME count period samples"; the samples are those in the ring
 * buffer of the kernel.  Prints "lost" or "throttled" when there are such records, as the numbers mean nothing then.
 * QEMU sees an overflow of instructions only when the kernel looks at the counter, at the latest each 4 ms, hence the
 * long period.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "loop.h"

enum { PAGES = 16, ROUNDS = 20000000 };

static int open_event(uint64_t config, uint64_t period)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = config,
		.sample_period = period,
		.sample_type = PERF_SAMPLE_IP,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.wakeup_watermark = 1,
	};

	return syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Returns the number of samples in the ring buffer, which is never full, as it has room for all of them. */
static unsigned int samples(const struct perf_event_mmap_page *page, size_t page_bytes)
{
	const char *data = (const char *)page + page_bytes;
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE), at = 0;
	unsigned int n = 0;

	while (at < head) {
		const struct perf_event_header *record = (const void *)(data + at);

		if (record->type == PERF_RECORD_SAMPLE)
			n++;
		else
			printf("%s\n", record->type == PERF_RECORD_LOST ? "lost" : "throttled");
		at += record->size;
	}
	return n;
}

static int sample(const char *name, uint64_t config, uint64_t period)
{
	size_t page_bytes = sysconf(_SC_PAGESIZE);
	int fd = open_event(config, period);
	struct perf_event_mmap_page *page;
	uint64_t count = 0;

	if (fd < 0) {
		printf("%s: %s\n", name, strerror(errno));
		return 1;
	}
	page = mmap(NULL, (1 + PAGES) * page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED) {
		printf("%s: mmap: %s\n", name, strerror(errno));
		return 1;
	}
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	loop(ROUNDS);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	if (read(fd, &count, sizeof(count)) != sizeof(count))
		return 1;
	printf("%s %llu %llu %u\n", name, (unsigned long long)count, (unsigned long long)period,
	       samples(page, page_bytes));
	munmap(page, (1 + PAGES) * page_bytes);
	close(fd);
	return 0;
}

int main(void)
{
	return sample("cycles", PERF_COUNT_HW_CPU_CYCLES, 200000) |
	       sample("instructions", PERF_COUNT_HW_INSTRUCTIONS, 8000000);
}

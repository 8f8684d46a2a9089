/*
 * Counter page: see counter_page.h.
 */
#define _GNU_SOURCE
#include "runtime/sources/counter_page.h"

#include <errno.h>
#include <linux/perf_event.h>

#include "runtime/base/sys.h"
#include "runtime/base/text.h"

#if defined(__x86_64__) /* the second one is for processors with several kinds of cores */
#define SETTINGS     "/sys/bus/event_source/devices/cpu/rdpmc", "/sys/bus/event_source/devices/cpu_core/rdpmc",
#define SETTING_NAME "/sys/bus/event_source/devices/cpu/rdpmc"
#elif defined(__aarch64__)
#define SETTINGS     "/proc/sys/kernel/perf_user_access",
#define SETTING_NAME "kernel.perf_user_access"
#else
#define SETTINGS
#define SETTING_NAME ""
#endif

#if defined(__x86_64__)
static inline uint64_t own_counter(uint32_t index)
{
	uint32_t low, high;

	__asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(index));
	return (uint64_t)high << 32 | low;
}

static inline uint64_t own_cycles(void)
{
	return __builtin_ia32_rdtsc();
}
#elif defined(__aarch64__)
#define EVENT_COUNTER(n) \
	case n: \
		__asm__ volatile("mrs %0, pmevcntr" #n "_el0" : "=r"(value)); \
		break

static inline uint64_t own_counter(uint32_t index)
{
	uint64_t value = 0;

	switch (index) {
		/* clang-format off */
	EVENT_COUNTER(0); EVENT_COUNTER(1); EVENT_COUNTER(2); EVENT_COUNTER(3); EVENT_COUNTER(4); EVENT_COUNTER(5);
	EVENT_COUNTER(6); EVENT_COUNTER(7); EVENT_COUNTER(8); EVENT_COUNTER(9); EVENT_COUNTER(10);
	EVENT_COUNTER(11); EVENT_COUNTER(12); EVENT_COUNTER(13); EVENT_COUNTER(14); EVENT_COUNTER(15);
	EVENT_COUNTER(16); EVENT_COUNTER(17); EVENT_COUNTER(18); EVENT_COUNTER(19); EVENT_COUNTER(20);
	EVENT_COUNTER(21); EVENT_COUNTER(22); EVENT_COUNTER(23); EVENT_COUNTER(24); EVENT_COUNTER(25);
	EVENT_COUNTER(26); EVENT_COUNTER(27); EVENT_COUNTER(28); EVENT_COUNTER(29); EVENT_COUNTER(30);
	/* clang-format on */
	case 31:
		__asm__ volatile("mrs %0, pmccntr_el0" : "=r"(value));
		break;
	default:
		break;
	}
	return value;
}

static inline uint64_t own_cycles(void)
{
	uint64_t value;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(value));
	return value;
}
#else
static inline uint64_t own_counter(uint32_t index)
{
	(void)index;
	return 0;
}

static inline uint64_t own_cycles(void)
{
	return 0;
}
#endif

int ompp_counter_page_allowed(struct ompp_text *why)
{
	static const char *const settings[] = { SETTINGS NULL };
	int fd = -1, i;
	char value = '\0';

	for (i = 0; settings[i] && fd < 0; i++)
		fd = ompp_sys_open(settings[i], O_RDONLY | O_CLOEXEC, 0);
	if (fd >= 0) {
		if (ompp_sys_read(fd, &value, 1) != 1)
			value = '\0';
		ompp_sys_close(fd);
	}
	if (value >= '1' && value <= '9')
		return 0;
	if (value) {
		ompp_text_str(why, SETTING_NAME " is ");
		ompp_text_char(why, value);
		ompp_text_str(why, ", 1 is needed to read without system calls");
	}
	return -ENOTSUP;
}

/* Returns the ns since the kernel wrote the page's times. */
static inline uint64_t page_ns(const volatile struct perf_event_mmap_page *page, uint64_t cycles)
{
	uint64_t whole, rest;

	if (page->cap_user_time_short)
		cycles = page->time_cycles + ((cycles - page->time_cycles) & page->time_mask);
	whole = cycles >> page->time_shift;
	rest = cycles & (((uint64_t)1 << page->time_shift) - 1);
	return page->time_offset + whole * page->time_mult + (rest * page->time_mult >> page->time_shift);
}

/* Returns the counter's bits, of which there are fewer than 64, as a signed difference to the page's offset. */
static inline uint64_t sign_extended(uint64_t bits, uint32_t width)
{
	return width && width < 64 ? (uint64_t)((int64_t)(bits << (64 - width)) >> (64 - width)) : bits;
}

static inline int read_page(const volatile struct perf_event_mmap_page *page, uint64_t (*counter)(uint32_t index),
                            uint64_t (*cycles)(void), struct ompp_counter_page_reading *reading)
{
	uint32_t lock, index;
	uint64_t ns;

	do {
		lock = page->lock;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		index = page->index;
		if (!page->cap_user_rdpmc || !index)
			return -EAGAIN;
		ns = page->cap_user_time ? page_ns(page, cycles()) : 0;
		reading->enabled_ns = page->time_enabled + ns;
		reading->running_ns = page->time_running + ns;
		reading->count = (uint64_t)page->offset + sign_extended(counter(index - 1), page->pmc_width);
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
	} while (page->lock != lock);
	return 0;
}

int ompp_counter_page_read(const struct perf_event_mmap_page *page, struct ompp_counter_page_reading *reading)
{
	return read_page(page, own_counter, own_cycles, reading);
}

int ompp_counter_page_read_on(const struct perf_event_mmap_page *page,
                              const struct ompp_counter_page_processor *processor,
                              struct ompp_counter_page_reading *reading)
{
	return read_page(page, processor->counter, processor->cycles, reading);
}

/*
 * Counter page: reads a hardware counter in user space (rdpmc), with the data in the kernel's page of the event.  The
 * protocol is that of perf_event_open(2), "struct perf_event_mmap_page".  Only the thread whose event it is may read.
 */
#ifndef OMPP_SOURCES_COUNTER_PAGE_H
#define OMPP_SOURCES_COUNTER_PAGE_H

#include <stdint.h>

struct perf_event_mmap_page;
struct ompp_text;

struct ompp_counter_page_reading {
	uint64_t count, enabled_ns, running_ns;
};

/* The functions that read the processor's registers, or those of a test. */
struct ompp_counter_page_processor {
	uint64_t (*counter)(uint32_t index); /* the page's index minus 1 */
	uint64_t (*cycles)(void);            /* the clock of the page's times */
};

/* Returns 0 when the kernel's settings allow reading counters in user space; otherwise -ENOTSUP.
 * why: set to the value of the setting and the required one; nothing when no setting would help */
int ompp_counter_page_allowed(struct ompp_text *why);

/* Reads the counter.  Returns 0, or -EAGAIN when the event is not on the processor now, so that a system call is
 * needed.  HOT. */
int ompp_counter_page_read(const struct perf_event_mmap_page *page, struct ompp_counter_page_reading *reading);

/* Does the same with the caller's functions in place of the processor's registers. */
int ompp_counter_page_read_on(const struct perf_event_mmap_page *page,
                              const struct ompp_counter_page_processor *processor,
                              struct ompp_counter_page_reading *reading);

#endif

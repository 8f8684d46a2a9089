/*
 * Counter page: read a hardware counter by the processor itself, with what the kernel's page of the event says: the
 * protocol of perf_event_open(2), "struct perf_event_mmap_page".  By the thread whose event it is.
 */
#ifndef OMPP_SOURCES_COUNTER_PAGE_H
#define OMPP_SOURCES_COUNTER_PAGE_H

#include <stdint.h>

struct perf_event_mmap_page;
struct ompp_text;

struct ompp_counter_page_reading { uint64_t count, enabled_ns, running_ns; };

/* The processor's registers, or a test's. */
struct ompp_counter_page_processor {
	uint64_t (*counter)(uint32_t index);    /* the page's index less 1 */
	uint64_t (*cycles)(void);               /* the clock of the page's times */
};

/* May the processor read counters here, as the kernel is set?  0; -ENOTSUP, and in why the setting found and needed, or
 * nothing where no setting would help. */
int ompp_counter_page_allowed(struct ompp_text *why);

/* HOT.  0; -EAGAIN: not by the processor now, as the event does not count in it: ask the kernel. */
int ompp_counter_page_read(const struct perf_event_mmap_page *page, struct ompp_counter_page_reading *reading);

/* The same on a processor of the caller's. */
int ompp_counter_page_read_on(const struct perf_event_mmap_page *page,
                              const struct ompp_counter_page_processor *processor,
                              struct ompp_counter_page_reading *reading);

#endif

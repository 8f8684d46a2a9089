/*
 * Counter software: the events that the kernel itself counts, with or without a PMU.
 */
#include <errno.h>
#include <linux/perf_event.h>

#include "runtime/base/array.h"
#include "runtime/counters/counter_list.h"

/* counts_kernel: 1 when the event happens in the kernel, so that there is nothing to count in user mode alone
 * own: how a thread can ask for the same count without an event */
static const struct {
	const char *words, *unit, *what;
	uint32_t config;
	uint8_t counts_kernel, busy;
	enum ompp_own own;
} rows[] = {
	{ "page-faults faults PERF_COUNT_SW_PAGE_FAULTS", "", "page faults in user mode, minor and major",
	  PERF_COUNT_SW_PAGE_FAULTS, 0, 1, OMPP_OWN_FAULTS },
	{ "minor-faults PERF_COUNT_SW_PAGE_FAULTS_MIN", "", "page faults that needed no input or output",
	  PERF_COUNT_SW_PAGE_FAULTS_MIN, 0, 1, OMPP_OWN_MINOR },
	{ "major-faults PERF_COUNT_SW_PAGE_FAULTS_MAJ", "", "page faults that waited for input or output",
	  PERF_COUNT_SW_PAGE_FAULTS_MAJ, 0, 0, OMPP_OWN_MAJOR },
	{ "context-switches cs PERF_COUNT_SW_CONTEXT_SWITCHES", "", "times the thread left its processor",
	  PERF_COUNT_SW_CONTEXT_SWITCHES, 1, 0, OMPP_OWN_SWITCHES },
	{ "cpu-migrations migrations PERF_COUNT_SW_CPU_MIGRATIONS", "", "moves of the thread to another processor",
	  PERF_COUNT_SW_CPU_MIGRATIONS, 1, 0, OMPP_OWN_NONE },
	{ "task-clock PERF_COUNT_SW_TASK_CLOCK", "ns", "time on a processor, in user and kernel mode",
	  PERF_COUNT_SW_TASK_CLOCK, 0, 1, OMPP_OWN_CPU_NS },
	{ "cpu-clock PERF_COUNT_SW_CPU_CLOCK", "ns", "time on a processor, by the processor's clock",
	  PERF_COUNT_SW_CPU_CLOCK, 0, 1, OMPP_OWN_CPU_NS },
	{ "alignment-faults PERF_COUNT_SW_ALIGNMENT_FAULTS", "", "unaligned accesses that the kernel carried out",
	  PERF_COUNT_SW_ALIGNMENT_FAULTS, 0, 0, OMPP_OWN_NONE },
	{ "emulation-faults PERF_COUNT_SW_EMULATION_FAULTS", "", "instructions that the kernel carried out",
	  PERF_COUNT_SW_EMULATION_FAULTS, 0, 0, OMPP_OWN_NONE },
};

enum ompp_own ompp_counter_own(const struct ompp_event_code *code)
{
	for (size_t i = 0; i < OMPP_COUNT_OF(rows); i++)
		if (code->type == PERF_TYPE_SOFTWARE && code->config == rows[i].config)
			return rows[i].own;
	return OMPP_OWN_NONE;
}

static void counter_software_fill(struct ompp_counter *counter, size_t i)
{
	counter->kind = OMPP_COUNTER_THREAD;
	counter->unit = rows[i].unit;
	counter->what = rows[i].what;
	counter->source = "kernel";
	counter->n_events = 1;
	counter->event[0] = (struct ompp_event_code){
		.type = PERF_TYPE_SOFTWARE,
		.config = rows[i].config,
		.factor = 1,
		.software = 1,
		.counts_kernel = rows[i].counts_kernel,
		.busy = rows[i].busy,
	};
}

int ompp_counter_software_find(const char *name, size_t n_name, struct ompp_counter *counter, struct ompp_text *why)
{
	(void)why;
	for (size_t i = 0; i < OMPP_COUNT_OF(rows); i++)
		if (ompp_counter_is(rows[i].words, name, n_name)) {
			counter_software_fill(counter, i);
			return 0;
		}
	return -ENOENT;
}

int ompp_counter_software_each(ompp_counter_found found, void *context)
{
	int rc = 0;

	for (size_t i = 0; i < OMPP_COUNT_OF(rows) && !rc; i++) {
		struct ompp_counter counter;

		ompp_counter_entry(&counter, rows[i].words, "kernel", rows[i].what);
		counter_software_fill(&counter, i);
		rc = found(context, &counter);
	}
	return rc;
}

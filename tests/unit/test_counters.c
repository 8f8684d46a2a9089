/*
 * Counters: which events are counted together and which are refused, on PMUs that are functions of this file; counters
 * that are read without a system call, from constructed pages; the names that options ask for; shares of the time.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "runtime/base/text.h"
#include "runtime/sources/counter_page.h"
#include "runtime/sources/counter_plan.h"
#include "runtime/sources/counter_request.h"
#include "runtime/sources/counter_set.h"
#include "runtime/sources/source.h"

/* ---- a PMU with few counters: two events need the same one, one never counts, one is not permitted ---- */

enum { SAME_1 = 0x101, SAME_2 = 0x102, NEVER = 0x200, UNKNOWN = 0x300, MOST_OPEN = 64 };

static uint32_t pmu_counters = 4;
static int permitted = 1, no_pmu_time;
static struct {
	int used, leader;
	struct ompp_event_code code;
} opened[MOST_OPEN];

static int conflicts(const struct ompp_event_code *a, const struct ompp_event_code *b)
{
	return (a->config == SAME_1 && b->config == SAME_2) || (a->config == SAME_2 && b->config == SAME_1);
}

static int fake_open(const struct ompp_event_code *code, int group)
{
	uint32_t n_hardware = !code->software;
	int i, at = -1;

	if (code->config == UNKNOWN)
		return -ENOENT;
	if (!permitted && (code->counts_kernel || permitted < 0))
		return -EACCES;
	for (i = 0; i < MOST_OPEN; i++) {
		if (!opened[i].used) {
			at = at < 0 ? i : at;
			continue;
		}
		if (opened[i].leader != group || code->software || opened[i].code.software)
			continue;
		if (opened[i].code.pmu != code->pmu || conflicts(&opened[i].code, code) || ++n_hardware > pmu_counters)
			return -EINVAL;
	}
	assert_in_range(at, 0, MOST_OPEN);
	opened[at].used = 1;
	opened[at].leader = group < 0 ? at : group;
	opened[at].code = *code;
	return at;
}

static void fake_close(int fd)
{
	assert_true(opened[fd].used);
	opened[fd].used = 0;
}

static int fake_count(int leader, uint32_t n, struct ompp_event_reading *reading)
{
	uint32_t i, k = 0;

	for (i = 0; i < MOST_OPEN && k < n; i++)
		if (opened[i].used && opened[i].leader == leader)
			reading->counts[k++] = opened[i].code.config == NEVER ? 0 : 1000;
	assert_int_equal(k, n);
	reading->enabled_ns = 5000;
	reading->running_ns = no_pmu_time ? 0 : 5000;
	return 0;
}

static const struct ompp_plan_kernel fake_kernel = { fake_open, fake_close, fake_count };

/* ---- counters ---- */

static struct ompp_counter counters[16];
static const struct ompp_counter *list[16];
static uint32_t n_counters;
static struct ompp_plan plan;

static struct ompp_counter *counter(const char *name, uint64_t config)
{
	struct ompp_counter *c = &counters[n_counters];

	memset(c, 0, sizeof(*c));
	strcpy(c->name, name);
	c->n_events = 1;
	c->event[0] = (struct ompp_event_code){ .type = PERF_TYPE_RAW, .config = config, .factor = 1, .busy = 1 };
	c->scale_mul = 1;
	list[n_counters++] = c;
	return c;
}

static struct ompp_counter *software(const char *name, uint64_t config)
{
	struct ompp_counter *c = counter(name, config);

	c->event[0].type = PERF_TYPE_SOFTWARE;
	c->event[0].software = 1;
	c->event[0].busy = 0;
	return c;
}

static int setup(void **state)
{
	(void)state;
	n_counters = 0;
	pmu_counters = 4;
	permitted = 1;
	no_pmu_time = 0;
	return 0;
}

static int none_is_open(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < MOST_OPEN; i++)
		if (opened[i].used)
			return -1;
	return 0;
}

static void make(int multiplex)
{
	ompp_plan_make(&plan, list, n_counters, multiplex, &fake_kernel);
}

/* ---- the plan ---- */

static void one_group_for_all(void **state)
{
	(void)state;
	software("page-faults", PERF_COUNT_SW_PAGE_FAULTS);
	counter("A", 1);
	counter("B", 2);
	counter("A again", 1);
	make(0);
	assert_int_equal(plan.n_groups, 1);
	assert_int_equal(plan.group[0].n, 3);
	assert_int_equal(plan.n_shares, 1);
	assert_int_equal(plan.n_counted, 4);
	assert_int_equal(ompp_plan_n_events(&plan), 3);
	assert_int_equal(ompp_counter_set_n_values(&plan), 4 + 3);
	assert_int_equal(plan.counter[1].term[0].at, plan.counter[3].term[0].at);
	assert_int_equal(plan.counter[0].term[0].at, 2); /* it comes after the hardware's events */
	ompp_plan_use_pages(&plan);
	assert_int_equal(plan.group[0].paged, 0); /* the kernel must be asked for page faults */
}

static void pages_of_hardware_alone(void **state)
{
	(void)state;
	counter("A", 1);
	make(0);
	ompp_plan_use_pages(&plan);
	assert_int_equal(plan.group[0].paged, 1);
}

static void too_many_name_those_in_the_way(void **state)
{
	(void)state;
	pmu_counters = 2;
	counter("A", 1);
	counter("B", 2);
	counter("C", 3);
	make(0);
	assert_int_equal(plan.n_groups, 1);
	assert_int_equal(plan.n_counted, 2);
	assert_int_equal(plan.counter[0].error, 0);
	assert_true(plan.counter[2].error < 0);
	assert_string_equal(plan.counter[2].why, "no counter of the PMU is left beside A, B; leave one out, or set "
	                                         "OMPP_MULTIPLEX=1");
}

static void two_that_conflict_are_named(void **state)
{
	(void)state;
	counter("A", 1);
	counter("FIRST", SAME_1);
	counter("SECOND", SAME_2);
	counter("D", 4);
	make(0);
	assert_int_equal(plan.n_counted, 3);
	assert_string_equal(plan.counter[2].why, "conflicts with FIRST; leave one out, or set OMPP_MULTIPLEX=1");
	assert_int_equal(plan.counter[3].error, 0);
}

static void multiplexed_groups(void **state)
{
	(void)state;
	pmu_counters = 2;
	counter("A", 1);
	counter("B", 2);
	counter("C", SAME_1);
	counter("D", SAME_2);
	software("page-faults", PERF_COUNT_SW_PAGE_FAULTS);
	make(1);
	assert_int_equal(plan.n_counted, 5);
	assert_int_equal(plan.n_groups, 4); /* A B, C, D, page-faults */
	assert_int_equal(ompp_plan_n_events(&plan), 5);
	assert_int_equal(plan.n_shares, 4);
	assert_int_equal(plan.group[3].hardware, 0); /* page faults are not scaled */
	assert_int_not_equal(plan.counter[0].share, plan.counter[2].share);
	assert_int_equal(plan.counter[0].share, plan.counter[1].share);
}

/* The events of a derived counter stay in one group, so that they are counted during the same time. */
static void derived_counters_are_not_cut(void **state)
{
	struct ompp_counter *c;

	(void)state;
	pmu_counters = 2;
	counter("A", 1);
	c = counter("SUM", 2);
	c->n_events = 2;
	c->event[1] = c->event[0];
	c->event[1].config = 3;
	c->event[1].factor = -2;
	make(1);
	assert_int_equal(plan.n_groups, 2);
	assert_int_equal(plan.group[1].n, 2);
	assert_int_equal(plan.counter[1].term[0].group, 1);
	assert_int_equal(plan.counter[1].term[1].group, 1);
	assert_int_equal(plan.counter[1].term[1].factor, -2);
	pmu_counters = 1;
	make(1);
	assert_int_equal(plan.n_counted, 1);
	assert_string_equal(plan.counter[1].why, "needs 2 events at once, which the PMU does not have; use another");
}

static void what_does_not_work_says_so(void **state)
{
	(void)state;
	counter("NEVER", NEVER);
	counter("UNKNOWN", UNKNOWN);
	counter("A", 1);
	make(0);
	assert_string_equal(plan.counter[0].why, "not working: it opens, but never counts; use another");
	assert_int_equal(plan.counter[1].error, -ENOENT);
	assert_int_equal(plan.counter[2].error, 0);
	assert_int_equal(plan.counter[2].value, 0);
	no_pmu_time = 1;
	make(0);
	assert_string_equal(plan.counter[2].why,
	                    "the PMU is in use by others (the NMI watchdog, perf, a debugger); end them");
}

/* Each of two kinds of cores has a group; together these count all the time.  Software events count beside them. */
static void two_kinds_of_cores(void **state)
{
	struct ompp_counter *c = counter("INS", 1);

	(void)state;
	c->event[0].pmu = 4;
	c->event[1] = c->event[0];
	c->event[1].pmu = 10;
	c->event[1].config = 2;
	c->n_events = 2;
	software("page-faults", PERF_COUNT_SW_PAGE_FAULTS);
	make(0);
	assert_int_equal(plan.n_groups, 3);
	assert_int_equal(plan.n_counted, 2);
	assert_int_equal(plan.share[plan.counter[0].share], 3);
	assert_int_equal(plan.share[plan.counter[1].share], 4);
}

static void own_counts_where_events_are_forbidden(void **state)
{
	(void)state;
	permitted = 0;
	software("context-switches", PERF_COUNT_SW_CONTEXT_SWITCHES)->event[0].counts_kernel = 1;
	software("cpu-migrations", PERF_COUNT_SW_CPU_MIGRATIONS)->event[0].counts_kernel = 1;
	software("page-faults", PERF_COUNT_SW_PAGE_FAULTS);
	make(0);
	assert_int_equal(plan.counter[0].error, 0);
	assert_int_equal(plan.counter[0].term[0].group, OMPP_PLAN_OWN);
	assert_int_equal(plan.counter[0].term[0].at, OMPP_OWN_SWITCHES);
	assert_int_equal(plan.own, 1u << OMPP_OWN_SWITCHES);
	assert_int_equal(plan.counter[1].error, -EACCES);
	assert_memory_equal(plan.counter[1].why, "perf_event_open is not permitted: ", 34);
	assert_int_equal(plan.counter[2].error, 0);
	assert_int_equal(plan.counter[2].term[0].group, 0);
}

/* ---- a thread's events, counted by the real kernel ---- */

static uint64_t values[OMPP_MAX_METRICS];

/* What the kernel says of the thread, in the order of enum ompp_own. */
static void ask_kernel(uint64_t own[OMPP_OWN_N])
{
	struct timespec cpu;
	struct rusage use;

	assert_int_equal(getrusage(RUSAGE_THREAD, &use), 0);
	assert_int_equal(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu), 0);
	own[OMPP_OWN_FAULTS] = (uint64_t)(use.ru_minflt + use.ru_majflt);
	own[OMPP_OWN_MINOR] = (uint64_t)use.ru_minflt;
	own[OMPP_OWN_MAJOR] = (uint64_t)use.ru_majflt;
	own[OMPP_OWN_SWITCHES] = (uint64_t)(use.ru_nvcsw + use.ru_nivcsw);
	own[OMPP_OWN_CPU_NS] = (uint64_t)cpu.tv_sec * 1000000000 + (uint64_t)cpu.tv_nsec;
}

static void own_counts_are_the_kernels(void **state)
{
	static struct ompp_counter_set set;
	uint64_t before[OMPP_OWN_N], after[OMPP_OWN_N];

	(void)state;
	memset(&plan, 0, sizeof(plan));
	for (uint8_t i = OMPP_OWN_NONE + 1; i < OMPP_OWN_N; i++) {
		plan.counter[i - 1].counter = counter("own", 0);
		plan.counter[i - 1].n_terms = 1;
		plan.counter[i - 1].term[0] = (struct ompp_plan_term){ OMPP_PLAN_OWN, i, 1 };
		plan.counter[i - 1].value = i;
		plan.own |= 1u << i;
	}
	plan.n_counters = OMPP_OWN_N - 1;
	usleep(1); /* a switch at least */
	ask_kernel(before);
	assert_int_equal(ompp_counter_set_read(&set, &plan, values), 0);
	ask_kernel(after);
	for (int i = OMPP_OWN_NONE + 1; i < OMPP_OWN_N; i++) {
		assert_true(i == OMPP_OWN_MAJOR || before[i]);
		assert_in_range(values[i], before[i], after[i]);
	}
}

/* Opens page faults in user mode and another event in one group; skips the test where the kernel does not allow it. */
static void open_real(struct ompp_counter_set *set)
{
	software("page-faults", PERF_COUNT_SW_PAGE_FAULTS);
	software("task-clock", PERF_COUNT_SW_TASK_CLOCK);
	ompp_plan_make(&plan, list, n_counters, 0, &ompp_plan_kernel);
	if (plan.counter[0].error || plan.own)
		skip();
	assert_int_equal(plan.n_groups, 1);
	assert_int_equal(ompp_counter_set_open(set, &plan), 0);
	assert_int_equal(ompp_counter_set_read(set, &plan, values), 0);
}

static void touch_pages(int n)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE), n_bytes = (size_t)n * page_bytes;
	volatile char *p = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int i;

	assert_ptr_not_equal(p, MAP_FAILED);
	madvise((void *)p, n_bytes, MADV_NOHUGEPAGE);
	for (i = 0; i < n; i++)
		p[(size_t)i * page_bytes] = 1;
	munmap((void *)p, n_bytes);
}

static void a_group_is_read_at_once(void **state)
{
	static struct ompp_counter_set set;
	uint64_t before[OMPP_MAX_METRICS];

	(void)state;
	open_real(&set);
	touch_pages(100); /* now the pages that the call itself needs are there */
	assert_int_equal(ompp_counter_set_read(&set, &plan, before), 0);
	touch_pages(100);
	errno = 77;
	assert_int_equal(ompp_counter_set_read(&set, &plan, values), 0);
	assert_int_equal(errno, 77);
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__) /* they add shadow pages to ours */
	assert_true(values[0] - before[0] >= 100);
#else
	assert_int_equal(values[0] - before[0], 100);
#endif
	assert_true(values[1] > before[1]);
	assert_true(values[2] > before[2]); /* enabled, running, lost */
	assert_int_equal(values[2], values[3]);
	assert_int_equal(values[4], 0);
	ompp_counter_set_close(&set, 0);
	assert_int_equal(fcntl(set.group[0].fd[0], F_GETFD), -1);
	assert_int_equal(fcntl(set.group[0].fd[1], F_GETFD), -1);
}

/* When the leader's descriptor becomes another group's, of the same size, that group is neither read nor closed. */
static void another_group_on_the_descriptor(void **state)
{
	static struct ompp_counter_set set, other;
	int fd;

	(void)state;
	open_real(&set);
	fd = set.group[0].fd[0];
	assert_int_equal(ompp_counter_set_open(&other, &plan), 0);
	assert_int_equal(dup2(other.group[0].fd[0], fd), fd);
	errno = 77;
	assert_int_equal(ompp_counter_set_read(&set, &plan, values), -EIO);
	assert_int_equal(errno, 77);
	assert_int_equal(values[4], 1);
	assert_int_equal(values[0], 0);
	assert_int_equal(ompp_counter_set_read(&set, &plan, values), 0); /* the loss is said once */
	assert_int_equal(values[4], 2);
	assert_int_not_equal(fcntl(fd, F_GETFD), -1);
	close(fd);
	ompp_counter_set_close(&set, 0);
	assert_int_equal(ompp_counter_set_read(&other, &plan, values), 0);
	assert_int_equal(values[4], 0);
	ompp_counter_set_close(&other, 0);
}

static void a_file_on_the_descriptor(void **state)
{
	static struct ompp_counter_set set;
	int fd, zero;

	(void)state;
	open_real(&set);
	fd = set.group[0].fd[0];
	zero = open("/dev/zero", O_RDONLY);
	assert_int_equal(dup2(zero, fd), fd);
	assert_int_equal(ompp_counter_set_read(&set, &plan, values), -EIO);
	ompp_counter_set_close(&set, 0);
	assert_int_not_equal(fcntl(fd, F_GETFD), -1);
	close(fd);
	close(zero);
}

/* ---- pages ---- */

static uint64_t register_bits, clock_cycles;
static struct perf_event_mmap_page page;
static int n_retries;

static uint64_t fake_register(uint32_t index)
{
	assert_int_equal(index, 6);
	if (n_retries) { /* as if the kernel were writing */
		n_retries--;
		page.lock += 2;
		page.offset += 1000;
	}
	return register_bits;
}

static uint64_t fake_cycles(void)
{
	return clock_cycles;
}

static const struct ompp_counter_page_processor fake_processor = { fake_register, fake_cycles };

static int setup_page(void **state)
{
	(void)state;
	memset(&page, 0, sizeof(page));
	page.index = 7;
	page.cap_user_rdpmc = 1;
	page.pmc_width = 48;
	page.offset = 5000;
	page.time_enabled = 300;
	page.time_running = 200;
	n_retries = 0;
	return 0;
}

static uint64_t count(void)
{
	struct ompp_counter_page_reading reading;

	assert_int_equal(ompp_counter_page_read_on(&page, &fake_processor, &reading), 0);
	return reading.count;
}

static void registers_of_any_width(void **state)
{
	(void)state;
	register_bits = 123;
	assert_int_equal(count(), 5123);
	register_bits = 0xffffffffff00; /* 48 bits: the kernel starts them below 0 */
	assert_int_equal(count(), 5000 - 256);
	register_bits = 0x7fffffffffff;
	assert_int_equal(count(), 5000 + 0x7fffffffffff);
	page.pmc_width = 32;
	register_bits = 0xffffffff;
	assert_int_equal(count(), 4999);
	page.pmc_width = 64;
	register_bits = (uint64_t)-7;
	assert_int_equal(count(), 4993);
	page.offset = -10000; /* only the sum with the register is the count */
	register_bits = 12000;
	assert_int_equal(count(), 2000);
}

static void a_page_that_changes_is_read_again(void **state)
{
	(void)state;
	n_retries = 2;
	register_bits = 1;
	assert_int_equal(count(), 5000 + 2000 + 1);
	assert_int_equal(n_retries, 0);
}

static void an_event_outside_of_the_processor(void **state)
{
	struct ompp_counter_page_reading reading;

	(void)state;
	page.index = 0;
	assert_int_equal(ompp_counter_page_read_on(&page, &fake_processor, &reading), -EAGAIN);
	page.index = 7;
	page.cap_user_rdpmc = 0;
	assert_int_equal(ompp_counter_page_read_on(&page, &fake_processor, &reading), -EAGAIN);
}

static void times_by_the_clock(void **state)
{
	struct ompp_counter_page_reading reading;

	(void)state;
	ompp_counter_page_read_on(&page, &fake_processor, &reading);
	assert_int_equal(reading.enabled_ns, 300);
	assert_int_equal(reading.running_ns, 200);
	page.cap_user_time = 1;
	page.time_shift = 4;
	page.time_mult = 8; /* half a ns a cycle */
	page.time_offset = (uint64_t)-500;
	clock_cycles = 1225;
	ompp_counter_page_read_on(&page, &fake_processor, &reading);
	assert_int_equal(reading.enabled_ns, 300 + 612 - 500);
	assert_int_equal(reading.running_ns, 200 + 612 - 500);
	page.cap_user_time_short = 1; /* a clock of 10 bits that has wrapped */
	page.time_cycles = 1020;
	page.time_mask = 1023;
	clock_cycles = 4;
	page.time_offset = 0;
	ompp_counter_page_read_on(&page, &fake_processor, &reading);
	assert_int_equal(reading.enabled_ns, 300 + (1020 + 8) / 2);
}

/* ---- names ---- */

static char said[4][256];
static int n_said;

static void say(const char *line)
{
	assert_in_range(n_said, 0, 3);
	strcpy(said[n_said++], line);
}

static struct ompp_counter_requests requests;

static void request(char *const *envp)
{
	struct ompp_options options;

	n_said = 0;
	ompp_options_parse(&options, envp, say);
	assert_int_equal(n_said, 0);
	ompp_counter_requests_make(&requests, &options, say);
}

static void names_in_order_and_once(void **state)
{
	char *env[] = { (char *)"OMPP_CTR=cycles, cpu/event=0x3c,umask=1/ ,page-faults,",
		        (char *)"OMPP_CTR2=page-faults",
		        (char *)"OMPP_CTR1=PAPI_TOT_INS",
		        (char *)"OMPP_EVAL1=IPC=PAPI_TOT_INS/PAPI_TOT_CYC",
		        (char *)"OMPP_EVAL2='page-faults'/EXECT",
		        (char *)"OMPP_EVAL3=page-faults*2",
		        NULL };

	(void)state;
	request(env);
	assert_int_equal(n_said, 0);
	assert_int_equal(requests.n, 5);
	assert_string_equal(requests.request[0].name, "PAPI_TOT_INS");
	assert_string_equal(requests.request[0].variable, "CTR1");
	assert_string_equal(requests.request[1].name, "page-faults");
	assert_string_equal(requests.request[2].name, "cycles");
	assert_string_equal(requests.request[3].name, "cpu/event=0x3c,umask=1/");
	assert_string_equal(requests.request[4].name, "PAPI_TOT_CYC");
	assert_string_equal(requests.request[4].variable, "EVAL1");
	assert_int_equal(requests.n_evals, 3);
	assert_string_equal(requests.eval[0].name, "IPC");
	assert_string_equal(requests.eval[0].expression, "PAPI_TOT_INS/PAPI_TOT_CYC");
	assert_string_equal(requests.eval[1].name, "'page-faults'/EXECT");
	assert_string_equal(requests.eval[1].expression, "'page-faults'/EXECT");
}

static void bad_expressions_are_left_out(void **state)
{
	char *env[] = { (char *)"OMPP_EVAL1=(cycles", (char *)"OMPP_EVAL2=2*EXECT", NULL };

	(void)state;
	request(env);
	assert_int_equal(requests.n, 0);
	assert_int_equal(requests.n_evals, 1);
	assert_string_equal(requests.eval[0].expression, "2*EXECT");
	assert_int_equal(n_said, 1);
	assert_memory_equal(said[0], "OMPP_EVAL1=(cycles: not computed: column ", 41);
}

/* ---- shares ---- */

static void shares_of_the_time(void **state)
{
	struct ompp_source_column column = { .metric = { "A", "", OMPP_EXACT, "" }, .value = 0, .share = 1 };
	int64_t sums[4] = { 1000, 500, 500, 0 };
	struct ompp_metric metric = column.metric;
	char text[256];

	(void)state;
	assert_int_equal(ompp_source_column_value(&column, sums), 1000);
	ompp_source_column_mark(&column, sums, &metric, text, sizeof(text));
	assert_int_equal(metric.certainty, OMPP_EXACT);
	assert_string_equal(metric.detail, "");
	sums[2] = 240;
	assert_int_equal(ompp_source_column_value(&column, sums), 2083);
	ompp_source_column_mark(&column, sums, &metric, text, sizeof(text));
	assert_int_equal(metric.certainty, OMPP_SCALED);
	assert_string_equal(metric.detail, "counted 48 % of the time");
	metric = column.metric;
	sums[2] = 1;
	ompp_source_column_mark(&column, sums, &metric, text, sizeof(text));
	assert_string_equal(metric.detail, "counted less than 1 % of the time");
	sums[2] = 0;
	assert_int_equal(ompp_source_column_value(&column, sums), INT64_MIN);
	sums[2] = 500;
	sums[3] = 1;
	assert_int_equal(ompp_source_column_value(&column, sums), INT64_MIN);
	metric = (struct ompp_metric){ "A", "", OMPP_EXACT, "by getrusage" };
	ompp_source_column_mark(&column, sums, &metric, text, sizeof(text));
	assert_string_equal(metric.detail, "by getrusage; missing where it could not be read");
	column.value = OMPP_NO_VALUE;
	assert_int_equal(ompp_source_column_value(&column, sums), INT64_MIN);
}

#define PLAN(test) cmocka_unit_test_setup_teardown(test, setup, none_is_open)
#define PAGE(test) cmocka_unit_test_setup(test, setup_page)

int main(void)
{
	const struct CMUnitTest tests[] = {
		PLAN(one_group_for_all),
		PLAN(pages_of_hardware_alone),
		PLAN(too_many_name_those_in_the_way),
		PLAN(two_that_conflict_are_named),
		PLAN(multiplexed_groups),
		PLAN(derived_counters_are_not_cut),
		PLAN(what_does_not_work_says_so),
		PLAN(two_kinds_of_cores),
		PLAN(own_counts_where_events_are_forbidden),
		PLAN(own_counts_are_the_kernels),
		PLAN(a_group_is_read_at_once),
		PLAN(another_group_on_the_descriptor),
		PLAN(a_file_on_the_descriptor),
		PAGE(registers_of_any_width),
		PAGE(a_page_that_changes_is_read_again),
		PAGE(an_event_outside_of_the_processor),
		PAGE(times_by_the_clock),
		cmocka_unit_test(names_in_order_and_once),
		cmocka_unit_test(bad_expressions_are_left_out),
		cmocka_unit_test(shares_of_the_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

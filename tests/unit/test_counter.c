/*
 * Counter: which names are known, and what the kernel is asked for.
 */
#include "tests/unit/counter_machine.h"

/* Checks that the name means one event, with this type and config. */
static void is_event(const char *name, uint32_t type, uint64_t config)
{
	assert_int_equal(find(name), 0);
	assert_int_equal(counter.n_events, 1);
	assert_int_equal(counter.event[0].type, type);
	assert_int_equal(counter.event[0].config, config);
	assert_int_equal(counter.event[0].factor, 1);
	assert_int_equal(counter.scale_mul, 1);
	assert_int_equal(counter.scale_shift, 0);
}

static int no_pmu_open(const struct ompp_event_code *code)
{
	return code->type == PERF_TYPE_SOFTWARE ? 0 : -ENOENT;
}

static int machine_without_pmu(void **state)
{
	real_open = ompp_pmu_try;
	ompp_pmu_try = no_pmu_open;
	return fake_new(state);
}

/* ---- counters that every machine has ---- */

static void software_events_are_the_kernels(void **state)
{
	(void)state;
	is_event("page-faults", 1, PERF_COUNT_SW_PAGE_FAULTS);
	assert_int_equal(counter.event[0].counts_kernel, 0);
	assert_int_equal(counter.event[0].software, 1);
	is_event("faults", 1, PERF_COUNT_SW_PAGE_FAULTS);
	is_event("minor-faults", 1, PERF_COUNT_SW_PAGE_FAULTS_MIN);
	is_event("major-faults", 1, PERF_COUNT_SW_PAGE_FAULTS_MAJ);
	is_event("cs", 1, PERF_COUNT_SW_CONTEXT_SWITCHES);
	assert_int_equal(counter.event[0].counts_kernel, 1);
	is_event("migrations", 1, PERF_COUNT_SW_CPU_MIGRATIONS);
	assert_int_equal(counter.event[0].counts_kernel, 1);
	is_event("task-clock", 1, PERF_COUNT_SW_TASK_CLOCK);
	assert_string_equal(counter.unit, "ns");
	is_event("cpu-clock", 1, PERF_COUNT_SW_CPU_CLOCK);
	is_event("alignment-faults", 1, PERF_COUNT_SW_ALIGNMENT_FAULTS);
	is_event("emulation-faults", 1, PERF_COUNT_SW_EMULATION_FAULTS);
	is_event("PERF_COUNT_SW_CONTEXT_SWITCHES", 1, PERF_COUNT_SW_CONTEXT_SWITCHES);
	is_event("perf::PAGE-FAULTS", 1, PERF_COUNT_SW_PAGE_FAULTS);
	is_event("page-faults:u", 1, PERF_COUNT_SW_PAGE_FAULTS);
}

static void page_faults_count_here(void **state)
{
	struct ompp_text t;
	int64_t value;

	(void)state;
	assert_int_equal(find("page-faults"), 0);
	ompp_text_init(&t, why, sizeof(why));
	if (ompp_counter_try(&counter, &value, &t)) {
		assert_non_null(strstr(why, "not permitted"));
		skip();
	}
	assert_true(value >= 4 && value < 1000);
}

static void software_events_know_no_data(void **state)
{
	struct ompp_text t;

	(void)state;
	ompp_text_init(&t, why, sizeof(why));
	assert_int_equal(ompp_counter_can_restrict("page-faults", &t), -ENOTSUP);
	assert_non_null(strstr(why, "cannot be restricted to data"));
	ompp_text_init(&t, why, sizeof(why));
	assert_int_equal(ompp_counter_can_restrict("PAPI_TOT_INS", &t), -ENOTSUP);
	assert_true(why[0]);
}

/* The time of the first CPU, whoever runs on it, needs more rights than a thread's own events. */
static void the_whole_machine_is_counted_on_its_cpus(void **state)
{
	struct ompp_counter machine = {
		.kind = OMPP_COUNTER_NODE,
		.n_events = 1,
		.scale_mul = 1,
		.cpus = "0",
		.event = { { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK, .factor = 1, .busy = 1 } },
	};
	struct ompp_text t;
	int64_t value = -1;
	int rc;

	(void)state;
	ompp_text_init(&t, why, sizeof(why));
	rc = ompp_counter_try(&machine, &value, &t);
	if (rc) {
		if (rc != -EACCES && rc != -EPERM)
			fail_msg("%d: %s", rc, why);
		assert_non_null(strstr(why, "not permitted"));
		skip();
	}
	assert_true(value > 1000); /* ns */
	machine.scale_mul = 3;
	machine.scale_shift = 40;
	assert_int_equal(ompp_counter_try(&machine, &value, &t), 0);
	assert_in_range(value, 0, 10);
}

static void access_counts_need_hooks(void **state)
{
	(void)state;
	fails("ACC_LD", -ENODEV, "kinst --access");
	ompp_counter_hooked = 1;
	assert_int_equal(find("ACC_LD"), 0);
	assert_int_equal(counter.kind, OMPP_COUNTER_ACCESS);
	assert_int_equal(counter.access, OMPP_ACC_LD);
	assert_string_equal(counter.object, "");
	assert_int_equal(counter.n_events, 0);
	assert_int_equal(find("ACC_ST_BYTES"), 0);
	assert_int_equal(counter.access, OMPP_ACC_ST_BYTES);
	assert_string_equal(counter.unit, "bytes");
	assert_int_equal(find("ACC_BYTES((stack))"), 0);
	assert_int_equal(counter.access, OMPP_ACC_BYTES);
	assert_string_equal(counter.object, "(stack)");
	assert_int_equal(find("ACC_LST(*)"), 0);
	assert_string_equal(counter.object, "*");
	fails("ACC_LD(", -EINVAL, "')' is missing");
	fails("ACC_LD(a", -EINVAL, "')' is missing");
	fails("ACC_LD()", -EINVAL, "no object");
	fails("ACC_LF", -ENOENT, "did you mean ACC_LD?");
	ompp_counter_hooked = 0;
}

static void bad_names_are_refused(void **state)
{
	char longest[OMPP_COUNTER_NAME + 1];

	(void)state;
	memset(longest, 'x', sizeof(longest));
	longest[OMPP_COUNTER_NAME] = '\0';
	fails("", -EINVAL, "no name");
	fails(longest, -EINVAL, "at most 127 characters");
	longest[OMPP_COUNTER_NAME - 1] = '\0';
	fails(longest, -ENOENT, "unknown name");
	fails("page-fault", -ENOENT, "did you mean page-faults?");
	fails("PAPI_TOT_INZ", -ENOENT, "did you mean PAPI_TOT_INS?");
	fails("brach-misses", -ENOENT, "did you mean branch-misses?");
	fails("L1-dcache-load-miss", -ENOENT, "did you mean L1-dcache-load-misses?");
	fails("../../type", -ENOENT, "unknown name");
	fails("software/../x/", -EINVAL, "no event and no field");
}

/* ---- without a PMU ---- */

static void no_pmu_is_said(void **state)
{
	static const char *const names[] = {
		"cycles",       "instructions", "L1-dcache-load-misses", "r1c2",
		"PAPI_TOT_INS", "PAPI_L3_TCM",  "cpu/event=0x3c/",       "armv8_pmuv3_0/inst_retired/"
	};

	(void)state;
	assert_int_equal(ompp_counter_has_pmu(), 0);
	for (size_t i = 0; i < OMPP_COUNT_OF(names); i++)
		fails(names[i], -ENODEV, "no PMU");
	fails("uncore_imc/cas_count_read/", -ENODEV, "no 'uncore_imc'");
	is_event("page-faults", 1, PERF_COUNT_SW_PAGE_FAULTS);
}

static int forbidden_open(const struct ompp_event_code *code)
{
	(void)code;
	return -EACCES;
}

/* Where the kernel permits no event, sysfs says whether there is a PMU; where that cannot be read either, there may be
 * one. */
static void what_is_forbidden_may_be_there(void **state)
{
	(void)state;
	ompp_pmu_try = forbidden_open;
	assert_int_equal(ompp_counter_has_pmu(), 0);
	ompp_pmu_root = "/nowhere";
	ompp_pmu_forget();
	assert_int_equal(ompp_counter_has_pmu(), 1);
	ompp_pmu_try = no_pmu_open;
	assert_int_equal(ompp_counter_has_pmu(), 0);
}

static void access_counts_take_the_place_of_loads(void **state)
{
	(void)state;
	fails("PAPI_LD_INS", -ENODEV, "no PMU");
	fails("PAPI_LD_INS", -ENODEV, "build with kinst --access and use ACC_LD");
	fails("PAPI_SR_INS", -ENODEV, "use ACC_ST");
	fails("PAPI_LST_INS", -ENODEV, "use ACC_LST");
	ompp_counter_hooked = 1;
	assert_int_equal(find("PAPI_SR_INS"), 0);
	assert_int_equal(counter.kind, OMPP_COUNTER_ACCESS);
	assert_int_equal(counter.access, OMPP_ACC_ST);
	assert_string_equal(counter.object, "*");
	assert_string_equal(counter.source, "hooks");
	fails("PAPI_L1_DCM", -ENODEV, "no PMU");
}

static int group(const char *name, struct ompp_counter_group *g)
{
	struct ompp_text t;

	ompp_text_init(&t, why, sizeof(why));
	return ompp_counter_group_find(name, strlen(name), g, &t);
}

static void groups_without_a_pmu(void **state)
{
	struct ompp_counter_group g;

	(void)state;
	assert_int_equal(group("@os", &g), 0);
	assert_non_null(strstr(g.counters, "page-faults"));
	assert_true(g.n_evals >= 2);
	assert_int_equal(group("@cache", &g), -ENODEV);
	assert_non_null(strstr(why, "no PMU"));
	assert_non_null(strstr(why, "OMPP_CACHE=1"));
	assert_int_equal(group("@cahce", &g), -ENOENT);
	assert_non_null(strstr(why, "did you mean @cache?"));
	ompp_counter_hooked = 1;
	assert_int_equal(group("@cache", &g), 0);
	assert_string_equal(g.counters, "ACC_LD,ACC_ST,ACC_BYTES");
	assert_non_null(strstr(g.note, "OMPP_CACHE=1"));
	assert_string_equal(g.evals[0].unit, "GB/s");
}

/* ---- a machine with one kind of cores ---- */

static void general_names_are_the_kernels_numbers(void **state)
{
	(void)state;
	fake_intel("cpu", "4", NULL);
	assert_int_equal(ompp_counter_has_pmu(), 1);
	is_event("cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	assert_int_equal(counter.event[0].busy, 1);
	assert_int_equal(counter.event[0].pmu, 0);
	is_event("CPU-CYCLES", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	is_event("branch-instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS);
	is_event("instructions:u", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
	is_event("L1-dcache-loads", PERF_TYPE_HW_CACHE, 0x00000);
	is_event("L1-dcache-load-misses", PERF_TYPE_HW_CACHE, 0x10000);
	is_event("LLC-store-misses", PERF_TYPE_HW_CACHE, 0x10102);
	is_event("dTLB-prefetches", PERF_TYPE_HW_CACHE, 0x00203);
	is_event("iTLB-load-misses", PERF_TYPE_HW_CACHE, 0x10004);
	is_event("node-loads", PERF_TYPE_HW_CACHE, 0x00006);
	is_event("r01c2", PERF_TYPE_RAW, 0x1c2);
	is_event("rFFff00ffFFff00ff", PERF_TYPE_RAW, 0xffff00ffffff00ff);
	fails("r1ffff00ffffff00ff", -ENOENT, "unknown");
	fails("rxyz", -ENOENT, "unknown");
	fails("iTLB-stores", -ENOENT, "unknown");
}

static void what_the_pmu_lacks_is_said(void **state)
{
	(void)state;
	fake_intel("cpu", "4", NULL);
	lacking[0].type = PERF_TYPE_HARDWARE;
	lacking[0].config = PERF_COUNT_HW_STALLED_CYCLES_BACKEND;
	n_lacking = 1;
	fails("stalled-cycles-backend", -ENODEV, "this machine's PMU does not count it");
}

static void fields_are_put_into_their_bits(void **state)
{
	(void)state;
	fake_intel("cpu", "4", NULL);
	is_event("cpu/event=0x3c,umask=0x1/", 4, 0x13c);
	is_event("cpu/event=0xc0,cmask=2,edge/", 4, 0x020400c0);
	is_event("cpu/mem-loads/", 4, 0x1cd);
	assert_int_equal(counter.event[0].config1, 3);
	is_event("cpu/mem-loads,ldlat=30/", 4, 0x1cd);
	assert_int_equal(counter.event[0].config1, 30);
	is_event("mem-loads", 4, 0x1cd);
	is_event("cpu/config=0x1234,config1=7,umask=0xff/", 4, 0xff34);
	assert_int_equal(counter.event[0].config1, 7);
	fails("cpu/umsk=1/", -EINVAL, "'umsk' is no event and no field of the PMU cpu");
	fails("cpu/event=0x100/", -EINVAL, "more than fits");
	fails("cpu/event=x/", -EINVAL, "without a number");
	fails("cpu/mem-load/", -EINVAL, "did you mean mem-loads?");
	fails("cpux/mem-loads/", -ENODEV, "no 'cpux'");
	fails("cpu/mem-loads", -ENOENT, "did you mean cpu/mem-loads/?");
}

static void split_fields_are_filled_from_below(void **state)
{
	(void)state;
	fake_put("cpu/type", "4");
	fake_put("cpu/format/event", "config:0-7,32-35");
	fake_put("cpu/format/umask", "config:8-15");
	is_event("cpu/event=0x1d6,umask=0xa0/", 4, 0x10000a0d6);
	is_event("cpu/event=0xfff/", 4, 0xf000000ff);
	fails("cpu/event=0x1fff/", -EINVAL, "more than fits");
}

/* ---- groups ---- */

static void the_first_group_that_can_is_taken(void **state)
{
	struct ompp_counter_group g;

	(void)state;
	fake_intel("cpu", "4", NULL);
	assert_int_equal(group("@cache", &g), 0);
	assert_non_null(strstr(g.counters, "LLC-load-misses"));
	assert_string_equal(g.evals[0].name, "IPC");
	lacking[0].type = PERF_TYPE_HW_CACHE;
	lacking[0].config = 0x2; /* LLC-loads */
	n_lacking = 1;
	assert_int_equal(group("@cache", &g), 0);
	assert_non_null(strstr(g.counters, "cache-misses"));
	assert_null(strstr(g.counters, "LLC"));
	assert_string_equal(g.note, "");
	lacking[1].type = PERF_TYPE_HARDWARE;
	lacking[1].config = PERF_COUNT_HW_INSTRUCTIONS;
	n_lacking = 2;
	assert_int_equal(group("@branch", &g), -ENODEV);
	assert_non_null(strstr(why, "instructions: this machine's PMU does not count it"));
	n_lacking = 1;
	assert_int_equal(group("@branch", &g), 0);
	assert_string_equal(g.counters, "cycles,instructions,branches,branch-misses");
	ompp_counter_hooked = 1;
	assert_int_equal(group("@cache", &g), 0);
	assert_non_null(strstr(g.counters, "cache-misses"));
	assert_int_equal(group("@memory", &g), -ENODEV); /* no counter of such stalls is known by the kernel alone */
	assert_non_null(strstr(why, "STALLS_MEM_ANY"));
}

/* Each number that a group computes names counters of that group alone. */
static void groups_compute_from_their_counters(void **state)
{
	struct ompp_counter_group g;
	const char *name;

	(void)state;
	fake_intel("cpu", "4", NULL);
	for (size_t i = 0; (name = ompp_counter_group_name(i)); i++) {
		if (group(name, &g))
			continue;
		for (size_t k = 0; k < g.n_evals; k++)
			for (const char *p = strchr(g.evals[k].expression, '\''); p;
			     p = strchr(strchr(p + 1, '\'') + 1, '\'')) {
				char word[64] = ",", all[512];

				strncat(word, p + 1, strcspn(p + 1, "'"));
				strcat(word, ",");
				snprintf(all, sizeof(all), ",%s,", g.counters);
				assert_non_null(strstr(all, word));
			}
	}
}

/* Whatever is written, there is an answer, with a reason when it is no counter. */
static void nonsense_is_survived(void **state)
{
	static const char letters[] = "acdyrPAIL1_:/=,()*@-.0x9";
	uint32_t x = 1;
	char name[40];

	(void)state;
	fake_intel("cpu", "4", NULL);
	for (int i = 0; i < 400; i++) {
		size_t n = 0;

		do {
			x = x * 1664525 + 1013904223;
			name[n++] = letters[(x >> 16) % (sizeof(letters) - 1)];
		} while ((x >> 8) % 12 && n < sizeof(name) - 1);
		name[n] = '\0';
		find(name);
		strcpy(name, "cpu/");
		name[4] = letters[(x >> 20) % (sizeof(letters) - 1)];
		strcpy(name + 5, i % 2 ? "/" : "=1/");
		find(name);
	}
}

struct seen {
	size_t n;
	int has_papi, has_uncore;
};

static int see(void *context, const struct ompp_counter *c)
{
	struct seen *seen = context;

	seen->n++;
	seen->has_papi |= !strcmp(c->name, "PAPI_REF_CYC");
	seen->has_uncore += !strcmp(c->name, "uncore_imc/cas_count_read/");
	assert_true(c->what[0]);
	assert_true(c->source[0]);
	assert_true(c->name[0]);
	return 0;
}

static int stop(void *context, const struct ompp_counter *c)
{
	(void)c;
	return ++*(int *)context == 3 ? 42 : 0;
}

static void lists_have_each_name_once(void **state)
{
	struct seen seen = { 0 };
	int n = 0;

	(void)state;
	fake_intel("cpu", "4", NULL);
	fake_put("uncore_imc_0/type", "20");
	fake_put("uncore_imc_0/cpumask", "0");
	fake_put("uncore_imc_0/events/cas_count_read", "event=1");
	fake_put("uncore_imc_0/events/cas_count_read.unit", "MiB");
	fake_put("uncore_imc_1/type", "21");
	fake_put("uncore_imc_1/cpumask", "0");
	fake_put("uncore_imc_1/events/cas_count_read", "event=1");
	assert_int_equal(ompp_counter_each(see, &seen), 0);
	assert_true(seen.n > 150);
	assert_int_equal(seen.has_papi, 1);
	assert_int_equal(seen.has_uncore, 1);
	assert_int_equal(ompp_counter_each(stop, &n), 42);
	assert_int_equal(n, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(software_events_are_the_kernels),
		cmocka_unit_test(page_faults_count_here),
		cmocka_unit_test(software_events_know_no_data),
		cmocka_unit_test(the_whole_machine_is_counted_on_its_cpus),
		cmocka_unit_test(access_counts_need_hooks),
		cmocka_unit_test_setup_teardown(bad_names_are_refused, machine_without_pmu, machine_end),
		cmocka_unit_test_setup_teardown(no_pmu_is_said, machine_without_pmu, machine_end),
		cmocka_unit_test_setup_teardown(what_is_forbidden_may_be_there, machine_without_pmu, machine_end),
		cmocka_unit_test_setup_teardown(access_counts_take_the_place_of_loads, machine_without_pmu,
		                                machine_end),
		cmocka_unit_test_setup_teardown(groups_without_a_pmu, machine_without_pmu, machine_end),
		cmocka_unit_test_setup_teardown(general_names_are_the_kernels_numbers, machine, machine_end),
		cmocka_unit_test_setup_teardown(what_the_pmu_lacks_is_said, machine, machine_end),
		cmocka_unit_test_setup_teardown(fields_are_put_into_their_bits, machine, machine_end),
		cmocka_unit_test_setup_teardown(split_fields_are_filled_from_below, machine, machine_end),
		cmocka_unit_test_setup_teardown(the_first_group_that_can_is_taken, machine, machine_end),
		cmocka_unit_test_setup_teardown(groups_compute_from_their_counters, machine, machine_end),
		cmocka_unit_test_setup_teardown(nonsense_is_survived, machine, machine_end),
		cmocka_unit_test_setup_teardown(lists_have_each_name_once, machine, machine_end)
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

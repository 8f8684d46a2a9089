/*
 * Counter units: one name for several units of hardware: kinds of cores, memory controllers, energy.
 */
#include "tests/unit/counter_machine.h"

/* ---- cores of several kinds ---- */

static void hybrid_cores_are_summed(void **state)
{
	(void)state;
	fake_intel("cpu_core", "4", "0-7");
	fake_intel("cpu_atom", "10", "8-15");
	fake_put("cpu_atom/events/only-atom", "event=0x1");
	assert_int_equal(find("instructions"), 0);
	assert_int_equal(counter.n_events, 2);
	assert_int_equal(counter.event[0].config, 10ULL << 32 | 1);
	assert_int_equal(counter.event[0].pmu, 10);
	assert_int_equal(counter.event[1].config, 4ULL << 32 | 1);
	assert_int_equal(counter.event[1].pmu, 4);
	assert_int_equal(find("PAPI_TOT_INS"), 0);
	assert_int_equal(counter.n_events, 2);
	assert_string_equal(counter.source, "PAPI");
	assert_int_equal(find("mem-loads"), 0);
	assert_int_equal(counter.n_events, 2);
	assert_int_equal(counter.event[0].type, 10);
	assert_int_equal(find("only-atom"), 0);
	assert_int_equal(counter.n_events, 1);
	assert_int_equal(counter.event[0].pmu, 10);
	assert_int_equal(find("cpu_core/event=0xc0/"), 0);
	assert_int_equal(counter.n_events, 1);
	assert_int_equal(counter.event[0].pmu, 4);
	assert_int_equal(find("r3c"), 0);
	assert_int_equal(counter.event[0].type, 10);
	assert_int_equal(counter.event[1].type, 4);
	lacking[0].type = PERF_TYPE_HW_CACHE;
	lacking[0].config = 10ULL << 32 | 0x2;
	n_lacking = 1;
	assert_int_equal(find("LLC-loads"), 0);
	assert_int_equal(counter.n_events, 1);
	assert_int_equal(counter.event[0].pmu, 4);
}

static void arm_cores_by_their_own_names(void **state)
{
	(void)state;
	fake_put("armv8_cortex_a53/type", "8");
	fake_put("armv8_cortex_a53/cpus", "0-3");
	fake_put("armv8_cortex_a53/format/event", "config:0-15");
	fake_put("armv8_cortex_a53/events/inst_retired", "event=0x0008");
	fake_put("armv8_cortex_a72/type", "9");
	fake_put("armv8_cortex_a72/cpus", "4-5");
	fake_put("armv8_cortex_a72/format/event", "config:0-15");
	fake_put("armv8_cortex_a72/events/inst_retired", "event=0x0008");
	fake_put("armv8_cortex_a72/events/l1d_cache_refill", "event=0x0003");
	assert_int_equal(find("inst_retired"), 0);
	assert_int_equal(counter.n_events, 2);
	assert_int_equal(counter.event[0].type, 8);
	assert_int_equal(counter.event[1].type, 9);
	assert_int_equal(counter.event[1].config, 8);
	assert_int_equal(counter.event[1].pmu, 9);
	assert_int_equal(counter.event[1].busy, 1);
	assert_int_equal(find("armv8_cortex_a53/inst_retired/"), 0);
	assert_int_equal(counter.n_events, 1);
	assert_int_equal(find("PAPI_L1_DCM"), 0);
	assert_int_equal(counter.n_events, 1);
	assert_int_equal(counter.event[0].pmu, 9);
	assert_int_equal(find("PAPI_TOT_CYC"), 0);
	assert_int_equal(counter.n_events, 2);
}

/* ---- counters of the whole machine ---- */

static void memory_controllers_are_one_name(void **state)
{
	char file[64];

	(void)state;
	for (int i = 0; i < 3; i++) {
		snprintf(file, sizeof(file), "uncore_imc_%d/type", i);
		fake_put(file, i == 0 ? "20" : i == 1 ? "21" : "22");
		snprintf(file, sizeof(file), "uncore_imc_%d/cpumask", i);
		fake_put(file, "0,24");
		snprintf(file, sizeof(file), "uncore_imc_%d/format/event", i);
		fake_put(file, "config:0-7");
		snprintf(file, sizeof(file), "uncore_imc_%d/format/umask", i);
		fake_put(file, "config:8-15");
		snprintf(file, sizeof(file), "uncore_imc_%d/events/cas_count_read", i);
		fake_put(file, "event=0x04,umask=0x03");
		snprintf(file, sizeof(file), "uncore_imc_%d/events/cas_count_read.scale", i);
		fake_put(file, "6.103515625e-5");
		snprintf(file, sizeof(file), "uncore_imc_%d/events/cas_count_read.unit", i);
		fake_put(file, "MiB");
	}
	assert_int_equal(find("uncore_imc/cas_count_read/"), 0);
	assert_int_equal(counter.kind, OMPP_COUNTER_NODE);
	assert_int_equal(counter.n_events, 3);
	assert_int_equal(counter.event[2].type, 22);
	assert_int_equal(counter.event[2].config, 0x304);
	assert_string_equal(counter.cpus, "0,24");
	assert_string_equal(counter.unit, "bytes");
	assert_int_equal(counter.scale_mul, 64);
	assert_int_equal(counter.scale_shift, 0);
	assert_int_equal(find("uncore_imc_1/cas_count_read/"), 0);
	assert_int_equal(counter.n_events, 1);
	assert_int_equal(find("uncore_imc/event=4/"), 0);
	assert_int_equal(counter.scale_mul, 1);
	assert_string_equal(counter.unit, "");
	fails("cas_count_read", -ENOENT, "unknown");
	fails("uncore_imc/cas_count_raed/", -EINVAL, "did you mean cas_count_read?");
}

static void too_many_units_are_refused(void **state)
{
	char file[64], type[16];

	(void)state;
	for (int i = 0; i < 13; i++) {
		snprintf(file, sizeof(file), "uncore_cha_%d/type", i);
		snprintf(type, sizeof(type), "%d", 30 + i);
		fake_put(file, type);
		snprintf(file, sizeof(file), "uncore_cha_%d/cpumask", i);
		fake_put(file, "0");
		snprintf(file, sizeof(file), "uncore_cha_%d/format/event", i);
		fake_put(file, "config:0-7");
	}
	fails("uncore_cha/event=1/", -EINVAL, "more than 12 units");
	assert_int_equal(find("uncore_cha_12/event=1/"), 0);
}

/* The units of two sockets, for example: one of them would be read on the wrong socket. */
static void units_of_different_cpus_are_no_sum(void **state)
{
	(void)state;
	fake_put("amd_umc_0/type", "30");
	fake_put("amd_umc_0/cpumask", "0");
	fake_put("amd_umc_0/format/event", "config:0-7");
	fake_put("amd_umc_1/type", "31");
	fake_put("amd_umc_1/cpumask", "96");
	fake_put("amd_umc_1/format/event", "config:0-7");
	fails("amd_umc/event=0x0a/", -EINVAL, "different CPUs (0 and 96); name one");
	assert_int_equal(find("amd_umc_1/event=0x0a/"), 0);
	assert_string_equal(counter.cpus, "96");
}

static void energy_is_in_microjoules(void **state)
{
	(void)state;
	fake_put("power/type", "12");
	fake_put("power/cpumask", "0");
	fake_put("power/format/event", "config:0-7");
	fake_put("power/events/energy-pkg", "event=0x02");
	fake_put("power/events/energy-pkg.scale", "2.3283064365386962890625e-10");
	fake_put("power/events/energy-pkg.unit", "Joules");
	assert_int_equal(find("power/energy-pkg/"), 0);
	assert_int_equal(counter.kind, OMPP_COUNTER_NODE);
	assert_string_equal(counter.unit, "uJ");
	assert_int_equal(counter.scale_mul, 15625); /* 10^6 / 2^32 = 15625 / 2^26 */
	assert_int_equal(counter.scale_shift, 26);
}

/* Compares mul / 2^shift with floating point: they agree in 30 bits. */
static void scales_are_close(void **state)
{
	/* clang-format off */
	static const char *const texts[] = {
		"1", "64", "0.5", "0.1", "1e-9", "3.0e2", "6.103515625e-5", "0.000030517578125", "123456789.123",
		"1.0E-3", "4096", "999999999999999999999e-18"
	};
	/* clang-format on */
	int32_t mul, shift;

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(texts); i++) {
		double value = strtod(texts[i], NULL), got;

		assert_int_equal(ompp_pmu_scale_parse(texts[i], 1, &mul, &shift), 0);
		got = (double)mul / (double)(1ULL << shift);
		if (got < value * (1 - 1e-9) || got > value * (1 + 1e-9))
			fail_msg("%s: %d / 2^%d", texts[i], mul, shift);
	}
	assert_int_equal(ompp_pmu_scale_parse("", 1, &mul, &shift), -EINVAL);
	assert_int_equal(ompp_pmu_scale_parse("0", 1, &mul, &shift), -EINVAL);
	assert_int_equal(ompp_pmu_scale_parse("x", 1, &mul, &shift), -EINVAL);
	assert_int_equal(ompp_pmu_scale_parse("1e30", 1, &mul, &shift), -EINVAL);
	assert_int_equal(ompp_pmu_scale_parse("1.23e-12", 1, &mul, &shift), -EINVAL); /* 2^63 leaves 24 bits */
	assert_int_equal(ompp_pmu_scale_parse("1e-30", 1, &mul, &shift), -EINVAL);
	assert_int_equal(ompp_pmu_scale_parse("99999999999", 1, &mul, &shift), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(hybrid_cores_are_summed, machine, machine_end),
		cmocka_unit_test_setup_teardown(arm_cores_by_their_own_names, machine, machine_end),
		cmocka_unit_test_setup_teardown(memory_controllers_are_one_name, machine, machine_end),
		cmocka_unit_test_setup_teardown(too_many_units_are_refused, machine, machine_end),
		cmocka_unit_test_setup_teardown(units_of_different_cpus_are_no_sum, machine, machine_end),
		cmocka_unit_test_setup_teardown(energy_is_in_microjoules, machine, machine_end),
		cmocka_unit_test(scales_are_close)
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

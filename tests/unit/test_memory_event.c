/*
 * Memory event: which events sample accesses on other processors, whose sysfs is a constructed folder.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/base/text.h"
#include "runtime/samples/memory_event.h"
#include "tests/unit/fake_sysfs.h"

static struct ompp_memory_event events[OMPP_MEMORY_EVENTS];
static char why_text[200];

static int find(int unit, unsigned int kinds, unsigned int latency)
{
	struct ompp_text why;

	ompp_text_init(&why, why_text, sizeof(why_text));
	return ompp_memory_events(unit, kinds, latency, events, &why);
}

static int drop(void **state)
{
	(void)state;
	fake_drop();
	return 0;
}

static void no_sampling(void **state)
{
	(void)state;
	ompp_memory_cpuinfo = "/dev/null";
	assert_int_equal(find(-1, OMPP_MEM_LOADS, 0), -ENODEV);
	assert_non_null(strstr(why_text, "no PMU that samples"));
	assert_int_equal(find(OMPP_UNIT_IBS, OMPP_MEM_LOADS, 0), -ENODEV);
	assert_non_null(strstr(why_text, "ibs_op"));
}

static void skylake(void **state)
{
	(void)state;
	fake_intel("cpu", "4", NULL);
	fake_put("cpu/events/mem-stores", "event=0xd0,umask=0x82");
	assert_int_equal(find(-1, OMPP_MEM_BOTH, 0), 2);
	assert_int_equal(events[0].unit, OMPP_UNIT_PEBS);
	assert_int_equal(events[0].kinds, OMPP_MEM_LOADS);
	assert_int_equal(events[0].type, 4);
	assert_int_equal(events[0].config, 0x1cd);
	assert_int_equal(events[0].config1, 3);
	assert_int_equal(events[0].precise, 2);
	assert_int_equal(events[0].has_leader, 0);
	assert_int_equal(events[1].kinds, OMPP_MEM_STORES);
	assert_int_equal(events[1].config, 0x82d0);
	assert_int_equal(find(-1, OMPP_MEM_LOADS, 50), 1);
	assert_int_equal(events[0].config1, 50);
	assert_int_equal(events[0].latency_least, 50);
	assert_int_equal(find(OMPP_UNIT_SPE, OMPP_MEM_LOADS, 0), -ENODEV);
}

static void golden_cove(void **state)
{
	(void)state;
	fake_intel("cpu_core", "4", "0-1");
	fake_put("cpu_core/events/mem-loads-aux", "event=0x03,umask=0x82");
	fake_put("cpu_core/events/mem-stores", "event=0xcd,umask=0x2");
	fake_intel("cpu_atom", "10", "2-3");
	fake_put("cpu_atom/events/mem-loads", "event=0xd0,umask=0x5,ldlat=3");
	fake_put("cpu_atom/events/mem-stores", "event=0xd0,umask=0x6");
	assert_int_equal(find(-1, OMPP_MEM_BOTH, 0), 4);
	assert_string_equal(events[0].pmu, "cpu_atom");
	assert_int_equal(events[0].config, 0x5d0);
	assert_int_equal(events[0].type, 10);
	assert_int_equal(events[0].has_leader, 0);
	assert_string_equal(events[2].pmu, "cpu_core");
	assert_int_equal(events[2].has_leader, 1);
	assert_int_equal(events[2].leader_config, 0x8203);
	assert_int_equal(events[3].config, 0x2cd);
}

static void amd(void **state)
{
	(void)state;
	fake_put("ibs_op/type", "11");
	fake_put("ibs_op/format/cnt_ctl", "config:19");
	assert_int_equal(find(-1, OMPP_MEM_BOTH, 200), 1);
	assert_int_equal(events[0].unit, OMPP_UNIT_IBS);
	assert_int_equal(events[0].config, 1 << 19);
	assert_int_equal(events[0].config1, 0);
	assert_int_equal(events[0].sees_kernel, 1);
	assert_int_equal(events[0].period_step, 16);
	fake_put("ibs_op/format/swfilt", "config2:0");
	fake_put("ibs_op/format/ldlat", "config1:0-11");
	assert_int_equal(find(-1, OMPP_MEM_LOADS, 200), 1);
	assert_int_equal(events[0].config1, 200);
	assert_int_equal(events[0].config2, 1);
	assert_int_equal(events[0].sees_kernel, 0);
	/* the runtime applies thresholds that are below what the processor can tell; stores have no latency */
	assert_int_equal(find(-1, OMPP_MEM_LOADS, 30), 1);
	assert_int_equal(events[0].config1, 0);
	assert_int_equal(find(-1, OMPP_MEM_BOTH, 200), 1);
	assert_int_equal(events[0].config1, 0);
}

static void arm(void **state)
{
	(void)state;
	fake_put("arm_spe_0/type", "12");
	fake_put("arm_spe_0/format/ts_enable", "config:0");
	fake_put("arm_spe_0/format/jitter", "config:16");
	fake_put("arm_spe_0/format/load_filter", "config:33");
	fake_put("arm_spe_0/format/store_filter", "config:34");
	fake_put("arm_spe_0/format/min_latency", "config2:0-11");
	fake_put("arm_spe_0/caps/min_interval", "1024");
	assert_int_equal(find(-1, OMPP_MEM_LOADS, 40), 1);
	assert_int_equal(events[0].unit, OMPP_UNIT_SPE);
	assert_true(events[0].config == (1 | 1 << 16 | UINT64_C(1) << 33));
	assert_int_equal(events[0].config2, 40);
	assert_int_equal(events[0].period_least, 1024);
}

/* An older kernel does not name the processor's events; then our table does, by what /proc/cpuinfo says. */
static void families(void **state)
{
	static const struct {
		const char *model;
		uint64_t loads, stores;
	} rows[] = {
		{ "26", 0x100b, 0 },     { "45", 0x1cd, 0x2cd }, { "63", 0x1cd, 0x82d0 },
		{ "85", 0x1cd, 0x82d0 }, { "1", 0, 0 },
	};
	char file[128], text[256];

	(void)state;
	fake_put("cpu/type", "4");
	snprintf(file, sizeof(file), "%s/cpuinfo", fake_root);
	ompp_memory_cpuinfo = file;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(text, sizeof(text),
		         "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: %s\n"
		         "model name\t: Intel(R) 99\n",
		         rows[i].model);
		fake_put("cpuinfo", text);
		assert_int_equal(find(-1, OMPP_MEM_LOADS, 0), rows[i].loads ? 1 : -ENODEV);
		if (rows[i].loads) {
			assert_int_equal(events[0].config, rows[i].loads);
			assert_int_equal(events[0].config1, 3);
		}
		assert_int_equal(find(-1, OMPP_MEM_BOTH, 0), rows[i].stores ? 2 : rows[i].loads ? -ENOTSUP : -ENODEV);
		if (rows[i].stores)
			assert_int_equal(events[1].config, rows[i].stores);
	}
	fake_put("cpuinfo", "vendor_id : AuthenticAMD\ncpu family : 6\nmodel : 85\n");
	assert_int_equal(find(-1, OMPP_MEM_LOADS, 0), -ENODEV);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(no_sampling, fake_new, drop),
		cmocka_unit_test_setup_teardown(skylake, fake_new, drop),
		cmocka_unit_test_setup_teardown(golden_cove, fake_new, drop),
		cmocka_unit_test_setup_teardown(amd, fake_new, drop),
		cmocka_unit_test_setup_teardown(arm, fake_new, drop),
		cmocka_unit_test_setup_teardown(families, fake_new, drop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

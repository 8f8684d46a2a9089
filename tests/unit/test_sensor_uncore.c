/*
 * Sensor uncore: the example examples/sensor_uncore.c on sysfs as machines with several nodes have it that are not
 * here: what it asks the kernel for, and what it makes of the kernel's numbers, which are files of this test.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "runtime/base/array.h"
#include "tests/unit/fake_sysfs.h"
#include "tests/unit/sensor_meter.h"

/* ---- the kernel ---- */

enum { OPENED = 64 };

/* An event that was opened: what for, and a file with its count and times. */
static struct opened {
	uint32_t type;
	uint64_t config, config1;
	int cpu, fd;
	uint64_t told[3];
} opened[OPENED];
static int n_opened, refuses;

static long fake_open(long call, struct perf_event_attr *attr, int pid, int cpu, int group, unsigned long flags)
{
	struct opened *o = &opened[n_opened];

	(void)call;
	assert_int_equal(pid, -1);
	assert_int_equal(group, -1);
	assert_int_equal(flags, PERF_FLAG_FD_CLOEXEC);
	assert_int_equal(attr->read_format, PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING);
	if (refuses) {
		errno = refuses;
		return -1;
	}
	assert_true(n_opened < OPENED);
	*o = (struct opened){ .type = attr->type, .config = attr->config, .config1 = attr->config1, .cpu = cpu };
	o->fd = memfd_create("event", MFD_CLOEXEC);
	assert_int_equal(pwrite(o->fd, o->told, sizeof(o->told), 0), sizeof(o->told));
	n_opened++;
	return o->fd;
}

static ssize_t fake_read(int fd, void *to, size_t n)
{
	return pread(fd, to, n, 0);
}

#define syscall fake_open
#define read    fake_read
#include "examples/sensor_uncore.c" /* the example, as users build it */
#undef syscall
#undef read

/* Returns the event of this type and config on the CPU. */
static struct opened *opened_as(uint32_t type, uint64_t config, int cpu)
{
	for (int i = 0; i < n_opened; i++)
		if (opened[i].type == type && opened[i].config == config && opened[i].cpu == cpu)
			return &opened[i];
	fail_msg("type %u, config 0x%llx is not open on CPU %d", type, (unsigned long long)config, cpu);
	return NULL;
}

/* Counts more, in a time of which the event was counted a part. */
static void count(struct opened *o, uint64_t more, uint64_t enabled_ns, uint64_t running_ns)
{
	o->told[0] += more;
	o->told[1] += enabled_ns;
	o->told[2] += running_ns;
	assert_int_equal(pwrite(o->fd, o->told, sizeof(o->told), 0), sizeof(o->told));
}

/* ---- the machine ---- */

static void put_pmu(const char *pmu, const char *file, const char *line)
{
	char path[200];

	snprintf(path, sizeof(path), "bus/event_source/devices/%s/%s", pmu, file);
	fake_put(path, line);
}

/* A PMU with the fields that Intel's have outside of cores. */
static void put_intel(const char *pmu, const char *type, const char *cpumask)
{
	put_pmu(pmu, "type", type);
	put_pmu(pmu, "cpumask", cpumask);
	put_pmu(pmu, "format/event", "config:0-7");
	put_pmu(pmu, "format/umask", "config:8-15");
}

/* Two sockets of Intel: 18 CPUs each, two controllers of memory, three links that the kernel names no events of, a PMU
 * of cores, one that nobody asks for, and one of energy. */
static void put_two_sockets(void)
{
	for (int i = 0; i < 2; i++) {
		char pmu[32], type[12];

		snprintf(pmu, sizeof(pmu), "uncore_imc_%d", i);
		snprintf(type, sizeof(type), "%d", 20 + i);
		put_intel(pmu, type, "0,18");
		put_pmu(pmu, "events/cas_count_read", "event=0x04,umask=0x03");
		put_pmu(pmu, "events/cas_count_read.scale", "6.103515625e-5");
		put_pmu(pmu, "events/cas_count_read.unit", "MiB");
		put_pmu(pmu, "events/clockticks", "event=0xff");
	}
	for (int i = 0; i < 3; i++) {
		char pmu[32], type[12];

		snprintf(pmu, sizeof(pmu), "uncore_upi_%d", i);
		snprintf(type, sizeof(type), "%d", 30 + i);
		put_intel(pmu, type, "0,18");
	}
	put_pmu("cpu", "type", "4");
	put_pmu("cpu", "events/cycles", "event=0x3c");
	put_intel("uncore_cha_0", "40", "0,18");
	put_pmu("uncore_cha_0", "events/clockticks", "event=0");
	fake_put("devices/system/cpu/cpu0/topology/physical_package_id", "0");
	fake_put("devices/system/cpu/cpu18/topology/physical_package_id", "1");
}

static int tree_new(void **state)
{
	unsetenv("SENSOR_LIMITS");
	unsetenv("SENSOR_SYS");
	refuses = 0;
	return fake_new(state);
}

static int tree_drop(void **state)
{
	(void)state;
	ompp_meter_close(&meter);
	while (n_opened)
		close(opened[--n_opened].fd);
	return fake_drop();
}

static void open_here(void)
{
	ompp_meter_open(&meter, &ompp_sensor, "/proc", fake_root, 0);
}

/* ---- tests ---- */

static void check(size_t event, const char *source, double expected)
{
	struct ompp_meter_value v = ompp_meter_value(&meter, event, source_of(source));

	assert_true(v.is_known);
	assert_true(v.number == expected);
}

/* One count of CAS is 64 bytes: 6.103515625e-5 MiB. */
static void test_memory(void **state)
{
	size_t reads, ticks;

	(void)state;
	put_two_sockets();
	setenv("SENSOR_LIMITS", "imc/cas*=25.6e9 *=0.5", 1);
	open_here();
	assert_true(meter.is_open);
	assert_int_equal(meter.n_events, 2);
	assert_int_equal(meter.n_sources, 10); /* 2 controllers and 3 links of 2 sockets; no cores, no cha */
	reads = event_of("imc/cas_count_read/");
	ticks = event_of("imc/clockticks/");
	assert_string_equal(meter.events[reads].unit, "bytes");
	assert_true(meter.events[reads].scale == 64);
	assert_false(meter.events[reads].is_extra);
	assert_string_equal(meter.events[ticks].unit, "times");
	assert_true(meter.events[ticks].is_extra);
	ompp_meter_sample(&meter);
	assert_int_equal(n_opened, 4); /* what nobody wants is not opened */
	count(opened_as(20, 0x304, 0), 1000, 100, 100);
	count(opened_as(20, 0x304, 18), 500, 100, 25); /* counted a quarter of the time */
	count(opened_as(21, 0x304, 0), 7, 100, 0);     /* not counted at all, but for what it was before */
	count(opened_as(21, 0x304, 18), 3000, 100, 100);
	ompp_meter_sample(&meter);
	check(reads, "socket0.uncore_imc_0", 1000);
	check(reads, "socket1.uncore_imc_0", 2000);
	assert_false(ompp_meter_value(&meter, reads, source_of("socket0.uncore_imc_1")).is_known);
	check(reads, "socket1.uncore_imc_1", 3000);
	assert_true(ompp_meter_together(&meter, reads).number == 6000);
	count(opened_as(20, 0x304, 18), 10, 100, 50); /* the factor is that of the time between the samples */
	count(opened_as(21, 0x304, 0), 4, 100, 50);   /* 11 in 50 of 200 since it was last known */
	ompp_meter_sample(&meter);
	check(reads, "socket0.uncore_imc_0", 0);
	check(reads, "socket1.uncore_imc_0", 20);
	assert_true(ompp_meter_limit(&meter, reads, source_of("socket1.uncore_imc_1")) == 25.6e9);
	assert_true(ompp_meter_limit_together(&meter, reads) == 4 * 25.6e9);
	assert_true(ompp_meter_limit(&meter, ticks, 0) == 0.5);
}

/* Links whose events the kernel does not name are asked for as perf is; bits of fields that lie apart. */
static void test_links(void **state)
{
	int event;

	(void)state;
	put_two_sockets();
	put_pmu("uncore_upi_2", "format/umask", "config:8-15,32-35");
	setenv("SENSOR_LIMITS", "upi/event=2*=1e9", 1);
	open_here();
	event = ompp_sensor.find(&meter.host, meter.state, "upi/event=2,umask=0x10f/");
	assert_true(event >= 0); /* two links have no such bits */
	assert_string_equal(meter.events[event].name, "upi/event=2,umask=0x10f/");
	ompp_meter_want(&meter, (size_t)event, 1);
	ompp_meter_want(&meter, event_of("imc/cas_count_read/"), 0);
	ompp_meter_sample(&meter);
	count(opened_as(32, UINT64_C(0x100000f02), 0), 30, 10, 10);
	count(opened_as(32, UINT64_C(0x100000f02), 18), 12, 10, 10);
	ompp_meter_sample(&meter);
	assert_true(ompp_meter_together(&meter, (size_t)event).number == 42);
	assert_true(ompp_meter_limit_together(&meter, (size_t)event) == 2e9);
	event = ompp_sensor.find(&meter.host, meter.state, "upi/event=0x2,umask=0xf/");
	assert_true(event >= 0);
	ompp_meter_want(&meter, (size_t)event, 1);
	ompp_meter_sample(&meter);
	for (uint32_t link = 30; link < 33; link++) {
		opened_as(link, 0xf02, 0);
		opened_as(link, 0xf02, 18);
	}
	for (int i = 0; i < 5; i++) {
		static const char *const wrong[] = { "upi", "upi/", "qpi/event=1/", "upi/event=0x100/", "upi/edge/" };

		meter.why[0] = '\0';
		assert_int_equal(ompp_sensor.find(&meter.host, meter.state, wrong[i]), -1);
		assert_non_null(strstr(meter.why, wrong[i]));
	}
}

/* AMD's fabric, whose event lies in two parts of config, and CXL's memory, whose PMU is at one CPU. */
static void test_others(void **state)
{
	size_t event;

	(void)state;
	put_pmu("amd_df", "type", "10");
	put_pmu("amd_df", "cpumask", "0-1");
	put_pmu("amd_df", "format/event", "config:0-7,32-37");
	put_pmu("amd_df", "format/umask", "config:8-15,24-27");
	put_pmu("amd_df", "events/link_out", "event=0xb1f,umask=0xffe");
	put_pmu("amd_df", "events/damaged", "event=fast");
	for (int i = 0; i < 2; i++) {
		char pmu[32];

		snprintf(pmu, sizeof(pmu), "cxl_pmu_mem%d.0", i);
		put_pmu(pmu, "type", i ? "12" : "11");
		put_pmu(pmu, "cpumask", "3");
		put_pmu(pmu, "format/vid", "config1:0-15");
		put_pmu(pmu, "events/s2m_drs", "config=0x18,vid=0x1e98");
		put_pmu(pmu, "events/s2m_drs.scale", i ? "128" : "64");
		put_pmu(pmu, "events/s2m_drs.unit", "Bytes");
	}
	open_here();
	assert_true(meter.is_open);
	for (size_t i = 0; i < meter.n_events; i++)
		ompp_meter_want(&meter, i, 1);
	ompp_meter_sample(&meter);
	opened_as(10, UINT64_C(0x0b0f00fe1f), 0);
	opened_as(10, UINT64_C(0x0b0f00fe1f), 1);
	assert_true(opened_as(11, 0x18, 3)->config1 == 0x1e98);
	source_of("cpu1.amd_df"); /* whose socket is not known */
	event = event_of("amd_df/damaged/");
	assert_non_null(strstr(meter.events[event].what, "cannot be read"));
	assert_false(ompp_meter_has(&meter, event, 0));
	assert_true(meter.events[event_of("cxl_pmu_mem/s2m_drs/")].scale == 64);
	assert_true(meter.events[event_of("cxl_pmu_mem1.0/s2m_drs/")].scale == 128); /* scaled otherwise */
	assert_true(ompp_meter_limit_together(&meter, event_of("amd_df/link_out/")) == 0);
}

static void check_absent(const char *why)
{
	open_here();
	assert_false(meter.is_open);
	assert_non_null(strstr(meter.why, why));
	ompp_meter_close(&meter);
}

static void test_absent(void **state)
{
	(void)state;
	check_absent("cannot be read: No such file or directory; mount sysfs");
	put_pmu("cpu", "type", "4");
	check_absent("no PMU of memory or of links between nodes in ");
	put_two_sockets();
	setenv("SENSOR_LIMITS", "imc/*=1 imc/*=2x", 1);
	check_absent("SENSOR_LIMITS: 'imc/*=2x' is not PATTERN=NUMBER; ");
	unsetenv("SENSOR_LIMITS");
	refuses = EACCES;
	check_absent("does not let this user count for the machine: Permission denied; run as root");
	refuses = ENODEV; /* a CPU that is not online: the others may be */
	open_here();
	assert_true(meter.is_open);
	ompp_meter_sample(&meter);
	assert_false(ompp_meter_together(&meter, 0).is_known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_memory, tree_new, tree_drop),
		cmocka_unit_test_setup_teardown(test_links, tree_new, tree_drop),
		cmocka_unit_test_setup_teardown(test_others, tree_new, tree_drop),
		cmocka_unit_test_setup_teardown(test_absent, tree_new, tree_drop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

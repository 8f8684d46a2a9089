/*
 * Sensor limits: what the kernel tells of the most that a sensor can show.
 */
#define _GNU_SOURCE
#include "tests/unit/sensor_tree.h"

/* ---- limits ---- */

static enum ompp_sensor_together limit_together;

static int limited_begin(struct ompp_sensor_host *host, void **state)
{
	struct ompp_sensor_event event = { "n", "bytes", "", OMPP_SENSOR_COUNTER, limit_together, 0, 0, 0 };

	(void)state;
	return host->event(host, &event);
}

static const struct ompp_sensor limited = { OMPP_SENSOR_VERSION, "limited",   "",   "thing",
	                                    limited_begin,       fake_sample, NULL, NULL };

/* Opens a sensor of two sources, and one that has no number of the event; and says what all of them can do together. */
static double limit_of(enum ompp_sensor_together together, double each, double first, double second)
{
	struct ompp_meter m;
	double limit;

	limit_together = together;
	n_fake = 2;
	ompp_meter_open(&m, &limited, "/proc", "/sys", 0);
	ompp_meter_sample(&m);
	m.host.source(&m.host, "without");
	m.host.limit(&m.host, 0, -1, each);
	m.host.limit(&m.host, 0, 0, first);
	m.host.limit(&m.host, 0, 1, second);
	assert_true(ompp_meter_limit(&m, 0, 0) == (first > 0 ? first : each > 0 ? each : 0));
	limit = ompp_meter_limit_together(&m, 0);
	ompp_meter_close(&m);
	return limit;
}

static void test_limit(void **state)
{
	unsigned int generation;
	struct ompp_meter m;

	(void)state;
	assert_true(limit_of(OMPP_SENSOR_SUM, 10, 0, 30) == 40);
	assert_true(limit_of(OMPP_SENSOR_SUM, 10, 20, 0) == 30);
	assert_true(limit_of(OMPP_SENSOR_MEAN, 0, 10, 30) == 20);
	assert_true(limit_of(OMPP_SENSOR_MOST, 0, 10, 30) == 30);
	assert_true(limit_of(OMPP_SENSOR_NOTHING, 10, 0, 0) == 0);
	assert_true(limit_of(OMPP_SENSOR_SUM, 0, 10, 0) == 0); /* that of one source is not known */
	assert_true(limit_of(OMPP_SENSOR_SUM, 0, 0, 0) == 0);
	assert_true(limit_of(OMPP_SENSOR_SUM, -1, 10, 0) == 0);
	assert_true(limit_of(OMPP_SENSOR_SUM, NAN, 10, INFINITY) == 0);
	ompp_meter_open(&m, &limited, "/proc", "/sys", 0);
	ompp_meter_sample(&m);
	generation = m.generation;
	m.host.limit(&m.host, 0, 0, 5);
	assert_int_not_equal(m.generation, generation); /* columns are told anew */
	generation = m.generation;
	m.host.limit(&m.host, 0, 0, 5);
	m.host.limit(&m.host, 1, 0, 5); /* what there is not has none */
	m.host.limit(&m.host, 0, 2, 5);
	m.host.limit(&m.host, -1, -1, 5);
	assert_int_equal(m.generation, generation);
	for (int i = 0; i < 70; i++) { /* it stays while the meter grows */
		struct ompp_sensor_event event = { "more", "", "", OMPP_SENSOR_GAUGE, OMPP_SENSOR_SUM, 0, 0, 0 };
		char name[16];

		snprintf(name, sizeof(name), "t%d", i);
		m.host.event(&m.host, &event);
		m.host.source(&m.host, name);
	}
	assert_true(ompp_meter_limit(&m, 0, 0) == 5);
	assert_true(ompp_meter_limit(&m, 0, 1) == 0);
	m.host.limit(&m.host, 0, 0, 0);
	assert_true(ompp_meter_limit(&m, 0, 0) == 0);
	ompp_meter_close(&m);
}

/* ---- what the machine says that it can do at most ---- */

static void test_limits_of_time(void **state)
{
	(void)state;
	put_stat(1, 0);
	open_sensor("stat", 0);
	ompp_meter_sample(&meter);
	assert_true(is_near(most("user", "cpu7"), 1));
	assert_true(is_near(most("idle", NULL), CPUS));
	assert_true(is_near(most("switches", NULL), 0));
	assert_true(is_near(most("running", NULL), 0));
	ompp_meter_close(&meter);

	fake_put("proc/schedstat", "version 15\ntimestamp 1\ncpu0 0 0 0 0 0 0 1 5 7\ncpu1 0 0 0 0 0 0 0 0 0");
	open_sensor("schedstat", 0);
	ompp_meter_sample(&meter);
	assert_true(is_near(most("run", "cpu1"), 1));
	assert_true(is_near(most("run", NULL), 2));
	assert_true(is_near(most("wait", NULL), 0)); /* any number of threads may wait */
	ompp_meter_close(&meter);

	fake_put("proc/pressure/cpu", "some avg10=1.00 avg60=0.00 avg300=0.00 total=1000");
	open_sensor("pressure", 0);
	ompp_meter_sample(&meter);
	assert_true(is_near(most("cpu_some", NULL), 1));
	ompp_meter_close(&meter);

	fake_put("sys/block/sda/device/model", "x");
	fake_put("proc/diskstats", "   8       0 sda 1 0 8 4 1 0 16 2 0 5 6");
	open_sensor("diskstats", 0);
	ompp_meter_sample(&meter);
	assert_true(is_near(most("busy", "sda"), 1));
	assert_true(is_near(most("queued", "sda"), 0));
	assert_true(is_near(most("read", NULL), 0));
}

static void test_limits_of_memory(void **state)
{
	double page = (double)sysconf(_SC_PAGESIZE);

	(void)state;
	fake_put("proc/vmstat", "nr_free_pages 5\npgfault 10\nnr_kernel_stack 3\nnr_dirtied 4");
	open_sensor("vmstat", 0);
	ompp_meter_sample(&meter);
	assert_true(is_near(most("nr_free_pages", NULL), 0)); /* no meminfo */
	ompp_meter_close(&meter);
	fake_put("proc/meminfo", "MemFree:  7 kB\nMemTotal:       4096 kB");
	open_sensor("vmstat", 0);
	ompp_meter_sample(&meter);
	assert_true(is_near(most("nr_free_pages", NULL), 4096 * 1024 / page));
	assert_true(is_near(most("pgfault", NULL), 0));
	assert_true(is_near(most("nr_dirtied", NULL), 0));      /* it grows */
	assert_true(is_near(most("nr_kernel_stack", NULL), 0)); /* no pages */
	ompp_meter_close(&meter);

	put_nodes(1);
	fake_put("sys/devices/system/node/node1/meminfo",
	         "Node 1 MemTotal: 64 kB\nNode 1 MemFree: 8 kB\nNode 1 HugePages_Total: 4");
	open_sensor("node", 0);
	ompp_meter_sample(&meter);
	assert_true(is_near(most("MemFree", "node1"), 64 * 1024));
	assert_true(is_near(most("nr_free_pages", "node3"), 67 * 1024 / page));
	assert_true(is_near(most("MemTotal", "node1"), 0)); /* is what it is */
	assert_true(is_near(most("HugePages_Total", "node1"), 0));
	assert_true(is_near(most("numa_hit", "node1"), 0));
	ompp_meter_close(&meter);

	fake_put("proc/self/cgroup", "0::/mine");
	fake_put("sys/fs/cgroup/mine/memory.current", "4096");
	fake_put("sys/fs/cgroup/mine/cpu.stat", "usage_usec 5\nuser_usec 4\nnr_periods 1");
	fake_put("sys/fs/cgroup/mine/memory.max", "max");
	fake_put("sys/fs/cgroup/mine/cpu.max", "max 100000");
	open_sensor("cgroup", 0);
	ompp_meter_sample(&meter);
	assert_true(is_near(most("memory", NULL), 0));
	assert_true(is_near(most("cpu.usage", NULL), 0));
	ompp_meter_close(&meter);
	fake_put("sys/fs/cgroup/mine/memory.max", "1048576");
	fake_put("sys/fs/cgroup/mine/cpu.max", "150000 100000");
	open_sensor("cgroup", 0);
	ompp_meter_sample(&meter);
	assert_true(is_near(most("memory", NULL), 1048576));
	assert_true(is_near(most("cpu.usage", NULL), 1.5));
	assert_true(is_near(most("cpu.user", NULL), 1.5));
	assert_true(is_near(most("cpu.nr_periods", NULL), 0));
	assert_true(is_near(value("memory", NULL), 4096));
}

static void test_limits_of_links(void **state)
{
	static const char text_of_net[] =
		"Inter-| Receive | Transmit\n face |bytes packets\n    lo: 10 1 0 0 0 0 0 0 10 1 0 0 0 0 0 "
		"0\n  eth0:100 2 0 0 0 0 0 0 50 1 0 0 0 0 0 0\n  tun0:100 2 0 0 0 0 0 0 50 1 0 0 0 0 0 0";

	(void)state;
	fake_put("proc/net/dev", text_of_net);
	fake_put("sys/class/net/eth0/device/vendor", "x");
	fake_put("sys/class/net/eth0/speed", "-1"); /* there is no link yet */
	fake_put("sys/class/net/eth0/carrier_changes", "1");
	fake_put("sys/class/net/tun0/speed", "10"); /* no device: nothing keeps it from more */
	open_sensor("net", 0);
	ompp_meter_sample(&meter);
	assert_true(is_near(most("received", "eth0"), 0));
	fake_put("sys/class/net/eth0/speed", "25000");
	ompp_meter_sample(&meter);
	assert_true(is_near(most("received", "eth0"), 0)); /* it is asked when the carrier has changed */
	fake_put("sys/class/net/eth0/carrier_changes", "2");
	ompp_meter_sample(&meter);
	assert_true(is_near(most("received", "eth0"), 25e9 / 8));
	assert_true(is_near(most("sent", "eth0"), 25e9 / 8));
	assert_true(is_near(most("rx_packets", "eth0"), 0));
	assert_true(is_near(most("sent", "lo"), 0));
	assert_true(is_near(most("sent", "tun0"), 0));
	assert_true(is_near(most("sent", NULL), 0)); /* that of lo is not known */
	fake_put("sys/class/net/eth0/speed", "-1");
	fake_put("sys/class/net/eth0/carrier_changes", "3");
	ompp_meter_sample(&meter);
	assert_true(is_near(most("sent", "eth0"), 0));
}

static void test_limits_of_devices(void **state)
{
	(void)state;
	fake_put("sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "1000000");
	fake_put("sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "4000000");
	fake_put("sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "3000000");
	open_sensor("cpufreq", 0);
	ompp_meter_sample(&meter);
	assert_true(is_near(most("frequency", "cpu0"), 4e9));
	assert_true(is_near(most("frequency", "cpu1"), 0));
	ompp_meter_close(&meter);

	fake_put("sys/class/hwmon/hwmon0/name", "chip");
	fake_put("sys/class/hwmon/hwmon0/temp1_input", "45000");
	fake_put("sys/class/hwmon/hwmon0/temp1_max", "80000");
	fake_put("sys/class/hwmon/hwmon0/temp1_crit", "100000");
	fake_put("sys/class/hwmon/hwmon0/temp2_input", "45000");
	fake_put("sys/class/hwmon/hwmon0/fan1_input", "1000");
	fake_put("sys/class/hwmon/hwmon0/fan1_max", "0");
	fake_put("sys/class/hwmon/hwmon0/power1_input", "2500000");
	fake_put("sys/class/hwmon/hwmon0/power1_rated_max", "50000000");
	fake_put("sys/class/hwmon/hwmon0/power1_max", "40000000");
	open_sensor("hwmon", 0);
	ompp_meter_sample(&meter);
	assert_true(is_near(most("temperature", "chip/temp1"), 100));
	assert_true(is_near(most("temperature", "chip/temp2"), 0));
	assert_true(is_near(most("fan", "chip/fan1"), 0));
	assert_true(is_near(most("power", "chip/power1"), 50));
	ompp_meter_close(&meter);

	fake_put("sys/class/powercap/intel-rapl:0/name", "package-0");
	fake_put("sys/class/powercap/intel-rapl:0/energy_uj", "900000");
	fake_put("sys/class/powercap/intel-rapl:0/constraint_0_max_power_uw", "95000000");
	fake_put("sys/class/powercap/intel-rapl:0/constraint_1_max_power_uw", "0");
	fake_put("sys/class/powercap/intel-rapl:0:0/name", "core");
	fake_put("sys/class/powercap/intel-rapl:0:0/energy_uj", "5");
	open_sensor("rapl", 0);
	ompp_meter_sample(&meter);
	assert_true(is_near(most("energy", "package-0"), 95)); /* J a second */
	assert_true(is_near(most("energy", NULL), 95));
	assert_true(is_near(most("part", "core-0:0"), 0));
	ompp_meter_close(&meter);

	fake_put("sys/fs/resctrl/mon_data/mon_L3_00/llc_occupancy", "4096");
	fake_put("sys/devices/system/cpu/cpu0/cache/index3/id", "0");
	fake_put("sys/devices/system/cpu/cpu0/cache/index3/size", "32768K");
	fake_put("sys/devices/system/cpu/cpu1/cache/index3/id", "1");
	fake_put("sys/devices/system/cpu/cpu1/cache/index3/size", "32768K");
	open_sensor("resctrl", 0);
	ompp_meter_sample(&meter);
	assert_true(is_near(most("occupancy", "mon_L3_00"), 32768.0 * 1024));
	assert_int_equal(meter.n_sources, 1); /* what is not measured is no source */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_limit), cmocka_unit_test_setup_teardown(test_limits_of_time, tree_new, tree_drop),
		cmocka_unit_test_setup_teardown(test_limits_of_memory, tree_new, tree_drop),
		cmocka_unit_test_setup_teardown(test_limits_of_links, tree_new, tree_drop),
		cmocka_unit_test_setup_teardown(test_limits_of_devices, tree_new, tree_drop)
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

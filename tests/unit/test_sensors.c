/*
 * Sensors: what each reads from constructed trees of /proc and /sys, and which of them patterns choose.
 */
#define _GNU_SOURCE
#include "tests/unit/sensor_tree.h"

static int fake_begin(struct ompp_sensor_host *host, void **state)
{
	static const struct ompp_sensor_event events[] = {
		{ "grows", "times", "", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 },
		{ "wraps", "times", "", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0.5, UINT64_C(1) << 32, 0 },
		{ "is", "degC", "", OMPP_SENSOR_GAUGE, OMPP_SENSOR_MEAN, 0, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(events); i++)
		assert_int_equal(host->event(host, &events[i]), (int)i);
	return 0;
}

static const struct ompp_sensor fake = {
	OMPP_SENSOR_VERSION, "fake", "", "thing", fake_begin, fake_sample, NULL, NULL
};

static void check_value(const struct ompp_meter *m, size_t event, size_t source, double expected)
{
	struct ompp_meter_value v = ompp_meter_value(m, event, source);

	assert_true(v.is_known);
	assert_true(v.number == expected);
}

static void test_growth(void **state)
{
	struct ompp_meter m;

	(void)state;
	ompp_meter_open(&m, &fake, "/proc", "/sys", 0);
	assert_true(m.is_open);
	numbers[0][0] = UINT64_MAX - 9;
	numbers[0][1] = UINT32_MAX - 9;
	numbers[0][2] = (uint64_t)-5;
	numbers[1][2] = 25;
	ompp_meter_sample(&m);
	assert_int_equal(ompp_meter_elapsed_ns(&m), 0);
	assert_false(ompp_meter_value(&m, 0, 0).is_known); /* nothing to compare with */
	assert_false(ompp_meter_together(&m, 0).is_known);
	check_value(&m, 2, 0, -5); /* a gauge needs nothing */
	assert_true(ompp_meter_together(&m, 2).number == 10);
	numbers[0][0] += 30; /* over 2^64 */
	numbers[0][1] = 20;  /* over 2^32 */
	numbers[1][0] = 7;
	ompp_meter_sample(&m);
	assert_true(ompp_meter_elapsed_ns(&m) > 0);
	check_value(&m, 0, 0, 30);
	check_value(&m, 1, 0, 30);
	check_value(&m, 0, 1, 7);
	assert_true(ompp_meter_together(&m, 0).number == 37);
	numbers[0][0] -= 3; /* a counter that goes back has no growth, and the sum is that of the others */
	numbers[0][1] -= 3;
	numbers[1][0] += 2;
	ompp_meter_sample(&m);
	assert_false(ompp_meter_value(&m, 0, 0).is_known);
	assert_false(ompp_meter_value(&m, 1, 0).is_known);
	assert_true(ompp_meter_together(&m, 0).number == 2);
	ompp_meter_forget(&m);
	ompp_meter_sample(&m);
	assert_false(ompp_meter_value(&m, 0, 0).is_known);
	ompp_meter_close(&m);
}

/* Sources that come have no growth in their first sample, those that go have none any more. */
static void test_hot_plug(void **state)
{
	unsigned int generation;
	struct ompp_meter m;

	(void)state;
	memset(numbers, 0, sizeof(numbers));
	ompp_meter_open(&m, &fake, "/proc", "/sys", 0);
	ompp_meter_sample(&m);
	generation = m.generation;
	n_fake = 4;
	numbers[2][0] = 1000;
	numbers[0][0] = 5;
	ompp_meter_sample(&m);
	assert_int_equal(m.n_sources, 4);
	assert_int_not_equal(m.generation, generation);
	assert_false(ompp_meter_value(&m, 0, 2).is_known);
	assert_true(ompp_meter_together(&m, 0).number == 5);
	numbers[2][0] = 1004;
	is_gone = 1; /* s0 has gone */
	ompp_meter_sample(&m);
	assert_false(ompp_meter_value(&m, 0, 0).is_known);
	assert_false(ompp_meter_value(&m, 2, 0).is_known); /* nor has a gauge the number that it had */
	check_value(&m, 0, 2, 4);
	assert_true(ompp_meter_together(&m, 0).number == 4);
	is_gone = 0; /* it is back, with another number */
	numbers[0][0] = 500000;
	ompp_meter_sample(&m);
	assert_false(ompp_meter_value(&m, 0, 0).is_known);
	generation = m.generation;
	is_gone = 1; /* for good, or nearly so: it has no columns until it is back */
	for (int i = 0; i < OMPP_METER_PATIENCE; i++) {
		assert_true(ompp_meter_has(&m, 0, 0));
		assert_int_equal(m.generation, generation);
		ompp_meter_sample(&m);
	}
	assert_false(ompp_meter_has(&m, 0, 0));
	assert_true(ompp_meter_has(&m, 0, 1));
	assert_int_not_equal(m.generation, generation);
	generation = m.generation;
	ompp_meter_sample(&m);
	assert_int_equal(m.generation, generation);
	is_gone = 0;
	ompp_meter_sample(&m);
	assert_true(ompp_meter_has(&m, 0, 0));
	assert_int_not_equal(m.generation, generation);
	n_fake = 2;
	ompp_meter_close(&m);
}

static void test_stat(void **state)
{
	double tick = 1.0 / (double)sysconf(_SC_CLK_TCK);

	(void)state;
	put_stat(1, 0);
	open_sensor("stat", 0);
	assert_true(meter.is_open);
	assert_int_equal(meter.n_sources, CPUS + 1);
	ompp_meter_sample(&meter);
	put_stat(3, 0);
	ompp_meter_sample(&meter);
	assert_true(is_near(value("user", "cpu1023"), 2 * 1023 * tick));
	assert_true(is_near(value("user", NULL), 2.0 * CPUS * (CPUS - 1) / 2 * tick));
	assert_true(is_near(value("system", NULL), 14.0 * CPUS * tick));
	assert_true(is_near(value("steal", "cpu7"), 2 * tick));
	assert_true(is_near(value("switches", NULL), 2000));
	assert_true(is_near(value("running", NULL), 3));
	assert_false(ompp_meter_has(&meter, event_of("user"), source_of("all")));
	put_stat(4, 2); /* cpu0 and cpu1 are switched off */
	ompp_meter_sample(&meter);
	assert_true(is_near(value("user", "cpu0"), -1));
	assert_true(is_near(value("user", "cpu2"), 2 * tick));
	assert_true(is_near(value("system", NULL), 7.0 * (CPUS - 2) * tick));
}

static void test_node(void **state)
{
	(void)state;
	put_nodes(1);
	fake_put("sys/devices/system/node/online", "0-7");
	open_sensor("node", 0);
	assert_true(meter.is_open);
	assert_int_equal(meter.n_sources, NODES);
	ompp_meter_sample(&meter);
	put_nodes(11);
	ompp_meter_sample(&meter);
	assert_true(is_near(value("numa_hit", "node7"), 80));
	assert_true(is_near(value("numa_hit", NULL), 10 * 36));
	assert_true(is_near(value("numa_miss", NULL), 80));
	assert_true(is_near(value("MemTotal", "node3"), 67 * 1024));
	assert_true(is_near(value("HugePages_Total", NULL), 32));
	assert_true(is_near(value("nr_free_pages", "node5"), 5));
	assert_true(is_near(value("pgpromote_success", "node0"), 10));
}

/* Puts a table of interrupts whose numbers are near the end of their 32 bits. */
static void put_interrupts(uint32_t more)
{
	size_t n = 0;

	for (int cpu = 0; cpu < CPUS; cpu++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "       CPU%d", cpu);
	for (int irq = 0; irq < 4; irq++) {
		n += (size_t)snprintf(text + n, sizeof(text) - n, "\n %d:", irq);
		for (int cpu = 0; cpu < CPUS; cpu++)
			n += (size_t)snprintf(text + n, sizeof(text) - n, " %u", UINT32_MAX - 4 + more);
		n += (size_t)snprintf(text + n, sizeof(text) - n, "  IR-PCI-MSIX-0000:01:00.0 %d-edge nvme%dq%d", irq,
		                      irq / 2, irq);
	}
	n += (size_t)snprintf(text + n, sizeof(text) - n, "\nLOC:");
	for (int cpu = 0; cpu < CPUS; cpu++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, " %u", 100 + more * (cpu == 5));
	snprintf(text + n, sizeof(text) - n, "   Local timer interrupts\nERR: %u", more);
	fake_put("proc/interrupts", text);
}

static void test_interrupts(void **state)
{
	(void)state;
	put_interrupts(0);
	open_sensor("interrupts", 0);
	assert_true(meter.is_open);
	assert_int_equal(meter.n_sources, CPUS);
	ompp_meter_sample(&meter);
	put_interrupts(20);
	ompp_meter_sample(&meter);
	assert_true(is_near(value("nvme", "cpu1000"), 4 * 20)); /* each has wrapped */
	assert_true(is_near(value("nvme", NULL), 4.0 * 20 * CPUS));
	assert_true(is_near(value("LOC", NULL), 20));
	assert_true(is_near(value("LOC", "cpu5"), 20));
	assert_true(is_near(value("ERR", NULL), 20));
	assert_string_equal(meter.events[event_of("LOC")].what, "Local timer interrupts");
}

static void test_softirqs(void **state)
{
	(void)state;
	fake_put("proc/softirqs",
	         "                    CPU0       CPU1\n          HI:          1          2\n       TIMER:    10    20");
	open_sensor("softirqs", 0);
	ompp_meter_sample(&meter);
	fake_put("proc/softirqs",
	         "                    CPU0       CPU1\n          HI:          1          3\n       TIMER:    15    21");
	ompp_meter_sample(&meter);
	assert_true(is_near(value("HI", NULL), 1));
	assert_true(is_near(value("TIMER", "cpu0"), 5));
}

static void test_small(void **state)
{
	(void)state;
	fake_put("proc/schedstat",
	         "version 15\ntimestamp 1\ncpu0 0 0 0 0 0 0 1000000000 500 7\ndomain0 3 1 2 3\ncpu1 0 0 0 0 0 0 0 0 0");
	open_sensor("schedstat", 0);
	ompp_meter_sample(&meter);
	fake_put("proc/schedstat",
	         "version 15\ntimestamp 1\ncpu0 0 0 0 0 0 0 1500000000 500 9\ndomain0 3 1 2 3\ncpu1 0 0 0 0 0 0 0 0 0");
	ompp_meter_sample(&meter);
	assert_true(is_near(value("run", "cpu0"), 0.5));
	assert_true(is_near(value("slices", NULL), 2));
	ompp_meter_close(&meter);

	fake_put("proc/pressure/cpu",
	         "some avg10=1.00 avg60=0.00 avg300=0.00 total=1000\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=5");
	fake_put("proc/pressure/memory",
	         "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0");
	open_sensor("pressure", 0);
	ompp_meter_sample(&meter);
	fake_put("proc/pressure/cpu",
	         "some avg10=1.00 avg60=0.00 avg300=0.00 total=251000\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=5");
	ompp_meter_sample(&meter);
	assert_true(is_near(value("cpu_some", NULL), 0.25));
	assert_true(is_near(value("memory_full", NULL), 0));
	ompp_meter_close(&meter);

	fake_put("proc/vmstat", "nr_free_pages 5\npgfault 10\nnuma_hit 3");
	open_sensor("vmstat", 0);
	ompp_meter_sample(&meter);
	fake_put("proc/vmstat",
	         "nr_free_pages 6\npgfault 30\nnuma_hit 3\nnew_name 9"); /* a kernel whose names change */
	ompp_meter_sample(&meter);
	assert_true(is_near(value("nr_free_pages", NULL), 6));
	assert_true(is_near(value("pgfault", NULL), 20));
	assert_true(is_near(value("new_name", NULL), -1));
}

static void test_devices(void **state)
{
	(void)state;
	fake_put("sys/block/sda/device/model", "x");
	fake_put("sys/block/dm-0/size", "1");
	fake_put("proc/diskstats", "   8       0 sda 1 0 8 4294967290 1 0 16 2 0 5 6\n   8       1 sda1 1 0 8 3 1 0 16 "
	                           "2 0 5 6\n 253 0 dm-0 9 9 9 9 9 9 9 9 9 9 9");
	open_sensor("diskstats", 0);
	assert_int_equal(meter.n_sources, 1);
	ompp_meter_sample(&meter);
	fake_put("proc/diskstats", "   8       0 sda 3 0 10 4 1 0 17 2 1 5 6\n   8       1 sda1 3 0 10 3 1 0 16 2 0 5 "
	                           "6\n 253 0 dm-0 99 9 9 9 9 9 9 9 9 9 9");
	ompp_meter_sample(&meter);
	assert_true(is_near(value("reads", NULL), 2));
	assert_true(is_near(value("read", NULL), 1024));
	assert_true(is_near(value("written", "sda"), 512));
	assert_true(is_near(value("read_time", NULL), 0.010)); /* over 2^32 ms */
	assert_true(is_near(value("pending", NULL), 1));
	ompp_meter_close(&meter);

	fake_put("proc/net/dev", "Inter-| Receive | Transmit\n face |bytes packets\n    lo: 10 1 0 0 0 0 0 0 10 1 0 0 "
	                         "0 0 0 0\n  eth0:100 2 0 0 0 0 0 0 50 1 0 0 0 0 0 0");
	open_sensor("net", 0);
	ompp_meter_sample(&meter);
	fake_put("proc/net/dev", "Inter-| Receive | Transmit\n face |bytes packets\n    lo: 10 1 0 0 0 0 0 0 10 1 0 0 "
	                         "0 0 0 0\n  eth0:1600 3 0 4 0 0 0 0 50 1 0 0 0 0 0 0");
	ompp_meter_sample(&meter);
	assert_true(is_near(value("received", "eth0"), 1500));
	assert_true(is_near(value("rx_dropped", NULL), 4));
	assert_true(is_near(value("sent", NULL), 0));
	ompp_meter_close(&meter);

	fake_put("sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "1000000");
	fake_put("sys/devices/system/cpu/cpu10/cpufreq/scaling_cur_freq", "3000000");
	open_sensor("cpufreq", 0);
	ompp_meter_sample(&meter);
	assert_true(is_near(value("frequency", NULL), 2e9));
	assert_true(is_near(value("frequency", "cpu10"), 3e9));
	ompp_meter_close(&meter);

	fake_put("sys/class/hwmon/hwmon0/name", "coretemp");
	fake_put("sys/class/hwmon/hwmon0/temp1_input", "45000");
	fake_put("sys/class/hwmon/hwmon0/temp1_label", "Package id 0");
	fake_put("sys/class/hwmon/hwmon0/temp2_input", "-5000");
	fake_put("sys/class/hwmon/hwmon1/name", "chip");
	fake_put("sys/class/hwmon/hwmon1/power1_input", "2500000");
	open_sensor("hwmon", 0);
	ompp_meter_sample(&meter);
	assert_true(is_near(value("temperature", NULL), 45)); /* the highest */
	assert_true(is_near(value("temperature", "coretemp/Package_id_0"), 45));
	assert_true(is_near(value("temperature", "coretemp/temp2"), -5));
	assert_true(is_near(value("power", "chip/power1"), 2.5));
}

static void test_energy_and_caches(void **state)
{
	(void)state;
	fake_put("sys/class/powercap/intel-rapl:0/name", "package-0");
	fake_put("sys/class/powercap/intel-rapl:0/energy_uj", "900000");
	fake_put("sys/class/powercap/intel-rapl:0/max_energy_range_uj", "999999");
	fake_put("sys/class/powercap/intel-rapl:0:0/name", "core");
	fake_put("sys/class/powercap/intel-rapl:0:0/energy_uj", "5");
	fake_put("sys/class/powercap/intel-rapl:0:0/max_energy_range_uj", "999999");
	open_sensor("rapl", 0);
	assert_true(meter.is_open);
	ompp_meter_sample(&meter);
	fake_put("sys/class/powercap/intel-rapl:0/energy_uj", "100000"); /* past the end of its own range */
	ompp_meter_sample(&meter);
	assert_true(is_near(value("energy", NULL), 0.2));
	assert_true(is_near(value("energy", "package-0"), 0.2));
	assert_true(is_near(value("part", "core-0:0"), 0));
	ompp_meter_close(&meter);

	fake_put("sys/fs/resctrl/mon_data/mon_L3_00/llc_occupancy", "4096");
	fake_put("sys/fs/resctrl/mon_data/mon_L3_00/mbm_total_bytes", "100");
	fake_put("sys/fs/resctrl/mon_data/mon_L3_01/llc_occupancy", "Unavailable");
	fake_put("sys/fs/resctrl/mon_data/mon_L3_01/mbm_total_bytes", "100");
	open_sensor("resctrl", 0);
	ompp_meter_sample(&meter);
	fake_put("sys/fs/resctrl/mon_data/mon_L3_01/mbm_total_bytes", "164");
	ompp_meter_sample(&meter);
	assert_true(is_near(value("occupancy", NULL), 4096));
	assert_true(is_near(value("total", NULL), 64));
	assert_true(is_near(value("total", "mon_L3_00"), 0));
	assert_true(is_near(value("local", NULL), -1));
}

static void put_task(int tid, int user, int cpu)
{
	char file[64];

	snprintf(file, sizeof(file), "proc/7/task/%d/stat", tid);
	snprintf(text, sizeof(text),
	         "%d (a) b( c) R 1 7 7 0 -1 0 %d 0 2 0 %d 3 0 0 20 0 2 0 9 4096 5 0 0 0 0 0 0 0 0 0 0 0 0 0 17 %d 0 0",
	         tid, user * 2, user, cpu);
	fake_put(file, text);
	snprintf(file, sizeof(file), "proc/7/task/%d/schedstat", tid);
	snprintf(text, sizeof(text), "%d000000 5 6", user);
	fake_put(file, text);
	snprintf(file, sizeof(file), "proc/7/task/%d/status", tid);
	snprintf(text, sizeof(text), "Name:\tx\nvoluntary_ctxt_switches:\t%d\nnonvoluntary_ctxt_switches:\t1", user);
	fake_put(file, text);
}

/* The node of a thread is the one that the kernel tells it, as long as it stays on its processor. */
static void test_node_of_thread(void **state)
{
	char name[16];
	unsigned int cpu = 0, node = 0;
	cpu_set_t before, one;
	size_t i = 0;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	assert_int_equal(syscall(SYS_getcpu, &cpu, &node, NULL), 0);
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	assert_int_equal(syscall(SYS_getcpu, &cpu, &node, NULL), 0);
	while (strcmp(ompp_sensors(i)->name, "task"))
		i++;
	ompp_meter_open(&meter, ompp_sensors(i), "/proc", "/sys", getpid());
	assert_true(meter.is_open);
	ompp_meter_sample(&meter);
	snprintf(name, sizeof(name), "%d", (int)getpid());
	assert_true(is_near(value("cpu", name), cpu));
#ifdef HAVE_NUMA
	assert_true(is_near(value("node", name), numa_available() < 0 ? -1 : (int)node));
#else
	assert_true(is_near(value("node", name), -1));
#endif
	ompp_meter_close(&meter);
	assert_int_equal(sched_setaffinity(0, sizeof(before), &before), 0);
}

static void test_program(void **state)
{
	double tick = 1.0 / (double)sysconf(_SC_CLK_TCK);

	(void)state;
	open_sensor("task", 0);
	assert_false(meter.is_open);
	assert_non_null(strstr(meter.why, "--pid"));
	ompp_meter_close(&meter);
	put_task(7, 10, 8);
	put_task(8, 20, 6);
	open_sensor("task", 7);
	ompp_meter_sample(&meter);
	put_task(8, 25, 6);
	put_task(9, 99, 1); /* a thread that has just begun */
	ompp_meter_sample(&meter);
	assert_true(is_near(value("user", NULL), 5 * tick));
	assert_true(is_near(value("minor", "8"), 10));
	assert_true(is_near(value("run", NULL), 0.005));
	assert_true(is_near(value("voluntary", "8"), 5));
	assert_true(is_near(value("cpu", "8"), 6));
	assert_true(is_near(value("cpu", NULL), -1)); /* no sum of numbers of processors */
	assert_true(is_near(value("node", "8"), -1)); /* libnuma knows those of this machine alone */
	assert_true(is_near(most("user", "8"), 1));
	assert_true(is_near(most("run", "8"), 1));
	assert_true(is_near(most("minor", "8"), 0));
	ompp_meter_close(&meter);

	put_stat(1, 1000); /* CPUs are on */
	fake_put("proc/meminfo", "MemTotal: 64 kB");
	fake_put("proc/7/stat",
	         "7 (a) R 1 7 7 0 -1 0 1 0 2 0 3 4 0 0 20 0 2 0 9 4096 5 0 0 0 0 0 0 0 0 0 0 0 0 0 17 1 0 0");
	open_sensor("process", 7);
	ompp_meter_sample(&meter);
	assert_true(is_near(most("user", NULL), CPUS - 1000));
	assert_true(is_near(most("resident", NULL), 64 * 1024));
	assert_true(is_near(most("virtual", NULL), 0));
	assert_true(is_near(most("children_user", NULL), 0)); /* it comes at once when a child has ended */
	ompp_meter_close(&meter);

	fake_put("proc/7/cgroup", "0::/user.slice/job");
	fake_put("sys/fs/cgroup/user.slice/job/memory.current", "8192");
	fake_put("sys/fs/cgroup/user.slice/job/memory.stat", "anon 100\npgfault 7");
	fake_put("sys/fs/cgroup/user.slice/job/cpu.stat", "usage_usec 1000\nnr_periods 1");
	open_sensor("cgroup", 7);
	assert_true(meter.is_open);
	ompp_meter_sample(&meter);
	fake_put("sys/fs/cgroup/user.slice/job/memory.stat", "anon 200\npgfault 9");
	fake_put("sys/fs/cgroup/user.slice/job/cpu.stat", "usage_usec 501000\nnr_periods 1");
	ompp_meter_sample(&meter);
	assert_true(is_near(value("memory", NULL), 8192));
	assert_true(is_near(value("memory.anon", NULL), 200));
	assert_true(is_near(value("memory.pgfault", NULL), 2));
	assert_true(is_near(value("cpu.usage", NULL), 0.5));
	ompp_meter_close(&meter);

	fake_put("proc/7/cgroup", "3:cpu,cpuacct:/a\n2:memory:/b/c");
	fake_put("sys/fs/cgroup/cpu,cpuacct/a/cpuacct.usage", "5");
	fake_put("sys/fs/cgroup/memory/b/c/memory.usage_in_bytes", "77");
	open_sensor("cgroup", 7);
	ompp_meter_sample(&meter);
	ompp_meter_sample(&meter);
	assert_true(is_near(value("memory", NULL), 77));
	assert_true(is_near(value("cpu", NULL), 0));
}

/* What is not there is told, with what to do. */
static void test_absent(void **state)
{
	(void)state;
	for (size_t i = 0; ompp_sensors(i); i++) {
		if (!strcmp(ompp_sensors(i)->name, "perf"))
			continue;
		ompp_meter_open(&meter, ompp_sensors(i), proc, sys, 0);
		assert_false(meter.is_open);
		assert_true(strlen(meter.why) > 20);
		ompp_meter_close(&meter);
		meter.sensor = NULL;
	}
}

/* Adds a name and its number to a text. */
static void note_entry(void *context, const char *name, int number)
{
	char *all = context;

	sprintf(all + strlen(all), "%s=%d ", name, number);
}

/* Entries of a folder come by their numbers, and only those whose name is the prefix and a number. */
static void test_folder(void **state)
{
	char all[200] = "";

	(void)state;
	fake_put("sys/x/node10/a", "");
	fake_put("sys/x/node9/a", "");
	fake_put("sys/x/node123456789/a", "");
	fake_put("sys/x/node/a", "");
	fake_put("sys/x/node1x/a", "");
	fake_put("sys/x/other2/a", "");
	fake_put("sys/x/node99999999999/a", "");
	assert_int_equal(ompp_feed_each(sys, "x", "node", note_entry, all), 3);
	assert_string_equal(all, "node9=9 node10=10 node123456789=123456789 ");
	all[0] = '\0';
	assert_int_equal(ompp_feed_each(sys, "x/node9", "", note_entry, all), 1);
	assert_string_equal(all, "a=0 ");
	assert_int_equal(ompp_feed_each(sys, "none", "", note_entry, all), -ENOENT);
}

/* ---- patterns ---- */

static struct ompp_watch watch;

static char why[512];

static int enable(const char *pattern)
{
	return ompp_watch_enable(&watch, pattern, why, sizeof(why));
}

static void test_patterns(void **state)
{
	(void)state;
	put_stat(1, 0);
	put_nodes(1);
	ompp_watch_open(&watch, proc, sys, 0, NULL);
	assert_int_equal(enable("stat:usr"), -ENOENT);
	assert_non_null(strstr(why, "'stat:user'"));
	/* a name of 9 letters may differ in 4 from the one that is meant */
	assert_int_equal(enable("stat:swxxchxsy"), -ENOENT);
	assert_non_null(strstr(why, "'stat:switches'"));
	assert_int_equal(enable("stat:swxxcxxsy"), -ENOENT);
	assert_non_null(strstr(why, "'ompp sensors stat' lists them"));
	assert_int_equal(enable("sat"), -ENOENT);
	assert_non_null(strstr(why, "'stat'"));
	assert_int_equal(enable("numa_hit"), -ENOENT);
	assert_non_null(strstr(why, "'node:numa_hit'"));
	assert_int_equal(enable("vmstat:pgfault"), -ENODEV);
	assert_non_null(strstr(why, "not on this machine"));
	assert_int_equal(enable(":user"), -EINVAL);
	assert_int_equal(enable("stat:user@"), -EINVAL);
	assert_int_equal(enable("node:numa_*@node[12]"), 0);
	assert_int_equal(ompp_watch_columns(&watch), 0);
	assert_int_equal(watch.n_columns, 3 * 2);
	assert_int_equal(enable("node:numa_hit@node2"), 0); /* is there already */
	assert_int_equal(enable("node:numa_hit"), 0);       /* and all together */
	ompp_watch_columns(&watch);
	assert_int_equal(watch.n_columns, 3 * 2 + 1);
	assert_string_equal(ompp_watch_source(&watch, &watch.columns[0]), "node1");
	assert_string_equal(ompp_watch_source(&watch, &watch.columns[6]), "all");
	ompp_watch_sample(&watch);
	put_nodes(2);
	ompp_watch_sample(&watch);
	assert_true(ompp_watch_value(&watch, &watch.columns[6]).number == 36);
	assert_int_equal(ompp_watch_disable(&watch, "node:numa_miss", why, sizeof(why)), -ENOENT);
	assert_int_equal(ompp_watch_disable(&watch, "*", why, sizeof(why)), 0);
	ompp_watch_columns(&watch);
	assert_int_equal(watch.n_columns, 0);
	watch.is_discrete = 1;
	assert_int_equal(enable("stat"), 0);
	ompp_watch_columns(&watch);
	assert_int_equal(watch.n_columns, 10 * CPUS + 5);
	ompp_watch_close(&watch);
}

static int collect(void *context, const char *pattern)
{
	strcat(context, pattern);
	strcat(context, "|");
	return 0;
}

static void test_lists(void **state)
{
	char all[200] = "";

	(void)state;
	assert_int_equal(ompp_watch_each_pattern("a,,b:c@d,perf:cpu/event=1,umask=2/,e,f/g,h", collect, all), 0);
	assert_string_equal(all, "a|b:c@d|perf:cpu/event=1,umask=2/|e|f/g|h|");
}

/* Uncore PMUs in sysfs become events; those who may not count the whole machine are told so. */
static void test_uncore(void **state)
{
	size_t e;

	(void)state;
	fake_put("uncore_imc_0/type", "20");
	fake_put("uncore_imc_0/cpumask", "0");
	fake_put("uncore_imc_0/format/event", "config:0-7");
	fake_put("uncore_imc_0/events/cas_count_read", "event=0x04");
	fake_put("uncore_imc_0/events/cas_count_read.scale", "6.103515625e-5");
	fake_put("uncore_imc_0/events/cas_count_read.unit", "MiB");
	fake_put("arm_cmn_0/type", "21");
	fake_put("arm_cmn_0/cpumask", "0");
	fake_put("arm_cmn_0/format/event", "config:0-7");
	fake_put("arm_cmn_0/events/hnf_cache_miss", "event=0x1");
	open_sensor("perf", 0);
	if (!meter.is_open) {
		assert_non_null(strstr(meter.why, "perf_event"));
		return;
	}
	e = event_of("uncore_imc_0/cas_count_read/");
	assert_true(meter.events[e].is_extra);
	event_of("arm_cmn_0/hnf_cache_miss/");
	event_of("context-switches");
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_growth),
		                            cmocka_unit_test(test_hot_plug),
		                            cmocka_unit_test_setup_teardown(test_stat, tree_new, tree_drop),
		                            cmocka_unit_test_setup_teardown(test_node, tree_new, tree_drop),
		                            cmocka_unit_test_setup_teardown(test_interrupts, tree_new, tree_drop),
		                            cmocka_unit_test_setup_teardown(test_softirqs, tree_new, tree_drop),
		                            cmocka_unit_test_setup_teardown(test_small, tree_new, tree_drop),
		                            cmocka_unit_test_setup_teardown(test_devices, tree_new, tree_drop),
		                            cmocka_unit_test_setup_teardown(test_energy_and_caches, tree_new,
		                                                            tree_drop),
		                            cmocka_unit_test_setup_teardown(test_program, tree_new, tree_drop),
		                            cmocka_unit_test(test_node_of_thread),
		                            cmocka_unit_test_setup_teardown(test_absent, tree_new, tree_drop),
		                            cmocka_unit_test_setup_teardown(test_folder, tree_new, tree_drop),
		                            cmocka_unit_test_setup_teardown(test_patterns, tree_new, tree_drop),
		                            cmocka_unit_test(test_lists),
		                            cmocka_unit_test_setup_teardown(test_uncore, tree_new, tree_drop) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

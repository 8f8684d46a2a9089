// SPDX-License-Identifier: GPL-2.0
/*
 * Memory traffic: a kernel module that registers PMUs of memory controllers, under the names of the real ones, with
 * their files in sysfs and their rules about events.  The lines that they count are planted by a test program
 * (planted.h).  There are two units, and each counts for each processor of its mask, which stands for its NUMA node.
 *
 * insmod mem_traffic.ko kind=KIND, with KIND one of
 *	server          uncore_imc_0, uncore_imc_1: cas_count_read, cas_count_write
 *	free            uncore_imc_free_running_0, …_1: data_read, data_write
 *	client          uncore_imc_0, uncore_imc_1: data_reads, data_writes
 *	umc             amd_umc_0, amd_umc_1: event 0xa with rdwrmask
 */
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/uaccess.h>

#include "planted.h"

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("PMUs of memory controllers whose counts are planted");

static char *kind = "server";
module_param(kind, charp, 0444);

enum { UNITS = 2, CPUS = 4 };

static atomic64_t lines[UNITS][CPUS][2]; /* read and written */

/* ---- the files in sysfs ---- */

#define SHOW(id, file, text)                                                                               \
	static ssize_t id##_show(struct device *d, struct device_attribute *a, char *page)                 \
	{                                                                                                  \
		return sysfs_emit(page, "%s\n", text);                                                     \
	}                                                                                                  \
	static struct device_attribute id = { .attr = { .name = file, .mode = 0444 }, .show = id##_show }

/* An event in lines of 64 bytes, which perf shows in MiB. */
#define EVENT(id, file, text)                                 \
	SHOW(id, file, text);                                 \
	SHOW(id##_scale, file ".scale", "6.103515625e-5");    \
	SHOW(id##_unit, file ".unit", "MiB")
#define FILES(id) &id.attr, &id##_scale.attr, &id##_unit.attr

#define GROUP(id, folder, ...)                                  \
	static struct attribute *id##_files[] = { __VA_ARGS__, NULL }; \
	static const struct attribute_group id = { .name = folder, .attrs = id##_files }

/* Each of AMD's units counts for the processors of its own socket, the others for all. */
static ssize_t cpumask_show(struct device *d, struct device_attribute *a, char *page)
{
	const struct pmu *pmu = dev_get_drvdata(d);

	return sysfs_emit(page, "%s\n", strncmp(pmu->name, "amd", 3) ? "0-3" : strcmp(pmu->name, "amd_umc_0") ? "2,3" : "0,1");
}
static struct device_attribute cpumask = { .attr = { .name = "cpumask", .mode = 0444 }, .show = cpumask_show };

SHOW(format_event, "event", "config:0-7");
SHOW(format_umask, "umask", "config:8-15");
SHOW(format_rdwrmask, "rdwrmask", "config:8-9");
EVENT(cas_read, "cas_count_read", "event=0x04,umask=0x03");
EVENT(cas_write, "cas_count_write", "event=0x04,umask=0x0c");
EVENT(free_read, "data_read", "event=0xff,umask=0x20");
EVENT(free_write, "data_write", "event=0xff,umask=0x30");
EVENT(client_reads, "data_reads", "event=0x01");
EVENT(client_writes, "data_writes", "event=0x02");

GROUP(top, NULL, &cpumask.attr);
GROUP(intel_format, "format", &format_event.attr, &format_umask.attr);
GROUP(amd_format, "format", &format_event.attr, &format_rdwrmask.attr);
GROUP(server_events, "events", FILES(cas_read), FILES(cas_write));
GROUP(free_events, "events", FILES(free_read), FILES(free_write));
GROUP(client_events, "events", FILES(client_reads), FILES(client_writes));

static const struct attribute_group *server_groups[] = { &top, &intel_format, &server_events, NULL };
static const struct attribute_group *free_groups[] = { &top, &intel_format, &free_events, NULL };
static const struct attribute_group *client_groups[] = { &top, &intel_format, &client_events, NULL };
static const struct attribute_group *umc_groups[] = { &top, &amd_format, NULL };

static const struct machine {
	const char *kind, *name;
	u64 read, write; /* config */
	const struct attribute_group **groups;
} machines[] = {
	{ "server", "uncore_imc_%d", 0x0304, 0x0c04, server_groups },
	{ "free", "uncore_imc_free_running_%d", 0x20ff, 0x30ff, free_groups },
	{ "client", "uncore_imc_%d", 0x01, 0x02, client_groups },
	{ "umc", "amd_umc_%d", 0x10a, 0x20a, umc_groups },
};

static const struct machine *machine;
static struct pmu pmus[UNITS];

/* ---- counting ---- */

static u64 lines_of(struct perf_event *event)
{
	return atomic64_read(&lines[event->pmu - pmus][event->cpu][event->hw.config]);
}

static int event_init(struct perf_event *event)
{
	if (event->attr.type != event->pmu->type)
		return -ENOENT;
	if (is_sampling_event(event) || event->cpu < 0 || event->cpu >= CPUS)
		return -EINVAL;
	if (event->attr.config != machine->read && event->attr.config != machine->write)
		return -EINVAL;
	event->hw.config = event->attr.config == machine->write;
	return 0;
}

static void update(struct perf_event *event)
{
	u64 now = lines_of(event);

	local64_add(now - local64_xchg(&event->hw.prev_count, now), &event->count);
}

static void start(struct perf_event *event, int flags)
{
	local64_set(&event->hw.prev_count, lines_of(event));
	event->hw.state = 0;
}

static void stop(struct perf_event *event, int flags)
{
	if (!(event->hw.state & PERF_HES_STOPPED))
		update(event);
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
}

static int add(struct perf_event *event, int flags)
{
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (flags & PERF_EF_START)
		start(event, flags);
	return 0;
}

static void del(struct perf_event *event, int flags)
{
	stop(event, PERF_EF_UPDATE);
}

static void read_event(struct perf_event *event)
{
	if (!(event->hw.state & PERF_HES_STOPPED))
		update(event);
}

/* ---- planting ---- */

static long device_ioctl(struct file *file, unsigned int request, unsigned long argument)
{
	struct planted_traffic traffic;

	if (request != PLANT_TRAFFIC)
		return -ENOTTY;
	if (copy_from_user(&traffic, (const void __user *)argument, sizeof(traffic)))
		return -EFAULT;
	if (traffic.unit >= UNITS || traffic.cpu >= CPUS)
		return -EINVAL;
	atomic64_add(traffic.lines, &lines[traffic.unit][traffic.cpu][!!traffic.is_write]);
	return 0;
}

static const struct file_operations device_operations = { .owner = THIS_MODULE, .unlocked_ioctl = device_ioctl };

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR, .name = "mem_traffic", .fops = &device_operations, .mode = 0666,
};

/* ---- the module ---- */

static void forget(int n)
{
	while (n-- > 0)
		perf_pmu_unregister(&pmus[n]);
}

static int __init begin(void)
{
	static char names[UNITS][40];
	int i, rc = -EINVAL;

	for (i = 0; i < ARRAY_SIZE(machines); i++)
		if (!strcmp(machines[i].kind, kind))
			machine = &machines[i];
	if (!machine)
		return rc;
	for (i = 0; i < UNITS; i++) {
		pmus[i] = (struct pmu){ .module = THIS_MODULE,       .task_ctx_nr = perf_invalid_context,
			                .event_init = event_init,    .add = add,
			                .del = del,                  .start = start,
			                .stop = stop,                .read = read_event,
			                .attr_groups = machine->groups, .capabilities = PERF_PMU_CAP_NO_EXCLUDE };
		snprintf(names[i], sizeof(names[i]), machine->name, i);
		rc = perf_pmu_register(&pmus[i], names[i], -1);
		if (rc)
			break;
	}
	if (!rc)
		rc = misc_register(&device);
	if (rc)
		forget(i);
	return rc;
}

static void __exit end(void)
{
	misc_deregister(&device);
	forget(UNITS);
}

module_init(begin);
module_exit(end);

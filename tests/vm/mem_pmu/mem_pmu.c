// SPDX-License-Identifier: GPL-2.0
/*
 * Memory PMU: a kernel module that registers PMUs which sample memory accesses, under the names of the real ones, with
 * their files in sysfs and their rules about events.  What they sample is planted by a test program (planted.h).  All
 * else is the kernel's own: rings, limits, rights, lost records, throttling, task contexts.
 *
 * insmod mem_pmu.ko kind=KIND, with KIND one of
 *	skylake         cpu: mem-loads, mem-stores
 *	golden          cpu: mem-loads wants mem-loads-aux in front of it (Golden Cove)
 *	hybrid          cpu_core (golden) and cpu_atom
 *	zen4            ibs_op; exclude_… are refused
 *	zen5            ibs_op with swfilt and ldlat
 *	spe             arm_spe_0, with an AUX ring
 *	silent          cpu: events open, and never have a sample
 */
#include <linux/kprobes.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/ptrace.h>
#include <linux/sched/task_stack.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "planted.h"

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("PMUs whose samples of memory accesses are planted");

static char *kind = "skylake";
module_param(kind, charp, 0444);

enum { MAX_ACTIVE = 16 };

/* The events that run on a CPU.  Written with interrupts off, by that CPU alone. */
struct active {
	struct perf_event *event[MAX_ACTIVE];
};

static DEFINE_PER_CPU(struct active, active);

/* ---- perf_event_overflow(), which is not exported ---- */

static int (*event_overflow)(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs);

static int find_overflow(void)
{
	struct kprobe probe = { .symbol_name = "perf_event_overflow" };
	int rc = register_kprobe(&probe);

	if (rc)
		return rc;
	event_overflow = (void *)probe.addr;
	unregister_kprobe(&probe);
	return 0;
}

/* ---- what an event counts ---- */

enum counts { NOTHING, LOADS = 1, STORES = 2, BOTH = 3, AUX = 4 };

static bool kind_is(const char *name)
{
	return !strcmp(kind, name);
}

static enum counts cpu_counts(u64 config)
{
	switch (config & 0xffff) {
	case 0x01cd: return LOADS;
	case 0x82d0: return kind_is("skylake") || kind_is("silent") ? STORES : NOTHING;
	case 0x02cd: return kind_is("golden") || kind_is("hybrid") ? STORES : NOTHING;
	case 0x8203: return kind_is("golden") || kind_is("hybrid") ? AUX : NOTHING;
	}
	return NOTHING;
}

static enum counts atom_counts(u64 config)
{
	switch (config & 0xffff) {
	case 0x05d0: return LOADS;
	case 0x06d0: return STORES;
	}
	return NOTHING;
}

/* ---- the PMUs' common part ---- */

static int add(struct perf_event *event, int flags)
{
	struct active *here = this_cpu_ptr(&active);
	int i;

	for (i = 0; i < MAX_ACTIVE; i++)
		if (!here->event[i]) {
			here->event[i] = event;
			event->hw.idx = i;
			event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
			if (flags & PERF_EF_START)
				event->pmu->start(event, PERF_EF_RELOAD);
			return 0;
		}
	return -EAGAIN;
}

static void del(struct perf_event *event, int flags)
{
	event->pmu->stop(event, PERF_EF_UPDATE);
	this_cpu_ptr(&active)->event[event->hw.idx] = NULL;
}

static void start(struct perf_event *event, int flags)
{
	event->hw.state = 0;
	perf_event_update_userpage(event);
}

static void stop(struct perf_event *event, int flags)
{
	event->hw.state |= PERF_HES_STOPPED | PERF_HES_UPTODATE;
}

/* Of a machine with two kinds of cores, processor 0 is a fast one, and the others are slow ones. */
static bool is_here(struct perf_event *event)
{
	return !kind_is("hybrid") || (event->pmu->type == PERF_TYPE_RAW) == (smp_processor_id() == 0);
}

static void sample_stack(struct perf_event *event);
static void spe_stack(struct perf_event *event, u64 address);

/* A processor samples whatever a program accesses.  This one samples what is planted; and so that a program which tries
 * whether samples come sees some, an access of the stack when an event that has no sample yet is read while it runs. */
static void read_event(struct perf_event *event)
{
	if (is_sampling_event(event) && !(event->hw.state & PERF_HES_STOPPED) && !event->hw.event_base && !kind_is("silent"))
		sample_stack(event);
}

static int core_init(struct perf_event *event)
{
	enum counts counts;

	if (event->attr.type != event->pmu->type)
		return -ENOENT;
	if (event->attr.precise_ip > 3)
		return -EOPNOTSUPP;
	counts = cpu_counts(event->attr.config);
	if (!counts)
		return -EINVAL;
	/* The rule of Golden Cove: with a data source the loads follow the auxiliary event in its group. */
	if (counts == LOADS && (kind_is("golden") || kind_is("hybrid")) &&
	    (event->attr.sample_type & PERF_SAMPLE_DATA_SRC) &&
	    (event->group_leader == event || cpu_counts(event->group_leader->attr.config) != AUX))
		return -ENODATA;
	event->hw.config = counts;
	event->hw.extra_reg.config = counts == LOADS ? event->attr.config1 & 0xffff : 0;
	return 0;
}

static int atom_init(struct perf_event *event)
{
	enum counts counts;

	if (event->attr.type != event->pmu->type)
		return -ENOENT;
	counts = atom_counts(event->attr.config);
	if (!counts)
		return -EINVAL;
	event->hw.config = counts;
	event->hw.extra_reg.config = counts == LOADS ? event->attr.config1 & 0xffff : 0;
	return 0;
}

static int ibs_init(struct perf_event *event)
{
	const struct perf_event_attr *attr = &event->attr;
	bool filters = kind_is("zen5") && (attr->config2 & 1);

	if (attr->type != event->pmu->type)
		return -ENOENT;
	if (attr->config & ~((1ull << 19) | (1ull << 16)))
		return -EINVAL;
	if ((attr->exclude_kernel || attr->exclude_user) && !filters)
		return -EINVAL;
	if (attr->config1 && (!kind_is("zen5") || (attr->config1 & 0xfff) < 128 || (attr->config1 & 0xfff) > 2048))
		return -EINVAL;
	if (!is_sampling_event(event) || event->group_leader != event)
		return -EINVAL;
	if (!attr->freq && (attr->sample_period & 0xf || attr->sample_period < 0x90))
		return -EINVAL;
	event->hw.config = BOTH;
	event->hw.extra_reg.config = attr->config1 & 0xfff;
	return 0;
}

/* ---- planting ---- */

static void sample(struct perf_event *event, const struct planted_access *access)
{
	struct perf_sample_data data;
	struct pt_regs regs = *task_pt_regs(current);

	perf_sample_data_init(&data, access->address, event->hw.last_period);
	data.weight.full = 0;
	if (event->attr.sample_type & PERF_SAMPLE_WEIGHT_STRUCT)
		data.weight.var1_dw = access->latency;
	else
		data.weight.full = access->latency;
	data.data_src.val = access->data_source;
	data.sample_flags |= PERF_SAMPLE_WEIGHT_TYPE | PERF_SAMPLE_DATA_SRC;
	if (access->time_ns) {
		data.time = access->time_ns;
		data.sample_flags |= PERF_SAMPLE_TIME;
	}
	regs.ip = access->ip;
	event->hw.event_base = 1;               /* it has had a sample */
	if (event_overflow(event, &data, &regs))
		event->pmu->stop(event, 0);
}

static void sample_stack(struct perf_event *event)
{
	const struct pt_regs *regs = task_pt_regs(current);
	struct planted_access access = { .ip = regs->ip, .address = regs->sp, .latency = 4095 };

	if (!is_here(event))
		return;
	if (kind_is("spe")) {
		spe_stack(event, regs->sp);
		return;
	}
	if (event->hw.config & LOADS) {
		access.data_source = PERF_MEM_OP_LOAD;
		sample(event, &access);
	}
	if (event->hw.config & STORES) {
		access.data_source = PERF_MEM_OP_STORE;
		sample(event, &access);
	}
}

static void count(struct perf_event *event, const struct planted_access *access)
{
	enum counts counts = event->hw.config;

	if ((event->hw.state & PERF_HES_STOPPED) || !is_here(event) || !(counts & (access->kind == PLANTED_LOAD ? LOADS : STORES)))
		return;
	local64_inc(&event->count);
	if (!is_sampling_event(event) || kind_is("silent"))
		return;
	if (access->kind == PLANTED_LOAD && access->latency < event->hw.extra_reg.config)
		return;
	if (local64_sub_return(1, &event->hw.period_left) > 0)
		return;
	local64_set(&event->hw.period_left, event->hw.sample_period);
	sample(event, access);
}

static long plant_access(const void __user *from)
{
	struct planted_access access;
	unsigned long flags;
	struct active *here;
	int i;

	if (copy_from_user(&access, from, sizeof(access)))
		return -EFAULT;
	local_irq_save(flags);
	here = this_cpu_ptr(&active);
	for (i = 0; i < MAX_ACTIVE; i++)
		if (here->event[i])
			count(here->event[i], &access);
	local_irq_restore(flags);
	return 0;
}

/* ---- Arm's statistical profiling extension: bytes in an AUX ring ---- */

struct aux {
	int    n_pages;
	void **pages;
};

static DEFINE_PER_CPU(struct perf_output_handle, aux_handle);

static void *spe_setup(struct perf_event *event, void **pages, int n_pages, bool overwrite)
{
	struct aux *aux = kzalloc(sizeof(*aux), GFP_KERNEL);

	if (aux)
		*aux = (struct aux){ n_pages, pages };
	return aux;
}

static void spe_free(void *aux)
{
	kfree(aux);
}

static int spe_init(struct perf_event *event)
{
	if (event->attr.type != event->pmu->type)
		return -ENOENT;
	if (event->attr.freq || event->attr.exclude_idle)
		return -EOPNOTSUPP;
	return 0;
}

static void spe_start(struct perf_event *event, int flags)
{
	event->hw.state = perf_aux_output_begin(this_cpu_ptr(&aux_handle), event) ? 0 : PERF_HES_STOPPED;
}

static void spe_stop(struct perf_event *event, int flags)
{
	if (!(event->hw.state & PERF_HES_STOPPED))
		perf_aux_output_end(this_cpu_ptr(&aux_handle), 0);
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
}

static void write_aux(struct perf_event *event, const u8 *bytes, u32 n_bytes, u32 flags)
{
	struct perf_output_handle *handle = this_cpu_ptr(&aux_handle);
	struct aux *aux = perf_get_aux(handle);
	u64 ring = (u64)aux->n_pages << PAGE_SHIFT, at;
	u32 i, n = min_t(u64, n_bytes, handle->size);

	event->hw.event_base = 1;               /* it has had samples */
	for (i = 0; i < n; i++) {
		at = (handle->head + i) & (ring - 1);
		((u8 *)aux->pages[at >> PAGE_SHIFT])[at & ~PAGE_MASK] = bytes[i];
	}
	perf_aux_output_flag(handle, flags | (n < n_bytes ? PERF_AUX_FLAG_TRUNCATED : 0));
	perf_aux_output_end(handle, n);
	spe_start(event, 0);
}

/* A load and a store of the address: operation type, data address, end. */
static void spe_stack(struct perf_event *event, u64 address)
{
	u8 load[] = { 0x49, 0, 0xb2, 0, 0, 0, 0, 0, 0, 0, 0, 0x01 }, store[sizeof(load)];

	memcpy(load + 3, &address, sizeof(address));
	memcpy(store, load, sizeof(load));
	store[1] = 1;
	write_aux(event, load, sizeof(load), 0);
	write_aux(event, store, sizeof(store), 0);
}

static long plant_packets(const void __user *from)
{
	struct planted_packets packets;
	unsigned long flags;
	struct perf_event *event;
	void *bytes;
	int i;

	if (copy_from_user(&packets, from, sizeof(packets)))
		return -EFAULT;
	bytes = vmemdup_user((void __user *)(uintptr_t)packets.bytes, packets.n_bytes);
	if (IS_ERR(bytes))
		return PTR_ERR(bytes);
	local_irq_save(flags);
	for (i = 0; i < MAX_ACTIVE; i++) {
		event = this_cpu_ptr(&active)->event[i];
		if (event && event->pmu->setup_aux && !(event->hw.state & PERF_HES_STOPPED))
			write_aux(event, bytes, packets.n_bytes, packets.flags);
	}
	local_irq_restore(flags);
	kvfree(bytes);
	return 0;
}

/* ---- sysfs ---- */

#define SHOW(id, file, text)                                                                                \
	static ssize_t id##_show(struct device *d, struct device_attribute *a, char *page)                \
	{                                                                                                   \
		return sysfs_emit(page, "%s\n", text);                                                      \
	}                                                                                                   \
	static struct device_attribute id = { .attr = { .name = file, .mode = 0444 }, .show = id##_show }

#define GROUP(id, folder, ...)                                                          \
	static struct attribute *id##_files[] = { __VA_ARGS__, NULL };                \
	static const struct attribute_group id = { .name = folder, .attrs = id##_files }

#define GROUPS(id, ...) static const struct attribute_group *id[] = { __VA_ARGS__, NULL }

SHOW(format_event, "event", "config:0-7");
SHOW(format_umask, "umask", "config:8-15");
SHOW(format_ldlat, "ldlat", "config1:0-15");
GROUP(cpu_format, "format", &format_event.attr, &format_umask.attr, &format_ldlat.attr);

SHOW(loads, "mem-loads", "event=0xcd,umask=0x1,ldlat=3");
SHOW(stores_skylake, "mem-stores", "event=0xd0,umask=0x82");
SHOW(stores_golden, "mem-stores", "event=0xcd,umask=0x2");
SHOW(loads_aux, "mem-loads-aux", "event=0x03,umask=0x82");
SHOW(loads_atom, "mem-loads", "event=0xd0,umask=0x5,ldlat=3");
SHOW(stores_atom, "mem-stores", "event=0xd0,umask=0x6");
GROUP(skylake_events, "events", &loads.attr, &stores_skylake.attr);
GROUP(golden_events, "events", &loads.attr, &stores_golden.attr, &loads_aux.attr);
GROUP(atom_events, "events", &loads_atom.attr, &stores_atom.attr);

SHOW(core_cpus, "cpus", "0");
SHOW(atom_cpus, "cpus", "1-255");
GROUP(core_top, NULL, &core_cpus.attr);
GROUP(atom_top, NULL, &atom_cpus.attr);

SHOW(ibs_cnt_ctl, "cnt_ctl", "config:19");
SHOW(ibs_l3missonly, "l3missonly", "config:16");
SHOW(ibs_swfilt, "swfilt", "config2:0");
SHOW(ibs_ldlat, "ldlat", "config1:0-11");
SHOW(ibs_zen4, "zen4_ibs_extensions", "1");
GROUP(zen4_format, "format", &ibs_cnt_ctl.attr, &ibs_l3missonly.attr);
GROUP(zen5_format, "format", &ibs_cnt_ctl.attr, &ibs_l3missonly.attr, &ibs_swfilt.attr, &ibs_ldlat.attr);
GROUP(ibs_caps, "caps", &ibs_zen4.attr);

SHOW(spe_ts, "ts_enable", "config:0");
SHOW(spe_pa, "pa_enable", "config:1");
SHOW(spe_pct, "pct_enable", "config:2");
SHOW(spe_jitter, "jitter", "config:16");
SHOW(spe_load, "load_filter", "config:33");
SHOW(spe_store, "store_filter", "config:34");
SHOW(spe_latency, "min_latency", "config2:0-11");
SHOW(spe_interval, "min_interval", "256");
SHOW(spe_cpus, "cpumask", "0-255");
GROUP(spe_format, "format", &spe_ts.attr, &spe_pa.attr, &spe_pct.attr, &spe_jitter.attr, &spe_load.attr,
      &spe_store.attr, &spe_latency.attr);
GROUP(spe_caps, "caps", &spe_interval.attr);
GROUP(spe_top, NULL, &spe_cpus.attr);

GROUPS(skylake_groups, &cpu_format, &skylake_events);
GROUPS(golden_groups, &cpu_format, &golden_events);
GROUPS(core_groups, &cpu_format, &golden_events, &core_top);
GROUPS(atom_groups, &cpu_format, &atom_events, &atom_top);
GROUPS(zen4_groups, &zen4_format, &ibs_caps);
GROUPS(zen5_groups, &zen5_format, &ibs_caps);
GROUPS(spe_groups, &spe_format, &spe_caps, &spe_top);

/* ---- the module ---- */

/* The capability lets the kernel take a second PMU for a thread's hardware events, also after the first one has gone. */
#define PMU(init, groups)                                                                                   \
	{ .module = THIS_MODULE, .task_ctx_nr = perf_hw_context, .event_init = init, .add = add, .del = del, \
	  .start = start, .stop = stop, .read = read_event, .attr_groups = groups, \
	  .capabilities = PERF_PMU_CAP_HETEROGENEOUS_CPUS }

static struct machine {
	const char *kind, *name;
	int         type;               /* -1: the kernel chooses one */
	struct pmu  pmu;
} machines[] = {
	{ "skylake", "cpu", PERF_TYPE_RAW, PMU(core_init, skylake_groups) },
	{ "silent", "cpu", PERF_TYPE_RAW, PMU(core_init, skylake_groups) },
	{ "golden", "cpu", PERF_TYPE_RAW, PMU(core_init, golden_groups) },
	{ "hybrid", "cpu_core", PERF_TYPE_RAW, PMU(core_init, core_groups) },
	{ "hybrid", "cpu_atom", -1, PMU(atom_init, atom_groups) },
	{ "zen4", "ibs_op", -1, PMU(ibs_init, zen4_groups) },
	{ "zen5", "ibs_op", -1, PMU(ibs_init, zen5_groups) },
	{ "spe", "arm_spe_0", -1,
	  { .module = THIS_MODULE, .task_ctx_nr = perf_sw_context, .event_init = spe_init, .add = add, .del = del,
	    .start = spe_start, .stop = spe_stop, .read = read_event, .attr_groups = spe_groups,
	    .setup_aux = spe_setup, .free_aux = spe_free,
	    .capabilities = PERF_PMU_CAP_EXCLUSIVE | PERF_PMU_CAP_ITRACE } },
};

static long device_ioctl(struct file *file, unsigned int request, unsigned long argument)
{
	switch (request) {
	case PLANT_ACCESS: return plant_access((const void __user *)argument);
	case PLANT_PACKETS: return plant_packets((const void __user *)argument);
	}
	return -ENOTTY;
}

static const struct file_operations device_operations = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = device_ioctl,
};

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR, .name = "mem_pmu", .fops = &device_operations, .mode = 0666,
};

static int __init begin(void)
{
	int i, rc = find_overflow(), n = 0;

	for (i = 0; i < ARRAY_SIZE(machines) && !rc; i++)
		if (kind_is(machines[i].kind)) {
			rc = perf_pmu_register(&machines[i].pmu, machines[i].name, machines[i].type);
			n++;
		}
	if (!rc)
		rc = n ? misc_register(&device) : -EINVAL;
	return rc;
}

static void __exit end(void)
{
	int i;

	misc_deregister(&device);
	for (i = 0; i < ARRAY_SIZE(machines); i++)
		if (kind_is(machines[i].kind))
			perf_pmu_unregister(&machines[i].pmu);
}

module_init(begin);
module_exit(end);

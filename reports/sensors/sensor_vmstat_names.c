/*
 * Vmstat names: the words for the events of /proc/vmstat.  The kernel's names come and go with its versions; names that
 * are not in the table are classified by their prefixes.
 */
#include "reports/sensors/sensor_vmstat.h"

#include <string.h>
#include <unistd.h>

#include "runtime/base/array.h"

/* clang-format off */
static const struct { const char *name, *unit, *what; } names[] = {
	{ "pgfault", "times", "page faults" },
	{ "pgmajfault", "times", "page faults that had to wait for a disk" },
	{ "pgpgin", "KiB", "read from disks" },
	{ "pgpgout", "KiB", "written to disks" },
	{ "pswpin", "pages", "read from swap" },
	{ "pswpout", "pages", "written to swap" },
	{ "pgfree", "pages", "given back" },
	{ "numa_hit", "pages", "allocated on the NUMA node that was wanted" },
	{ "numa_miss", "pages", "allocated here, but wanted on another node" },
	{ "numa_foreign", "pages", "wanted here, but allocated on another node" },
	{ "numa_interleave", "pages", "interleaved over nodes, and on the node that was wanted" },
	{ "interleave_hit", "pages", "interleaved over nodes, and on the node that was wanted" },
	{ "numa_local", "pages", "allocated on the node of the CPU that asked" },
	{ "local_node", "pages", "allocated on the node of the CPU that asked" },
	{ "numa_other", "pages", "allocated on another node than that of the CPU that asked" },
	{ "other_node", "pages", "allocated on another node than that of the CPU that asked" },
	{ "numa_pte_updates", "pages", "protected by NUMA balancing, to see who uses them" },
	{ "numa_huge_pte_updates", "times", "huge pages protected by NUMA balancing" },
	{ "numa_hint_faults", "times", "faults that NUMA balancing made" },
	{ "numa_hint_faults_local", "times", "faults that NUMA balancing made, of pages on the CPU's own node" },
	{ "numa_pages_migrated", "pages", "moved to other nodes by NUMA balancing" },
	{ "pgmigrate_success", "pages", "moved to other places in memory" },
	{ "pgmigrate_fail", "pages", "that could not be moved" },
	{ "thp_fault_alloc", "times", "huge pages made at page faults" },
	{ "thp_fault_fallback", "times", "page faults that found no huge page" },
	{ "thp_collapse_alloc", "times", "huge pages made of small ones" },
	{ "thp_split_page", "times", "huge pages split" },
	{ "compact_stall", "times", "allocations that had to compact memory first" },
	{ "allocstall_normal", "times", "allocations that had to reclaim memory first" },
	{ "oom_kill", "times", "processes killed as memory had run out" },
	{ "nr_free_pages", "pages", "free" },
	{ "nr_anon_pages", "pages", "anonymous memory of processes" },
	{ "nr_mapped", "pages", "of files, mapped into processes" },
	{ "nr_file_pages", "pages", "of files, in the page cache" },
	{ "nr_dirty", "pages", "to be written to disks" },
	{ "nr_writeback", "pages", "being written to disks" },
	{ "nr_shmem", "pages", "shared memory and tmpfs" },
	{ "nr_page_table_pages", "pages", "page tables" },
	{ "nr_kernel_stack", "KiB", "stacks of the kernel" },
	{ "nr_dirtied", "pages", "made dirty" },
	{ "nr_written", "pages", "written to disks" },
	{ "nr_tlb_remote_flush", "times", "TLB flushes asked of other CPUs" },
	{ "nr_tlb_remote_flush_received", "times", "TLB flushes that other CPUs asked for" },
	{ "nr_tlb_local_flush_all", "times", "flushes of all of a CPU's own TLB" },
	{ "nr_tlb_local_flush_one", "times", "flushes of one page from a CPU's own TLB" },
};
static const struct { const char *begin, *unit, *what; } kinds[] = {
	{ "pgalloc_", "pages", "allocated in this zone" }, { "pgskip_", "pages", "skipped by reclaim in this zone" },
	{ "pgsteal_", "pages", "reclaimed" }, { "pgscan_", "pages", "looked at by reclaim" },
	{ "pgdemote_", "pages", "moved to slower memory" }, { "pgpromote_", "pages", "moved to faster memory" },
	{ "numa_", "times", "work of NUMA balancing" }, { "thp_", "times", "work for huge pages" },
	{ "compact_", "times", "work to compact memory" }, { "workingset_", "pages", "that came back, or stay, in memory" },
	{ "drop_", "times", "caches dropped by an administrator" }, { "htlb_", "times", "pages of hugetlbfs" },
	{ "unevictable_", "pages", "that cannot be reclaimed" }, { "balloon_", "pages", "given to the host, or taken from it" },
	{ "swap_", "pages", "read ahead from swap" }, { "ksm_", "times", "work to merge equal pages" },
	{ "zswp", "pages", "moved through compressed swap" }, { "nr_zone_", "pages", "in this state, in all zones" },
	{ "vma_lock_", "times", "locks of a mapping" }, { "allocstall_", "times", "allocations that had to reclaim memory first" },
};
/* Names that begin with nr_ are gauges, except these. */
static const char *const growing[] = {
	"nr_dirtied", "nr_written", "nr_vmscan_write", "nr_vmscan_immediate_reclaim", "nr_throttled_written",
	"nr_foll_pin_acquired", "nr_foll_pin_released",
};
/* clang-format on */

static int is_gauge(const char *name)
{
	if (!strncmp(name, "nr_tlb_", 7))
		return 0;
	for (size_t i = 0; i < OMPP_COUNT_OF(growing); i++)
		if (!strcmp(name, growing[i]))
			return 0;
	return !strncmp(name, "nr_", 3) || !strcmp(name, "workingset_nodes");
}

void ompp_vmstat_limit(const struct ompp_feed_rows *rows, struct ompp_sensor_host *host, int source,
                       double memory_bytes)
{
	double page_bytes = (double)sysconf(_SC_PAGESIZE);

	for (size_t i = 0; i < rows->n; i++) {
		struct ompp_sensor_event e = { 0 };

		if (ompp_vmstat_describe(rows->rows[i].name, &e) && e.kind == OMPP_SENSOR_GAUGE &&
		    !strcmp(e.unit, "pages"))
			host->limit(host, rows->rows[i].event, source, memory_bytes / page_bytes);
	}
}

int ompp_vmstat_describe(const char *name, struct ompp_sensor_event *event)
{
	event->kind = is_gauge(name) ? OMPP_SENSOR_GAUGE : OMPP_SENSOR_COUNTER;
	event->unit = event->kind == OMPP_SENSOR_GAUGE ? "pages" : "times";
	event->what = event->kind == OMPP_SENSOR_GAUGE ? "in this state" : "as the kernel calls it";
	for (size_t i = 0; i < OMPP_COUNT_OF(kinds); i++)
		if (!strncmp(name, kinds[i].begin, strlen(kinds[i].begin))) {
			event->unit = kinds[i].unit;
			event->what = kinds[i].what;
		}
	for (size_t i = 0; i < OMPP_COUNT_OF(names); i++)
		if (!strcmp(name, names[i].name)) {
			event->unit = names[i].unit;
			event->what = names[i].what;
		}
	/* The counters are unsigned long, which has only 32 bits on a 32-bit kernel; there a wrap is so rare that one
	 * missing value does no harm. */
	return 1;
}

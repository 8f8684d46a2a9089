/*
 * Collect: see collect.h.
 *
 * Converts the sums of merge.c into the profile: the parts of each construct become its columns, rows are sorted, and
 * notes are added that the reader must know.
 */
#include "config.h"

#include "reports/profile/number.h"
#include "runtime/base/array.h"
#include "runtime/collect/collect.h"
#include "runtime/host/clock.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "runtime/access/access.h"
#include "runtime/access/access_count.h"
#include "runtime/access/access_interchange.h"
#include "runtime/access/access_sample.h"
#include "runtime/base/sort.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/collect/access_notes.h"
#include "runtime/collect/cells.h"
#include "runtime/collect/collect_check.h"
#include "runtime/collect/merge_thread.h"
#include "runtime/collect/sum_counters.h"
#include "runtime/collect/sum_functions.h"
#include "runtime/collect/sum_instantiations.h"
#include "runtime/collect/sum_meetings.h"
#include "runtime/collect/sum_partners.h"
#include "runtime/collect/thread_names.h"
#include "runtime/core/hot.h"
#include "runtime/core/region.h"
#include "runtime/core/session.h"
#include "runtime/core/thread.h"
#include "runtime/data_sums/accesses.h"
#include "runtime/data_sums/allocations.h"
#include "runtime/data_sums/page_sum.h"
#include "runtime/data_sums/spots.h"
#include "runtime/data_sums/sum_members.h"
#include "runtime/data_sums/sum_pattern.h"
#include "runtime/data_sums/sum_relayout.h"
#include "runtime/data_sums/sum_reuse.h"
#include "runtime/data_sums/sum_samples.h"
#include "runtime/data_sums/sum_tracked.h"
#include "runtime/data_sums/uses.h"
#include "runtime/events/cost_path.h"
#include "runtime/host/cpu.h"
#include "runtime/host/note.h"
#include "runtime/host/past.h"
#include "runtime/host/processors.h"
#include "runtime/memory/hardware.h"
#include "runtime/memory/home.h"
#include "runtime/memory/touch.h"
#include "runtime/ranges/range.h"
#include "runtime/session/delegate.h"
#include "runtime/session/machine_time.h"
#include "runtime/sources/sampling.h"
#include "runtime/sources/source.h"
#include "runtime/span/span_limit.h"
#include "runtime/sums/sum_course.h"
#include "runtime/sums/sum_gains.h"
#include "runtime/sums/sum_holders.h"
#include "runtime/sums/sum_hot.h"
#include "runtime/sums/sum_span.h"
#include "runtime/sums/sum_uncore.h"
#include "runtime/terms/mode.h"
#include "runtime/terms/option.h"

enum { LEAST_FAULTS = 256, MANY_FAULTS = 8192 }; /* fewer take less than what is looked at */
enum { MANY_ALIKE = 16, FILTER_BYTES = 4096, MOST_RUNS = 32 };

static struct ompp_clock_rate rate; /* the rate of the clock for this report; only one report is made at a time */

static int64_t to_ns(int64_t fp)
{
	return fp < 0 ? 0 : ompp_clock_ns(rate, fp / 256);
}

static int row_before(const struct ompp_merge_row *rows, uint32_t a, uint32_t b)
{
	while (rows[a].depth > rows[b].depth)
		if (rows[a].parent == b)
			return 0;
		else
			a = rows[a].parent;
	while (rows[b].depth > rows[a].depth)
		if (rows[b].parent == a)
			return 1;
		else
			b = rows[b].parent;
	while (rows[a].parent != rows[b].parent) {
		a = rows[a].parent;
		b = rows[b].parent;
	}
	return rows[a].host != rows[b].host ? rows[a].host < rows[b].host : rows[a].rank < rows[b].rank;
}

/* Writes a rank path, followed by what the thread runs, if that is known: "h2:0 (worker)". */
static void put_label(struct ompp_text *t, const struct ompp_merge_row *rows, uint32_t i, const char *runs)
{
	if (rows[i].parent != OMPP_NONE) {
		put_label(t, rows, rows[i].parent, NULL);
		ompp_text_char(t, '.');
	} else if (rows[i].host > 1) {
		ompp_text_char(t, 'h');
		ompp_text_u64(t, rows[i].host);
		ompp_text_char(t, ':');
	}
	ompp_text_u64(t, rows[i].rank);
	if (!runs)
		return;
	ompp_text_str(t, " (");
	ompp_text_strn(t, runs, strnlen(runs, MOST_RUNS));
	ompp_text_str(t, strlen(runs) > MOST_RUNS ? "...)" : ")");
}

static int row_is_after(const void *rows, uint32_t x, uint32_t y)
{
	return row_before(rows, y, x);
}

static int finish_rows(struct ompp_merge *c, struct ompp_profile *p)
{
	struct ompp_row *out = ompp_arena_alloc(c->arena, c->n_rows * sizeof(*out));
	uint32_t *order = ompp_arena_alloc(c->arena, c->n_rows * sizeof(*order));
	const char *const *names = ompp_thread_names(c);
	size_t i;

	if (!out || !order || !names)
		return -ENOMEM;
	for (i = 0; i < c->n_rows; i++)
		order[i] = (uint32_t)i;
	ompp_sort(order, c->n_rows, row_is_after, c->rows);
	for (i = 0; i < c->n_rows; i++)
		c->rows[order[i]].final = (uint32_t)i;
	for (i = 0; i < c->n_rows; i++) {
		const struct ompp_merge_row *r = &c->rows[order[i]];
		char label[256];
		struct ompp_text t;

		ompp_text_init(&t, label, sizeof(label));
		put_label(&t, c->rows, order[i], names[order[i]]);
		out[i].label = ompp_arena_strdup(c->arena, label);
		out[i].host = r->host;
		out[i].depth = r->depth;
		out[i].rank = r->rank;
		out[i].parent = r->parent == OMPP_NONE ? OMPP_NONE : c->rows[r->parent].final;
		if (!out[i].label)
			return -ENOMEM;
	}
	p->rows = out;
	p->n_rows = c->n_rows;
	return 0;
}

static void name_lock(struct ompp_region *region, const struct ompp_lock_name *lock)
{
	if (!lock)
		return;
	region->name = lock->name;
	region->file = lock->file;
	region->begin_line = region->end_line = lock->line;
	region->n_locks = lock->n_locks;
	region->sites = lock->sites;
}

/* Lists the regions that were entered, in ascending order of id; index[id] becomes the region's index in the list.  A
 * region that is shown as another one gets that one's index. */
static int finish_regions(struct ompp_merge *c, struct ompp_profile *p, uint32_t *index, uint32_t n_ids)
{
	struct ompp_region *out = ompp_arena_alloc(c->arena, n_ids * sizeof(*out));
	uint32_t id, n_hidden = 0;
	size_t i, n = 0;

	if (!out)
		return -ENOMEM;
	memset(index, 0xff, (n_ids + 1) * sizeof(*index));
	for (i = 1; i < c->n_paths; i++)
		index[c->paths[i].region] = 0;
	ompp_sum_holders_want(index, n_ids);
	for (id = 1; id <= n_ids; id++) {
		const struct ompp_lock_name *lock = ompp_locks_at(&c->locks, id);
		struct ompp_region_def *def = id < c->lost_id ? ompp_region_by_id(id) : NULL;

		n_hidden += (lock && lock->shown_as != id) || (def && def->shown_as != id);
		if (def && def->shown_as < id)
			index[id] = index[def->shown_as];
		if (index[id] == OMPP_NONE || (def && def->shown_as < id))
			continue;
		index[id] = (uint32_t)n;
		c->n_own_barriers += def && def->own_barrier;
		out[n].id = id - n_hidden;
		out[n].construct = def ? def->construct : OMPP_USER_REGION;
		out[n].file = def ? def->file : "";
		out[n].begin_line = def ? def->begin_line : 0;
		out[n].end_line = def ? def->end_line : 0;
		out[n].name = def ? ompp_region_shown_name(def) : "(lost)";
		out[n].sites = "";
		name_lock(&out[n], lock);
		if (def && def->source) {
			out[n].file = def->source;
			out[n].begin_line = out[n].end_line = def->source_line;
		}
		out[n].clauses = def ? def->clauses : "";
		out[n].number = def && def->number != OMPP_NUMBERS_DIFFER ? def->number : 0;
		out[n].instantiation = def && def->instantiation ? def->instantiation : "";
		n++;
	}
	p->regions = c->regions = out;
	p->n_regions = n;
	return 0;
}

/* Returns whether a filter leaves out all regions of the construct: when there are many of them, and for locks, whose
 * addresses differ in another run. */
static int is_put_once(enum ompp_construct construct, size_t n_alike)
{
	return n_alike > MANY_ALIKE || ompp_construct_is_lock(construct);
}

/* Writes one item of an OMPP_FILTER line. */
static void put_filter(struct ompp_text *t, const struct ompp_region *region, size_t n_alike)
{
	const char *slash = strrchr(region->file, '/');

	if (t->n_bytes)
		ompp_text_char(t, ',');
	if (is_put_once(region->construct, n_alike)) {
		ompp_text_str(t, ompp_construct_name(region->construct));
	} else if (region->begin_line && region->construct != OMPP_USER_REGION && region->construct != OMPP_FUNCTION) {
		ompp_text_str(t, slash ? slash + 1 : region->file);
		ompp_text_char(t, ':');
		ompp_text_u64(t, region->begin_line);
	} else {
		ompp_text_str(t, region->name);
	}
}

/* Marks the regions whose own cost may exceed a tenth of their time, and writes the OMPP_FILTER line that leaves them
 * out.  A parallel region cannot be left out, as it tells which thread is which.  A region with untimed visits has
 * little of its cost left, and without it its count would be lost. */
static int finish_costly(struct ompp_merge *c, struct ompp_profile *p)
{
	struct ompp_region *regions = c->regions;
	int64_t *cost = ompp_arena_alloc(c->arena, p->n_regions * sizeof(*cost));
	int64_t *exec = ompp_arena_alloc(c->arena, p->n_regions * sizeof(*exec));
	uint8_t *is_untimed = ompp_arena_alloc(c->arena, p->n_regions),
		*is_put = ompp_arena_alloc(c->arena, p->n_regions);
	char *line = ompp_arena_alloc(c->arena, FILTER_BYTES);
	size_t n_alike[OMPP_N_CONSTRUCTS] = { 0 }, i, j;
	int named[OMPP_N_CONSTRUCTS] = { 0 };
	struct ompp_text t;

	if (!cost || !exec || !is_untimed || !is_put || !line)
		return -ENOMEM;
	ompp_text_init(&t, line, FILTER_BYTES);
	for (i = 1; i < p->n_nodes; i++)
		for (j = 0; j < p->nodes[i].n_cells; j++) {
			const struct ompp_cell *cell = &p->cells[p->nodes[i].first_cell + j];

			cost[p->nodes[i].region] += cell->cost_most_ns;
			exec[p->nodes[i].region] += cell->exec_ns;
			is_untimed[p->nodes[i].region] |= cell->n_untimed != 0;
		}
	for (i = 0; i < p->n_regions; i++) {
		regions[i].costly = cost[i] && cost[i] > exec[i] / 10;
		is_put[i] = regions[i].costly && !ompp_construct_is_parallel(regions[i].construct) && !is_untimed[i];
		n_alike[regions[i].construct] += is_put[i];
	}
	for (i = 0; i < p->n_regions; i++) {
		enum ompp_construct k = regions[i].construct;

		if (!is_put[i] || (is_put_once(k, n_alike[k]) && named[k]++))
			continue;
		put_filter(&t, &regions[i], n_alike[k]);
	}
	p->filter = line;
	return 0;
}

static int finish_notes(struct ompp_merge *c, struct ompp_profile *p)
{
	size_t most = OMPP_NOTE_N + 32 + OMPP_ACCESS_NOTES + OMPP_SAMPLE_NOTES + OMPP_ALLOCATION_NOTES;
	struct ompp_profile_note *out = ompp_arena_alloc(c->arena, most * sizeof(*out));
	uint64_t counts[OMPP_NOTE_N];
	struct ompp_interchange_loops loops = ompp_access_interchange_loops();
	uint32_t n_threads = atomic_load_explicit(&ompp_n_threads, memory_order_acquire), i;
	size_t n = 0;
	int k;

	if (!out)
		return -ENOMEM;
	ompp_access_sample_notes();
	ompp_past_say();
	for (k = 0; k < OMPP_NOTE_N; k++)
		counts[k] = ompp_note_count((enum ompp_note_kind)k);
	for (i = 0; i < n_threads; i++) {
		const struct ompp_thread *t = ompp_threads[i];

		counts[OMPP_NOTE_LEFT] += OMPP_LOAD(&t->n_left);
		counts[OMPP_NOTE_STRAY] += OMPP_LOAD(&t->n_stray);
		counts[OMPP_NOTE_LOST_DEPTH] += OMPP_LOAD(&t->n_over_total);
		counts[OMPP_NOTE_NEGATIVE] += OMPP_LOAD(&t->n_negative);
		counts[OMPP_NOTE_NO_HANDLE] += OMPP_LOAD(&t->n_no_handle);
		counts[OMPP_NOTE_FOLDED] += OMPP_LOAD(&t->n_folded);
	}
	counts[OMPP_NOTE_LOST_MEMORY] += c->n_lost;
	counts[OMPP_NOTE_OPEN] += c->n_open;
	counts[OMPP_NOTE_LEFT] += c->n_left;
	counts[OMPP_NOTE_LOST_ACCESS] += atomic_load(&ompp_n_lost_accesses);
	counts[OMPP_NOTE_LOST_RANGE] += atomic_load(&ompp_n_lost_ranges);
	counts[OMPP_NOTE_LOST_LINE] += c->n_lost_lines;
	counts[OMPP_NOTE_UNWATCHED_LINE] = ompp_sharing_n_unwatched();
	counts[OMPP_NOTE_LOST_SAMPLE] += c->n_lost_samples;
	counts[OMPP_NOTE_BUSY_SAMPLE] += c->n_busy_samples;
	counts[OMPP_NOTE_OWN_BARRIER] = c->n_own_barriers;
	counts[OMPP_NOTE_UNEVEN_LOOP] = loops.n_uneven;
	counts[OMPP_NOTE_DEEP_LOOP] = loops.n_deep;
	counts[OMPP_NOTE_SPAN_OVER] = ompp_spans_given_up(p);
	for (k = 0; k < OMPP_NOTE_N; k++)
		if (counts[k])
			out[n++] = (struct ompp_profile_note){ ompp_note_text((enum ompp_note_kind)k), counts[k] };
	for (k = 0; k < ompp_note_n_said(); k++)
		out[n++] = (struct ompp_profile_note){ ompp_note_said(k), 0 };
	if (ompp_collect_access_notes(c, p, out, &n) || ompp_collect_sample_notes(c, out, &n))
		return -ENOMEM;
	ompp_collect_allocation_notes(c, out, &n);
	p->notes = out;
	p->n_notes = n;
	return 0;
}

static int64_t timeval_ns(struct timeval t)
{
	return (int64_t)t.tv_sec * 1000000000 + (int64_t)t.tv_usec * 1000;
}

/* Returns how many processors the process may use, in thousandths. */
static int64_t collect_processors(void)
{
	int64_t allowed = (int64_t)OMPP_LOAD(&ompp_session.n_processors) * 1000;
	int64_t quota = ompp_processors_quota("/proc/self/cgroup", "/sys/fs/cgroup");

	return !allowed ? OMPP_MISSING : allowed < quota ? allowed : quota;
}

/* Sets the times that a hypervisor and other programs had the processors.  In a forked child they stay unknown: most
 * children measure nothing, and should not read a file for it. */
static void collect_machine_time(struct ompp_profile *p)
{
	struct ompp_machine_time time;

	if (ompp_session.forked || ompp_machine_time_read("/proc/stat", "/proc/self/task", &time))
		return;
	if (ompp_machine_time_is_virtual()) {
		p->stolen_ns = time.stolen_ns;
		p->stolen_most_ns = time.stolen_most_ns;
	}
	p->n_living = time.n_threads;
	if (time.others_ns == OMPP_MISSING ||
	    p->processors_milli < (int64_t)OMPP_LOAD(&ompp_session.n_processors) * 1000)
		return; /* a control group holds threads back while processors idle */
	p->others_ns = time.others_ns;
	p->others_error_ns = (int64_t)ompp_root(time.others_variance) * 1000;
}

/* Sets what the kernel says of how long threads had no processor, and who else had one, before anything is done for the
 * report.  Beside a fake clock real times would mean nothing, and the delegate is another process. */
static void collect_waiting(struct ompp_profile *p)
{
	p->queued_ns = p->queued_all_ns = p->stolen_ns = p->stolen_most_ns = p->others_ns = p->others_error_ns =
		OMPP_MISSING;
	p->processors_milli = collect_processors();
	if (ompp_delegate_is_here() || !strcmp(ompp_clock_name(), "fake"))
		return;
	p->queued_ns = ompp_cpu_queued_ns("/proc/self/schedstat");
	if (p->queued_ns < 0)
		p->queued_ns = OMPP_MISSING;
	p->queued_all_ns = p->queued_ns == OMPP_MISSING ? -1 : ompp_cpu_queued_all_ns("/proc/self/task");
	if (p->queued_all_ns < 0)
		p->queued_all_ns = OMPP_MISSING;
	collect_machine_time(p);
}

/* Measures what a page fault takes, where threads had so many before barriers that it may explain why they wait, where
 * first touches are known, or where the process has more than loading it makes. */
static void collect_fault(struct ompp_profile *p)
{
	uint64_t n_touched = 0;
	int64_t n_most = 0;

	for (size_t i = 0; i < p->n_waits; i++)
		n_most = p->waits[i].n_faults > n_most ? p->waits[i].n_faults : n_most;
	for (size_t i = 0; i < p->n_first_touches; i++)
		n_touched += p->first_touches[i].n_pages;
	p->fault_ps = p->final && (n_most >= LEAST_FAULTS || n_touched >= LEAST_FAULTS || p->n_faults >= MANY_FAULTS)
	                    ? ompp_cpu_fault_ps()
	                    : OMPP_MISSING;
	if (p->fault_ps < 0)
		p->fault_ps = OMPP_MISSING;
}

/* Sets the least pace of all threads; most have one now and then of which nobody else's work is a part, even where a
 * core is shared. */
static void collect_pace(struct ompp_profile *p)
{
	uint32_t n = atomic_load_explicit(&ompp_n_threads, memory_order_acquire);
	uint64_t least = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint64_t ticks = OMPP_LOAD(&ompp_threads[i]->cpu.least_pace_ticks);

		if (ticks && (!least || ticks < least))
			least = ticks;
	}
	p->least_pace_ps = least ? ompp_clock_ns(rate, (int64_t)least * 1000) : OMPP_MISSING;
}

/* Limits own costs to the time of all threads.  The upper bound of an event's cost was measured at the start; on a
 * busy machine it may be longer than a short run. */
static void limit_costs(struct ompp_profile *p)
{
	int64_t *const costs[] = { &p->cost_ns, &p->cost_least_ns, &p->cost_most_ns };
	int64_t n_threads = 0, all_ns;

	for (size_t i = 0; i < p->n_rows; i++)
		n_threads += p->rows[i].rank || p->rows[i].parent == OMPP_NONE;
	if (n_threads < p->max_threads)
		n_threads = p->max_threads;
	if (__builtin_mul_overflow(p->duration_ns - p->off_ns, n_threads, &all_ns))
		return;
	for (size_t i = 0; i < OMPP_COUNT_OF(costs); i++)
		if (*costs[i] > all_ns)
			*costs[i] = all_ns;
}

/* Returns the length in femtoseconds of a tick of the samples' latencies; 0 when it is unknown: when there are
 * none, they are a core's cycles, or the clock is another one than the TSC or cntvct_el0. */
static uint32_t tick_fs(void)
{
	int64_t fs = ompp_clock_ns(rate, 1000000);

	if (ompp_clock_kind != OMPP_CLOCK_TSC || !ompp_sampling.latencies[0] ||
	    !strcmp(ompp_sampling.latencies, "cycles"))
		return 0;
	return fs > 0 && fs <= UINT32_MAX ? (uint32_t)fs : 0;
}

/* Sets what the kernel says that the process used.  With the fake clock page faults would differ from run to run. */
static void collect_usage(struct ompp_profile *p)
{
	struct rusage usage;

	p->user_ns = p->system_ns = p->n_faults = p->peak_bytes = OMPP_MISSING;
	if (ompp_sys_getrusage(RUSAGE_SELF, &usage))
		return;
	p->user_ns = timeval_ns(usage.ru_utime);
	p->system_ns = timeval_ns(usage.ru_stime);
	if (ompp_clock_kind == OMPP_CLOCK_FAKE)
		return;
	p->n_faults = (int64_t)usage.ru_minflt + (int64_t)usage.ru_majflt;
	p->peak_bytes = (int64_t)usage.ru_maxrss * 1024;
}

int ompp_collect(struct ompp_profile *p, struct ompp_arena *arena, int final, int signal)
{
	struct ompp_merge c;
	struct ompp_session *s = &ompp_session;
	const struct ompp_cost
		*pair = &ompp_costs[ompp_metrics.n ? OMPP_COST_READ : OMPP_COST_PLAIN][OMPP_COST_TYPICAL];
	struct ompp_clock_anchor now;
	struct timespec wall;
	uint32_t n_threads, n_ids, i, *index;

	memset(p, 0, sizeof(*p));
	if (OMPP_LOAD(&ompp_modes) & OMPP_MODE_BOUNDARIES && ompp_self->limit)
		ompp_thread_boundary(ompp_self);
	ompp_hot_take_all();
	ompp_note_add(OMPP_NOTE_BUSY_RING, ompp_hardware_drain() + (ompp_touches_finish() ? 1 : 0));
	ompp_homes_look(1);
	ompp_clock_anchor(&now);
	rate = ompp_clock_rate(&s->start, &now);
	collect_waiting(p);
	ompp_functions_locate();
	ompp_instantiations_name();
	ompp_ranges_check();
	if (ompp_self->limit)
		ompp_callgraph_check(&ompp_self->graph);
	if (ompp_span_is_over())
		ompp_cost_path_end();
	if (final && !signal)
		ompp_cost_calibrate_again();
	if (ompp_merge_init(&c, arena, now.ticks) || ompp_accesses_start(&c) || ompp_samples_start(&c) ||
	    ompp_hot_merge_start(&c) || ompp_allocations_start(&c) || ompp_tracked_collect_start(&c) ||
	    ompp_uses_start(&c) || ompp_spots_start(&c) || ompp_spans_start(&c))
		return -ENOMEM;
	n_threads = atomic_load_explicit(&ompp_n_threads, memory_order_acquire);
	for (i = 0; i < n_threads && !c.failed; i++)
		ompp_merge_thread(&c, ompp_threads[i]);
	ompp_merge_finish(&c);
	n_ids = c.lost_id;
	index = ompp_arena_alloc(arena, (n_ids + 1) * sizeof(*index));
	if (c.failed || !index)
		return -ENOMEM;

	p->app = ompp_arena_strdup(arena, ompp_session_app());
	p->version = PACKAGE_VERSION;
	ompp_clock_read(CLOCK_REALTIME, &wall);
	p->start_unix_ns = s->start_unix_ns;
	p->end_unix_ns = (int64_t)wall.tv_sec * 1000000000 + wall.tv_nsec;
	p->duration_ns = ompp_clock_ns(rate, (int64_t)(now.raw_ticks - s->start.raw_ticks));
	p->sample_tick_fs = tick_fs();
	p->off_ns = p->duration_ns - ompp_clock_ns(rate, (int64_t)(now.ticks - s->start.ticks));
	collect_usage(p);
	p->before_main_ns = s->main_ticks ? ompp_clock_ns(rate, (int64_t)(s->main_ticks - s->start.ticks))
	                                  : OMPP_MISSING;
	p->final = final;
	p->n_dump = atomic_load(&s->n_dumps);
	p->signal = signal;
	p->pid = s->pid;
	p->mpi_rank = ompp_mpi_rank();
	p->mpi_size = ompp_mpi_size();
	p->clock = ompp_clock_name();
	p->cost_ps = (int64_t)(ompp_clock_ns(rate, (int64_t)(pair->pair_fp * 1000)) / 256);
	p->cost_ns = to_ns((int64_t)c.own_fp[OMPP_COST_TYPICAL]);
	p->cost_least_ns = to_ns((int64_t)c.own_fp[OMPP_COST_LEAST]);
	p->cost_most_ns = to_ns((int64_t)c.own_fp[OMPP_COST_MOST]);
	p->n_events = c.n_visits * 2;
	if (finish_rows(&c, p) || finish_regions(&c, p, index, n_ids) || ompp_collect_cells(&c, p, index, rate) ||
	    ompp_collect_accesses(&c, p, index) || ompp_collect_allocations(&c, p, index) ||
	    ompp_collect_transfers(&c, p, rate) || ompp_collect_tracked(&c, p, index, rate) ||
	    ompp_collect_samples(&c, p) || ompp_hot_collect(&c, p) || ompp_collect_uses(&c, p) ||
	    ompp_collect_members(&c, p, index) || ompp_collect_spots(&c, p) ||
	    ompp_collect_holders(p, arena, index, n_ids, rate) || ompp_collect_reuse(&c, p, index) ||
	    ompp_collect_relayouts(&c, p, index) || ompp_collect_pages(&c, p, index) || ompp_collect_counters(&c, p) ||
	    ompp_collect_uncore(&c, p) || finish_costly(&c, p) || ompp_collect_spans(&c, p, rate) ||
	    finish_notes(&c, p) || ompp_collect_conditions(p, arena) || ompp_collect_unmeasured(p, arena) ||
	    ompp_collect_loops(p, arena) || ompp_collect_partners(p, arena) ||
	    ompp_collect_meetings(p, arena, index, n_ids, rate) || ompp_collect_gains(p, arena, index, n_ids, rate) ||
	    ompp_collect_course(&c, p, index, n_ids, rate))
		return -ENOMEM;
	p->n_numa_nodes = ompp_numa_nodes("/sys/devices/system/node/has_memory");
	p->max_threads = OMPP_LOAD(&s->max_threads) ? OMPP_LOAD(&s->max_threads) : 1;
	for (i = 0; i < p->n_rows; i++)
		if (p->rows[i].depth == 1 && p->rows[i].rank >= p->max_threads)
			p->max_threads = p->rows[i].rank + 1;
	collect_fault(p);
	collect_pace(p);
	limit_costs(p);
	ompp_collect_check(p, arena);
	return 0;
}

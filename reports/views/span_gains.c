/*
 * Span, gains: see span_gains.h.
 */
#include "reports/views/span_gains.h"

#include <errno.h>

#include "reports/analysis/gain.h"
#include "reports/analysis/label.h"
#include "reports/findings/finding_say.h"
#include "reports/tables/data_section.h"
#include "reports/tables/table_region.h"
#include "runtime/base/sort.h"
#include "runtime/base/text.h"

enum { N_CHANGES = 5 };

/* One change of one region. */
struct change {
	const struct ompp_gain *of;
	const char *what;
	int64_t gain_ns;
	struct ompp_gain_room room;
};

static const struct ompp_region *region_of(const struct ompp_profile *p, const struct ompp_gain *gain)
{
	return gain->region == OMPP_NONE ? NULL : &p->regions[gain->region];
}

static const char *title_of(const struct ompp_analysis *a, const struct ompp_gain *gain)
{
	const struct ompp_region *region = region_of(a->profile, gain);

	return region ? ompp_region_title(a, region, region->construct) : "serial part";
}

static void gain_columns(struct ompp_table *table)
{
	ompp_table_columns(table, OMPP_IN_BOTH, "gain at least", "at most", "of run (%)");
}

/* The share is that of the gain itself, which lies between the two. */
static void gain_values(const struct ompp_analysis *a, struct ompp_table *table, const struct ompp_gain_room *room,
                        int64_t gain_ns)
{
	struct ompp_gain_interval interval = ompp_gain_interval(room, gain_ns);

	ompp_table_number(table, OMPP_KIND_TIME, interval.least_ns);
	ompp_table_number(table, OMPP_KIND_TIME, interval.most_ns);
	ompp_table_number(table, OMPP_KIND_SHARE,
	                  interval.most_ns == OMPP_MISSING ? OMPP_MISSING : ompp_share(gain_ns, a->measured_ns));
}

/* ---- locks ---- */

/* Returns what all threads waited to be let in. */
static int64_t waited_ns(const struct ompp_analysis *a, uint32_t region)
{
	struct ompp_cell sum = ompp_analysis_sum(a, region, 0);

	return sum.enter_ns;
}

int ompp_put_lock_gains(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	const struct ompp_profile *p = a->profile;
	struct ompp_gain_room room = ompp_gain_room(a);
	struct ompp_table *table = &sheet->table;

	ompp_table_start(table, OMPP_STYLE_GRID, "locks on the path",
	                 "Waiting for critical sections, locks and turns: of all threads, and what the run would gain "
	                 "without it, as it is on the longest path (modelled):");
	ompp_region_columns(table);
	ompp_table_column(table, "waited", OMPP_IN_BOTH);
	gain_columns(table);
	ompp_table_left_column(table, "region", OMPP_IN_TEXT);
	for (size_t i = 0; i < p->n_gains; i++) {
		const struct ompp_gain *gain = &p->gains[i];

		if (gain->unlocked_ns == OMPP_MISSING || gain->region == OMPP_NONE || !a->shown[gain->region])
			continue;
		ompp_region_values(table, region_of(p, gain), region_of(p, gain)->construct);
		ompp_table_number(table, OMPP_KIND_TIME, waited_ns(a, gain->region));
		gain_values(a, table, &room, gain->unlocked_ns);
		ompp_table_text(table, title_of(a, gain));
	}
	return table->n_values ? sheet->put(sheet) : 0;
}

/* ---- what if ---- */

static const char *without_lock(const struct ompp_profile *p, const struct ompp_gain *gain)
{
	const struct ompp_region *region = region_of(p, gain);

	if (region && region->construct == OMPP_CRITICAL)
		return "critical section removed";
	return region && region->construct == OMPP_ORDERED ? "not in turn" : "lock removed";
}

static const char *without_barrier(const struct ompp_profile *p, const struct ompp_gain *gain)
{
	const struct ompp_region *region = region_of(p, gain);

	return region && region->construct == OMPP_BARRIER ? "barrier removed" : "nowait";
}

/* Returns "schedule(dynamic, 4)", or "grainsize x 8"; "" where neither was looked at. */
static const char *other_schedule(const struct ompp_analysis *a, const struct ompp_gain *gain)
{
	const struct ompp_region *region = region_of(a->profile, gain);
	int is_taskloop = region && region->construct == OMPP_TASKLOOP;
	struct ompp_text t;

	if (gain->scheduled_ns == OMPP_MISSING)
		return "";
	ompp_say_start(&t, a->arena);
	ompp_text_str(&t, is_taskloop ? "grainsize x " : "schedule(dynamic, ");
	ompp_text_u64(&t, gain->n_chunk);
	ompp_text_str(&t, is_taskloop ? "" : ")");
	return t.data;
}

/* Lists the changes that gain something for certain.  Returns their number. */
static size_t list_changes(const struct ompp_analysis *a, const struct ompp_gain_room *room, struct change *list)
{
	const struct ompp_profile *p = a->profile;
	size_t n = 0;

	for (size_t i = 0; i < p->n_gains; i++) {
		const struct ompp_gain *gain = &p->gains[i];
		const struct ompp_gain_room of_chunks = ompp_gain_room_of_chunks(room, gain);
		const struct change all[N_CHANGES] = {
			{ gain, "twice as fast", gain->faster_ns, *room },
			{ gain, without_lock(p, gain), gain->unlocked_ns, *room },
			{ gain, without_barrier(p, gain), gain->nowait_ns, *room },
			{ gain, "no wait; taskgroup around", gain->unjoined_ns, *room },
			{ gain, other_schedule(a, gain), gain->scheduled_ns, of_chunks },
		};

		if (gain->region != OMPP_NONE && !a->shown[gain->region])
			continue;
		for (int k = 0; k < N_CHANGES; k++)
			if (ompp_gain_is_certain(&all[k].room, all[k].gain_ns))
				list[n++] = all[k];
	}
	return n;
}

/* What gains most comes first. */
static int gains_less(const void *changes, uint32_t x, uint32_t y)
{
	const struct change *all = changes;

	return all[x].gain_ns != all[y].gain_ns ? all[x].gain_ns < all[y].gain_ns : x > y;
}

static int put_changes(const struct ompp_analysis *a, struct ompp_sheet *sheet, const struct change *list, size_t n)
{
	struct ompp_table *table = &sheet->table;
	const uint32_t *order = ompp_sorted(a->arena, n, gains_less, list);

	if (!order)
		return -ENOMEM;
	ompp_table_start(table, OMPP_STYLE_GRID, "what if", "What the run would gain by one change (modelled):");
	ompp_region_columns(table);
	gain_columns(table);
	ompp_table_left_columns(table, OMPP_IN_BOTH, "change", "region");
	for (size_t i = 0; i < n; i++) {
		const struct change *change = &list[order[i]];
		static const struct ompp_region serial = { .file = "", .name = "" };
		const struct ompp_region *region = region_of(a->profile, change->of);

		ompp_region_values(table, region ? region : &serial, region ? region->construct : OMPP_USER_REGION);
		gain_values(a, table, &change->room, change->gain_ns);
		ompp_table_text(table, change->what);
		ompp_table_text(table, title_of(a, change->of));
	}
	return sheet->put(sheet);
}

/* Returns how many loops there are of which it is not known what another schedule would gain. */
static uint64_t n_untold_loops(const struct ompp_analysis *a)
{
	uint64_t n = 0;

	for (uint32_t r = 0; r < a->profile->n_regions; r++) {
		enum ompp_construct construct = a->profile->regions[r].construct;
		const struct ompp_gain *gain = ompp_gain_of(a->profile, r);

		if (a->shown[r] && (construct == OMPP_LOOP || construct == OMPP_PARALLEL_LOOP) &&
		    (!gain || gain->scheduled_ns == OMPP_MISSING))
			n++;
	}
	return n;
}

/* Says what is not known. */
static int put_limits(const struct ompp_analysis *a, struct ompp_sheet *sheet, const struct ompp_gain_room *room,
                      size_t n)
{
	uint64_t n_untold = n_untold_loops(a);
	struct ompp_text t;

	ompp_say_start_long(&t, a->arena);
	if (room->per_mille == OMPP_MISSING)
		ompp_text_str(&t,
		              "What single changes would gain is not said: the longest path explains less than half of "
		              "the run.");
	else if (!n)
		ompp_text_str(&t, "No single change that was looked at gains anything for certain.");
	else
		ompp_text_str(&t, "A change is one alone: gains do not add up. Twice as fast is a region's own time, "
		                  "without the regions in it. A barrier or a taskwait may be left out only where "
		                  "nothing behind it needs what others did before it, and a critical section where "
		                  "nothing in it is shared; that is not known here.");
	if (room->per_mille != OMPP_MISSING && n_untold) {
		ompp_text_str(&t, " Of ");
		ompp_say_count(&t, n_untold, "loop");
		ompp_text_str(&t,
		              " only what all iterations of a thread take together is known, so not what another "
		              "schedule would gain; kinst --iterations tells of each iteration of loops, but for those "
		              "with nowait, ordered, simd, reduction(inscan) or reduction(task), those that can be "
		              "cancelled, and those that collapse with other statements between them.");
	}
	if (a->profile->n_gains_lost) {
		ompp_text_str(&t, " ");
		ompp_say_count(&t, a->profile->n_gains_lost, "further change");
		ompp_text_str(&t, " had no room.");
	}
	return ompp_data_remark(t.data, sheet);
}

int ompp_put_gains(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	struct ompp_gain_room room = ompp_gain_room(a);
	struct change *list;
	size_t n;
	int rc;

	if (!a->profile->has_gains)
		return 0;
	list = ompp_arena_alloc(a->arena, (a->profile->n_gains * N_CHANGES + 1) * sizeof(*list));
	if (!list)
		return -ENOMEM;
	n = list_changes(a, &room, list);
	rc = n ? put_changes(a, sheet, list, n) : 0;
	return rc ? rc : put_limits(a, sheet, &room, n);
}

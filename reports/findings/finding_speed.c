/*
 * Finding, speed: threads that took different times for the same work because their processors were not equally fast.
 * No change of the program would mend that, so it is one finding for the whole of it.
 *
 * Where it was page faults that took a thread longer, each time, that is a finding about the region.
 */
#include "reports/findings/finding.h"

#include "reports/analysis/label.h"
#include "reports/analysis/waiting.h"
#include "reports/findings/hooked.h"

enum { STOLEN_MILLI = 10 };  /* less explains nothing that would be looked at: a twentieth of the work is */
enum { SLOWER_SHARE = 100 }; /* and so does a processor that is slower by less than one part in so many */

/* What it costs, and the call path where it costs most. */
struct speed {
	int64_t ns, gain_ns, most_ns;
	uint32_t n_paths, node;
	struct ompp_waiting most;
};

static void speed_add(struct speed *speed, const struct ompp_analysis *a, uint32_t node, const struct ompp_waiting *w)
{
	if (w->verdict != OMPP_WORK_SPEED || w->body_ns <= 0 || ompp_hooked_explains(a, node, w))
		return;
	speed->ns = ompp_add(speed->ns, w->body_ns);
	speed->gain_ns = ompp_add(speed->gain_ns, ompp_waiting_wall(a, node, w->body_ns, w->wait_ns));
	speed->n_paths++;
	if (w->body_ns <= speed->most_ns)
		return;
	speed->most_ns = w->body_ns;
	speed->node = node;
	speed->most = *w;
}

/* "In LOOP a.c (7-8) threads take 76.2 to 86.2 us each time." */
static void say_where(struct ompp_text *t, const struct ompp_analysis *a, const struct speed *speed)
{
	const struct ompp_work *least = &speed->most.least, *most = &speed->most.most;

	ompp_text_str(t, speed->n_paths == 1 ? "In " : "Most of it in ");
	ompp_text_str(t, ompp_region_label(a, &a->profile->regions[a->profile->nodes[speed->node].region]));
	ompp_text_str(t, ": threads work ");
	ompp_say_times(t, least->mean_ns, most->mean_ns);
	ompp_text_str(t, most->n == 1 ? ". " : " each time. ");
	if (least->pace_ps > 0 && most->pace_ps - least->pace_ps >= least->pace_ps / SLOWER_SHARE) {
		ompp_text_str(t, "A fixed piece of work, which was timed again and again, took the slower one ");
		ompp_say_ratio(t, most->pace_ps, least->pace_ps);
		ompp_text_str(t, " times as long. ");
	}
	if (speed->most.stolen_milli >= STOLEN_MILLI) {
		ompp_text_str(t, "A hypervisor ran something else on one of the processors for ");
		ompp_say_time(t, a->profile->stolen_most_ns);
		ompp_text_str(t, " of the run (steal in /proc/stat). ");
	}
	if (most->apart_error_ns != OMPP_MISSING && least->apart_error_ns != OMPP_MISSING) {
		ompp_text_str(t, "The difference changes during the run by ");
		ompp_say_time(t, ompp_subtract(most->apart_ns, least->apart_ns));
		ompp_text_str(t, " +- ");
		ompp_say_time(t, ompp_add(most->apart_error_ns, least->apart_error_ns));
		ompp_text_str(t, " in the mean. ");
	}
	ompp_text_str(t, "Meanwhile the others wait ");
	ompp_say_time(t, speed->ns);
	ompp_text_str(t, " in all.");
}

/* "The slower one has 256 page faults each time, the other one 0; one takes some 0.531 us here at least." */
static void say_faults(struct ompp_text *t, const struct ompp_waiting *w)
{
	ompp_text_str(t, "Threads work ");
	ompp_say_times(t, w->least.mean_ns, w->most.mean_ns);
	ompp_text_str(t, " each time. The slower one has ");
	ompp_text_grouped(t, w->most.faults / ompp_count(w->most.n));
	ompp_text_str(t, " page faults in that, the other one ");
	ompp_text_grouped(t, w->least.faults / ompp_count(w->least.n));
	ompp_text_str(t, ", and one takes some ");
	ompp_say_time(t, w->fault_ps / 1000);
	ompp_text_str(t, " here at least: that is a third of the difference, or more.");
}

/* Returns what the run would be shorter if the slower thread were as fast as the others of its team, in the mean. */
static int64_t wall_of_others(const struct ompp_analysis *a, uint32_t node, const struct ompp_waiting *w)
{
	__int128 by_all_ns = ompp_waiting_wall(a, node, w->body_ns, w->wait_ns); /* divided by all members */

	return w->n_others ? (int64_t)(by_all_ns * a->profile->nodes[node].n_cells / w->n_others) : w->body_ns;
}

static void find_faults(struct ompp_finder *finder, uint32_t region)
{
	const struct ompp_analysis *a = finder->analysis;
	struct ompp_finding f = { .name = "PageFaultsInOneThread", .region = region };
	struct ompp_waiting w, most = { 0 };
	struct ompp_text t;

	for (uint32_t i = a->same_first[0][region]; i != OMPP_NONE; i = a->same_next[i]) {
		if (!ompp_waiting_at(a, i, &w) || w.verdict != OMPP_WORK_FAULTS)
			continue;
		f.ns = ompp_add(f.ns, w.body_ns);
		f.gain_ns = ompp_add(f.gain_ns, wall_of_others(a, i, &w));
		most = w.body_ns > most.body_ns ? w : most;
	}
	if (!f.ns)
		return;
	f.of_work = 1; /* faults are part of the slower thread's work */
	ompp_say_start(&t, a->arena);
	say_faults(&t, &most);
	ompp_text_str(&t, " Meanwhile the others wait ");
	ompp_say_time(&t, f.ns);
	ompp_text_str(&t, " in all. That pages are given back, which takes time, too, is not in it.");
	f.evidence = t.data;
	f.advice = "It touches memory that is new each time. Keep that memory from one execution to the next, let each "
		   "thread touch its own part, or ask for huge pages.";
	ompp_find(finder, &f);
}

void ompp_find_speed(struct ompp_finder *finder)
{
	const struct ompp_analysis *a = finder->analysis;
	struct ompp_finding f = { .name = "SpeedVaries", .region = OMPP_NONE };
	struct speed speed = { 0 };
	struct ompp_waiting w;
	struct ompp_text t;

	for (uint32_t r = 0; r < a->profile->n_regions; r++)
		find_faults(finder, r);
	for (uint32_t i = 1; i < a->profile->n_nodes; i++)
		if (ompp_waiting_at(a, i, &w))
			speed_add(&speed, a, i, &w);
	if (!speed.ns || finder->is_short)
		return;
	f.ns = speed.ns;
	f.gain_ns = speed.gain_ns;
	ompp_say_start_long(&t, a->arena);
	say_where(&t, a, &speed);
	f.evidence = t.data;
	f.advice = "This is the machine's part: cores that other programs or virtual machines share, clock speeds. "
		   "Measure on a machine that does nothing else, with threads bound to cores of their own "
		   "(OMP_PLACES=cores). "
		   "Where the work itself changes over time, schedule(dynamic) or guided shares it out anew.";
	ompp_find_machine(finder, &f);
}

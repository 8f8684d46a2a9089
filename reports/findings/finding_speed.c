/*
 * Finding, speed: threads that took different times for the same work because their processors were not equally fast.
 * No change of the program would mend that, so it is one finding for the whole of it.
 */
#include "reports/findings/finding.h"

#include "reports/analysis/label.h"
#include "reports/analysis/waiting.h"
#include "reports/findings/hooked.h"

enum { STOLEN_MILLI = 10 }; /* less explains nothing that would be looked at: a twentieth of the work is */

/* What it costs, and the call path where it costs most. */
struct speed {
	int64_t ns, most_ns;
	uint32_t n_paths, node;
	struct ompp_waiting most;
};

static void speed_add(struct speed *speed, const struct ompp_analysis *a, uint32_t node, const struct ompp_waiting *w)
{
	if (w->verdict != OMPP_WORK_SPEED || w->body_ns <= 0 || ompp_hooked_explains(a, node, w))
		return;
	speed->ns = ompp_add(speed->ns, w->body_ns);
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
	if (least->pace_ps > 0 && most->pace_ps > least->pace_ps) {
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

void ompp_find_speed(struct ompp_finder *finder)
{
	const struct ompp_analysis *a = finder->analysis;
	struct ompp_finding f = { .name = "SpeedVaries", .region = OMPP_NONE };
	struct speed speed = { 0 };
	struct ompp_waiting w;
	struct ompp_text t;

	for (uint32_t i = 1; i < a->profile->n_nodes; i++)
		if (ompp_waiting_at(a, i, &w))
			speed_add(&speed, a, i, &w);
	if (!speed.ns || finder->is_short)
		return;
	f.ns = speed.ns;
	f.gain_ns = f.ns / (int64_t)a->n_threads;
	ompp_say_start_long(&t, a->arena);
	say_where(&t, a, &speed);
	f.evidence = t.data;
	f.advice = "This is the machine's part: cores that other programs or virtual machines share, clock speeds. "
		   "Measure on "
		   "a machine that does nothing else, with threads bound to cores of their own (OMP_PLACES=cores). "
		   "Where the "
		   "work itself changes over time, schedule(dynamic) or guided shares it out anew.";
	ompp_find(finder, &f);
}

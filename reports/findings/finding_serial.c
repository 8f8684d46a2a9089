/*
 * Finding, serial: work that one thread does while the others cannot work.
 */
#include "reports/findings/finding.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/hot_functions.h"
#include "reports/analysis/label.h"
#include "reports/analysis/untimed.h"
#include "runtime/base/sort.h"

/* Fewer pages take no time that shows, nor do page faults that take less than a part in so many of the serial part. */
enum { LEAST_TOUCHES = 256, TOUCHES_SHARE = 20 };
enum { SEEN_BEFORE = 1000000 }; /* 10^-9 of the run: less time before main() is not spoken of */

/* Returns the region outside of parallel regions that takes at least half of the serial part; OMPP_NONE without one. */
static uint32_t main_part(const struct ompp_analysis *a, int64_t serial_ns)
{
	const struct ompp_profile *p = a->profile;
	uint32_t best = OMPP_NONE;
	int64_t most_ns = 0;

	for (uint32_t i = 1; i < p->n_nodes; i++) {
		int64_t ns;

		if (a->team[i] != OMPP_NONE)
			continue;
		ns = ompp_untimed_least_ns(ompp_analysis_exclusive_ns(a, i), ompp_untimed_exclusive_error_ns(a, i));
		if (ns > most_ns) {
			most_ns = ns;
			best = p->nodes[i].region;
		}
	}
	return most_ns >= serial_ns / 2 ? best : OMPP_NONE;
}

/* Returns what the serial part costs the threads that have nothing to do meanwhile, without the time before main() and
 * that which is no work. */
static int64_t work_of_others(const struct ompp_classes *c, int64_t idle_in_it_ns)
{
	int64_t left_ns = c->serial_ns - c->before_ns - idle_in_it_ns;

	if (c->serial_ns <= 0)
		return c->idle_ns;
	return left_ns > 0 ? (int64_t)((__int128)c->idle_ns * left_ns / c->serial_ns) : 0;
}

/* Returns how long the first threads worked outside of parallel regions in the program's own code, by samples, in the
 * mean of processes.  In an MPI run the rest may be waiting for other ranks, which need not sleep. */
static int64_t in_own_code(const struct ompp_analysis *a, int64_t serial_ns)
{
	const struct ompp_profile *p = a->profile;
	int64_t ns = 0;

	for (size_t i = 0; i < p->n_hot_spots; i++) {
		const struct ompp_hot_spot *spot = &p->hot_spots[i];

		if (a->team[spot->node] == OMPP_NONE && !spot->module[0] && spot->file[0])
			ns = ompp_add(ns, spot->ns);
	}
	ns /= p->n_merged ? (int64_t)p->n_merged : 1;
	return ns < serial_ns ? ns : serial_ns;
}

/* Returns how long the thread outside of parallel regions did no work there: it may sleep in MPI. */
static int64_t idle_outside(const struct ompp_finder *finder)
{
	return finder->classes.mpi_ns > finder->idle_outside_ns ? finder->classes.mpi_ns : finder->idle_outside_ns;
}

/* Says how much of the serial time is none of the program's work. */
static void say_no_work(const struct ompp_finder *finder, struct ompp_text *t)
{
	if (finder->idle_outside_ns > finder->outside_ns) {
		ompp_text_str(t, " Some ");
		ompp_say_time(t, finder->idle_outside_ns);
		ompp_text_str(t, finder->outside_ns
		                         ? " of the serial time is no work: the thread slept, or waited for a "
		                           "processor."
		                         : " of the serial time is no work: the thread waited for a processor.");
	} else if (finder->outside_ns) {
		ompp_text_str(t, " At least ");
		ompp_say_time(t, finder->outside_ns);
		ompp_text_str(t, " of the serial time is no work: the thread slept.");
	}
}

static int is_later_line(const void *context, uint32_t x, uint32_t y)
{
	const struct ompp_first_touch *a = (const struct ompp_first_touch *)context + x,
				      *b = (const struct ompp_first_touch *)context + y;
	int d = strcmp(a->file, b->file);

	return d ? d > 0 : a->line != b->line ? a->line > b->line : x > y;
}

/* Returns the source line with most first touches in the serial part, and how many it has, and all have; NULL where no
 * line is known, or without memory. */
static const struct ompp_first_touch *most_touching(const struct ompp_analysis *a, uint64_t *n_most, uint64_t *n_all)
{
	const struct ompp_first_touch *touches = a->profile->first_touches, *last = NULL, *most = NULL;
	size_t n_touches = a->profile->n_first_touches;
	const uint32_t *order = ompp_sorted(a->arena, n_touches, is_later_line, touches);
	uint64_t n = 0;

	*n_most = *n_all = 0;
	for (size_t i = 0; order && i < n_touches; i++) {
		const struct ompp_first_touch *one = &touches[order[i]];

		if (!ompp_hot_is_serial(a, one->node))
			continue;
		*n_all += one->n_pages;
		n = last && last->line == one->line && !strcmp(last->file, one->file) ? n + one->n_pages : one->n_pages;
		last = one;
		if (n > *n_most && one->line && one->line != OMPP_NONE) {
			*n_most = n;
			most = one;
		}
	}
	return most;
}

/* Do so many page faults take a part of the serial part's work that counts, where it is known what one takes? */
static int is_much_of(const struct ompp_profile *p, int64_t n_faults, int64_t work_ns)
{
	return n_faults >= LEAST_TOUCHES &&
	       (p->fault_ps <= 0 || ompp_times(p->fault_ps, (uint64_t)n_faults) / 1000 >= work_ns / TOUCHES_SHARE);
}

/* Returns the object with most pages that were touched first in the serial part, and how many it has; OMPP_NONE where
 * no memory has a name. */
static uint32_t most_touched(const struct ompp_analysis *a, uint64_t *n_most)
{
	const struct ompp_profile *p = a->profile;
	uint64_t *n = ompp_arena_alloc(a->arena, (p->n_objects + 1) * sizeof(*n));
	uint32_t most = OMPP_NONE;

	*n_most = 0;
	for (size_t i = 0; n && i < p->n_first_touches; i++) {
		uint32_t object = p->first_touches[i].object;

		if (!ompp_hot_is_serial(a, p->first_touches[i].node) || object < OMPP_OBJECT_FIRST_NAMED)
			continue;
		n[object] += p->first_touches[i].n_pages;
		if (n[object] > *n_most) {
			*n_most = n[object];
			most = object;
		}
	}
	return most;
}

/* Returns where most memory is touched first, "at a.c:7", or " in a.c:5 r" where no line has half of it and its objects
 * have names; "" where neither is known. */
static const char *touched_place(const struct ompp_analysis *a, uint64_t *n_most, uint64_t *n_all)
{
	const struct ompp_first_touch *most = most_touching(a, n_most, n_all);
	uint64_t n_line = *n_most, n_object;
	uint32_t object = most_touched(a, &n_object);
	struct ompp_text t;
	const char *base;

	ompp_say_start(&t, a->arena);
	if (object != OMPP_NONE && n_line * 2 < *n_all) {
		*n_most = n_object;
		ompp_text_str(&t, "in ");
		ompp_text_str(&t, a->profile->objects[object].name);
	} else if (most) {
		base = strrchr(most->file, '/');
		ompp_text_str(&t, "at ");
		ompp_text_str(&t, base ? base + 1 : most->file);
		ompp_text_char(&t, ':');
		ompp_text_u64(&t, most->line);
	}
	return t.data;
}

/* Says where its memory was touched first, which samples in user mode do not show: " 62 500 pages were touched there
 * first, 62 499 of them at a.c:7. Each is a page fault."  How long these take is not said, as the samples take a part
 * of it.  Returns the place where it is known; "" where nothing is.
 * has_more: set to 1 where so many pages have no line, as those that the C library fills, and no names either */
static const char *say_touches(struct ompp_text *t, const struct ompp_analysis *a, int64_t work_ns, int *has_more)
{
	const struct ompp_profile *p = a->profile;
	uint64_t n_most, n_all;
	const char *place = touched_place(a, &n_most, &n_all);
	int is_half = n_all && n_most * 2 >= n_all;

	*has_more = 0;
	if (p->n_processes > 1 || !is_much_of(p, ompp_count(n_all), work_ns))
		return "";
	*has_more = !p->all_objects && !is_half;
	ompp_text_char(t, ' ');
	ompp_text_grouped(t, ompp_count(n_all));
	ompp_text_str(t, " pages were touched there first, ");
	if (place[0]) {
		ompp_text_grouped(t, ompp_count(n_most));
		ompp_text_str(t, " of them ");
	}
	ompp_text_str(t, place[0] ? place : "at no line that is known");
	ompp_text_str(t, ". Each is a page fault.");
	return is_half || p->all_objects ? place : "";
}

/* Says how many page faults there are that threads did not have in parallel regions, as far as that is known: " Up to
 * 62 500 page faults lie there, and take at least some 31.2 ms".  Returns 1 when something is said. */
static int say_faults(struct ompp_text *t, const struct ompp_profile *p, int64_t work_ns)
{
	int64_t n = p->n_faults; /* OMPP_MISSING is the least number */

	for (size_t i = 0; i < p->n_waits && n > 0; i++)
		n = ompp_subtract(n, p->waits[i].n_faults > 0 ? p->waits[i].n_faults : 0);
	if (p->touched || p->fault_ps <= 0 || p->n_processes > 1 || p->n_merged > 1 || !is_much_of(p, n, work_ns))
		return 0;
	ompp_text_str(t, " Up to ");
	ompp_text_grouped(t, n);
	ompp_text_str(t, " page faults lie there, which take at least some ");
	ompp_say_time(t, ompp_times(p->fault_ps, (uint64_t)n) / 1000);
	ompp_text_str(t, ", and are in no sample of its processor time.");
	return 1;
}

/* Returns what to try.
 * place: where most memory is touched first; "" where that is not known
 * more: the command that says more of its page faults; NULL for none */
static const char *serial_advice(const struct ompp_analysis *a, const char *place, const char *more)
{
	struct ompp_text t;

	ompp_say_start(&t, a->arena);
	ompp_text_str(&t, "Parallelise what stands there");
	if (place[0]) {
		ompp_text_str(&t, ", first what touches memory ");
		ompp_text_str(&t, place);
	}
	ompp_text_str(&t, ", or let it run beside parallel work. ");
	if (more) {
		ompp_text_str(&t, "Page faults are part of it: ");
		ompp_text_str(&t, more);
		ompp_text_str(&t, ". ");
	}
	ompp_text_str(&t, "Threads that the program made itself, without OpenMP, are not seen.");
	return t.data;
}

static void find_serial_part(struct ompp_finder *finder)
{
	const struct ompp_analysis *a = finder->analysis;
	const struct ompp_classes *c = &finder->classes;
	struct ompp_finding f = { .name = "SerialPart", .region = OMPP_NONE };
	int64_t own_ns, work_ns, serial_ns = c->serial_ns - c->before_ns;
	const char *place, *more = NULL;
	int is_mpi, has_more;
	uint32_t part;
	struct ompp_text t;

	/* without any region nothing is known of the program, which need not be built by kinst */
	if (c->idle_ns == OMPP_MISSING || c->idle_ns <= 0 || a->profile->n_nodes < 2 || finder->is_short)
		return;
	is_mpi = a->profile->mpi_size > 1;
	own_ns = is_mpi ? in_own_code(a, serial_ns - c->mpi_ns) : 0;
	f.ns = work_of_others(c, is_mpi ? serial_ns - own_ns : idle_outside(finder));
	if (!f.ns)
		return;
	f.gain_ns = f.ns / (int64_t)a->n_threads;
	ompp_say_start(&t, a->arena);
	ompp_say_time(&t, serial_ns);
	ompp_text_str(&t, " of ");
	ompp_say_time(&t, a->measured_ns);
	ompp_text_str(&t, " (");
	ompp_say_share(&t, ompp_share(serial_ns, a->measured_ns));
	ompp_text_str(&t, ") lie outside of parallel regions");
	if (ompp_share(c->before_ns, a->measured_ns) >= SEEN_BEFORE) {
		ompp_text_str(&t, ", and ");
		ompp_say_time(&t, c->before_ns);
		ompp_text_str(&t, " before main(), where libraries are loaded and constructors run");
	}
	ompp_text_str(&t, ": with any number of threads the run can be at most ");
	ompp_say_ratio(&t, a->measured_ns, c->serial_ns);
	ompp_text_str(&t, " times as fast as this one (Amdahl's law).");
	part = main_part(a, serial_ns);
	if (part != OMPP_NONE) {
		ompp_text_str(&t, " At least half of that is in ");
		ompp_text_str(&t, ompp_region_label(a, &a->profile->regions[part]));
		ompp_text_char(&t, '.');
	}
	work_ns = ompp_subtract(serial_ns, idle_outside(finder));
	place = say_touches(&t, a, work_ns, &has_more);
	if (has_more)
		more = "ompp run --objects --sample=touch names their memory";
	else if (say_faults(&t, a->profile, work_ns))
		more = "ompp run --sample=touch names their lines";
	say_no_work(finder, &t);
	if (c->mpi_ns) {
		ompp_text_str(&t, " Of that ");
		ompp_say_time(&t, c->mpi_ns);
		ompp_text_str(&t, " are in MPI, and do not count here.");
	}
	if (is_mpi) { /* nobody can share out among threads what MPI waits */
		f.gain_ns = OMPP_MISSING;
		ompp_text_str(&t, c->mpi_ns ? " What counts are "
		                            : " As this is an MPI run, communication and waiting for other ranks are "
		                              "part of it, and are not measured: what counts here are ");
		ompp_say_time(&t, own_ns);
		ompp_text_str(&t, " in the program's own code, by samples of its processor time.");
	}
	f.evidence = t.data;
	f.advice = serial_advice(a, place, more);
	ompp_find(finder, &f);
}

/* What the machine does to each program, which it starts and whose pages it loads, is no finding: below so much, unless
 * it is one part in so many of the run. */
enum { LEAST_SLEEP_NS = 100000000, SLEEP_SHARE = 10 };

/* Finds time outside of parallel regions in which the first thread slept. */
static void find_waiting_outside(struct ompp_finder *finder)
{
	const struct ompp_analysis *a = finder->analysis;
	struct ompp_finding f = { .name = "WaitingOutsideRegions",
		                  .region = OMPP_NONE,
		                  .ns = finder->outside_ns,
		                  .gain_ns = finder->outside_ns };
	struct ompp_text t;

	if (!f.ns || a->profile->n_nodes < 2 || finder->is_short ||
	    (f.ns < LEAST_SLEEP_NS && f.ns < a->measured_ns / SLEEP_SHARE))
		return;
	if (__builtin_mul_overflow(f.ns, (int64_t)a->n_threads, &f.ns))
		return;
	ompp_say_start(&t, a->arena);
	ompp_text_str(&t, "Of ");
	ompp_say_time(&t, finder->classes.serial_ns);
	ompp_text_str(&t, " outside of parallel regions the thread there slept for at least ");
	ompp_say_time(&t, finder->outside_ns);
	ompp_text_str(&t,
	              ": neither samples of its processor time, nor time in the kernel, nor waiting for a processor "
	              "account for that.");
	f.evidence = t.data;
	f.advice =
		"Look there for input and output, sleeps, waiting for other processes (MPI) and for threads that the "
		"program made itself; let parallel work go on meanwhile.";
	ompp_find(finder, &f);
}

/* Returns, by team, how long members other than the first one waited at its barriers. */
static int64_t *waits_of_others(const struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;
	int64_t *waits = ompp_arena_alloc(a->arena, p->n_nodes * sizeof(*waits));

	for (uint32_t i = 1; waits && i < p->n_nodes; i++) {
		const struct ompp_node *node = &p->nodes[i];

		for (uint32_t k = 0; a->team[i] != OMPP_NONE && k < node->n_cells; k++) {
			const struct ompp_cell *cell = &p->cells[node->first_cell + k];
			int64_t ns = node->construct == OMPP_BARRIER ? cell->exec_ns : cell->exit_bar_ns;

			if (p->rows[cell->row].rank && ns != OMPP_MISSING)
				waits[a->team[i]] = ompp_add(waits[a->team[i]], ns);
		}
	}
	return waits;
}

/* Finds work of the first thread alone.  It costs at most what the others wait for it, and nothing if they do not
 * wait. */
static void find_master(struct ompp_finder *finder, uint32_t region, const int64_t *waits)
{
	const struct ompp_analysis *a = finder->analysis;
	const struct ompp_profile *p = a->profile;
	struct ompp_finding f = { .name = "UnparallelizedInMasterRegion", .region = region };
	int64_t exec_ns = 0, others_ns = 0;
	struct ompp_text t;

	for (uint32_t i = a->same_first[0][region]; i != OMPP_NONE; i = a->same_next[i]) {
		int64_t here_ns = 0, wait_ns = a->team[i] == OMPP_NONE ? 0 : waits[a->team[i]];
		int64_t error_ns = 0, sure_ns;

		for (uint32_t k = 0; k < p->nodes[i].n_cells; k++) {
			here_ns = ompp_add(here_ns, p->cells[p->nodes[i].first_cell + k].exec_ns);
			error_ns = ompp_error_add(error_ns, p->cells[p->nodes[i].first_cell + k].error_ns);
		}
		sure_ns = ompp_untimed_least_ns(here_ns, error_ns);
		f.ns = ompp_add(f.ns, sure_ns < wait_ns ? sure_ns : wait_ns);
		exec_ns = ompp_add(exec_ns, here_ns);
		others_ns = ompp_add(others_ns, wait_ns);
	}
	if (!f.ns)
		return;
	f.gain_ns = f.ns;
	ompp_say_start(&t, a->arena);
	ompp_text_str(&t, a->sums[0][region].n_untimed ? "One thread works ~" : "One thread works ");
	ompp_say_time(&t, exec_ns);
	ompp_text_str(&t, " in it; the others of the team wait ");
	ompp_say_time(&t, others_ns);
	ompp_text_str(&t, " at barriers, for this thread or for other reasons.");
	f.evidence = t.data;
	f.advice = "Make the work parallel, or let the others go on (no barrier after it).";
	ompp_find(finder, &f);
}

void ompp_find_serial(struct ompp_finder *finder)
{
	const struct ompp_profile *p = finder->analysis->profile;
	const int64_t *waits = waits_of_others(finder->analysis);

	if (!waits) {
		finder->rc = -ENOMEM;
		return;
	}
	find_serial_part(finder);
	find_waiting_outside(finder);
	for (uint32_t r = 0; r < p->n_regions; r++)
		if ((p->regions[r].construct == OMPP_MASTER || p->regions[r].construct == OMPP_MASKED) &&
		    !finder->explained[r])
			find_master(finder, r, waits);
}

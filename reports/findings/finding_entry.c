/*
 * Finding, entries: threads that wait to get into a critical region or a lock, or that change one word very often.
 */
#include "reports/findings/finding.h"

#include "reports/analysis/gain.h"
#include "reports/analysis/untimed.h"
#include "runtime/terms/clauses.h"

static const char advice_of_lock[] = "Hold it for less time, or use one lock for each part of the data.";

/* Returns what the run would save without the region's execution (of_exec) or without the waiting to enter it: the
 * longest time of a thread at each call path, summed up, as others may wait for that thread.  It may be more if another
 * thread takes longest each time. */
static int64_t gain_of(const struct ompp_analysis *a, uint32_t region, int of_exec)
{
	const struct ompp_profile *p = a->profile;
	int64_t gain_ns = 0;

	for (uint32_t i = a->same_first[0][region]; i != OMPP_NONE; i = a->same_next[i]) {
		int64_t most_ns = 0;

		for (uint32_t k = 0; k < p->nodes[i].n_cells; k++) {
			const struct ompp_cell *cell = &p->cells[p->nodes[i].first_cell + k];
			int64_t ns = of_exec ? ompp_untimed_least_ns(cell->exec_ns, cell->error_ns)
			                     : ompp_untimed_least_ns(cell->enter_ns, cell->enter_error_ns);

			most_ns = ns > most_ns ? ns : most_ns;
		}
		gain_ns = ompp_add(gain_ns, most_ns);
	}
	return gain_ns;
}

/* Is the region directly in a loop whose clauses have no reduction yet? */
static int could_be_reduction(const struct ompp_analysis *a, uint32_t region)
{
	const struct ompp_profile *p = a->profile;
	uint32_t node = a->same_first[0][region], parent = node == OMPP_NONE ? OMPP_NONE : p->nodes[node].parent;
	enum ompp_construct construct = parent && parent != OMPP_NONE ? p->nodes[parent].construct : OMPP_BARRIER;

	return (construct == OMPP_LOOP || construct == OMPP_PARALLEL_LOOP) &&
	       !ompp_has_clause(p->regions[p->nodes[parent].region].clauses, "reduction");
}

/* Do the ordered parts of the loop, which come one after another, take as long as all threads need for the whole loop
 * without waiting for their turns?  Then no schedule makes it shorter. */
static int is_mostly_ordered(const struct ompp_analysis *a, uint32_t region, const struct ompp_cell *sum)
{
	const struct ompp_profile *p = a->profile;
	uint32_t node = a->same_first[0][region], parent = node == OMPP_NONE ? OMPP_NONE : p->nodes[node].parent;
	struct ompp_cell loop;
	int64_t in_turn_ns;

	if (!parent || parent == OMPP_NONE || p->nodes[parent].region == OMPP_NONE)
		return 0;
	loop = ompp_analysis_sum(a, p->nodes[parent].region, 0);
	in_turn_ns = ompp_add(ompp_untimed_least_ns(sum->body_ns, sum->body_error_ns),
	                      ompp_untimed_least_ns(sum->exit_ns, sum->exit_error_ns));
	return in_turn_ns >
	       ompp_subtract(loop.body_ns, ompp_untimed_least_ns(sum->enter_ns, sum->enter_error_ns)) / a->n_threads;
}

/* Says the mean of a time of n visits, with its error where it is an estimate. */
static void say_mean(struct ompp_text *t, const struct ompp_cell *sum, int64_t ns, int64_t error_ns)
{
	int64_t n = ompp_count(sum->n_exec);

	ompp_text_str(t, sum->n_untimed ? "~" : "");
	ompp_say_time(t, n ? ns / n : 0);
	if (!sum->n_untimed || error_ns == OMPP_MISSING)
		return;
	ompp_text_str(t, " +- ");
	ompp_say_time(t, n ? error_ns / n : 0);
}

/* Adds what the run would gain without waiting for the region, by the longest path. */
static void say_gain(struct ompp_text *t, struct ompp_gain_interval gain)
{
	if (gain.most_ns == OMPP_MISSING)
		return;
	if (!gain.least_ns) {
		ompp_text_str(t, " It is hardly on the longest path: without it the run would be shorter by ");
		ompp_say_time(t, gain.most_ns);
		ompp_text_str(t, " at most (modelled).");
		return;
	}
	ompp_text_str(t, " On the longest path: without it the run would be ");
	ompp_say_times(t, gain.least_ns, gain.most_ns);
	ompp_text_str(t, " shorter (modelled).");
}

/* Returns what the run would gain without waiting for the region, by the longest path; missing where none was looked
 * for. */
static struct ompp_gain_interval path_gain(const struct ompp_analysis *a, uint32_t region)
{
	const struct ompp_gain *gain = ompp_gain_of(a->profile, region);
	struct ompp_gain_room room = ompp_gain_room(a);

	return ompp_gain_interval(&room, gain ? gain->unlocked_ns : OMPP_MISSING);
}

/* "40 000 entries: 62.5 us of waiting and 1.20 us inside each." */
static const char *say_entries(const struct ompp_analysis *a, uint32_t region, const struct ompp_cell *sum)
{
	int64_t n = ompp_count(sum->n_exec);
	struct ompp_text t;

	ompp_say_start(&t, a->arena);
	ompp_text_grouped(&t, n);
	ompp_text_str(&t, n == 1 ? " entry: " : " entries: ");
	say_mean(&t, sum, sum->enter_ns, sum->enter_error_ns);
	ompp_text_str(&t, " of waiting and ");
	say_mean(&t, sum, sum->body_ns, sum->body_error_ns);
	ompp_text_str(&t, " inside each.");
	say_gain(&t, path_gain(a, region));
	return t.data;
}

/* Finds the time to enter a region, or of its whole execution.  Of an estimate it is the lower bound. */
static void find_time(struct ompp_finder *finder, uint32_t region, const struct ompp_cell *sum, int of_exec,
                      const char *name, const char *evidence, const char *advice)
{
	int64_t ns = of_exec ? sum->exec_ns : sum->enter_ns, error_ns = of_exec ? sum->error_ns : sum->enter_error_ns;
	struct ompp_gain_interval gain = path_gain(finder->analysis, region);

	ompp_find(finder, &(struct ompp_finding){ .name = name,
	                                          .region = region,
	                                          .ns = ompp_untimed_least_ns(ns, error_ns),
	                                          .gain_ns = gain.most_ns != OMPP_MISSING
	                                                           ? gain.most_ns
	                                                           : gain_of(finder->analysis, region, of_exec),
	                                          .evidence = evidence,
	                                          .advice = advice });
}

static void find_entry(struct ompp_finder *finder, uint32_t region, const struct ompp_cell *sum, const char *name,
                       const char *advice)
{
	find_time(finder, region, sum, 0, name, say_entries(finder->analysis, region, sum), advice);
}

/* Begins a sentence on the region's visits: "40 000 executions of 62.5 us each". */
static void say_visits(struct ompp_text *t, struct ompp_arena *arena, const struct ompp_cell *sum, const char *visit,
                       int64_t ns, int64_t error_ns)
{
	ompp_say_start(t, arena);
	ompp_say_count(t, sum->n_exec, visit);
	ompp_text_str(t, " of ");
	say_mean(t, sum, ns, error_ns);
	ompp_text_str(t, " each");
}

/* Finds atomics that each thread executes more than 1000 times a second. */
static void find_atomic(struct ompp_finder *finder, uint32_t region, const struct ompp_cell *sum)
{
	const struct ompp_analysis *a = finder->analysis;
	struct ompp_text t;

	if ((unsigned __int128)sum->n_exec * 1000000 <= (unsigned __int128)a->capacity_ns)
		return;
	say_visits(&t, a->arena, sum, "execution", sum->exec_ns, sum->error_ns);
	ompp_text_char(&t, '.');
	find_time(finder, region, sum, 1, "FrequentAtomic", t.data,
	          could_be_reduction(a, region) ? "Use a reduction of the loop around it, or collect in a private "
	                                          "variable and update once."
	                                        : "Collect in a private variable and update once.");
}

/* Finds waiting for a lock of threads: the whole time of its calls is that. */
static void find_lock(struct ompp_finder *finder, uint32_t region, const struct ompp_cell *sum)
{
	struct ompp_text t;

	say_visits(&t, finder->analysis->arena, sum, "call", sum->exec_ns, sum->error_ns);
	ompp_text_str(&t, ", all of it waiting.");
	find_time(finder, region, sum, 1, "LockContention", t.data, advice_of_lock);
}

/* Finds waits of a loop with ordered(n), whose iterations wait for those that they name (depend(sink), doacross): they
 * have no ordered part. */
static void find_sink(struct ompp_finder *finder, uint32_t region, const struct ompp_cell *sum)
{
	struct ompp_text t;

	say_visits(&t, finder->analysis->arena, sum, "execution", sum->enter_ns, sum->enter_error_ns);
	ompp_text_str(&t, ": iterations wait for those that they name, or tell others that they are done.");
	say_gain(&t, path_gain(finder->analysis, region));
	find_time(finder, region, sum, 0, "OrderedContention", t.data,
	          "Do more between two waits: let each iteration of the loops that ordered counts be a block (tile "
	          "them), so that threads wait once a block.");
}

/* Did one thread alone run the program, so that it waits for no other one? */
static int is_alone(const struct ompp_analysis *a)
{
	for (uint32_t i = 1; i < a->profile->n_nodes; i++)
		if (a->profile->nodes[i].n_cells > 1)
			return 0;
	return a->n_threads < 2;
}

static void find_in(struct ompp_finder *finder, uint32_t region)
{
	const struct ompp_analysis *a = finder->analysis;
	struct ompp_cell sum = ompp_analysis_sum(a, region, 0);

	if (!sum.n_exec || (a->profile->regions[region].construct != OMPP_ATOMIC && is_alone(a)))
		return;
	switch (a->profile->regions[region].construct) {
	case OMPP_CRITICAL:
		find_entry(finder, region, &sum, "CriticalSectionContention",
		           could_be_reduction(a, region) ? "Move work out of it, use a reduction or atomic, or give "
		                                           "unrelated sections different names."
		                                         : "Move work out of it, use atomic, or give unrelated "
		                                           "sections different names.");
		break;
	case OMPP_LOCK:
	case OMPP_NEST_LOCK:
		find_entry(finder, region, &sum, "LockContention", advice_of_lock);
		break;
	case OMPP_MUTEX:
	case OMPP_RWLOCK:
		find_lock(finder, region, &sum);
		break;
	case OMPP_ORDERED:
		if (!sum.n_body && !sum.body_ns) {
			find_sink(finder, region, &sum);
			break;
		}
		find_entry(finder, region, &sum, "OrderedContention",
		           is_mostly_ordered(a, region, &sum)
		                   ? "The ordered parts, one after another, take as long as all threads take for the "
		                     "rest of the loop: no schedule makes that parallel. Move work out of them "
		                     "(compute into an array, use that in order afterwards), or let one thread "
		                     "run the loop."
		                   : "Move work out of the ordered part, or give each thread few iterations at a time "
		                     "(a chunk of 1).");
		break;
	case OMPP_ATOMIC:
		find_atomic(finder, region, &sum);
		break;
	default:
		break;
	}
}

void ompp_find_entries(struct ompp_finder *finder)
{
	for (uint32_t r = 0; r < finder->analysis->profile->n_regions; r++)
		find_in(finder, r);
}

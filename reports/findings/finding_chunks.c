/*
 * Finding, chunks: loops whose iterations are handed out in chunks that are too small (schedule dynamic, guided,
 * runtime; and static of ordered loops).
 *
 * What handing out a chunk takes was measured in this run, for chunks that were chosen at random
 * (runtime/interpose/chunk_calls.h).  It is a finding when that is SMALL_PER_MILLE of the loop's time or more, less two
 * standard errors.  Both times are without those in which the thread had no processor; what the run would be shorter
 * by is the same share of the loop's whole time.
 *
 * In an ordered loop a call that hands out a chunk waits for the thread's turn first, so what it takes says nothing
 * about the size of chunks where there is another thread to wait for (OrderedContention, which advises small ones).
 *
 * A processor may work on an iteration while it hands out the next one, where iterations are as short as that; and
 * where threads take the counter from each other, iterations wait for it, too.  So what is saved is known to within a
 * factor of two, which the finding says.  All of them together may even be more than the loop's time: then it is that
 * time.
 */
#include "reports/findings/finding.h"

#include <errno.h>
#include <string.h>

#include "runtime/terms/clauses.h"

enum {
	SMALL_PER_MILLE = 50,
	LEAST_TIMED = 30, /* fewer do not tell how sure their mean is */
	PER_CENT = 100,
	CHUNKS_A_THREAD = 4, /* so many are to be left, or the last ones are waited for */
	ERRORS = 2
};

struct chunks {
	const struct ompp_analysis *a;
	uint32_t region;
	uint64_t n, n_timed, n_exec; /* n_exec: of all threads */
	int64_t timed_ns, variance;
	int64_t body_ns;      /* of all threads, with processors */
	int64_t all_ns;       /* all of it */
	int64_t wall_body_ns; /* the same, as wall-clock time */
	int has_others;       /* a team has other threads, too */
	int is_all;           /* handing out alone takes as long as the loop, so that the work in it is not known */
};

static int64_t times(int64_t ns, uint64_t n, uint64_t of)
{
	__int128 all = of ? (__int128)ns * ompp_count(n) / ompp_count(of) : 0;

	return all > INT64_MAX ? INT64_MAX : (int64_t)all;
}

/* What handing out all of them took, by the timed ones, and its standard error. */
static int64_t chunks_ns(const struct chunks *c)
{
	return times(c->timed_ns, c->n, c->n_timed);
}

static int64_t chunks_error_ns(const struct chunks *c)
{
	return times((int64_t)ompp_root((unsigned __int128)c->variance), c->n, c->n_timed);
}

static int64_t chunks_known(int64_t ns)
{
	return ns == OMPP_MISSING ? 0 : ns;
}

/* Adds the chunks of a cell.  A thread that was woken for the loop and had to wait for a processor may count as asleep.
 */
static void chunks_add(struct chunks *c, uint32_t cell, const struct ompp_chunk_sum *sum)
{
	const struct ompp_cell *of = &c->a->profile->cells[cell];
	const struct ompp_wait *wait = c->a->wait[cell];
	int64_t off_ns = wait ? ompp_add(chunks_known(wait->off_ns), chunks_known(wait->asleep_ns)) : 0;

	c->n += sum->n;
	c->n_timed += sum->n_timed;
	c->timed_ns = ompp_add(c->timed_ns, sum->timed_ns);
	c->variance = ompp_add(c->variance, sum->variance);
	c->n_exec += of->n_exec;
	c->all_ns = ompp_add(c->all_ns, of->body_ns);
	c->body_ns = ompp_add(c->body_ns, off_ns < of->body_ns ? of->body_ns - off_ns : 0);
	c->wall_body_ns = ompp_add(c->wall_body_ns, ompp_analysis_wall(c->a, cell, of->body_ns));
}

/* Do the calls wait for turns?  With ordered(n) they do not: threads wait where the iteration says on which others it
 * depends. */
static int waits_for_turns(const struct chunks *c)
{
	const char *args;
	size_t n;

	return c->has_others && ompp_clause(c->a->profile->regions[c->region].clauses, "ordered", &args, &n) && !n;
}

/* Returns how many of the chunks should be one, so that handing it out takes less than a per cent of its work, but each
 * thread is left some: a power of two. */
static uint64_t better_factor(const struct chunks *c, int64_t cost_ns)
{
	int64_t work_ns = c->is_all ? c->body_ns : c->body_ns - cost_ns;
	uint64_t most = c->n / c->n_exec / CHUNKS_A_THREAD, factor = 1;

	while (factor * 2 <= most && times(cost_ns, PER_CENT - 1, factor) > work_ns)
		factor *= 2;
	return factor;
}

/* Returns the chunk of a schedule, 1 where it has none; 0 where it is no number. */
static uint64_t chunk_of(const char *schedule, size_t n)
{
	const char *comma = memchr(schedule, ',', n), *end = schedule + n;
	uint64_t chunk = 0;

	if (!comma)
		return 1;
	for (comma++; comma < end && *comma == ' ';)
		comma++;
	for (; comma < end && *comma >= '0' && *comma <= '9' && chunk < 1000000000; comma++)
		chunk = chunk * 10 + (uint64_t)(*comma - '0');
	return comma == end ? chunk : 0;
}

/* Returns advice: "Try schedule(dynamic, 256)." where the clause says what it is now. */
static const char *advise_chunk(const struct chunks *c, uint64_t factor)
{
	const char *clauses = c->a->profile->regions[c->region].clauses, *schedule = "", *all = "", *comma;
	size_t n = 0, n_all;
	struct ompp_text t;

	ompp_say_start(&t, c->a->arena);
	if (!ompp_schedule(clauses, &schedule, &n) || !n || !chunk_of(schedule, n) ||
	    ompp_schedule_is(clauses, "runtime") || ompp_schedule_is(clauses, "auto")) {
		ompp_text_str(&t, "Hand out chunks of ");
		ompp_text_grouped(&t, ompp_count(factor));
		ompp_text_str(&t, " times as many iterations, in the schedule clause or, with schedule(runtime), in "
		                  "OMP_SCHEDULE;");
	} else {
		comma = memchr(schedule, ',', n);
		ompp_clause(clauses, "schedule", &all, &n_all); /* with its modifiers, which stay */
		ompp_text_str(&t, "Hand out more iterations at a time: schedule(");
		for (const char *p = all; p < (comma ? comma : schedule + n); p++)
			ompp_text_char(&t, *p);
		ompp_text_str(&t, ", ");
		ompp_text_u64(&t, chunk_of(schedule, n) * factor);
		ompp_text_str(&t, ");");
	}
	ompp_text_str(&t, " or schedule(static), if all iterations take the same time.");
	return t.data;
}

static const char *say_chunks(const struct chunks *c, uint64_t factor, int64_t cost_ns)
{
	int64_t n = ompp_count(c->n), after_ns = times(cost_ns, 1, factor);
	struct ompp_text t;

	ompp_say_start(&t, c->a->arena);
	ompp_say_count(&t, c->n, "chunk");
	if (c->is_all) {
		ompp_text_str(&t, ", each in a mean of ");
		ompp_say_time(&t, c->body_ns / n);
	} else {
		ompp_text_str(&t, " with a mean of ");
		ompp_say_time(&t, (c->body_ns - cost_ns) / n);
		ompp_text_str(&t, " of work");
	}
	ompp_text_str(&t, ": handing out one takes ");
	ompp_say_time(&t, chunks_ns(c) / n);
	ompp_text_str(&t, " +- ");
	ompp_say_time(&t, chunks_error_ns(c) / n + 1);
	ompp_text_str(&t, " (");
	ompp_text_grouped(&t, ompp_count(c->n_timed));
	ompp_text_str(&t, " were timed), ");
	if (c->is_all) {
		ompp_text_str(&t, "as long as that or longer where a processor does nothing else meanwhile.");
		return t.data;
	}
	ompp_say_share(&t, ompp_share(cost_ns, c->body_ns));
	ompp_text_str(&t, " of the loop's time. With ");
	ompp_text_grouped(&t, ompp_count(factor));
	ompp_text_str(&t, " times as many iterations in each it would be ");
	ompp_say_share(&t, ompp_share(after_ns, c->body_ns - cost_ns + after_ns));
	ompp_text_str(&t, ". Where a processor works meanwhile, half as much is saved");
	ompp_text_str(&t, c->has_others ? "; where iterations wait, too, for the counter that threads take from each "
	                                  "other, up to twice as much."
	                                : ".");
	return t.data;
}

/* Returns the part of the loop's time that is cost_ns of body_ns, without what 1 / factor of it takes. */
static int64_t part_of(const struct chunks *c, int64_t all_ns, int64_t cost_ns, uint64_t factor)
{
	return times(times(all_ns, (uint64_t)cost_ns, (uint64_t)c->body_ns), factor - 1, factor);
}

static void chunks_judge(struct ompp_finder *finder, struct chunks *c)
{
	int64_t cost_ns = chunks_ns(c), least_ns = cost_ns - ERRORS * chunks_error_ns(c);
	uint64_t factor;

	if (c->body_ns <= cost_ns) /* processors were taken away beside the loop */
		c->body_ns = c->all_ns;
	c->is_all = cost_ns >= c->body_ns;
	if (c->is_all)
		cost_ns = c->body_ns;
	if (waits_for_turns(c) || c->n_timed < LEAST_TIMED || !c->n_exec || c->body_ns <= 0 ||
	    (__int128)least_ns * 1000 < (__int128)c->body_ns * SMALL_PER_MILLE)
		return;
	factor = better_factor(c, cost_ns);
	if (factor == 1)
		return;
	ompp_find(finder, &(struct ompp_finding){ .name = "ChunksTooSmall",
	                                          .of_work = 1,
	                                          .region = c->region,
	                                          .ns = times(cost_ns, factor - 1, factor),
	                                          .gain_ns = part_of(c, c->wall_body_ns, cost_ns, factor),
	                                          .evidence = say_chunks(c, factor, cost_ns),
	                                          .advice = advise_chunk(c, factor) });
}

void ompp_find_chunks(struct ompp_finder *finder)
{
	const struct ompp_analysis *a = finder->analysis;
	const struct ompp_profile *p = a->profile;
	struct chunks *list = ompp_analysis_array(a, p->n_regions, sizeof(*list), 0);
	uint32_t node = 0;

	if (!list) {
		finder->rc = -ENOMEM;
		return;
	}
	for (size_t i = 0; i < p->n_chunks; i++) {
		while (p->chunks[i].cell >= p->nodes[node].first_cell + p->nodes[node].n_cells)
			node++;
		if (p->nodes[node].region == OMPP_NONE || p->nodes[node].construct == OMPP_TASKEXEC)
			continue;
		list[p->nodes[node].region].a = a;
		list[p->nodes[node].region].region = p->nodes[node].region;
		list[p->nodes[node].region].has_others |= p->nodes[node].n_cells > 1;
		chunks_add(&list[p->nodes[node].region], p->chunks[i].cell, &p->chunks[i]);
	}
	for (uint32_t r = 0; r < p->n_regions; r++)
		if (list[r].n &&
		    (p->regions[r].construct == OMPP_LOOP || p->regions[r].construct == OMPP_PARALLEL_LOOP))
			chunks_judge(finder, &list[r]);
}

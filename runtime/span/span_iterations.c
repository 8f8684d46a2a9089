/*
 * Span, iterations: see span_iterations.h.
 */
#include "runtime/span/span_iterations.h"

#include "runtime/base/maximum.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/space.h"
#include "runtime/base/sys.h"
#include "runtime/host/clock.h"
#include "runtime/program/openmp.h"

/* What is known of the end of a loop in its variant, before that is a time. */
enum { NOT_ASKED, ASKED, NOT_KNOWN };

enum {
	MOST_CHUNK = 4096,
	CHUNK_TICKS = 150000 /* some 50 us: handing out a chunk takes some 0.1 us, and some us where many threads ask
	                        at once, which is less than what two runs differ by */
};

/* ---- threads ---- */

/* Returns the thread's part of its team that has lists; NULL when there is none. */
static struct ompp_span_variants *part_of(const struct ompp_span *s)
{
	const struct ompp_span_task *member = s->member;

	return member && *s->at == member ? member->variants : NULL;
}

/* Returns its list up to the next barrier; NULL for none. */
static struct ompp_iteration_list **list_of(const struct ompp_span *s)
{
	struct ompp_span_variants *part = part_of(s);

	return part ? &part->lists[s->member->n_barriers & 1] : NULL;
}

uint32_t ompp_span_iterates(const struct ompp_span *s)
{
	const struct ompp_span_variants *part = part_of(s);

	return part ? part->loop : 0;
}

void ompp_span_iterations_forget(const struct ompp_span *s)
{
	struct ompp_span_variants *part = part_of(s);

	if (part)
		part->loop = 0;
}

/* Of several loops before one barrier the last one has the list. */
void ompp_span_iterations_begin(struct ompp_span *s, uint32_t region, struct ompp_loop_order order)
{
	const struct ompp_variant_clock *clock = ompp_span_clock(s);
	struct ompp_iteration_list **list = list_of(s);
	int variant = ompp_span_shares_of(s) && clock && list ? ompp_variant_find(OMPP_VARIANT_SCHEDULED, region)
	                                                      : OMPP_NO_VARIANT;

	ompp_span_iterations_forget(s);
	if (variant < 0)
		return;
	if (!*list)
		*list = ompp_space_take(sizeof(**list));
	if (!*list)
		return;
	part_of(s)->loop = region;
	(*list)->rank = part_of(s)->rank;
	(*list)->shift = (*list)->n = (*list)->is_in = 0;
	(*list)->n_iterations = (*list)->total_ticks = (*list)->most_ticks = 0;
	(*list)->begin_ticks = clock->run_ticks - clock->gain_ticks[variant];
	(*list)->order = order;
	(*list)->is_chunk_over = 1;
	(*list)->n_chunks = 0;
}

static void iteration_end(struct ompp_iteration_list *list, uint64_t path_ticks)
{
	if (list->is_in)
		ompp_iterations_add(list, path_ticks - list->from_ticks);
	list->is_in = 0;
}

void ompp_span_iteration(struct ompp_span *s, uint32_t place, uint64_t now)
{
	struct ompp_iteration_list *list;

	if (!ompp_span_iterates(s))
		return;
	ompp_span_stretch(s, place, now);
	list = *list_of(s);
	iteration_end(list, s->member->path.ticks);
	if (list->is_chunk_over)
		list->chunk_time = now;
	list->is_chunk_over = 0;
	list->from_ticks = s->member->path.ticks;
	list->is_in = 1;
}

void ompp_span_iterations_chunk(const struct ompp_span *s)
{
	struct ompp_iteration_list *list;

	if (!ompp_span_iterates(s))
		return;
	list = *list_of(s);
	list->is_chunk_over = 1;
	list->n_chunks++;
}

void ompp_span_iterations_hand(struct ompp_span *s, uint32_t region)
{
	struct ompp_span_shares *shares = ompp_span_shares_of(s);
	struct ompp_iteration_list *list, *first;

	if (!shares || !region || ompp_span_iterates(s) != region)
		return;
	ompp_span_iterations_forget(s);
	list = *list_of(s);
	iteration_end(list, s->member->path.ticks);
	atomic_store_explicit(&shares->region, region, memory_order_relaxed);
	first = atomic_load_explicit(&shares->lists, memory_order_relaxed);
	do
		list->next = first;
	while (!atomic_compare_exchange_weak_explicit(&shares->lists, &first, list, memory_order_release,
	                                              memory_order_relaxed));
}

/* ---- the end of a loop ---- */

/* What the threads of a team did of a loop, by rank. */
struct team {
	const struct ompp_iteration_list *lists[OMPP_MOST_LISTS];
	uint64_t begin_ticks[OMPP_MOST_LISTS];
	uint32_t n;
	int is_in_order;                          /* the order of all iterations is known */
	uint64_t apart_ticks;                     /* by how much a loop may be over later, as threads steal or not */
	uint64_t n_iterations, ticks, most_ticks; /* of all: how many; all together, and the longest one */
};

/* Returns whether a list says where its iterations are in the loop. */
static int is_in_order(const struct ompp_iteration_list *list)
{
	return list->order.known == OMPP_ORDER_TIMES ? list->n_chunks || !list->n
	                                             : list->order.known != OMPP_ORDER_UNKNOWN;
}

/* Returns 0 where a thread's list is missing, or there are too many. */
static int team_gather(struct team *team, const struct ompp_span_shares *shares)
{
	uint64_t n = atomic_load_explicit(&shares->n, memory_order_relaxed);
	const struct ompp_iteration_list *list = atomic_load_explicit(&shares->lists, memory_order_acquire);

	*team = (struct team){ .is_in_order = 1 };
	for (; list; list = list->next) {
		uint32_t i = team->n++;

		if (team->n > OMPP_MOST_LISTS)
			return 0;
		for (; i && team->lists[i - 1]->rank > list->rank; i--)
			team->lists[i] = team->lists[i - 1];
		team->lists[i] = list;
		team->is_in_order &= is_in_order(list);
		team->n_iterations += list->n_iterations;
		team->ticks += list->total_ticks;
		team->most_ticks = ompp_maximum(team->most_ticks, list->most_ticks);
	}
	for (uint32_t i = 0; i < team->n; i++)
		team->begin_ticks[i] = team->lists[i]->begin_ticks;
	return team->n == n && team->n_iterations;
}

/* Returns how many iterations are handed out at a time: of the first execution, so that handing them out does not
 * matter. */
static uint64_t chunk_of(int variant, const struct team *team)
{
	uint64_t chunk = ompp_scheduled_of(variant).chunk;

	if (chunk)
		return chunk;
	for (chunk = 1; chunk < MOST_CHUNK && team->ticks * chunk < team->n_iterations * CHUNK_TICKS;)
		chunk *= 2;
	return chunk;
}

/* Returns when the loop is over at the earliest, where its order is not known: when the threads are in the mean, but
 * not before the last one has come to it, nor before the longest iteration is over, which the first one began at once.
 */
static uint64_t earliest_end(const struct team *team)
{
	uint64_t sum = team->ticks, end = 0, first = UINT64_MAX;

	for (uint32_t i = 0; i < team->n; i++) {
		sum += team->begin_ticks[i];
		end = ompp_maximum(end, team->begin_ticks[i]);
		first = team->begin_ticks[i] < first ? team->begin_ticks[i] : first;
	}
	return ompp_maximum(ompp_maximum(sum / team->n, end), first + team->most_ticks);
}

/* Returns when the loop is over in its variant: at the earliest, where threads may steal. */
static uint64_t scheduled_end(struct ompp_span *s, struct team *team, int variant)
{
	uint64_t chunk = chunk_of(variant, team), stealing = 0, end;

	if (!team->is_in_order)
		return earliest_end(team);
	if (!ompp_openmp_is_gnu())
		stealing = ompp_iterations_steal(&s->stealing, team->lists, team->n, chunk, team->begin_ticks);
	end = ompp_iterations_schedule(team->lists, team->n, chunk, team->begin_ticks);
	if (!stealing)
		return end;
	team->apart_ticks = ompp_maximum(end, stealing) - (end < stealing ? end : stealing);
	return end < stealing ? end : stealing;
}

/* Returns when the loop was over, had nobody waited in it. */
static uint64_t executed_end(const struct team *team)
{
	uint64_t end = 0;

	for (uint32_t i = 0; i < team->n; i++)
		end = ompp_maximum(end, team->begin_ticks[i] + team->lists[i]->total_ticks);
	return end;
}

static void team_add(const struct team *team, int variant)
{
	uint64_t chunk = chunk_of(variant, team), loose = team->most_ticks - team->most_ticks / team->n;

	ompp_scheduled_add(variant, &(struct ompp_scheduled){ .n = team->n_iterations,
	                                                      .chunk = chunk,
	                                                      .spread_ticks = team->is_in_order ? team->apart_ticks
	                                                                                        : chunk * loose });
}

/* Returns when the variant of a loop is over, which is `last` as the loop was executed; NOT_KNOWN where it cannot be
 * told. */
static uint64_t find_end(struct ompp_span *s, const struct ompp_span_shares *shares, int variant, uint64_t last)
{
	uint64_t executed, end;
	struct team team;

	if (!last || !team_gather(&team, shares))
		return NOT_KNOWN;
	executed = executed_end(&team);
	end = scheduled_end(s, &team, variant);
	end = end < executed && executed - end < last ? last - (executed - end) : last;
	team_add(&team, variant);
	return ompp_maximum(end, NOT_KNOWN);
}

/* Returns the same.  Who comes first of those that leave the barrier finds it and lowers the mark to it, as the join
 * goes on behind that; the others wait, as all have to go on from one moment. */
static uint64_t end_of(struct ompp_span *s, struct ompp_span_shares *shares, int variant, _Atomic uint64_t *latest)
{
	uint64_t end = NOT_ASKED;

	if (atomic_compare_exchange_strong_explicit(&shares->scheduled_end, &end, ASKED, memory_order_acquire,
	                                            memory_order_acquire)) {
		end = find_end(s, shares, variant, atomic_load_explicit(latest, memory_order_relaxed));
		if (end != NOT_KNOWN)
			atomic_store_explicit(latest, end, memory_order_relaxed);
		atomic_store_explicit(&shares->scheduled_end, end, memory_order_release);
	}
	for (; end == ASKED; end = atomic_load_explicit(&shares->scheduled_end, memory_order_acquire))
		ompp_sys_yield();
	return end;
}

struct ompp_loop_end ompp_span_schedule(struct ompp_span *s, const struct ompp_span_team *team)
{
	static const struct ompp_loop_end none = { OMPP_NO_VARIANT, 0 };
	struct ompp_span_shares *shares = ompp_span_clock(s) ? ompp_span_shares_of(s) : NULL;
	uint32_t region = shares ? atomic_load_explicit(&shares->region, memory_order_relaxed) : 0;
	int variant = region ? ompp_variant_find(OMPP_VARIANT_SCHEDULED, region) : OMPP_NO_VARIANT;
	uint64_t begin, end;

	if (variant < 0)
		return none;
	begin = ompp_clock();
	end = end_of(s, shares, variant, &team->variants->joins[s->member->n_barriers & 1].ticks[variant]);
	s->last_ticks += ompp_clock() - begin;
	return end == NOT_KNOWN ? none : (struct ompp_loop_end){ variant, end };
}

/*
 * Merge meetings: see merge_meetings.h.  Only in the program ompp.
 */
#include "reports/profile/merge_meetings.h"

#include <errno.h>
#include <string.h>

#include "reports/profile/rank_offset.h"
#include "reports/profile/record.h"
#include "runtime/base/sort.h"
#include "runtime/terms/meeting.h"

enum {
	N_SLICES = 512,      /* of the time: of each the closest bounds of an offset are used */
	SLACK_NS = 200000,   /* times of one clock are read in different ways by different processes */
	SAME_ERROR_NS = 1000 /* of a wait, by this */
};

struct item {
	const struct ompp_mpi_meeting *m;
	uint32_t who;                      /* the profile */
	uint32_t region;                   /* in the result */
	int64_t begin_ns, end_ns, post_ns; /* by the first clock */
	int64_t wait_ns;                   /* -1 while the others of the meeting are not known */
	int64_t error_ns;                  /* by how much it may be wrong */
	uint32_t for_who;                  /* for whose call or message */
	uint8_t is_last, is_caused;        /* the last one of a collective call; the other one caused the wait */
};

struct clock {
	const char *domain;
	struct ompp_offset offset;
	struct ompp_offset_bound *bounds; /* by slice: at least, at most; offset_ns is OMPP_MISSING without */
	int64_t least_ns, most_ns;        /* of all that was kept by it */
};

struct meet {
	struct ompp_arena *arena;
	const struct ompp_profile *profiles;
	uint32_t n_profiles;
	uint32_t *clock_of; /* by profile */
	struct clock *clocks;
	uint32_t n_clocks;
	struct item *items; /* by key and index, senders before receivers */
	uint32_t n_items;
	struct ompp_rank_wait *waits;
	uint32_t *room; /* for the items of one collective call */
	size_t n_waits;
};

/* ---- what there is ---- */

static int item_is_after(const void *items, uint32_t x, uint32_t y)
{
	const struct item *a = (const struct item *)items + x, *b = (const struct item *)items + y;

	if (a->m->key != b->m->key)
		return a->m->key > b->m->key;
	if (a->m->index != b->m->index)
		return a->m->index > b->m->index;
	return a->m->kind != b->m->kind ? a->m->kind > b->m->kind : a->who > b->who;
}

static int rank_is_after(const void *profiles, uint32_t x, uint32_t y)
{
	const struct ompp_profile *p = profiles;

	return p[x].mpi_rank > p[y].mpi_rank;
}

/* Are they different ranks of one run, each of which kept something? */
static int are_ranks(const struct meet *m)
{
	const uint32_t *order = ompp_sorted(m->arena, m->n_profiles, rank_is_after, m->profiles);

	for (uint32_t i = 0; i < m->n_profiles; i++) {
		const struct ompp_profile *p = &m->profiles[i];

		if (p->mpi_rank < 0 || p->mpi_size != m->profiles[0].mpi_size || p->n_merged)
			return 0;
		if (order && i && m->profiles[order[i]].mpi_rank == m->profiles[order[i - 1]].mpi_rank)
			return 0;
	}
	return order != NULL;
}

static uint32_t clock_find(struct meet *m, const char *domain)
{
	for (uint32_t i = 0; i < m->n_clocks; i++)
		if (domain[0] && !strcmp(m->clocks[i].domain, domain))
			return i;
	m->clocks[m->n_clocks] = (struct clock){ .domain = domain };
	return m->n_clocks++;
}

/* Are its times such as no file that is damaged has them? */
static int is_sound(const struct ompp_mpi_meeting *m)
{
	const int64_t most_ns = OMPP_MOST_NS / 16;

	return m->kind <= OMPP_MEETING_RECEIVE && m->begin_ns > -most_ns && m->begin_ns <= m->end_ns &&
	       m->end_ns < most_ns && m->post_ns > -most_ns && m->post_ns <= m->end_ns;
}

/* Returns 0 or -ENOMEM. */
static int gather(struct meet *m, const struct ompp_merge_map *maps)
{
	struct item *all;
	uint32_t *order;
	size_t n = 0;

	m->clock_of = ompp_arena_alloc(m->arena, m->n_profiles * sizeof(*m->clock_of));
	m->clocks = ompp_arena_alloc(m->arena, m->n_profiles * sizeof(*m->clocks));
	for (uint32_t i = 0; i < m->n_profiles; i++)
		n += m->profiles[i].n_meetings;
	all = ompp_arena_alloc(m->arena, (n + 1) * sizeof(*all));
	m->items = ompp_arena_alloc(m->arena, (n + 1) * sizeof(*m->items));
	if (!m->clock_of || !m->clocks || !all || !m->items || n >= UINT32_MAX)
		return -ENOMEM;
	n = 0;
	for (uint32_t i = 0; i < m->n_profiles; i++) {
		const struct ompp_profile *p = &m->profiles[i];

		m->clock_of[i] = clock_find(m, p->clock_domain);
		for (size_t k = 0; k < p->n_meetings; k++) {
			if (!is_sound(&p->meetings[k]))
				continue;
			all[n++] = (struct item){ .m = &p->meetings[k],
				                  .who = i,
				                  .region = maps[i].regions[p->meetings[k].region],
				                  .begin_ns = p->meetings[k].begin_ns,
				                  .end_ns = p->meetings[k].end_ns,
				                  .post_ns = p->meetings[k].post_ns,
				                  .wait_ns = -1 };
		}
	}
	order = ompp_sorted(m->arena, n, item_is_after, all);
	if (!order)
		return -ENOMEM;
	m->n_items = (uint32_t)n;
	for (uint32_t i = 0; i < n; i++)
		m->items[i] = all[order[i]];
	return 0;
}

/* ---- meetings ---- */

static int is_collective(const struct item *i)
{
	return i->m->kind <= OMPP_MEETING_SOME;
}

/* Returns the end of the meeting that begins at an item. */
static uint32_t meeting_end(const struct meet *m, uint32_t from)
{
	uint32_t i = from + 1;

	while (i < m->n_items && m->items[i].m->key == m->items[from].m->key &&
	       m->items[i].m->index == m->items[from].m->index)
		i++;
	return i;
}

/* Do the items have all ranks of a collective call, or both ends of a message, and count it alike? */
static int is_whole(const struct meet *m, uint32_t from, uint32_t end)
{
	const struct ompp_mpi_meeting *first = m->items[from].m;

	if (first->n_all == UINT64_MAX || end - from != (is_collective(&m->items[from]) ? first->peer : 2))
		return 0;
	for (uint32_t i = from + 1; i < end; i++) {
		const struct ompp_mpi_meeting *its = m->items[i].m;

		if (its->n_all != first->n_all ||
		    (is_collective(&m->items[from]) && m->items[i].who == m->items[i - 1].who))
			return 0;
		if (is_collective(&m->items[from])
		            ? its->kind != first->kind || its->peer != first->peer
		            : its->kind != OMPP_MEETING_RECEIVE || first->kind == OMPP_MEETING_RECEIVE)
			return 0;
	}
	return 1;
}

/* ---- clocks ---- */

/* Adds that of two moments by two clocks, one of which is the first, `before` was before `after`. */
static void add_bound(struct meet *m, uint32_t before, int64_t before_ns, uint32_t after, int64_t after_ns)
{
	struct clock *c = &m->clocks[before ? before : after];
	struct ompp_offset_bound b = { .at_ns = before ? before_ns : after_ns,
		                       .offset_ns = before ? after_ns - before_ns : before_ns - after_ns,
		                       .is_most = before != 0 };
	struct ompp_offset_bound *have;
	int64_t slice = (int64_t)((__int128)(b.at_ns - c->least_ns) * N_SLICES / (c->most_ns - c->least_ns + 1));

	if (!before == !after || slice < 0 || slice >= N_SLICES)
		return;
	have = &c->bounds[2 * slice + b.is_most];
	if (have->offset_ns == OMPP_MISSING ||
	    (b.is_most ? b.offset_ns < have->offset_ns : b.offset_ns > have->offset_ns))
		*have = b;
}

/* Bounds by a collective call that nobody completes before all have begun it. */
static void bounds_of_all(struct meet *m, uint32_t from, uint32_t end)
{
	int64_t begin_ns = INT64_MIN, end_ns = INT64_MAX;

	for (uint32_t i = from; i < end; i++)
		if (!m->clock_of[m->items[i].who]) {
			begin_ns = m->items[i].post_ns > begin_ns ? m->items[i].post_ns : begin_ns;
			end_ns = m->items[i].end_ns < end_ns ? m->items[i].end_ns : end_ns;
		}
	if (begin_ns == INT64_MIN)
		return;
	for (uint32_t i = from; i < end; i++) {
		add_bound(m, m->clock_of[m->items[i].who], m->items[i].post_ns, 0, end_ns);
		add_bound(m, 0, begin_ns, m->clock_of[m->items[i].who], m->items[i].end_ns);
	}
}

/* Bounds by a message. */
static void bounds_of_message(struct meet *m, const struct item *send, const struct item *receive)
{
	uint32_t from = m->clock_of[send->who], to = m->clock_of[receive->who];

	add_bound(m, from, send->post_ns, to, receive->end_ns);
	if (send->m->kind == OMPP_MEETING_SYNCHRONOUS)
		add_bound(m, to, receive->post_ns, from, send->end_ns);
}

/* Returns 0 or -ENOMEM. */
static int clocks_find(struct meet *m)
{
	for (uint32_t c = 1; c < m->n_clocks; c++) {
		m->clocks[c].least_ns = INT64_MAX;
		m->clocks[c].most_ns = INT64_MIN;
		m->clocks[c].bounds = ompp_arena_alloc(m->arena, 2 * N_SLICES * sizeof(*m->clocks[c].bounds));
		if (!m->clocks[c].bounds)
			return -ENOMEM;
		for (int i = 0; i < 2 * N_SLICES; i++)
			m->clocks[c].bounds[i].offset_ns = OMPP_MISSING;
	}
	for (uint32_t i = 0; i < m->n_items; i++) {
		struct clock *c = &m->clocks[m->clock_of[m->items[i].who]];

		c->least_ns = m->items[i].post_ns < c->least_ns ? m->items[i].post_ns : c->least_ns;
		c->most_ns = m->items[i].end_ns > c->most_ns ? m->items[i].end_ns : c->most_ns;
	}
	for (uint32_t i = 0, end; m->n_clocks > 1 && i < m->n_items; i = end) {
		end = meeting_end(m, i);
		if (!is_whole(m, i, end))
			continue;
		if (m->items[i].m->kind == OMPP_MEETING_ALL)
			bounds_of_all(m, i, end);
		else if (!is_collective(&m->items[i]))
			bounds_of_message(m, &m->items[i], &m->items[i + 1]);
	}
	for (uint32_t c = 1; c < m->n_clocks; c++) {
		struct ompp_offset_bound *bounds = m->clocks[c].bounds;
		size_t n = 0;

		for (int i = 0; i < 2 * N_SLICES; i++)
			if (bounds[i].offset_ns != OMPP_MISSING)
				bounds[n++] = bounds[i];
		m->clocks[c].offset = ompp_offset_of(bounds, n);
	}
	return 0;
}

static int is_known(const struct meet *m, const struct item *i)
{
	return m->clocks[m->clock_of[i->who]].offset.error_ns != OMPP_MISSING;
}

/* Puts all times on the first clock. */
static void put_on_one_clock(struct meet *m)
{
	for (uint32_t i = 0; i < m->n_items; i++) {
		struct item *it = &m->items[i];
		const struct ompp_offset *o = &m->clocks[m->clock_of[it->who]].offset;

		if (!m->clock_of[it->who] || !is_known(m, it))
			continue;
		it->begin_ns = ompp_offset_apply(o, it->begin_ns);
		it->end_ns = ompp_offset_apply(o, it->end_ns);
		it->post_ns = ompp_offset_apply(o, it->post_ns);
	}
}

/* Returns by how much a time between two ranks may be wrong. */
static int64_t error_between(const struct meet *m, uint32_t x, uint32_t y)
{
	uint32_t a = m->clock_of[x], b = m->clock_of[y];

	return a == b ? SAME_ERROR_NS : m->clocks[a].offset.error_ns + m->clocks[b].offset.error_ns + SAME_ERROR_NS;
}

/* ---- waits ---- */

static struct ompp_rank_wait *add_wait(struct meet *m, uint32_t region, uint32_t who)
{
	struct ompp_rank_wait *w = &m->waits[m->n_waits++];

	*w = (struct ompp_rank_wait){ .region = region, .rank = (uint32_t)m->profiles[who].mpi_rank };
	return w;
}

static int begin_is_after(const void *items, uint32_t x, uint32_t y)
{
	const struct item *a = (const struct item *)items + x, *b = (const struct item *)items + y;

	return a->post_ns != b->post_ns ? a->post_ns > b->post_ns : x > y;
}

/* The items of a collective call by when they were begun. */
struct by_begin {
	const struct item *items;
	uint32_t *order, n;
};

/* Returns how many were begun before a rank was through, as its own was. */
static uint32_t n_before(const struct by_begin *b, const struct item *it)
{
	uint32_t lo = 0, hi = b->n;

	while (lo < hi) {
		uint32_t middle = lo + (hi - lo) / 2;

		if (b->items[b->order[middle]].post_ns <= it->end_ns)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo;
}

/* Returns how long a rank waited for those who began while it was there.
 * is_doubtful: set to 1 where it is not sure who did, as clocks differ by error_ns */
static int64_t waited_in(const struct by_begin *b, const struct item *it, int64_t error_ns, int *is_doubtful)
{
	uint32_t n = n_before(b, it);
	int64_t most_ns = n ? b->items[b->order[n - 1]].post_ns : it->begin_ns;

	*is_doubtful = error_ns && ((n && it->end_ns - most_ns <= error_ns) ||
	                            (n < b->n && b->items[b->order[n]].post_ns - it->end_ns <= error_ns));
	return most_ns > it->begin_ns ? most_ns - it->begin_ns : 0;
}

static uint32_t last_of(const struct meet *m, uint32_t from, uint32_t end)
{
	uint32_t last = from;

	for (uint32_t i = from + 1; i < end; i++)
		if (m->items[i].post_ns > m->items[last].post_ns)
			last = i;
	return last;
}

/* Returns how long a rank waited for what another one began, without which it cannot have gone on. */
static int64_t waited_for(const struct item *it, const struct item *other)
{
	int64_t ns = other->post_ns < it->end_ns ? other->post_ns : it->end_ns;

	return ns > it->begin_ns ? ns - it->begin_ns : 0;
}

/* Returns the most by which the time between two ranks may be wrong; 0 where all read one clock. */
static int64_t most_error(const struct meet *m)
{
	int64_t most_ns = 0;

	for (uint32_t c = 1; c < m->n_clocks; c++)
		if (m->clocks[c].offset.error_ns != OMPP_MISSING && m->clocks[c].offset.error_ns > most_ns)
			most_ns = m->clocks[c].offset.error_ns;
	return 2 * most_ns;
}

static void add_collective(struct meet *m, uint32_t from, uint32_t end)
{
	struct by_begin b = { .items = m->items + from, .n = end - from };
	const struct item *last;
	int is_all = m->items[from].m->kind == OMPP_MEETING_ALL;

	b.order = m->room;
	for (uint32_t i = 0; i < b.n; i++)
		b.order[i] = i;
	ompp_sort(b.order, b.n, begin_is_after, b.items);
	last = &b.items[b.order[b.n - 1]];
	for (uint32_t i = 0; i < b.n; i++) {
		struct item *it = &m->items[from + i];
		int is_doubtful = 0;

		it->wait_ns = is_all ? waited_for(it, last) : waited_in(&b, it, most_error(m), &is_doubtful);
		it->error_ns = is_doubtful ? INT64_MAX : it == last ? 0 : error_between(m, it->who, last->who);
		it->for_who = last->who;
		it->is_last = it == last && b.n > 1;
		it->is_caused = is_all || it->end_ns >= last->post_ns;
	}
}

/* The wait of the receiver for the sender, and the reverse: unless it has to, the sender waits no longer than until it
 * is through, and so not for a receiver that came later. */
static void pair_message(const struct meet *m, struct item *send, struct item *receive)
{
	int has_waited = send->m->kind == OMPP_MEETING_SYNCHRONOUS || receive->post_ns <= send->end_ns;

	receive->wait_ns = waited_for(receive, send);
	receive->for_who = send->who;
	send->wait_ns = has_waited ? waited_for(send, receive) : 0;
	send->for_who = receive->who;
	send->error_ns = receive->error_ns = error_between(m, send->who, receive->who);
	send->is_caused = receive->is_caused = 1;
}

/* Was one through before another one began, which cannot be? */
static int is_before(const struct meet *m, const struct item *it, const struct item *other)
{
	return it->end_ns + SLACK_NS + error_between(m, it->who, other->who) < other->post_ns;
}

/* Is nobody gone before all came, or no message there before it was sent, in a meeting? */
static int is_possible_one(const struct meet *m, uint32_t from, uint32_t end)
{
	const struct item *first = &m->items[from], *last = &m->items[last_of(m, from, end)];

	for (uint32_t i = from; i < end; i++)
		if (!is_known(m, &m->items[i]))
			return 0;
	if (first->m->kind >= OMPP_MEETING_SEND)
		return !is_before(m, first + 1, first) &&
		       !(first->m->kind == OMPP_MEETING_SYNCHRONOUS && is_before(m, first, first + 1));
	for (uint32_t i = from; i < end && first->m->kind == OMPP_MEETING_ALL; i++)
		if (is_before(m, &m->items[i], last))
			return 0;
	return 1;
}

/* The same of all meetings of a key. */
static int is_possible(const struct meet *m, uint32_t from, uint32_t end)
{
	for (uint32_t i = from, next; i < end; i = next) {
		next = meeting_end(m, i);
		if (is_whole(m, i, next) && !is_possible_one(m, i, next))
			return 0;
	}
	return 1;
}

static void add_key(struct meet *m, uint32_t from, uint32_t end)
{
	if (!is_possible(m, from, end))
		return;
	for (uint32_t i = from, next; i < end; i = next) {
		next = meeting_end(m, i);
		if (!is_whole(m, i, next))
			continue;
		if (is_collective(&m->items[i]))
			add_collective(m, i, next);
		else
			pair_message(m, &m->items[i], &m->items[i + 1]);
	}
}

/* ---- calls ---- */

static int call_is_after(const void *items, uint32_t x, uint32_t y)
{
	const struct item *a = (const struct item *)items + x, *b = (const struct item *)items + y;

	if (a->who != b->who)
		return a->who > b->who;
	return a->m->begin_ns != b->m->begin_ns ? a->m->begin_ns > b->m->begin_ns : x > y;
}

/* Returns the meeting for which a call waited longest, of those that it completed; NULL where one of them is not known.
 * Of a message that the call sent as well as others it is not seen when it was away, which most often is at once. */
static const struct item *longest_of(const struct meet *m, const uint32_t *order, uint32_t n)
{
	const struct item *most = NULL;
	int has_others = 0;

	for (uint32_t i = 0; i < n; i++)
		has_others |= m->items[order[i]].m->kind != OMPP_MEETING_SEND;
	for (uint32_t i = 0; i < n; i++) {
		const struct item *it = &m->items[order[i]];

		if (it->wait_ns < 0)
			return NULL;
		if ((it->m->kind != OMPP_MEETING_SEND) == has_others && (!most || it->wait_ns > most->wait_ns))
			most = it;
	}
	return most;
}

/* Adds a call by the meetings that it completed. */
static void add_call(struct meet *m, const uint32_t *order, uint32_t n)
{
	const struct item *most = longest_of(m, order, n);
	struct ompp_rank_wait *w;

	if (!most)
		return;
	w = add_wait(m, most->region, most->who);
	w->n = 1;
	w->n_last = most->is_last;
	w->time_ns = most->end_ns - most->begin_ns;
	*(is_collective(most)                     ? &w->last_ns
	  : most->m->kind == OMPP_MEETING_RECEIVE ? &w->sender_ns
	                                          : &w->receiver_ns) = most->wait_ns;
	w->error_ns = most->error_ns > w->time_ns ? w->time_ns : most->error_ns;
	if (most->wait_ns && most->is_caused)
		add_wait(m, most->region, most->for_who)->caused_ns = most->wait_ns;
}

/* Returns 0 or -ENOMEM. */
static int add_calls(struct meet *m)
{
	uint32_t *order = ompp_sorted(m->arena, m->n_items, call_is_after, m->items);

	if (!order)
		return -ENOMEM;
	for (uint32_t i = 0, end; i < m->n_items; i = end) {
		const struct item *first = &m->items[order[i]];

		for (end = i + 1; end < m->n_items && m->items[order[end]].who == first->who &&
		                  m->items[order[end]].m->begin_ns == first->m->begin_ns;)
			end++;
		add_call(m, order + i, end - i);
	}
	return 0;
}

/* ---- the result ---- */

static int wait_is_after(const void *waits, uint32_t x, uint32_t y)
{
	const struct ompp_rank_wait *all = waits;
	int d = ompp_record_compare(OMPP_SECTION_RANK_WAITS, &all[x], &all[y]);

	return d ? d > 0 : x > y;
}

/* Returns 0 or -ENOMEM. */
static int put_waits(struct meet *m, struct ompp_profile *out)
{
	const uint32_t *order = ompp_sorted(m->arena, m->n_waits, wait_is_after, m->waits);
	struct ompp_rank_wait *sums = ompp_arena_alloc(m->arena, (m->n_waits + 1) * sizeof(*sums));
	size_t n = 0;

	if (!order || !sums)
		return -ENOMEM;
	for (size_t i = 0; i < m->n_waits; i++) {
		const struct ompp_rank_wait *w = &m->waits[order[i]];

		if (n && !ompp_record_compare(OMPP_SECTION_RANK_WAITS, &sums[n - 1], w))
			ompp_record_add(OMPP_SECTION_RANK_WAITS, &sums[n - 1], w);
		else
			sums[n++] = *w;
	}
	out->rank_waits = sums;
	out->n_rank_waits = n;
	return 0;
}

/* Returns 0 or -ENOMEM. */
static int put_clocks(struct meet *m, struct ompp_profile *out)
{
	const uint32_t *order = ompp_sorted(m->arena, m->n_profiles, rank_is_after, m->profiles);
	struct ompp_rank_clock *clocks = ompp_arena_alloc(m->arena, (m->n_profiles + 1) * sizeof(*clocks));

	if (!order || !clocks)
		return -ENOMEM;
	for (uint32_t i = 0; i < m->n_profiles; i++) {
		uint32_t c = m->clock_of[order[i]];

		clocks[i] = (struct ompp_rank_clock){ .rank = (uint32_t)m->profiles[order[i]].mpi_rank,
			                              .clock = c,
			                              .offset_ns = m->clocks[c].offset.offset_ns,
			                              .drift_ppb = m->clocks[c].offset.drift_ppb,
			                              .error_ns = m->clocks[c].offset.error_ns };
	}
	out->rank_clocks = clocks;
	out->n_rank_clocks = m->n_profiles;
	return 0;
}

int ompp_merge_meetings(const struct ompp_profile *profiles, size_t n, const struct ompp_merge_map *maps,
                        struct ompp_arena *arena, struct ompp_profile *out)
{
	struct meet m = { .arena = arena, .profiles = profiles, .n_profiles = (uint32_t)n };
	size_t n_meetings = 0;

	out->meetings = NULL;
	out->n_meetings = 0;
	out->clock_domain = "";
	for (size_t i = 0; i < n; i++)
		n_meetings += profiles[i].n_meetings;
	if (n < 2 || n >= UINT32_MAX || !n_meetings || !are_ranks(&m))
		return 0;
	if (gather(&m, maps) || clocks_find(&m))
		return -ENOMEM;
	put_on_one_clock(&m);
	m.waits = ompp_arena_alloc(arena, 2 * (size_t)m.n_items * sizeof(*m.waits));
	m.room = ompp_arena_alloc(arena, n * sizeof(*m.room));
	if (!m.waits || !m.room)
		return -ENOMEM;
	for (uint32_t i = 0, end; i < m.n_items; i = end) {
		for (end = i + 1; end < m.n_items && m.items[end].m->key == m.items[i].m->key;)
			end++;
		add_key(&m, i, end);
	}
	return add_calls(&m) || put_waits(&m, out) || put_clocks(&m, out) ? -ENOMEM : 0;
}

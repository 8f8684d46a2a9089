/*
 * Team: see team.h.
 */
#include "runtime/events/team.h"

#include <stdatomic.h>
#include <string.h>

#include "runtime/base/check.h"
#include "runtime/core/callgraph.h"
#include "runtime/core/frame.h"
#include "runtime/core/instance.h"
#include "runtime/core/session.h"
#include "runtime/core/unwind.h"
#include "runtime/events/arrival.h"
#include "runtime/events/enter.h"
#include "runtime/events/thread_start.h"
#include "runtime/host/clock.h"
#include "runtime/host/note.h"
#include "runtime/memory/home.h"
#include "runtime/sources/source_uncore.h"

enum { PAGE = 1024, MAX_PAGES = 1024, INDEX_BITS = 20, MIN_SLOTS = 4, MAX_SLOTS = 65536 };

/* All teams that were ever allocated, by index: a token is generation << INDEX_BITS | index.  Forking threads add
 * teams with compare-and-swap; members read them. */
static struct ompp_team *_Atomic *_Atomic pages[MAX_PAGES];
static _Atomic uint32_t n_teams;

/* Returns the team of a token, which may be any number. */
static struct ompp_team *team_of(uint64_t token)
{
	uint32_t index = (uint32_t)(token & ((1u << INDEX_BITS) - 1));
	struct ompp_team *_Atomic *page;

	if (!token || index >= atomic_load_explicit(&n_teams, memory_order_acquire))
		return NULL;
	page = atomic_load_explicit(&pages[index / PAGE], memory_order_acquire);
	return page ? atomic_load_explicit(&page[index % PAGE], memory_order_acquire) : NULL;
}

static struct ompp_team *team_by_token(uint64_t token)
{
	struct ompp_team *team = team_of(token);

	return team && atomic_load_explicit(&team->token, memory_order_acquire) == token ? team : NULL;
}

uint64_t ompp_team_token_until(uint64_t token, uint64_t now)
{
	const struct ompp_team *team = team_of(token);

	return team ? ompp_team_until(team, token, now) : now;
}

static struct ompp_team *new_team(struct ompp_thread *t, uint32_t n_slots)
{
	size_t lines = sizeof(struct ompp_team_slot);
	char *room = ompp_callgraph_alloc(&t->graph, sizeof(struct ompp_team) + (n_slots + 1) * lines);
	struct ompp_team *_Atomic *page, *_Atomic *none = NULL;
	struct ompp_team *team;
	uint32_t index;

	if (!room)
		return NULL;
	team = (struct ompp_team *)(void *)(room + (lines - (uintptr_t)room % lines) % lines);
	index = atomic_fetch_add_explicit(&n_teams, 1, memory_order_acq_rel);
	if (index >= (uint32_t)PAGE * MAX_PAGES) {
		atomic_fetch_sub_explicit(&n_teams, 1, memory_order_acq_rel);
		return NULL;
	}
	page = atomic_load_explicit(&pages[index / PAGE], memory_order_acquire);
	if (!page) {
		page = ompp_callgraph_alloc(&t->graph, PAGE * sizeof(*page));
		if (!page)
			return NULL;
		if (!atomic_compare_exchange_strong_explicit(&pages[index / PAGE], &none, page, memory_order_acq_rel,
		                                             memory_order_acquire))
			page = none;
	}
	ompp_assert(!((uintptr_t)team % lines) && index < 1u << INDEX_BITS);
	team->index = index;
	team->n_slots = n_slots;
	team->forker = t;
	atomic_store_explicit(&page[index % PAGE], team, memory_order_release);
	return team;
}

static struct ompp_team *take_team(struct ompp_thread *t, int n_threads)
{
	uint32_t n = MIN_SLOTS;
	struct ompp_team **link, *team;

	while (n < (uint32_t)n_threads && n < MAX_SLOTS)
		n *= 2;
	for (link = &t->free_teams; (team = *link); link = &team->next)
		if (team->n_slots >= n) {
			*link = team->next;
			return team;
		}
	return new_team(t, n);
}

/* Reads the whole machine's counters, for outermost teams alone, as inner ones run at the same time. */
static void uncore_fork(struct ompp_thread *t, struct ompp_team *team)
{
	team->reads_uncore = 0;
	if (t->base->flags & OMPP_FRAME_TEAM)
		return;
	if (!team->uncore)
		team->uncore = ompp_callgraph_alloc(&t->graph, 2 * ompp_n_uncore * sizeof(*team->uncore));
	if (!team->uncore)
		return;
	team->reads_uncore = 1;
	team->n_switches = OMPP_LOAD(&ompp_session.n_switches);
	ompp_uncore_read(team->uncore);
}

static void uncore_join(struct ompp_thread *t, const struct ompp_team *team, struct ompp_callnode *node)
{
	struct ompp_uncore_sum *sums = node->uncore;
	struct ompp_uncore_reading *now;
	uint32_t n_switches = OMPP_LOAD(&ompp_session.n_switches), i;
	int is_whole = n_switches == team->n_switches; /* otherwise a part of it was not measured */

	if (!team->reads_uncore || (is_whole && n_switches & 1))
		return;
	now = team->uncore + ompp_n_uncore;
	ompp_uncore_read(now);
	if (!sums) {
		sums = ompp_callgraph_alloc(&t->graph, ompp_n_uncore * sizeof(*sums));
		if (!sums)
			return;
		__atomic_store_n(&node->uncore, sums, __ATOMIC_RELEASE);
	}
	for (i = 0; i < ompp_n_uncore; i++) {
		uint64_t count = 0;

		OMPP_ADD(&sums[i].n_failed,
		         !is_whole || ompp_uncore_between(i, &team->uncore[i], &now[i], &count) != 0);
		OMPP_ADD(&sums[i].count, count);
	}
}

/* Returns the ranks of a thread in the teams around it, down to a level, as one number; 0 where there is none. */
static uint64_t path_of(int level)
{
	uint64_t path = 0;

	for (int i = 1; i <= level; i++)
		path = (path + (uint64_t)omp_get_ancestor_thread_num(i) + 1) * 0x9E3779B97F4A7C15u;
	return path;
}

static int level_here(void)
{
	return omp_get_level && omp_get_ancestor_thread_num ? omp_get_level() : 0;
}

/* ---- the longest path ---- */

static void fork_path(struct ompp_thread *t, struct ompp_team *team)
{
	struct ompp_span *s;

	if (!team->span)
		team->span = ompp_callgraph_alloc(&t->graph, sizeof(*team->span));
	s = team->span ? ompp_frame_take_span(t) : NULL;
	if (s) {
		ompp_span_fork(s, team->span, team->fork_ticks);
		ompp_frame_show_span(t, s);
	} else if (team->span) {
		team->span->start = NULL; /* that of the team that had this place before */
	}
}

static void begin_path(struct ompp_thread *t, struct ompp_frame *f, const struct ompp_team *team, uint32_t rank)
{
	struct ompp_span *s = ompp_frame_take_span(t);

	if (!s) {
		ompp_frame_begin_off_path(t, f, 0);
		return;
	}
	ompp_span_stretch(s, OMPP_PLACE_WAITS, f->start_ticks);
	ompp_span_member(s, team->span, rank, f->start_ticks);
	ompp_frame_show_span(t, s);
}

static void end_path(struct ompp_thread *t, const struct ompp_frame *f, uint64_t now)
{
	struct ompp_span *s = ompp_frame_take_span_of(t, f);

	if (!s)
		return;
	ompp_span_member_end(s, ompp_team_span(f), f->team->forker == t, now);
	ompp_frame_show_span(t, s);
}

static void join_path(struct ompp_thread *t, struct ompp_callnode *node, struct ompp_span_team *team)
{
	struct ompp_span *s = ompp_frame_take_span(t);

	if (!s)
		return;
	ompp_span_join_team(s, team, ompp_frame_span_sum(t, node), ompp_frame_place(node));
	ompp_frame_show_span(t, s);
}

/* ---- events ---- */

uint64_t ompp_team_fork(const struct ompp_region_def *def, int n_threads, struct ompp_caller caller)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_frame *f;
	struct ompp_team *team;
	uint64_t token;

	if (t->top == t->frames && t->top->node == t->graph.root && t->limit)
		ompp_thread_become_host(t); /* it was first met by an access, which did not show what it is */
	f = ompp_enter_untimed(ompp_region_key(def, OMPP_PART_FORK), caller);
	t = ompp_self;
	if (!f)
		return 0;
	OMPP_STORE(&f->team, NULL);
	team = take_team(t, n_threads);
	if (!team) {
		ompp_enter_start(t, f);
		OMPP_ADD(&t->graph.n_lost, 1);
		return 0;
	}
	ompp_assert(team->forker == t && !atomic_load_explicit(&team->token, memory_order_relaxed));
	token = (uint64_t)++team->generation << INDEX_BITS | team->index;
	OMPP_STORE(&team->def, def);
	__atomic_store_n(&team->fork_node, f->node, __ATOMIC_RELEASE);
	atomic_store_explicit(&team->n_arrived, 0, memory_order_relaxed);
	OMPP_STORE(&team->n_threads, n_threads > 1 ? (uint32_t)n_threads : 1u);
	/* members of regions that are known by their code always have a token */
	atomic_store_explicit(&team->path, ompp_region_is_code(def) ? 0 : path_of(level_here()), memory_order_relaxed);
	OMPP_STORE(&f->team, team);
	if (__builtin_expect(ompp_n_uncore != 0, 0))
		uncore_fork(t, team);
	ompp_enter_start(t, f);
	OMPP_STORE(&team->fork_ticks, f->start_ticks);
	if (ompp_frame_is_on_path())
		fork_path(t, team);
	atomic_store_explicit(&team->token, token, memory_order_release);
	return token;
}

uint32_t ompp_n_teams(void)
{
	return atomic_load_explicit(&n_teams, memory_order_acquire);
}

const struct ompp_team *ompp_open_team(uint32_t i)
{
	struct ompp_team *_Atomic *page = atomic_load_explicit(&pages[i / PAGE], memory_order_acquire);
	const struct ompp_team *team = page ? atomic_load_explicit(&page[i % PAGE], memory_order_acquire) : NULL;

	return team && atomic_load_explicit(&team->token, memory_order_acquire) ? team : NULL;
}

/* Claims a rank's slot in a team, once.  Its begin follows. */
static int team_claim(struct ompp_team *team, uint32_t rank)
{
	uint64_t none = 0;

	return rank < team->n_slots &&
	       atomic_compare_exchange_strong_explicit(&team->slots[rank].begin_ticks, &none, 1, memory_order_relaxed,
	                                               memory_order_relaxed);
}

/* Finds the team when there is no token (Fortran): the newest open team of this region that this member's own forker
 * has forked, which its path tells, and in which this rank has not begun; rank 0 is the forker's.  It is not known to
 * which team a member belongs when several host threads execute the region at once, nor for target regions on the
 * host, where there are no levels. */
static struct ompp_team *team_by_region(const struct ompp_region_def *def, const struct ompp_thread *t, uint32_t rank)
{
	uint32_t n = ompp_n_teams();
	uint64_t path = path_of(level_here() - 1);
	struct ompp_team *taken = NULL;

	while (n-- > 0) {
		struct ompp_team *team = (struct ompp_team *)(uintptr_t)ompp_open_team(n);

		if (!team || OMPP_LOAD(&team->def) != def ||
		    atomic_load_explicit(&team->path, memory_order_relaxed) != path)
			continue;
		if (rank == OMPP_RANK_UNKNOWN || ((rank == 0) == (team->forker == t) && team_claim(team, rank)))
			return team;
		if (rank && team->forker != t)
			taken = team;
	}
	return taken; /* Another member has claimed this slot, and this member's own team has ended. */
}

/* Returns the node of the forking path in the worker's own tree. */
static struct ompp_callnode *team_mirror(struct ompp_thread *t, const struct ompp_callnode *theirs)
{
	unsigned int i = (unsigned int)((uintptr_t)theirs >> 7) % OMPP_N_MIRRORS;

	if (t->mirrors[i].theirs != theirs) {
		t->mirrors[i].ours = ompp_callgraph_mirror(&t->graph, theirs, t->max_depth);
		t->mirrors[i].theirs = theirs;
	}
	return t->mirrors[i].ours;
}

uint32_t ompp_team_rank(void)
{
	return omp_get_thread_num ? (uint32_t)omp_get_thread_num() : OMPP_RANK_UNKNOWN;
}

void ompp_team_begin(const struct ompp_region_def *def, uint64_t token, uint32_t rank, struct ompp_caller caller)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_team *team = team_by_token(token);
	struct ompp_callnode *parent;
	struct ompp_frame *f;
	uint64_t key;

	if (!token)
		return;
	if (!team || OMPP_LOAD(&team->def) != def)
		team = team_by_region(def, t, rank);
	if (!team) {
		ompp_note_add(OMPP_NOTE_LOST_TEAM, 1);
		return;
	}
	/* The forker has rank 0, and nobody else does.  Otherwise another OpenMP library was asked for the rank. */
	if ((rank == 0) != (team->forker == t))
		rank = OMPP_RANK_UNKNOWN;
	if (!t->limit && !(t = ompp_thread_start(team->forker == t)))
		return;
	if (rank == OMPP_RANK_UNKNOWN) {
		rank = team->forker == t ? 0 : atomic_fetch_add_explicit(&team->n_arrived, 1, memory_order_relaxed) + 1;
		ompp_note_add(OMPP_NOTE_NO_RANK, 1);
	}
	if (rank >= team->n_slots || t->top >= t->limit) {
		ompp_note_add(OMPP_NOTE_LOST_TEAM, 1);
		return;
	}
	key = ompp_region_key(def, OMPP_PART_TEAM) + rank;
	if (team->forker == t) {
		if (t->top->team != team || OMPP_KEY_PART(t->top->key) != OMPP_PART_FORK)
			ompp_unwind_left(t, key, caller);
		parent = t->top->node;
	} else {
		if (t->top != t->frames) /* left over by a cancellation */
			ompp_unwind(t, t->frames, ompp_clock());
		parent = team_mirror(t, __atomic_load_n(&team->fork_node, __ATOMIC_ACQUIRE));
	}
	f = ompp_push(t, parent, ompp_callgraph_child(&t->graph, parent, key, t->max_depth), key, caller);
	OMPP_OR(&f->flags, OMPP_FRAME_TEAM);
	if (__builtin_expect(OMPP_LOAD(&ompp_session.off), 0))
		OMPP_OR(&f->flags, OMPP_FRAME_OFF);
	OMPP_STORE(&f->team, team);
	ompp_assert(rank < team->n_slots);
	OMPP_STORE(&f->instance, atomic_load_explicit(&team->token, memory_order_relaxed));
	ompp_thread_enter_base(t, f, (uint16_t)(f - t->frames));
	OMPP_STORE(&team->slots[rank].is_new, team->forker != t && !t->team_node);
	OMPP_STORE(&t->team_node, f->node);
	OMPP_STORE(&f->start_ticks, ompp_clock());
	if (ompp_course_is_due(t, f->start_ticks))
		ompp_course_enter(t, f);
	if (ompp_frame_is_on_path())
		begin_path(t, f, team, rank);
	ompp_arrival_begin(t, team, &team->slots[rank], f->start_ticks);
	atomic_store_explicit(&team->slots[rank].begin_ticks, f->start_ticks, memory_order_release);
}

const struct ompp_region_def *ompp_team_region(uint64_t token)
{
	ompp_assert(team_of(token));
	return OMPP_LOAD(&team_of(token)->def);
}

/* Ends the part of a member, whose frame is f. */
static void end_part(struct ompp_thread *t, struct ompp_frame *f, uint64_t now)
{
	if (t->top != f)
		ompp_unwind(t, f, now);
	ompp_assert(t->top == f && t->base == f);
	ompp_team_left(f, now);
	ompp_thread_leave_base(t);
	ompp_frame_end(t, f, now); /* The team's tasks are part of it, and so of the region around it. */
	end_path(t, f, now);
	ompp_frame_show(t, f - 1);
}

void ompp_team_end(const struct ompp_region_def *def)
{
	uint64_t now = ompp_clock();
	struct ompp_thread *t = ompp_self;
	struct ompp_frame *f;

	ompp_instance_drop_moved(t);
	f = ompp_team_base(t, t->base); /* a task that is still above it was left by cancellation */
	if (!(f->flags & OMPP_FRAME_TEAM) || OMPP_KEY_ID(f->key) != OMPP_KEY_ID(def->key)) {
		ompp_exit_cold(t, ompp_region_key(def, OMPP_PART_TEAM), now);
		return;
	}
	end_part(t, f, now);
}

void ompp_team_leave(void)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_frame *f;

	if (!t->limit)
		return;
	ompp_instance_drop_moved(t);
	f = ompp_team_base(t, t->base);
	if (f->flags & OMPP_FRAME_TEAM)
		end_part(t, f, ompp_team_until(f->team, f->instance, ompp_clock()));
}

static struct ompp_rank_times *rank_times(struct ompp_thread *t, struct ompp_callnode *node, uint32_t n)
{
	struct ompp_rank_times *ranks;
	uint32_t have = MIN_SLOTS;

	if (n <= node->n_ranks)
		return node->ranks;
	while (have < n)
		have *= 2;
	ranks = ompp_callgraph_alloc(&t->graph, have * sizeof(*ranks));
	if (!ranks)
		return NULL;
	if (node->n_ranks)
		memcpy(ranks, node->ranks, node->n_ranks * sizeof(*ranks));
	__atomic_store_n(&node->ranks, ranks, __ATOMIC_RELEASE);
	__atomic_store_n(&node->n_ranks, have, __ATOMIC_RELEASE);
	return ranks;
}

/* Returns the difference of two threads' clocks, never below 0. */
static uint64_t team_since(struct ompp_thread *t, uint64_t from, uint64_t to)
{
	if ((int64_t)(to - from) >= 0)
		return to - from;
	OMPP_ADD(&t->n_negative, 1);
	return 0;
}

/* Adds what the members of a team took to begin, and after their end. */
static void add_managing(struct ompp_thread *t, struct ompp_callnode *node, uint64_t ticks)
{
	struct ompp_managing *managing = node->managing;

	if (!managing) {
		managing = ompp_callgraph_alloc(&t->graph, sizeof(*managing));
		__atomic_store_n(&node->managing, managing, __ATOMIC_RELEASE);
	}
	if (managing)
		ompp_managing_add(managing, ticks);
}

static void sum_up(struct ompp_thread *t, struct ompp_team *team, struct ompp_frame *f, uint64_t now)
{
	struct ompp_rank_times *ranks;
	uint64_t start, managing_ticks = 0;
	uint32_t n = team->n_slots, is_made = 0, i;

	while (n && !atomic_load_explicit(&team->slots[n - 1].begin_ticks, memory_order_acquire))
		n--;
	ranks = n ? rank_times(t, f->node, n) : NULL;
	if (!ranks) {
		OMPP_ADD(&t->graph.n_lost, n != 0);
		return;
	}
	for (i = 0; i < n; i++)
		is_made |= OMPP_LOAD(&team->slots[i].is_new);
	for (i = 0; i < n; i++) {
		uint64_t begin = atomic_load_explicit(&team->slots[i].begin_ticks, memory_order_acquire);
		uint64_t end = atomic_load_explicit(&team->slots[i].end_ticks, memory_order_acquire);

		if (!begin)
			continue;
		OMPP_ADD(&ranks[i].n, 1);
		OMPP_ADD(&ranks[i].exec_ticks, now - f->start_ticks);
		start = team_since(t, f->start_ticks, begin);
		OMPP_ADD(&ranks[i].startup_ticks, start);
		managing_ticks += is_made ? 0 : start;
		if (is_made)
			OMPP_ADD(&ranks[i].made_ticks, start);
		if (end) {
			uint64_t shutdown = team_since(t, end, now);

			OMPP_ADD(&ranks[i].shutdown_ticks, shutdown);
			managing_ticks += shutdown;
		}
	}
	if (n > 1)
		add_managing(t, f->node, managing_ticks);
}

void ompp_team_join(const struct ompp_region_def *def, uint64_t token)
{
	uint64_t now = ompp_clock(), key = ompp_region_key(def, OMPP_PART_FORK);
	struct ompp_thread *t = ompp_self;
	struct ompp_frame *f = t->top;
	struct ompp_span_team *span;

	(void)token; /* Fortran programs can lose the token; the frame knows the team */
	if (f->key != key) {
		/* After a cancellation: this thread has left its part of the team with everything in it, including
		 * tasks. */
		for (f = t->top; f > t->frames && f->key != key; f--)
			;
		if (!t->limit || f->key != key) {
			ompp_exit_cold(t, key, now);
			return;
		}
		ompp_unwind(t, f, now);
		if (t->top != f) { /* see ompp_exit_cold() */
			OMPP_ADD(&t->n_stray, 1);
			return;
		}
	}
	if (f->team) {
		if (!(f->flags & OMPP_FRAME_FOLDED) && !(f->flags & OMPP_FRAME_OFF && now == f->start_ticks))
			sum_up(t, f->team, f, now);
		if (__builtin_expect(ompp_n_uncore != 0, 0))
			uncore_join(t, f->team, f->node);
		ompp_assert(f->team->forker == t);
		ompp_team_free(t, f->team, now);
	}
	if (OMPP_IS_CHECKED(f->node->n))
		ompp_callgraph_check(&t->graph);
	OMPP_ADD(&f[-1].task_ticks, f->task_ticks);
	span = f->team ? f->team->span : NULL;
	ompp_frame_end(t, f, now);
	if (span && ompp_frame_is_on_path())
		join_path(t, f->node, span);
	ompp_frame_show(t, f - 1);
	if (__builtin_expect(OMPP_LOAD(&ompp_modes) & OMPP_MODE_TOUCHES, 0))
		ompp_homes_look(0);
}

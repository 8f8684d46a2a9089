/*
 * Collect: see collect.h.
 *
 * Three passes.  Each thread's tree is walked parents first: every node gets its place in the merged tree (region
 * below region: the parts of a construct fall together) and its row (the path of team ranks above it).  Then times
 * are summed per (place, row), with the runtime's own cost taken out: a visit's measured time contains the inner
 * part of its own cost, and the whole cost of every event below it.  Last, the parts become the columns.
 */
#include "config.h"

#include "runtime/collect/collect.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "runtime/base/note.h"
#include "runtime/base/text.h"
#include "runtime/core/team.h"

enum { MANY_ALIKE = 16, FILTER_BYTES = 4096 };

/* A row while it is being found: ranks hang below ranks, the first below its host. */
struct row {
	uint32_t host, depth, rank, parent;     /* parent OMPP_NONE at depth 1 */
	uint32_t final;                         /* index after sorting */
};

struct place {
	uint32_t parent, region, first_cell;    /* region: id, 0 for the root */
	enum ompp_construct construct;
};

/* Sums in ticks × 256, own cost taken out. */
struct sums {
	uint32_t place, row;
	uint32_t next;                          /* of the same place */
	uint64_t n, n_body;
	int64_t  exec, body, lead, barrier, barrier_task, task, team, startup, shutdown, lock_body, lock_exit, cost;
	uint64_t n_team;
	int64_t *values;
};

/* One thread's tree during its walk. */
struct walk {
	struct ompp_thread    *t;
	struct ompp_callnode **nodes;
	uint32_t               n;
	uint32_t              *place, *row;     /* OMPP_NONE: not shown */
	uint8_t               *inside;          /* 1: in a team, so a further team is an inner one */
	uint8_t               *met;             /* 1: it or a node below was visited (not only by a parent process) */
	uint64_t              *open_n, *open_ticks;         /* visits not yet ended, up to now */
	uint64_t              *below;           /* visits in the subtree */
};

struct collect {
	struct ompp_arena *arena;
	struct row        *rows;    size_t n_rows, have_rows;
	struct place      *places;  size_t n_places, have_places;
	struct sums       *sums;    size_t n_sums, have_sums;
	uint32_t          *place_hash, *sums_hash;      /* open addressing, OMPP_NONE free */
	size_t             n_place_hash, n_sums_hash;
	uint64_t           now;
	uint64_t           n_visits, n_open, n_lost;
	uint32_t           max_host;
	uint32_t           lost_id;             /* id shown for the (lost) region */
	int                failed;
};

static uint32_t hash3(uint32_t a, uint32_t b, uint32_t c)
{
	uint64_t h = (((uint64_t)a << 32 | b) ^ (uint64_t)c << 17) * 0x9E3779B97F4A7C15u;

	return (uint32_t)(h >> 32);
}

/* ---- places, rows, sums: find or make ---- */

static uint32_t find_row(struct collect *c, uint32_t host, uint32_t parent, uint32_t rank)
{
	struct row *rows;
	size_t i;

	for (i = 0; i < c->n_rows; i++)
		if (c->rows[i].rank == rank && c->rows[i].parent == parent && c->rows[i].host == host)
			return (uint32_t)i;
	rows = ompp_arena_grow(c->arena, c->rows, &c->have_rows, c->n_rows + 1, sizeof(*rows));
	if (!rows) {
		c->failed = 1;
		return 0;
	}
	c->rows = rows;
	rows[c->n_rows] = (struct row){ host, parent == OMPP_NONE ? 1 : rows[parent].depth + 1, rank, parent, 0 };
	return (uint32_t)c->n_rows++;
}

/* Make a hash table for at least n entries, all free. */
static uint32_t *new_hash(struct collect *c, size_t n, size_t *n_slots)
{
	size_t slots = 256;
	uint32_t *table;

	while (slots < 2 * n)
		slots *= 2;
	table = ompp_arena_alloc(c->arena, slots * sizeof(*table));
	if (table)
		memset(table, 0xff, slots * sizeof(*table));
	else
		c->failed = 1;
	*n_slots = slots;
	return table;
}

static uint32_t find_place(struct collect *c, uint32_t parent, uint32_t region, enum ompp_construct construct)
{
	uint32_t h = hash3(parent, region, (uint32_t)construct);
	struct place *places;
	size_t at, i;

	for (at = h & (c->n_place_hash - 1); c->place_hash[at] != OMPP_NONE; at = (at + 1) & (c->n_place_hash - 1)) {
		const struct place *p = &c->places[c->place_hash[at]];

		if (p->parent == parent && p->region == region && p->construct == construct)
			return c->place_hash[at];
	}
	places = ompp_arena_grow(c->arena, c->places, &c->have_places, c->n_places + 1, sizeof(*places));
	if (!places) {
		c->failed = 1;
		return 0;
	}
	c->places = places;
	places[c->n_places] = (struct place){ parent, region, OMPP_NONE, construct };
	c->place_hash[at] = (uint32_t)c->n_places++;
	if (c->n_places * 2 > c->n_place_hash) {
		uint32_t *table = new_hash(c, c->n_places * 2, &c->n_place_hash);

		if (!table)
			return 0;
		for (i = 0; i < c->n_places; i++) {
			const struct place *p = &c->places[i];

			at = hash3(p->parent, p->region, (uint32_t)p->construct) & (c->n_place_hash - 1);
			while (table[at] != OMPP_NONE)
				at = (at + 1) & (c->n_place_hash - 1);
			table[at] = (uint32_t)i;
		}
		c->place_hash = table;
	}
	return (uint32_t)c->n_places - 1;
}

static struct sums *find_sums(struct collect *c, uint32_t place, uint32_t row)
{
	static struct sums nowhere;             /* after a failure: written, never read */
	struct sums *sums;
	size_t at, i;

	for (at = hash3(place, row, 7) & (c->n_sums_hash - 1); c->sums_hash[at] != OMPP_NONE;
	     at = (at + 1) & (c->n_sums_hash - 1)) {
		sums = &c->sums[c->sums_hash[at]];
		if (sums->place == place && sums->row == row)
			return sums;
	}
	sums = ompp_arena_grow(c->arena, c->sums, &c->have_sums, c->n_sums + 1, sizeof(*sums));
	if (!sums) {
		c->failed = 1;
		return &nowhere;
	}
	c->sums = sums;
	sums += c->n_sums;
	sums->place = place;
	sums->row = row;
	sums->next = c->places[place].first_cell;
	if (ompp_metrics.n) {
		sums->values = ompp_arena_alloc(c->arena, ompp_metrics.n * sizeof(int64_t));
		if (!sums->values) {
			c->failed = 1;
			return &nowhere;
		}
	}
	c->places[place].first_cell = (uint32_t)c->n_sums;
	c->sums_hash[at] = (uint32_t)c->n_sums++;
	if (c->n_sums * 2 > c->n_sums_hash) {
		uint32_t *table = new_hash(c, c->n_sums * 2, &c->n_sums_hash);

		if (!table)
			return &nowhere;
		for (i = 0; i < c->n_sums; i++) {
			at = hash3(c->sums[i].place, c->sums[i].row, 7) & (c->n_sums_hash - 1);
			while (table[at] != OMPP_NONE)
				at = (at + 1) & (c->n_sums_hash - 1);
			table[at] = (uint32_t)i;
		}
		c->sums_hash = table;
	}
	return sums;
}

/* ---- one thread ---- */

static struct ompp_region_def *def_of(uint64_t key)
{
	return ompp_region_by_id(OMPP_KEY_ID(key));
}

static int open_walk(struct collect *c, struct walk *w, struct ompp_thread *t)
{
	struct ompp_callnode *node = __atomic_load_n(&t->graph.newest, __ATOMIC_ACQUIRE);
	size_t n = node ? node->index + 1 : 0;

	w->t = t;
	w->n = (uint32_t)n;
	w->nodes = ompp_arena_alloc(c->arena, n * sizeof(*w->nodes));
	w->place = ompp_arena_alloc(c->arena, n * sizeof(*w->place));
	w->row = ompp_arena_alloc(c->arena, n * sizeof(*w->row));
	w->inside = ompp_arena_alloc(c->arena, n);
	w->met = ompp_arena_alloc(c->arena, n);
	w->open_n = ompp_arena_alloc(c->arena, n * sizeof(*w->open_n));
	w->open_ticks = ompp_arena_alloc(c->arena, n * sizeof(*w->open_ticks));
	w->below = ompp_arena_alloc(c->arena, n * sizeof(*w->below));
	if (!w->below || !w->open_ticks || !w->open_n || !w->met || !w->inside || !w->row || !w->place || !w->nodes)
		return -ENOMEM;
	for (; node; node = node->older)
		w->nodes[node->index] = node;
	return 0;
}

/* Where a node belongs; its parent's place is known. */
static void place_node(struct collect *c, struct walk *w, uint32_t i)
{
	const struct ompp_callnode *node = w->nodes[i];
	uint32_t up = node->parent ? node->parent->index : 0, rank = OMPP_KEY_RANK(node->key);
	enum ompp_part part = OMPP_KEY_PART(node->key);
	struct ompp_region_def *def;
	uint32_t place, row;

	w->place[i] = w->row[i] = OMPP_NONE;
	if (!node->parent || !w->met[i] || (node->key == UINT64_MAX && node != w->t->graph.lost))
		return;
	if (node == w->t->graph.lost) {
		if (OMPP_LOAD(&node->n)) {
			w->place[i] = find_place(c, 0, c->lost_id, OMPP_USER_REGION);
			w->row[i] = find_row(c, 1, OMPP_NONE, 0);
		}
		return;
	}
	if (part == OMPP_PART_HOST) {
		w->place[i] = 0;
		w->row[i] = find_row(c, rank, OMPP_NONE, 0);
		return;
	}
	place = w->place[up];
	row = w->row[up];
	w->inside[i] = w->inside[up];
	if (row == OMPP_NONE) {                 /* a team's thread outside of all teams: a host of its own */
		if (!OMPP_LOAD(&w->t->host))
			OMPP_STORE(&w->t->host, ++c->max_host);
		place = 0;
		row = find_row(c, OMPP_LOAD(&w->t->host), OMPP_NONE, 0);
	}
	def = def_of(node->key);
	if (!def)
		return;
	w->row[i] = row;
	w->place[i] = place;
	if (part == OMPP_PART_TEAM) {
		w->inside[i] = 1;
		w->row[i] = w->inside[up] ? find_row(c, c->rows[row].host, row, rank)
		                          : find_row(c, c->rows[row].host, OMPP_NONE, rank);
		return;                         /* the place is the fork's */
	}
	if (def->off)
		return;
	if (part != OMPP_PART_REGION && part != OMPP_PART_FORK && part != OMPP_PART_TASKEXEC &&
	    c->places[place].region == OMPP_KEY_ID(node->key))
		return;                         /* a part of the construct above */
	w->place[i] = find_place(c, place, OMPP_KEY_ID(node->key),
	                         part == OMPP_PART_TASKEXEC ? OMPP_TASKEXEC : def->construct);
}

static int mine(const struct ompp_thread *t, const struct ompp_callnode *node)
{
	return (const char *)node >= t->graph.base && (const char *)node < t->graph.base + t->graph.limit_bytes;
}

static void add_rank(struct collect *c, struct walk *w, uint32_t i, uint32_t rank, uint64_t n, uint64_t startup,
                     uint64_t shutdown)
{
	uint32_t row = w->row[i];
	struct sums *s;

	row = w->inside[i] ? find_row(c, c->rows[row].host, row, rank) : find_row(c, c->rows[row].host, OMPP_NONE, rank);
	s = find_sums(c, w->place[i], row);
	s->n += n;
	s->startup += (int64_t)startup * 256;
	s->shutdown += (int64_t)shutdown * 256;
}

/* Frames that are still open, up to now.  The thread may be running: what does not look right is passed over. */
static void open_frames(struct collect *c, struct walk *w)
{
	struct ompp_thread *t = w->t;
	struct ompp_frame *top = __atomic_load_n(&t->top, __ATOMIC_RELAXED), *f;

	for (f = t->frames + 1; f <= top && f <= t->limit; f++) {
		struct ompp_callnode *node = OMPP_LOAD(&f->node);
		uint64_t start = OMPP_LOAD(&f->start_ticks);

		if (!mine(t, node) || node->index >= w->n || OMPP_LOAD(&f->flags) & (OMPP_FRAME_FOLDED | OMPP_FRAME_OFF | OMPP_FRAME_INHERITED))
			continue;
		c->n_open++;
		w->open_n[node->index]++;
		if ((int64_t)(c->now - start) > 0)
			w->open_ticks[node->index] += c->now - start;
	}
}

/* Teams between their fork and their join: what their members have shown so far. */
static void open_forks(struct collect *c, struct walk *w)
{
	uint32_t n = ompp_n_teams(), i, r;

	for (i = 0; i < n; i++) {
		const struct ompp_team *team = ompp_open_team(i);
		const struct ompp_callnode *node = team ? OMPP_LOAD(&team->fork_node) : NULL;
		uint64_t fork_ticks;

		if (!team || team->forker != w->t || !mine(w->t, node) || node->index >= w->n ||
		    w->place[node->index] == OMPP_NONE || OMPP_LOAD(&team->def)->off)
			continue;
		fork_ticks = OMPP_LOAD(&team->fork_ticks);
		for (r = 0; r < team->n_slots; r++) {
			uint64_t begin = atomic_load_explicit(&team->slots[r].begin_ticks, memory_order_acquire);

			if (begin)
				add_rank(c, w, node->index, r, 1, begin > fork_ticks ? begin - fork_ticks : 0, 0);
		}
	}
}

/* Constructs whose counters cover the bodies alone. */
static int counts_bodies(enum ompp_construct construct)
{
	return construct == OMPP_CRITICAL || construct == OMPP_SINGLE || construct == OMPP_SECTIONS ||
	       construct == OMPP_PARALLEL_SECTIONS || construct == OMPP_ORDERED;
}

static void add_values(const struct ompp_callnode *node, struct sums *s, int sign)
{
	size_t i;

	for (i = 0; i < ompp_metrics.n && s->values; i++)
		s->values[i] += sign * (int64_t)OMPP_LOAD(&node->values[i]);
}

static uint64_t visits(const struct walk *w, uint32_t i)
{
	return OMPP_LOAD(&w->nodes[i]->n) + w->open_n[i];
}

static void sum_node(struct collect *c, struct walk *w, uint32_t i)
{
	const struct ompp_callnode *node = w->nodes[i];
	enum ompp_part part = OMPP_KEY_PART(node->key);
	uint64_t n = visits(w, i), folded = OMPP_LOAD(&node->n_folded);
	int64_t in = (int64_t)ompp_session.cost_in_fp, pair = (int64_t)ompp_session.cost_pair_fp;
	int64_t ticks = (int64_t)(OMPP_LOAD(&node->ticks) + w->open_ticks[i]) * 256;
	int64_t task = (int64_t)OMPP_LOAD(&node->task_ticks) * 256;
	int64_t cost = (int64_t)n * in + (int64_t)(w->below[i] + folded) * pair;
	struct ompp_region_def *def = def_of(node->key);
	struct sums *s;

	if (w->place[i] == OMPP_NONE || part == OMPP_PART_HOST)
		return;
	if (node == w->t->graph.lost) {
		s = find_sums(c, w->place[i], w->row[i]);
		s->n += n;
		s->exec += ticks;
		return;
	}
	if (!def || def->off || (!n && !folded && part != OMPP_PART_FORK && !OMPP_LOAD(&node->ticks) &&
	                         !OMPP_LOAD(&node->n_lock_exits)))
		return;
	if (cost > ticks)
		cost = ticks;
	ticks -= cost;
	if (part == OMPP_PART_FORK) {
		struct ompp_rank_times *ranks = __atomic_load_n(&node->ranks, __ATOMIC_ACQUIRE);
		uint32_t n_ranks = __atomic_load_n(&node->n_ranks, __ATOMIC_ACQUIRE), r;

		for (r = 0; ranks && r < n_ranks; r++)
			if (OMPP_LOAD(&ranks[r].n))
				add_rank(c, w, i, r, OMPP_LOAD(&ranks[r].n), OMPP_LOAD(&ranks[r].startup_ticks),
				         OMPP_LOAD(&ranks[r].shutdown_ticks));
		return;
	}
	s = find_sums(c, w->place[i], w->row[i]);
	switch (part) {
	case OMPP_PART_REGION:
		s->n += n + folded;
		s->exec += ticks;
		s->task += task;
		s->cost += cost;
		s->lock_body += (int64_t)OMPP_LOAD(&node->body_ticks) * 256;
		s->lock_exit += (int64_t)OMPP_LOAD(&node->exit_ticks) * 256;
		if (def->construct == OMPP_LOCK || def->construct == OMPP_NEST_LOCK) {
			int64_t exits = (int64_t)OMPP_LOAD(&node->n_lock_exits) * in;

			s->lock_exit -= exits < s->lock_exit ? exits : s->lock_exit;
		}
		if (!counts_bodies(def->construct))
			add_values(node, s, 1);
		break;
	case OMPP_PART_TASKEXEC:
		s->n += n + folded;
		s->exec += ticks;
		s->task += task;
		s->cost += cost;
		add_values(node, s, 1);
		break;
	case OMPP_PART_TEAM:
		s->n_team += n;
		s->team += ticks;
		s->task += task;
		s->cost += cost;
		if (!counts_bodies(def->construct))
			add_values(node, s, 1);
		break;
	case OMPP_PART_BODY:
		s->n_body += n;
		s->body += ticks;
		s->lead += (int64_t)OMPP_LOAD(&node->lead_ticks) * 256;
		if (counts_bodies(def->construct))
			add_values(node, s, 1);
		break;
	case OMPP_PART_BARRIER:
		s->barrier += ticks;
		s->barrier_task += task;
		if (def->construct == OMPP_LOOP || def->construct == OMPP_WORKSHARE ||
		    def->construct == OMPP_PARALLEL || def->construct == OMPP_PARALLEL_LOOP ||
		    def->construct == OMPP_PARALLEL_WORKSHARE)
			add_values(node, s, -1);
		break;
	default:
		break;
	}
}

static void walk_thread(struct collect *c, struct ompp_thread *t)
{
	struct walk w;
	uint32_t i;

	if (open_walk(c, &w, t)) {
		c->failed = 1;
		return;
	}
	open_frames(c, &w);
	for (i = w.n; i-- > 1;) {
		const struct ompp_callnode *node = w.nodes[i];
		uint64_t n = visits(&w, i) + OMPP_LOAD(&node->n_folded) + OMPP_LOAD(&node->n_lock_exits);

		w.below[node->parent->index] += w.below[i] + n;
		w.met[i] |= n || OMPP_LOAD(&node->ticks);
		w.met[node->parent->index] |= w.met[i];
		c->n_visits += n;
	}
	for (i = 0; i < w.n && !c->failed; i++)
		place_node(c, &w, i);
	for (i = 1; i < w.n && !c->failed; i++)
		sum_node(c, &w, i);
	open_forks(c, &w);
	c->n_lost += OMPP_LOAD(&t->graph.n_lost);
}

/* ---- from sums to the profile ---- */

static struct ompp_clock_rate rate;             /* of this report; reports are made one at a time */

static int64_t to_ns(int64_t fp)
{
	return fp < 0 ? 0 : ompp_clock_ns(rate, fp / 256);
}

static int64_t least0(int64_t v)
{
	return v < 0 ? 0 : v;
}

static void fill_cell(struct ompp_cell *cell, const struct sums *s, enum ompp_construct construct)
{
	int64_t barrier = to_ns(s->barrier), task = to_ns(s->task), body = to_ns(s->body), lead = to_ns(s->lead);

	cell->n_exec = s->n;
	cell->exec_ns = to_ns(s->exec);
	cell->cost_ns = to_ns(s->cost);
	cell->incl_ns = least0(cell->exec_ns - task);
	switch (construct) {
	case OMPP_PARALLEL:
	case OMPP_PARALLEL_LOOP:
	case OMPP_PARALLEL_SECTIONS:
	case OMPP_PARALLEL_WORKSHARE:
		if (cell->n_exec < s->n_team)
			cell->n_exec = s->n_team;
		cell->startup_ns = to_ns(s->startup);
		cell->shutdown_ns = to_ns(s->shutdown);
		cell->task_ns = to_ns(s->barrier_task);
		cell->exit_bar_ns = least0(barrier - cell->task_ns);
		cell->body_ns = least0(to_ns(s->team) - barrier);
		if (construct == OMPP_PARALLEL_SECTIONS) {
			cell->n_body = s->n_body;
			cell->mgmt_ns = least0(cell->body_ns - body);
			cell->body_ns = body;
		}
		cell->exec_ns = cell->startup_ns + cell->body_ns + cell->mgmt_ns + cell->exit_bar_ns + cell->task_ns +
		                cell->shutdown_ns;
		cell->incl_ns = cell->exec_ns;
		break;
	case OMPP_LOOP:
	case OMPP_WORKSHARE:
		cell->task_ns = to_ns(s->barrier_task);
		cell->exit_bar_ns = least0(barrier - cell->task_ns);
		cell->body_ns = least0(cell->exec_ns - cell->exit_bar_ns - cell->task_ns);
		cell->exec_ns = cell->body_ns + cell->exit_bar_ns + cell->task_ns;     /* more when its enter was lost */
		break;
	case OMPP_SINGLE:
	case OMPP_SECTIONS:
		cell->n_body = s->n_body;
		cell->body_ns = body;
		cell->task_ns = to_ns(s->barrier_task);
		cell->exit_bar_ns = least0(barrier - cell->task_ns);
		cell->mgmt_ns = least0(cell->exec_ns - body - cell->exit_bar_ns - cell->task_ns);
		cell->exec_ns = cell->body_ns + cell->mgmt_ns + cell->exit_bar_ns + cell->task_ns;
		break;
	case OMPP_CRITICAL:
	case OMPP_ORDERED:
		cell->n_body = s->n_body;
		cell->body_ns = body;
		cell->enter_ns = lead;
		cell->exit_ns = least0(cell->exec_ns - body - lead);
		cell->exec_ns = cell->enter_ns + cell->body_ns + cell->exit_ns;
		break;
	case OMPP_LOCK:
	case OMPP_NEST_LOCK:
		cell->enter_ns = cell->exec_ns;
		cell->body_ns = to_ns(s->lock_body);
		cell->exit_ns = to_ns(s->lock_exit);
		cell->exec_ns = cell->enter_ns + cell->body_ns + cell->exit_ns;
		cell->incl_ns = cell->enter_ns + cell->exit_ns;
		break;
	case OMPP_BARRIER:
	case OMPP_TASKWAIT:
		cell->task_ns = task < cell->exec_ns ? task : cell->exec_ns;
		break;
	case OMPP_TASK:
	case OMPP_TASKEXEC:
		cell->exec_ns = cell->incl_ns;
		break;
	default:
		break;
	}
}

/* Do counters cover this construct? */
static int counted(enum ompp_construct construct)
{
	return construct != OMPP_ATOMIC && construct != OMPP_FLUSH && construct != OMPP_BARRIER && construct != OMPP_LOCK &&
	       construct != OMPP_NEST_LOCK;
}

static int row_before(const struct row *rows, uint32_t a, uint32_t b)
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

static void put_label(struct ompp_text *t, const struct row *rows, uint32_t i)
{
	if (rows[i].parent != OMPP_NONE) {
		put_label(t, rows, rows[i].parent);
		ompp_text_char(t, '.');
	} else if (rows[i].host > 1) {
		ompp_text_char(t, 'h');
		ompp_text_u64(t, rows[i].host);
		ompp_text_char(t, ':');
	}
	ompp_text_u64(t, rows[i].rank);
}

static int finish_rows(struct collect *c, struct ompp_profile *p)
{
	struct ompp_row *out = ompp_arena_alloc(c->arena, c->n_rows * sizeof(*out));
	uint32_t *order = ompp_arena_alloc(c->arena, c->n_rows * sizeof(*order));
	size_t i, j;

	if (!out || !order)
		return -ENOMEM;
	for (i = 0; i < c->n_rows; i++) {
		for (j = i; j > 0 && row_before(c->rows, (uint32_t)i, order[j - 1]); j--)
			order[j] = order[j - 1];
		order[j] = (uint32_t)i;
	}
	for (i = 0; i < c->n_rows; i++)
		c->rows[order[i]].final = (uint32_t)i;
	for (i = 0; i < c->n_rows; i++) {
		const struct row *r = &c->rows[order[i]];
		char label[256];
		struct ompp_text t;

		ompp_text_init(&t, label, sizeof(label));
		put_label(&t, c->rows, order[i]);
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

/* Regions that were met, in ascending order of id; index[id] is the place in the list. */
static int finish_regions(struct collect *c, struct ompp_profile *p, uint32_t *index, uint32_t n_ids)
{
	struct ompp_region *out = ompp_arena_alloc(c->arena, n_ids * sizeof(*out));
	size_t i, n = 0;
	uint32_t id;

	if (!out)
		return -ENOMEM;
	memset(index, 0xff, (n_ids + 1) * sizeof(*index));
	for (i = 1; i < c->n_places; i++)
		index[c->places[i].region] = 0;
	for (id = 1; id <= n_ids; id++) {
		struct ompp_region_def *def = ompp_region_by_id(id);

		if (index[id] == OMPP_NONE)
			continue;
		index[id] = (uint32_t)n;
		out[n].id = id;
		out[n].construct = def ? def->construct : OMPP_USER_REGION;
		out[n].file = def ? def->file : "";
		out[n].begin_line = def ? def->begin_line : 0;
		out[n].end_line = def ? def->end_line : 0;
		out[n].name = def ? def->name : "(lost)";
		n++;
	}
	p->regions = out;
	p->n_regions = n;
	return 0;
}

static int finish_cells(struct collect *c, struct ompp_profile *p, const uint32_t *index)
{
	struct ompp_node *nodes = ompp_arena_alloc(c->arena, c->n_places * sizeof(*nodes));
	struct ompp_cell *cells = ompp_arena_alloc(c->arena, (c->n_sums + 1) * sizeof(*cells));
	int64_t *values = ompp_arena_alloc(c->arena, (c->n_sums + 1) * ompp_metrics.n * sizeof(*values));
	size_t n = 0, i, k;

	if (!nodes || !cells || !values)
		return -ENOMEM;
	for (i = 0; i < c->n_places; i++) {
		const struct place *place = &c->places[i];
		uint32_t at;

		nodes[i].parent = i ? place->parent : OMPP_NONE;
		nodes[i].region = i ? index[place->region] : OMPP_NONE;
		nodes[i].construct = place->construct;
		nodes[i].first_cell = (uint32_t)n;
		for (at = place->first_cell; at != OMPP_NONE; at = c->sums[at].next) {
			const struct sums *s = &c->sums[at];
			uint32_t row = c->rows[s->row].final;
			size_t j;

			/* rows ascend within a node */
			for (j = n; j > nodes[i].first_cell && cells[j - 1].row > row; j--) {
				cells[j] = cells[j - 1];
				memcpy(values + j * ompp_metrics.n, values + (j - 1) * ompp_metrics.n,
				       ompp_metrics.n * sizeof(*values));
			}
			memset(&cells[j], 0, sizeof(cells[j]));
			cells[j].row = row;
			fill_cell(&cells[j], s, place->construct);
			for (k = 0; k < ompp_metrics.n; k++)
				values[j * ompp_metrics.n + k] = counted(place->construct) ? s->values[k] : OMPP_MISSING;
			n++;
		}
		if (i == 0 && nodes[0].first_cell == n) {       /* the root: the whole run, on the main thread's row */
			memset(&cells[n], 0, sizeof(cells[n]));
			cells[n].row = 0;
			cells[n].n_exec = 1;
			cells[n].exec_ns = cells[n].body_ns = cells[n].incl_ns = p->duration_ns;
			for (k = 0; k < ompp_metrics.n; k++)
				values[n * ompp_metrics.n + k] = OMPP_MISSING;
			n++;
		}
		nodes[i].n_cells = (uint32_t)(n - nodes[i].first_cell);
	}
	p->nodes = nodes;
	p->n_nodes = c->n_places;
	p->cells = cells;
	p->n_cells = n;
	p->metrics = ompp_metrics.metric;
	p->n_metrics = ompp_metrics.n;
	p->values = values;
	return 0;
}

/* Left out as a construct: when there are many of it; and locks, whose addresses another run does not have. */
static int is_put_once(enum ompp_construct construct, size_t n_alike)
{
	return n_alike > MANY_ALIKE || construct == OMPP_LOCK || construct == OMPP_NEST_LOCK;
}

/* One item of an OMPP_FILTER line. */
static void put_filter(struct ompp_text *t, const struct ompp_region *region, size_t n_alike)
{
	const char *slash = strrchr(region->file, '/');

	if (t->n_bytes)
		ompp_text_char(t, ',');
	if (is_put_once(region->construct, n_alike)) {
		ompp_text_str(t, ompp_construct_name(region->construct));
	} else if (region->begin_line && region->construct != OMPP_USER_REGION) {
		ompp_text_str(t, slash ? slash + 1 : region->file);
		ompp_text_char(t, ':');
		ompp_text_u64(t, region->begin_line);
	} else {
		ompp_text_str(t, region->name);
	}
}

/* Regions whose own cost is above a tenth of their time, and the OMPP_FILTER line that leaves them out.  A parallel
 * region cannot be left out of measuring: it tells who is who. */
static int finish_costly(struct collect *c, struct ompp_profile *p)
{
	struct ompp_region *regions = (struct ompp_region *)(uintptr_t)p->regions;
	int64_t *cost = ompp_arena_alloc(c->arena, p->n_regions * sizeof(*cost));
	int64_t *exec = ompp_arena_alloc(c->arena, p->n_regions * sizeof(*exec));
	char *line = ompp_arena_alloc(c->arena, FILTER_BYTES);
	size_t n_alike[OMPP_N_CONSTRUCTS] = { 0 }, i, j;
	int named[OMPP_N_CONSTRUCTS] = { 0 };
	struct ompp_text t;

	if (!cost || !exec || !line)
		return -ENOMEM;
	ompp_text_init(&t, line, FILTER_BYTES);
	for (i = 1; i < p->n_nodes; i++)
		for (j = 0; j < p->nodes[i].n_cells; j++) {
			const struct ompp_cell *cell = &p->cells[p->nodes[i].first_cell + j];

			cost[p->nodes[i].region] += cell->cost_ns;
			exec[p->nodes[i].region] += cell->exec_ns;
		}
	for (i = 0; i < p->n_regions; i++) {
		regions[i].costly = cost[i] && cost[i] > exec[i] / 10;
		n_alike[regions[i].construct] += regions[i].costly != 0;
	}
	for (i = 0; i < p->n_regions; i++) {
		enum ompp_construct k = regions[i].construct;

		if (!regions[i].costly || ompp_construct_is_parallel(k) || (is_put_once(k, n_alike[k]) && named[k]++))
			continue;
		put_filter(&t, &regions[i], n_alike[k]);
	}
	p->filter = line;
	return 0;
}

static int finish_notes(struct collect *c, struct ompp_profile *p)
{
	struct ompp_profile_note *out = ompp_arena_alloc(c->arena, (OMPP_NOTE_N + 32) * sizeof(*out));
	uint64_t counts[OMPP_NOTE_N];
	uint32_t n_threads = atomic_load_explicit(&ompp_n_threads, memory_order_acquire), i;
	size_t n = 0;
	int k;

	if (!out)
		return -ENOMEM;
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
	for (k = 0; k < OMPP_NOTE_N; k++)
		if (counts[k])
			out[n++] = (struct ompp_profile_note){ ompp_note_text((enum ompp_note_kind)k), counts[k] };
	for (k = 0; k < ompp_note_n_said(); k++)
		out[n++] = (struct ompp_profile_note){ ompp_note_said(k), 0 };
	p->notes = out;
	p->n_notes = n;
	return 0;
}

static int64_t timeval_ns(struct timeval t)
{
	return (int64_t)t.tv_sec * 1000000000 + (int64_t)t.tv_usec * 1000;
}

static const char *app_name(struct ompp_arena *arena)
{
	const char *given = ompp_session.options.text[OMPP_OPT_APPNAME], *path, *slash;

	if (given[0])
		return ompp_arena_strdup(arena, given);
	path = ompp_session.argc > 0 && ompp_session.argv[0] ? ompp_session.argv[0] : "unknown";
	slash = strrchr(path, '/');
	return ompp_arena_strdup(arena, slash && slash[1] ? slash + 1 : path);
}

int ompp_collect(struct ompp_profile *p, struct ompp_arena *arena, int final, int signal)
{
	struct collect c = { .arena = arena };
	struct ompp_session *s = &ompp_session;
	struct ompp_clock_anchor now;
	struct timespec wall;
	struct rusage usage;
	uint32_t n_threads, n_ids, i, *index;

	memset(p, 0, sizeof(*p));
	ompp_clock_anchor(&now);
	c.now = now.ticks;
	rate = ompp_clock_rate(&s->start, &now);
	n_threads = atomic_load_explicit(&ompp_n_threads, memory_order_acquire);
	n_ids = ompp_region_count() + 1;
	c.lost_id = n_ids;
	for (i = 0; i < n_threads; i++)
		if (OMPP_LOAD(&ompp_threads[i]->host) > c.max_host)
			c.max_host = OMPP_LOAD(&ompp_threads[i]->host);
	c.place_hash = new_hash(&c, 128, &c.n_place_hash);
	c.sums_hash = new_hash(&c, 128, &c.n_sums_hash);
	index = ompp_arena_alloc(arena, (n_ids + 1) * sizeof(*index));
	if (c.failed || !index)
		return -ENOMEM;
	find_place(&c, OMPP_NONE, 0, OMPP_USER_REGION);         /* the root */
	find_row(&c, 1, OMPP_NONE, 0);
	for (i = 0; i < n_threads && !c.failed; i++)
		walk_thread(&c, ompp_threads[i]);
	if (c.failed)
		return -ENOMEM;

	p->app = app_name(arena);
	p->version = PACKAGE_VERSION;
	clock_gettime(CLOCK_REALTIME, &wall);
	p->start_unix_ns = s->start_unix_ns;
	p->end_unix_ns = (int64_t)wall.tv_sec * 1000000000 + wall.tv_nsec;
	p->utc_offset_s = s->utc_offset_s;
	p->duration_ns = ompp_clock_ns(rate, (int64_t)(now.ticks - s->start.ticks));
	if (!getrusage(RUSAGE_SELF, &usage)) {
		p->user_ns = timeval_ns(usage.ru_utime);
		p->system_ns = timeval_ns(usage.ru_stime);
	} else {
		p->user_ns = p->system_ns = OMPP_MISSING;
	}
	p->final = final;
	p->n_dump = atomic_load(&s->n_dumps);
	p->signal = signal;
	p->pid = s->pid;
	p->mpi_rank = ompp_mpi_rank();
	p->mpi_size = ompp_mpi_size();
	p->clock = ompp_clock_name();
	p->cost_ps = (int64_t)(ompp_clock_ns(rate, (int64_t)(s->cost_pair_fp * 1000)) / 256);
	p->cost_ns = to_ns((int64_t)(c.n_visits * s->cost_pair_fp));
	p->n_events = c.n_visits * 2;
	if (finish_rows(&c, p) || finish_regions(&c, p, index, n_ids) || finish_cells(&c, p, index) ||
	    finish_costly(&c, p) || finish_notes(&c, p) || ompp_collect_conditions(p, arena))
		return -ENOMEM;
	p->max_threads = OMPP_LOAD(&s->max_threads) ? OMPP_LOAD(&s->max_threads) : 1;
	for (i = 0; i < p->n_rows; i++)
		if (p->rows[i].depth == 1 && p->rows[i].rank >= p->max_threads)
			p->max_threads = p->rows[i].rank + 1;
	return 0;
}

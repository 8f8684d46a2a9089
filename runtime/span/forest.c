/*
 * Forest: see forest.h.
 */
#include "runtime/span/forest.h"

#include <string.h>

#include "runtime/base/least_heap.h"
#include "runtime/base/sort.h"
#include "runtime/base/space.h"

enum { NONE = UINT32_MAX, MOST_THREADS = 256, THREAD_BITS = 8, FIRST_PIECES = 1024 };
enum { MOST_PIECES = 1 << 15 }; /* of more no forest is made */
enum { MOST_WAITING = 64 };     /* GCC's library makes no tasks beyond so many for each thread, but executes them */
enum { SHORT_TICKS = 1 << OMPP_STRAND_SHORT_BITS };

/* What a task does next. */
enum step_kind { WORK, CREATE, WAIT, END };
struct step {
	enum step_kind kind;
	uint32_t child;
	uint64_t ticks;
};

/* A task, or what a thread of the team does itself, in one phase of the team. */
struct task {
	struct ompp_strand_of of;
	uint32_t phase;
	uint32_t first, n;        /* its pieces */
	uint32_t creator;         /* its place; NONE for a root */
	uint32_t child, next;     /* the first one that it creates; the next one of its creator's */
	uint32_t step, at;        /* its first step, and the next one */
	uint32_t n_open;          /* children that have not ended */
	uint32_t youngest, older; /* its last child that was not begun; the one before it of its creator's */
	uint32_t below;           /* the task that its thread goes on with behind it */
	uint32_t sleeper;         /* the thread that waits for its children; NONE for none */
	uint8_t is_begun, is_queued;
};

struct ompp_forest {
	uint32_t n_pieces, n_tasks, n_steps, room;
	const struct ompp_strand **piece; /* strands, by phase, task and begin; [room] */
	uint32_t *order;                  /* for sorting; [2 * room] */
	struct task *task;                /* [2 * room]: behind those of pieces come roots that have none */
	struct step *step;                /* [6 * room] */
	uint32_t *queue;                  /* tasks in the order in which they were created; [2 * room] */
	uint64_t work_ticks;
	/* while a schedule is made */
	enum ompp_forest_race race;
	uint32_t n_threads, head, tail, n_idle, n_events, n_waiting;
	uint64_t now, done_ticks;                       /* the last end of a task */
	uint32_t top[MOST_THREADS], idle[MOST_THREADS]; /* the task that each thread is in; threads without one */
	uint64_t event[MOST_THREADS];                   /* when threads go on, with their numbers: a heap */
};

/* ---- pieces ---- */

static int forest_grow(struct ompp_forest *f, uint32_t n)
{
	uint32_t room = f->room ? f->room : FIRST_PIECES;

	while (room < n)
		room *= 2;
	if (room == f->room)
		return 1;
	f->room = 0;
	f->piece = ompp_space_take(room * sizeof(*f->piece));
	f->order = ompp_space_take(2 * room * sizeof(*f->order));
	f->task = ompp_space_take(2 * room * sizeof(*f->task));
	f->step = ompp_space_take(6 * room * sizeof(*f->step));
	f->queue = ompp_space_take(2 * room * sizeof(*f->queue));
	if (!f->piece || !f->order || !f->task || !f->step || !f->queue)
		return 0;
	f->room = room;
	return 1;
}

/* The end of a wait comes before the strand that begins there. */
static int piece_is_after(const void *pieces, uint32_t x, uint32_t y)
{
	const struct ompp_strand *const *all = pieces, *a = all[x], *b = all[y];

	if (a->phase != b->phase)
		return a->phase > b->phase;
	if (a->of.task != b->of.task)
		return a->of.task > b->of.task;
	if (a->start_ticks != b->start_ticks)
		return a->start_ticks > b->start_ticks;
	return a->ticks && !b->ticks;
}

/* Puts the strands of tasks into their order.  Returns 0 where chains are of no task, or have other edges, and where
 * other strands are more than a tenth of them: code that each thread executes, and shares of loops. */
static int gather_pieces(struct ompp_forest *f, const struct ompp_strands *members)
{
	const struct ompp_strand **pieces = (const struct ompp_strand **)(void *)f->task;
	uint64_t other_ticks = 0;

	f->n_pieces = 0;
	f->work_ticks = 0;
	for (const struct ompp_strands *m = members; m; m = m->next)
		for (uint32_t i = 0; i < m->n; i++) {
			if (m->list[i].kind != OMPP_STRAND_CHAIN) {
				other_ticks += m->list[i].ticks;
				continue;
			}
			if (m->has_other_edges || !m->list[i].of.task || m->list[i].locked_ticks)
				return 0;
			f->order[f->n_pieces] = f->n_pieces;
			pieces[f->n_pieces++] = &m->list[i];
			f->work_ticks += m->list[i].ticks;
		}
	ompp_sort(f->order, f->n_pieces, piece_is_after, pieces);
	for (uint32_t i = 0; i < f->n_pieces; i++)
		f->piece[i] = pieces[f->order[i]];
	return other_ticks <= f->work_ticks / 10;
}

/* ---- tasks ---- */

static uint32_t task_add(struct ompp_forest *f, struct ompp_strand_of of, uint32_t phase, uint32_t first)
{
	f->task[f->n_tasks] = (struct task){ .of = of, .phase = phase, .first = first, .creator = NONE, .child = NONE };
	return f->n_tasks++;
}

static void gather_tasks(struct ompp_forest *f)
{
	const struct ompp_strand *last = NULL;

	f->n_tasks = 0;
	for (uint32_t i = 0; i < f->n_pieces; last = f->piece[i++]) {
		if (!last || last->phase != f->piece[i]->phase || last->of.task != f->piece[i]->of.task)
			task_add(f, f->piece[i]->of, f->piece[i]->phase, i);
		f->task[f->n_tasks - 1].n++;
	}
}

/* Returns the task of a number in a phase, of the first n; NONE where it is not among them. */
static uint32_t task_find(const struct ompp_forest *f, uint32_t n, uint32_t phase, uint32_t number)
{
	uint32_t low = 0, high = n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct task *t = &f->task[middle];

		if (t->phase < phase || (t->phase == phase && t->of.task < number))
			low = middle + 1;
		else
			high = middle;
	}
	return low < n && f->task[low].phase == phase && f->task[low].of.task == number ? low : NONE;
}

/* Returns the place of a task's creator, which may be a thread of the team that did nothing else of length; NONE for a
 * task of which it is not known.  Tasks are looked at by phase, so such threads stand in that order, too. */
static uint32_t find_creator(struct ompp_forest *f, uint32_t n_listed, uint32_t task)
{
	struct ompp_strand_of of = { .task = f->task[task].of.creator };
	uint32_t phase = f->task[task].phase, found = task_find(f, n_listed, phase, of.task);

	for (uint32_t i = f->n_tasks; found == NONE && i-- > n_listed && f->task[i].phase == phase;)
		if (f->task[i].of.task == of.task)
			found = i;
	return found == NONE && of.task & OMPP_STRAND_MEMBER ? task_add(f, of, phase, 0) : found;
}

/* Those that were created first come last. */
static int task_is_before(const void *forest, uint32_t x, uint32_t y)
{
	const struct task *all = ((const struct ompp_forest *)forest)->task;

	if (all[x].of.created_ticks != all[y].of.created_ticks)
		return all[x].of.created_ticks < all[y].of.created_ticks;
	return x < y;
}

/* Returns whether a task creates tasks, or a creator waits for one task alone. */
static int is_recursion(const struct ompp_forest *f)
{
	for (uint32_t i = 0; i < f->n_tasks; i++) {
		const struct ompp_strand_of *of = &f->task[i].of;

		if (of->creator && (of->is_undeferred || !(of->creator & OMPP_STRAND_MEMBER)))
			return 1;
	}
	return 0;
}

/* Links the tasks to their creators.  Returns whether all creators are known. */
static int link_tasks(struct ompp_forest *f)
{
	uint32_t n_listed = f->n_tasks;

	for (uint32_t i = 0; i < n_listed; i++) {
		struct task *t = &f->task[i];

		f->order[i] = i;
		if (!t->of.creator)
			continue;
		t->creator = find_creator(f, n_listed, i);
		if (t->creator == NONE)
			return 0;
	}
	ompp_sort(f->order, n_listed, task_is_before, f);
	for (uint32_t i = 0; i < n_listed; i++) {
		struct task *t = &f->task[f->order[i]];

		if (t->creator == NONE)
			continue;
		t->next = f->task[t->creator].child;
		f->task[t->creator].child = f->order[i];
	}
	return 1;
}

/* ---- steps ---- */

static void step_add(struct ompp_forest *f, enum step_kind kind, uint32_t child, uint64_t ticks)
{
	f->step[f->n_steps++] = (struct step){ kind, child, ticks };
}

/* Writes down what a task does.  Where it creates a child, a strand that is not short ends; so one in which a child was
 * created has just begun. */
static void write_steps(struct ompp_forest *f, struct task *t)
{
	uint32_t child = t->child;

	t->step = f->n_steps;
	for (uint32_t i = t->first; i < t->first + t->n; i++) {
		const struct ompp_strand *piece = f->piece[i];
		uint64_t until = piece->start_ticks + (piece->ticks ? SHORT_TICKS : 0);

		for (; child != NONE && f->task[child].of.created_ticks < until; child = f->task[child].next)
			step_add(f, CREATE, child, 0);
		step_add(f, piece->ticks ? WORK : WAIT, NONE, piece->ticks);
	}
	for (; child != NONE; child = f->task[child].next)
		step_add(f, CREATE, child, 0);
	step_add(f, END, NONE, 0);
}

int ompp_forest_gather(struct ompp_forest **forest, const struct ompp_strands *members)
{
	struct ompp_forest *f = *forest ? *forest : ompp_space_take(sizeof(*f));
	uint32_t n = 0;

	*forest = f;
	for (const struct ompp_strands *m = members; m; m = m->next)
		n += m->n;
	if (!f || !n || n > MOST_PIECES || !forest_grow(f, n) || !gather_pieces(f, members))
		return 0;
	gather_tasks(f);
	if (!is_recursion(f) || !link_tasks(f))
		return 0;
	f->n_steps = 0;
	for (uint32_t i = 0; i < f->n_tasks; i++)
		write_steps(f, &f->task[i]);
	return 1;
}

uint64_t ompp_forest_work(const struct ompp_forest *forest)
{
	return forest->work_ticks;
}

/* ---- the schedule ---- */

/* Lets a thread go on at a time. */
static void event_add(struct ompp_forest *f, uint32_t thread, uint64_t time)
{
	uint64_t event = time << THREAD_BITS | thread;
	uint32_t i = f->n_events++;

	for (; i && f->event[(i - 1) / 2] > event; i = (i - 1) / 2)
		f->event[i] = f->event[(i - 1) / 2];
	f->event[i] = event;
}

static uint32_t event_take(struct ompp_forest *f)
{
	uint64_t event = f->event[0];

	if (--f->n_events)
		ompp_least_heap_put(f->event, f->n_events, 0, f->event[f->n_events]);
	f->now = event >> THREAD_BITS;
	return event & (MOST_THREADS - 1);
}

static void task_begin(struct ompp_forest *f, uint32_t thread, uint32_t task)
{
	f->task[task].is_begun = 1;
	f->task[task].below = f->top[thread];
	f->top[thread] = task;
}

/* Lets idle threads begin the oldest tasks that are ready. */
static void wake_idle(struct ompp_forest *f)
{
	while (f->n_idle && f->head < f->tail) {
		uint32_t task = f->queue[f->head++];

		if (f->task[task].is_begun)
			continue;
		task_begin(f, f->idle[--f->n_idle], task);
		event_add(f, f->idle[f->n_idle], f->now);
	}
}

/* Wakes an idle thread up, which will look for a task. */
static void wake_later(struct ompp_forest *f)
{
	if (f->n_idle)
		event_add(f, f->idle[--f->n_idle], f->now + OMPP_FOREST_WAKE_TICKS);
}

/* Puts a child into the queue, or lets its creator execute it at once. */
static void create_child(struct ompp_forest *f, uint32_t thread, struct task *t, uint32_t child)
{
	f->task[child].is_queued = !f->task[child].of.is_undeferred && f->n_waiting <= MOST_WAITING * f->n_threads;
	if (!f->task[child].is_queued) {
		task_begin(f, thread, child);
		return;
	}
	f->n_waiting++;
	t->n_open++;
	f->task[child].older = t->youngest;
	t->youngest = child;
	f->queue[f->tail++] = child;
	if (f->race == OMPP_RACE_IDLE || (f->race == OMPP_RACE_EVEN && t->n_open > 1))
		wake_idle(f);
	else
		wake_later(f);
}

/* Goes on in a taskwait: with the youngest child that was not begun, or asleep. */
static void wait_for_children(struct ompp_forest *f, uint32_t thread, struct task *t)
{
	while (t->youngest != NONE && f->task[t->youngest].is_begun)
		t->youngest = f->task[t->youngest].older;
	if (t->youngest != NONE)
		task_begin(f, thread, t->youngest);
	else
		t->sleeper = thread;
}

static void task_end(struct ompp_forest *f, uint32_t thread, const struct task *t)
{
	struct task *creator = t->creator == NONE ? NULL : &f->task[t->creator];

	f->top[thread] = t->below;
	f->done_ticks = f->now;
	if (!creator || !t->is_queued)
		return;
	f->n_waiting--;
	if (--creator->n_open || creator->sleeper == NONE)
		return;
	event_add(f, creator->sleeper, f->now);
	creator->sleeper = NONE;
}

/* Takes a thread that has no task to the oldest one that is ready. */
static int find_task(struct ompp_forest *f, uint32_t thread)
{
	while (f->head < f->tail && f->task[f->queue[f->head]].is_begun)
		f->head++;
	if (f->head < f->tail)
		task_begin(f, thread, f->queue[f->head++]);
	else
		f->idle[f->n_idle++] = thread;
	return f->top[thread] != NONE;
}

/* Lets a thread do what takes no time, up to its next work. */
static void thread_go_on(struct ompp_forest *f, uint32_t thread)
{
	while (f->top[thread] != NONE || find_task(f, thread)) {
		struct task *t = &f->task[f->top[thread]];
		const struct step *step = &f->step[t->at];

		if (step->kind == WAIT && t->n_open) {
			wait_for_children(f, thread, t);
			if (t->sleeper != NONE)
				return;
			continue;
		}
		t->at++;
		if (step->kind == WORK) {
			event_add(f, thread, f->now + step->ticks);
			return;
		}
		if (step->kind == CREATE)
			create_child(f, thread, t, step->child);
		else if (step->kind == END)
			task_end(f, thread, t);
	}
}

/* Executes the tasks of a phase, from a place on.  Returns the place behind them.  Threads that wake up too late for
 * the last task are awake before the next phase. */
static uint32_t schedule_phase(struct ompp_forest *f, uint32_t first)
{
	uint32_t i = first;

	f->head = f->tail = f->n_events = f->n_waiting = 0;
	for (f->n_idle = 0; f->n_idle < f->n_threads; f->n_idle++) {
		f->idle[f->n_idle] = f->n_idle;
		f->top[f->n_idle] = NONE;
	}
	for (; i < f->n_tasks && f->task[f->order[i]].phase == f->task[f->order[first]].phase; i++) {
		struct task *t = &f->task[f->order[i]];

		t->at = t->step;
		t->n_open = t->is_begun = 0;
		t->youngest = t->below = t->sleeper = NONE;
		if (t->creator == NONE)
			f->queue[f->tail++] = f->order[i];
	}
	wake_idle(f);
	while (f->n_events)
		thread_go_on(f, event_take(f));
	f->now = f->done_ticks;
	return i;
}

static int phase_is_after(const void *forest, uint32_t x, uint32_t y)
{
	const struct task *all = ((const struct ompp_forest *)forest)->task;

	return all[x].phase != all[y].phase ? all[x].phase > all[y].phase : x > y;
}

uint64_t ompp_forest_schedule(struct ompp_forest *f, uint32_t n, enum ompp_forest_race race)
{
	f->n_threads = n < MOST_THREADS ? n : MOST_THREADS;
	f->race = race;
	f->now = f->done_ticks = 0;
	for (uint32_t i = 0; i < f->n_tasks; i++)
		f->order[i] = i;
	ompp_sort(f->order, f->n_tasks, phase_is_after, f);
	for (uint32_t i = 0; i < f->n_tasks;)
		i = schedule_phase(f, i);
	return f->now;
}

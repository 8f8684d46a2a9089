/*
 * Arrival: see arrival.h.
 */
#include "runtime/events/arrival.h"

#include <stdatomic.h>
#include <string.h>

#include "runtime/base/check.h"
#include "runtime/core/callgraph.h"
#include "runtime/core/region.h"
#include "runtime/core/session.h"
#include "runtime/core/team_data.h"
#include "runtime/core/thread.h"
#include "runtime/events/hold.h"
#include "runtime/events/visit.h"
#include "runtime/host/clock.h"
#include "runtime/host/cpu.h"

enum { CALIBRATION_READINGS = 5, SLOTS_IN_INTERVAL = 16, MOST_PACES = 2, MOST_COLD = 16 };

uint64_t ompp_arrival_interval = UINT64_MAX;
uint64_t ompp_arrival_reading_ticks[OMPP_N_COST_BOUNDS];
int (*ompp_arrival_read)(struct ompp_cpu_reading *reading) = ompp_cpu_read;

/* A reading that took more than MOST_COLD times the shortest one was interrupted: one whose code and data are in no
 * cache takes less.  What the system took then is no cost of readings. */
void ompp_arrival_set_costs(const uint64_t *ticks, size_t n)
{
	size_t last = n - 1;

	ompp_assert(ticks[0] <= ticks[n / 2]);
	while (last > n / 2 && ticks[last] / MOST_COLD > ticks[0])
		last--;
	ompp_arrival_interval = (ticks[0] + 1) * OMPP_READINGS_IN_INTERVAL;
	ompp_arrival_reading_ticks[OMPP_COST_LEAST] = ticks[0];
	ompp_arrival_reading_ticks[OMPP_COST_TYPICAL] = ticks[n / 2];
	ompp_arrival_reading_ticks[OMPP_COST_MOST] = ticks[last];
}

void ompp_arrival_calibrate(void)
{
	uint64_t ticks[CALIBRATION_READINGS];
	struct ompp_cpu_reading reading;

	if (ompp_clock_kind == OMPP_CLOCK_FAKE)
		return;
	for (int i = 0; i < CALIBRATION_READINGS; i++) {
		uint64_t start = ompp_clock(), one;
		int at;

		ompp_cpu_pace();
		if (ompp_cpu_read(&reading))
			return;
		one = ompp_clock() - start;
		for (at = i; at > 0 && ticks[at - 1] > one; at--)
			ticks[at] = ticks[at - 1];
		ticks[at] = one;
	}
	ompp_arrival_set_costs(ticks, CALIBRATION_READINGS);
}

/* Returns nanoseconds as ticks of the clock, by the rate so far. */
static uint64_t ticks_of(int64_t ns, int64_t monotonic_ns)
{
	const struct ompp_clock_anchor *start = &ompp_session.start;
	int64_t passed_ns = monotonic_ns - start->monotonic_ns;

	if (ompp_clock_kind != OMPP_CLOCK_TSC)
		return (uint64_t)ns;
	if (passed_ns <= 0)
		return 0;
	return (uint64_t)((unsigned __int128)(uint64_t)ns * (ompp_clock_tsc() - start->raw_ticks) /
	                  (uint64_t)passed_ns);
}

/* Measures the pace.  A measurement of more than twice the minimum was interrupted: sharing a core slows a thread
 * down by less than two. */
static void read_pace(struct ompp_cpu_state *cpu)
{
	uint64_t ticks = ompp_cpu_pace();

	if (!cpu->least_pace_ticks || ticks < cpu->least_pace_ticks)
		cpu->least_pace_ticks = ticks;
	if (ticks / MOST_PACES <= cpu->least_pace_ticks)
		cpu->pace_ticks = ticks;
}

/* Reads the CPU time, and adds the time without a processor since the last reading to the thread's sums.  Time in
 * which measuring was off is left out.  Returns how the thread came here. */
static enum ompp_came read_cpu(struct ompp_cpu_state *cpu, uint64_t now)
{
	uint32_t n_switches = OMPP_LOAD(&ompp_session.n_switches);
	struct ompp_cpu_reading reading;
	int64_t missing_ns;
	uint64_t ticks = UINT64_MAX;
	int is_off = 0;

	cpu->read_ticks = now;
	read_pace(cpu);
	if (ompp_arrival_read(&reading))
		return OMPP_CAME_SOMEHOW;
	missing_ns = reading.monotonic_ns - cpu->monotonic_ns - (reading.cpu_ns - cpu->cpu_ns);
	if (cpu->is_read && !(n_switches & 1) && n_switches == cpu->n_switches) {
		ticks = missing_ns > 0 ? ticks_of(missing_ns, reading.monotonic_ns) : 0;
		cpu->sum_faults += reading.n_faults - cpu->n_faults;
		is_off = reading.n_voluntary == cpu->n_voluntary;
		if (is_off)
			cpu->off_ticks += ticks;
		else
			cpu->asleep_ticks += ticks;
	}
	cpu->monotonic_ns = reading.monotonic_ns;
	cpu->cpu_ns = reading.cpu_ns;
	cpu->n_voluntary = reading.n_voluntary;
	cpu->n_faults = reading.n_faults;
	cpu->n_switches = n_switches;
	cpu->is_read = 1;
	if (ticks < ompp_arrival_interval)
		return OMPP_CAME_AWAKE;
	return is_off ? OMPP_CAME_OFF : OMPP_CAME_SOMEHOW;
}

/* Reads the CPU time where a stretch begins.  Notes how the thread came there, and returns it. */
static enum ompp_came read_at_begin(struct ompp_cpu_state *cpu, struct ompp_team_slot *slot, uint64_t now)
{
	uint32_t next = atomic_load_explicit(&slot->n_arrived, memory_order_relaxed) + 1;
	enum ompp_came came = read_cpu(cpu, now);

	OMPP_STORE(&slot->came[next & 1], (uint8_t)came);
	return came;
}

/* Begins a stretch.  The time that the thread slept in a barrier before it is not part of it. */
static inline __attribute__((always_inline)) void begin_stretch(const struct ompp_thread *t,
                                                                struct ompp_team_slot *slot, uint64_t now)
{
	slot->stretch_ticks = now;
	slot->off_before = t->cpu.off_ticks;
	slot->asleep_before = t->cpu.asleep_ticks;
}

void ompp_arrival_begin(struct ompp_thread *t, const struct ompp_team *team, struct ompp_team_slot *slot, uint64_t now)
{
	if (OMPP_LOAD(&team->n_threads) < 2)
		return;
	if (now - t->cpu.read_ticks > ompp_arrival_interval) {
		read_at_begin(&t->cpu, slot, now);
		OMPP_ADD(&t->top->node->n_readings_inside, 1);
	}
	begin_stretch(t, slot, now);
}

/* What a thread lost of its processor before a task may be of the task around it; where there is none, it is no task's.
 */
void ompp_arrival_begin_task(struct ompp_thread *t, int is_inside, uint64_t now)
{
	uint64_t before = t->cpu.off_ticks;

	read_cpu(&t->cpu, now);
	OMPP_ADD(&t->top->node->n_readings_inside, 1);
	t->cpu.task_off_ticks = is_inside ? t->cpu.task_off_ticks + (t->cpu.off_ticks - before) : 0;
}

uint64_t ompp_arrival_end_task(struct ompp_thread *t, uint64_t own_ticks, uint64_t now)
{
	uint64_t before = t->cpu.off_ticks, off_ticks;

	read_cpu(&t->cpu, now);
	OMPP_ADD(&t->top->node->n_readings_outside, 1);
	t->cpu.task_off_ticks += t->cpu.off_ticks - before;
	off_ticks = t->cpu.task_off_ticks < own_ticks ? t->cpu.task_off_ticks : own_ticks;
	t->cpu.task_off_ticks -= off_ticks;
	return off_ticks;
}

/* Returns the running thread's slot in the team around it; NULL when no other member waits for it, or after a
 * cancellation. */
static inline __attribute__((always_inline)) struct ompp_team_slot *own_slot(const struct ompp_thread *t)
{
	const struct ompp_frame *base = t->base;
	uint32_t rank = OMPP_KEY_RANK(base->key);

	if (!(base->flags & OMPP_FRAME_TEAM) || OMPP_LOAD(&base->team->n_threads) < 2 || rank >= base->team->n_slots ||
	    atomic_load_explicit(&base->team->token, memory_order_relaxed) != base->instance)
		return NULL;
	ompp_assert(rank < OMPP_LOAD(&base->team->n_slots));
	return &base->team->slots[rank];
}

static struct ompp_waits *waits_of(struct ompp_thread *t, struct ompp_callnode *node)
{
	struct ompp_waits *waits = node->waits;

	if (__builtin_expect(!waits, 0)) {
		waits = ompp_callgraph_alloc(&t->graph, sizeof(*waits));
		__atomic_store_n(&node->waits, waits, __ATOMIC_RELEASE);
	}
	return waits;
}

static inline void add_square(struct ompp_waits *waits, uint64_t ticks)
{
	unsigned __int128 sum = (unsigned __int128)waits->squares[1] << 64 | waits->squares[0];

	sum += (unsigned __int128)ticks * ticks;
	OMPP_STORE(&waits->squares[0], (uint64_t)sum);
	OMPP_STORE(&waits->squares[1], (uint64_t)(sum >> 64));
}

/* These functions tell how long a member had a processor from the enter to the arrival, and before the enter.  Time
 * without a processor is first taken from the body, and from the time before the enter where it exceeds the body. */
static uint64_t arrival_less(uint64_t ticks, uint64_t off_ticks)
{
	return off_ticks < ticks ? ticks - off_ticks : 0;
}

static uint64_t work_of(const struct ompp_arrival *arrival)
{
	return arrival_less(arrival->arrive_ticks - arrival->enter_ticks, arrival->off_ticks);
}

static uint64_t before_of(const struct ompp_arrival *arrival)
{
	return arrival_less(arrival->arrive_ticks - arrival->begin_ticks, arrival->off_ticks) - work_of(arrival);
}

static int is_counted(const struct ompp_frame *f)
{
	return !(f->flags & (OMPP_FRAME_FOLDED | OMPP_FRAME_OFF));
}

/* Notes that the member arrives with the frame f, whose node has these waits; NULL when the visit is not counted. */
static __attribute__((noinline)) void arrival_arrive(const struct ompp_thread *t, struct ompp_team_slot *slot,
                                                     const struct ompp_frame *f, struct ompp_waits *waits)
{
	uint32_t number = atomic_load_explicit(&slot->n_arrived, memory_order_relaxed) + 1;
	struct ompp_arrival *place = &slot->arrivals[number & 1];
	uint64_t now = f->start_ticks, begin_ticks = slot->stretch_ticks, enter_ticks = begin_ticks, work;
	uint64_t off_ticks = t->cpu.off_ticks - slot->off_before,
		 asleep_ticks = t->cpu.asleep_ticks - slot->asleep_before;

	if (OMPP_KEY_PART(f->key) == OMPP_PART_BARRIER && (int64_t)(f[-1].start_ticks - enter_ticks) > 0)
		enter_ticks = f[-1].start_ticks;
	OMPP_STORE(&place->begin_ticks, begin_ticks);
	OMPP_STORE(&place->enter_ticks, enter_ticks);
	OMPP_STORE(&place->arrive_ticks, now);
	OMPP_STORE(&place->off_ticks, off_ticks);
	OMPP_STORE(&place->asleep_ticks, asleep_ticks);
	atomic_store_explicit(&slot->n_arrived, number, memory_order_release);
	if (!waits)
		return;
	work = arrival_less(now - enter_ticks, off_ticks);
	if (work > waits->most_ticks)
		OMPP_STORE(&waits->most_ticks, work);
	if (work < waits->least_ticks || !waits->n)
		OMPP_STORE(&waits->least_ticks, work);
	ompp_assert(waits->least_ticks <= work && work <= waits->most_ticks);
	OMPP_ADD(&waits->n, 1);
	OMPP_ADD(&waits->work_ticks, work);
	add_square(waits, work);
	ompp_series_add(&waits->series, work, t->cpu.pace_ticks);
	if (__builtin_expect(off_ticks | asleep_ticks, 0)) {
		OMPP_ADD(&waits->off_ticks, off_ticks);
		OMPP_ADD(&waits->asleep_ticks, asleep_ticks);
	}
}

static __attribute__((noinline, cold)) void arrive_long(struct ompp_team_slot *slot, const struct ompp_frame *f)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_waits *waits = is_counted(f) ? waits_of(t, f->node) : NULL;
	uint64_t faults_before = t->cpu.sum_faults;

	if (f->start_ticks - slot->stretch_ticks > ompp_arrival_interval) {
		read_cpu(&t->cpu, f->start_ticks);
		OMPP_ADD(&f->node->n_readings_inside, 1);
	}
	arrival_arrive(t, slot, f, waits);
	if (waits && t->cpu.sum_faults != faults_before)
		OMPP_ADD(&waits->n_faults, t->cpu.sum_faults - faults_before);
}

/* Takes from the rest of the delay as much as a difference explains, which may be negative.  Returns that amount. */
static uint64_t arrival_take(uint64_t *left, uint64_t difference)
{
	uint64_t taken = (int64_t)difference < 0 ? 0 : difference < *left ? difference : *left;

	ompp_assert(taken <= *left);
	*left -= taken;
	return taken;
}

void ompp_arrival_explain(const struct ompp_arrival *mine, const struct ompp_arrival *last, int is_made,
                          uint64_t wait_ticks, uint64_t off_ticks, uint64_t causes[OMPP_N_CAUSES])
{
	uint64_t left = wait_ticks, apart = arrival_take(&left, last->arrive_ticks - mine->arrive_ticks), body;

	causes[OMPP_CAUSE_OFF_HERE] = arrival_take(&left, off_ticks);
	causes[OMPP_CAUSE_LEAVE] = left;
	body = arrival_take(&apart, work_of(last) - work_of(mine));
	causes[OMPP_CAUSE_ASLEEP] = arrival_take(&body, last->asleep_ticks - mine->asleep_ticks);
	causes[OMPP_CAUSE_BODY] = body;
	causes[OMPP_CAUSE_BEFORE] = arrival_take(&apart, before_of(last) - before_of(mine));
	causes[OMPP_CAUSE_OFF] = arrival_take(&apart, last->off_ticks - mine->off_ticks);
	causes[OMPP_CAUSE_MADE] = is_made ? apart : 0;
	causes[OMPP_CAUSE_START] = is_made ? 0 : apart;
	causes[OMPP_CAUSE_STOLEN] = 0;
	ompp_assert(causes[OMPP_CAUSE_OFF_HERE] + causes[OMPP_CAUSE_LEAVE] + causes[OMPP_CAUSE_ASLEEP] +
	                    causes[OMPP_CAUSE_BODY] + causes[OMPP_CAUSE_BEFORE] + causes[OMPP_CAUSE_OFF] + apart ==
	            wait_ticks);
}

/* Moves a delay to another cause if it is longer than what can go unnoticed between two readings. */
static void arrival_move(uint64_t causes[OMPP_N_CAUSES], enum ompp_cause from, enum ompp_cause to)
{
	if (causes[from] / 2 <= ompp_arrival_interval)
		return;
	causes[to] += causes[from];
	causes[from] = 0;
}

/* Charges delays to the system unless the thread was waking up: a late begin of the last member that lost its
 * processor before, and a long body of one that, as far as the kernel knows, had its processor all the time. */
static void arrival_charge(uint64_t causes[OMPP_N_CAUSES], enum ompp_came last, enum ompp_came mine)
{
	if (last == OMPP_CAME_OFF)
		arrival_move(causes, OMPP_CAUSE_START, OMPP_CAUSE_OFF);
	if (last == OMPP_CAME_AWAKE)
		arrival_move(causes, OMPP_CAUSE_START, OMPP_CAUSE_STOLEN);
	if (mine == OMPP_CAME_AWAKE)
		arrival_move(causes, OMPP_CAUSE_LEAVE, OMPP_CAUSE_STOLEN);
}

/* Returns the arrival of the member with this slot at the barrier of the given number; NULL when it has none. */
static const struct ompp_arrival *arrival_at(const struct ompp_team_slot *slot, uint32_t number)
{
	uint32_t n = atomic_load_explicit(&slot->n_arrived, memory_order_acquire);

	return n == number || n == number + 1 ? &slot->arrivals[number & 1] : NULL;
}

/* Finds the member that came last, and why it did. off_ticks: how long this thread had no processor during its wait.
 * came: how this thread came to the end of the wait. */
static void arrival_look(const struct ompp_team *team, const struct ompp_team_slot *own, struct ompp_waits *waits,
                         uint64_t wait_ticks, uint64_t off_ticks, enum ompp_came came)
{
	uint32_t number = atomic_load_explicit(&own->n_arrived, memory_order_relaxed);
	const struct ompp_arrival *mine = &own->arrivals[number & 1];
	struct ompp_arrival last = *mine;
	uint64_t causes[OMPP_N_CAUSES];
	uint32_t is_made = 0;
	enum ompp_came last_came = OMPP_CAME_SOMEHOW;

	for (uint32_t r = 0; r < team->n_slots; r++) {
		const struct ompp_team_slot *slot = &team->slots[r];
		const struct ompp_arrival *other = slot == own ? NULL : arrival_at(slot, number);

		is_made |= OMPP_LOAD(&slot->is_new);
		if (!other || (int64_t)(OMPP_LOAD(&other->arrive_ticks) - last.arrive_ticks) <= 0)
			continue;
		last.begin_ticks = OMPP_LOAD(&other->begin_ticks);
		last.enter_ticks = OMPP_LOAD(&other->enter_ticks);
		last.arrive_ticks = OMPP_LOAD(&other->arrive_ticks);
		last.off_ticks = OMPP_LOAD(&other->off_ticks);
		last.asleep_ticks = OMPP_LOAD(&other->asleep_ticks);
		last_came = OMPP_LOAD(&slot->came[number & 1]);
	}
	ompp_arrival_explain(mine, &last, is_made && number == 1, wait_ticks, off_ticks, causes);
	arrival_charge(causes, last_came, came);
	OMPP_ADD(&waits->n_looked, 1);
	OMPP_ADD(&waits->looked_ticks, wait_ticks);
	ompp_series_add(&waits->looks, causes[OMPP_CAUSE_BODY] + causes[OMPP_CAUSE_ASLEEP], causes[OMPP_CAUSE_BEFORE]);
	for (int i = 0; i < OMPP_N_CAUSES; i++)
		OMPP_ADD(&waits->causes[i], causes[i]);
}

/* Returns 1 when a thread that has not looked so far does so at its first wait.  In a large team only some threads
 * look, as each look reads the arrivals of all members. */
static int looks_first(const struct ompp_thread *t, const struct ompp_frame *f)
{
	const struct ompp_team *team = t->base->team;

	return (size_t)(f->slot - team->slots) % (1 + team->n_slots / SLOTS_IN_INTERVAL) == 0;
}

/* Returns 1 when it is time to look again.  A wait in which tasks were run is never looked at: the thread worked, and
 * who came last is not known. */
static int may_look(const struct ompp_thread *t, const struct ompp_frame *f, uint64_t now)
{
	uint64_t passed = now - t->cpu.looked_ticks;

	return passed > ompp_arrival_interval && is_counted(f) && f->node->waits && !f->task_ticks &&
	       passed / (1 + t->base->team->n_slots / SLOTS_IN_INTERVAL) > ompp_arrival_interval;
}

static inline __attribute__((always_inline)) void arrival_leave(struct ompp_frame *f, uint64_t key, uint64_t now)
{
	OMPP_STORE(&f->flags, f->flags & ~(uint32_t)OMPP_FRAME_BARRIER);
	OMPP_STORE(&f->once_before, f->node->head->once_ticks); /* no task that ran inside waits at this barrier, so no
	                                                           time is to be taken out */
	ompp_visit_exit_at(key, now);
}

static __attribute__((noinline, cold)) void leave_long(uint64_t key, uint64_t now)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_frame *f = t->top;
	uint64_t off_ticks = t->cpu.off_ticks;
	enum ompp_came came = OMPP_CAME_SOMEHOW;

	if (now - t->cpu.read_ticks > ompp_arrival_interval) {
		came = read_at_begin(&t->cpu, f->slot, now);
		OMPP_ADD(&f->node->n_readings_outside, 1);
	}
	begin_stretch(t, f->slot, now);
	if (may_look(t, f, now)) {
		int looks = t->cpu.looked_ticks || looks_first(t, f);

		t->cpu.looked_ticks = now;
		if (looks)
			arrival_look(t->base->team, f->slot, f->node->waits, now - f->start_ticks,
			             t->cpu.off_ticks - off_ticks, came);
	}
	arrival_leave(f, key, now);
}

/* Leaves a barrier whose frame is not the innermost one, because untied instances above it were suspended in it.  A
 * new stretch begins nevertheless: time in the barrier, asleep or without a processor, is not part of it. */
static __attribute__((noinline, cold)) void leave_below(uint64_t key, uint64_t now)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_team_slot *slot;

	ompp_visit_exit_at(key, now);
	slot = own_slot(t);
	if (!slot)
		return;
	if (now - t->cpu.read_ticks > ompp_arrival_interval) {
		read_at_begin(&t->cpu, slot, now);
		OMPP_ADD(&t->top->node->n_readings_inside, 1);
	}
	begin_stretch(t, slot, now);
}

/* Returns the part of the longest path of the team in which the thread is at a barrier; NULL when there is none. */
static struct ompp_span_team *team_path(const struct ompp_thread *t)
{
	const struct ompp_frame *base = t->base;
	int is_in = base->flags & OMPP_FRAME_TEAM &&
	            atomic_load_explicit(&base->team->token, memory_order_relaxed) == base->instance;

	return is_in ? base->team->span : NULL;
}

static __attribute__((noinline, cold)) void arrive_on_path(struct ompp_thread *t, uint64_t key)
{
	struct ompp_span *s;

	if (!t->span || !team_path(t))
		return;
	ompp_hold_loop_end(ompp_region_by_id(OMPP_KEY_ID(key)));
	s = ompp_frame_hide_span(t);
	if (!s)
		return;
	ompp_span_arrive(s, team_path(t), s->last_ticks);
	ompp_frame_show_span(t, s);
}

/* Returns the region of a barrier that may be left out: not of one at a parallel region's end. */
static uint32_t region_left_out(uint64_t key)
{
	const struct ompp_region_def *def = ompp_region_by_id(OMPP_KEY_ID(key));

	return def && def->construct > OMPP_PARALLEL_WORKSHARE ? OMPP_KEY_ID(key) : 0;
}

static __attribute__((noinline, cold)) void leave_on_path(struct ompp_thread *t, uint64_t key)
{
	struct ompp_span *s = team_path(t) ? ompp_frame_hide_span(t) : NULL;

	if (!s)
		return;
	ompp_span_leave(s, team_path(t), region_left_out(key), s->last_ticks);
	ompp_frame_show_span(t, s);
}

/* Both functions hand rare cases over to other functions by a tail call, so that they keep nothing on the stack.
 * is_on_path: the longest path is looked for */
static inline __attribute__((always_inline)) void enter_barrier(uint64_t key, struct ompp_caller caller, int is_on_path)
{
	struct ompp_frame *f = ompp_visit_enter(key, caller);
	struct ompp_thread *t = ompp_self;
	struct ompp_team_slot *slot = f ? own_slot(t) : NULL;
	uint32_t flags;

	if (is_on_path && f)
		arrive_on_path(t, key);
	if (!slot)
		return;
	flags = f->flags;
	OMPP_STORE(&f->slot, slot);
	OMPP_STORE(&f->flags, flags | OMPP_FRAME_BARRIER);
	if (__builtin_expect(f->start_ticks - slot->stretch_ticks > ompp_arrival_interval, 0) ||
	    __builtin_expect(!f->node->waits, 0) || __builtin_expect(flags, 0))
		arrive_long(slot, f);
	else
		arrival_arrive(t, slot, f, f->node->waits);
}

static __attribute__((noinline, cold)) void enter_on_path(uint64_t key, uintptr_t stack, uintptr_t site)
{
	enter_barrier(key, (struct ompp_caller){ stack, site }, 1);
}

void ompp_barrier_enter(uint64_t key, struct ompp_caller caller)
{
	if (ompp_frame_is_on_path())
		enter_on_path(key, caller.stack, caller.site);
	else
		enter_barrier(key, caller, 0);
}

static inline __attribute__((always_inline)) void exit_barrier(uint64_t key)
{
	uint64_t now = ompp_clock(), interval = ompp_arrival_interval;
	struct ompp_thread *t = ompp_self;
	struct ompp_frame *f = t->top;

	if (__builtin_expect(f->key != key, 0)) {
		leave_below(key, now);
		return;
	}
	if (!(f->flags & OMPP_FRAME_BARRIER)) { /* a team of one, where nobody waits */
		ompp_visit_exit_at(key, now);
		return;
	}
	if (__builtin_expect(now - t->cpu.read_ticks > interval, 0) ||
	    __builtin_expect(now - t->cpu.looked_ticks > interval, 0)) {
		leave_long(key, now);
		return;
	}
	begin_stretch(t, f->slot, now);
	arrival_leave(f, key, now);
}

static __attribute__((noinline, cold)) void exit_on_path(uint64_t key)
{
	exit_barrier(key);
	leave_on_path(ompp_self, key);
}

void ompp_barrier_exit(uint64_t key)
{
	if (ompp_frame_is_on_path())
		exit_on_path(key);
	else
		exit_barrier(key);
}

/* Returns 1 for a member that did not fork the team. */
static int is_worker(const struct ompp_thread *t)
{
	return t->base->flags & OMPP_FRAME_TEAM && t->base->team->forker != t;
}

void ompp_barrier_enter_last(uint64_t key, struct ompp_caller caller)
{
	const struct ompp_thread *t;

	ompp_barrier_enter(key, caller);
	t = ompp_self;
	if (!t->limit || !is_worker(t) || t->top->key != key)
		return;
	OMPP_OR(&t->top->flags, OMPP_FRAME_LATE);
	OMPP_OR(&t->base->flags, OMPP_FRAME_LATE);
}

void ompp_barrier_exit_last(uint64_t key)
{
	struct ompp_thread *t = ompp_self;
	const struct ompp_frame *base = t->base;
	struct ompp_frame *f = t->top;
	uint64_t now;

	if (!is_worker(t)) {
		ompp_barrier_exit(key);
		return;
	}
	now = ompp_team_until(base->team, base->instance, ompp_clock());
	if (f->key == key && f->flags & OMPP_FRAME_BARRIER)
		arrival_leave(f, key, now);
	else
		ompp_visit_exit_at(key, now);
	if (ompp_frame_is_on_path())
		leave_on_path(t, key);
}

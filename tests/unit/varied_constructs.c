/*
 * Varied constructs: see varied_constructs.h.
 */
#include "tests/unit/varied_constructs.h"

#include "runtime/base/array.h"
#include "runtime/events/jump.h"
#include "runtime/events/meetings.h"
#include "runtime/events/mpi_message.h"
#include "runtime/events/partners.h"
#include "runtime/host/clock.h"
#include "runtime/ompp.h"
#include "tests/unit/steps.h"

#define APART        __attribute__((noinline))
#define KEEP_FRAME() __asm__ volatile("" ::: "memory")

enum { LOCKS = 12, LOCK_BYTES = 64, RANKS = 5, KEYS = 4, FRAME_BYTES = 16384 };

REGION(taskgroup, taskgroup, 110, 119);
REGION(taskloop, taskloop, 120, 129);
REGION_WITH(told, for, 130, 139, "scheduleType=guided*");
REGION(fixed, for, 131, 138);
REGION(target, target, 140, 149);
REGION(data, targetdata, 141, 148);
REGION(workshare, workshare, 150, 159);
REGION_WITH(left, userRegion, 160, 161, "userRegionName=left*");
REGION_WITH(other, userRegion, 162, 163, "userRegionName=other*");
REGION(barrier2, barrier, 170, 170);

static char *locks;
static unsigned int (*below)(unsigned int n);
static void (*body)(int depth);
static void (*end_tasks)(void);

/* ---- the library that the test stands in for ---- */

static int n_nested;

#define NOTHING(name) \
	void omp_##name(void *s); \
	void omp_##name(void *s) \
	{ \
		(void)s; \
	}
NOTHING(init_nest_lock)
NOTHING(destroy_nest_lock)
NOTHING(set_nest_lock)
NOTHING(unset_nest_lock)

/* A lock is had at every second call. */
static int n_tests;

int omp_test_lock(void *s);
int omp_test_lock(void *s)
{
	(void)s;
	return ++n_tests % 2;
}

int omp_test_nest_lock(void *s);
int omp_test_nest_lock(void *s)
{
	(void)s;
	return ++n_tests % 2 ? n_nested + 1 : 0;
}

void varied_constructs_start(char *its_locks, unsigned int (*its_below)(unsigned int n), void (*its_body)(int depth),
                             void (*its_end_tasks)(void))
{
	locks = its_locks;
	below = its_below;
	body = its_body;
	end_tasks = its_end_tasks;
	ompp_partners_start(1, RANKS, 0);
	for (unsigned int i = 0; i < LOCKS; i++)
		if (i % 3 == 0)
			ompp_init_lock(i < LOCKS / 2 ? "200:3:t.c:a[i]" : "201:3:t.c:b",
			               locks + (size_t)i * LOCK_BYTES);
	POMP2_Assign_handle(&h_taskloop, taskloop_ctc);
	POMP2_Assign_handle(&h_left, left_ctc);
}

/* ---- tasks and loops ---- */

static APART void play_taskgroup(int depth)
{
	int64_t old;

	POMP2_Taskwait_begin(&h_taskgroup, &old, taskgroup_ctc);
	body(depth - 1);
	ompp_taskgroup_ends(&h_taskgroup);
	end_tasks();
	POMP2_Taskwait_end(&h_taskgroup, old);
	KEEP_FRAME();
}

static APART void play_iteration(int depth, int64_t task, int64_t *chunk)
{
	void **begun = ompp_iteration_begun(&h_taskloop, task, chunk);

	body(depth - 1);
	ompp_task_left(&begun);
	KEEP_FRAME();
}

/* Of some tasks several iterations each. */
static APART void play_taskloop(int depth)
{
	int64_t task, old;

	POMP2_Task_create_begin(&h_taskloop, &task, &old, 1, taskloop_ctc);
	for (unsigned int n_tasks = 1 + below(3); n_tasks > 0; n_tasks--) {
		int64_t chunk = 0;

		for (unsigned int n = below(4); n > 0; n--)
			play_iteration(depth, task, &chunk);
	}
	POMP2_Task_create_end(&h_taskloop, old);
	KEEP_FRAME();
}

static APART void play_told_loop(int depth)
{
	void **handle = below(3) ? &h_told : &h_fixed;
	int64_t old;

	POMP2_For_enter(handle, handle == &h_told ? told_ctc : fixed_ctc);
	if (below(4))
		ompp_loop_iterates(handle);
	for (unsigned int n = below(5); n > 0; n--) {
		ompp_loop_iteration();
		body(depth > 1 ? 1 : 0);
	}
	POMP2_Implicit_barrier_enter(handle, &old);
	POMP2_Implicit_barrier_exit(handle, old);
	POMP2_For_exit(handle);
	KEEP_FRAME();
}

static APART void play_workshare(int depth)
{
	POMP2_Workshare_enter(&h_workshare, workshare_ctc);
	body(depth - 1);
	POMP2_Workshare_exit(&h_workshare);
	KEEP_FRAME();
}

static APART void play_target(int depth)
{
	static const long long bytes[] = { 0, 8, 1000, -1, 1LL << 40 };
	void **handle = below(2) ? &h_target : &h_data;
	long long to;

	POMP2_Begin(handle, handle == &h_target ? target_ctc : data_ctc);
	to = bytes[below(OMPP_COUNT_OF(bytes))];
	ompp_target_maps(handle, to, bytes[below(2)]);
	body(depth - 1);
	POMP2_End(handle);
	KEEP_FRAME();
}

/* ---- locks ---- */

static APART void play_lock(int depth)
{
	unsigned int i = below(LOCKS);
	void *lock = locks + (size_t)i * LOCK_BYTES;

	if (below(2)) {
		ompp_set_lock(i % 2 ? "202:3:t.c:a[i]" : "203:3:t.c:b", lock);
		body(depth > 1 ? 1 : 0);
		POMP2_Unset_lock(lock);
	} else if (ompp_test_lock("204:3:t.c:a[j]", lock)) {
		body(0);
		POMP2_Unset_lock(lock);
	}
	if (!below(6)) {
		POMP2_Destroy_lock(lock);
		ompp_init_lock("205:3:t.c:a[0]", lock);
	}
	KEEP_FRAME();
}

static APART void play_nest_lock(int depth)
{
	void *lock = locks + (size_t)LOCKS * LOCK_BYTES;

	ompp_set_nest_lock("210:3:t.c:n", lock);
	n_nested++;
	if (depth > 0 && !below(3))
		play_nest_lock(depth - 1);
	else if (ompp_test_nest_lock("211:3:t.c:n", lock)) {
		body(0);
		POMP2_Unset_nest_lock(lock);
	}
	n_nested--;
	POMP2_Unset_nest_lock(lock);
	KEEP_FRAME();
}

/* ---- visits that do not end as they began ---- */

static APART void play_jump(int depth)
{
	static char buffers[3][8];
	const char *buffer = buffers[below(3)];

	ompp_jump_set(buffer);
	POMP2_Begin(&h_other, other_ctc);
	body(depth - 1);
	if (below(2))
		POMP2_Begin(&h_left, left_ctc);
	ompp_jump_go(buffer);
	KEEP_FRAME();
}

/* The frame is larger than those that the next event has, whoever compiles: that event shows that it is gone. */
static APART void begin_and_leave(void)
{
	char room[FRAME_BYTES];

	__asm__ volatile("" ::"r"(room) : "memory");
	POMP2_Begin(&h_left, left_ctc);
	for (unsigned int n = below(5); n > 0; n--)
		ompp_clock();
	KEEP_FRAME();
}

static APART void play_left(int depth)
{
	if (below(2))
		begin_and_leave();
	else
		POMP2_End(&h_left);
	body(depth - 1);
	KEEP_FRAME();
}

static APART void play_unmeasured(int depth)
{
	ompp_off();
	if (!below(3))
		ompp_off();
	body(depth > 1 ? 1 : 0);
	ompp_on();
	KEEP_FRAME();
}

/* Regions that are open until their end, or until that of one around them. */
static APART void play_open(int depth)
{
	static const char *const names[] = { "open", "opened" };
	const char *name = names[below(2)];

	if (below(2)) {
		ompp_region_open(name);
		name = names[below(2)];
	} else {
		ompp_region_begin_at(name, "t.c", 180);
	}
	body(depth - 1);
	ompp_region_end(name);
	KEEP_FRAME();
}

static APART void play_barrier(int depth)
{
	int64_t old;

	(void)depth;
	POMP2_Barrier_enter(&h_barrier2, &old, barrier2_ctc);
	POMP2_Barrier_exit(&h_barrier2, old);
	KEEP_FRAME();
}

/* ---- MPI ---- */

static APART void play_message(int depth)
{
	struct ompp_mpi_message m;

	(void)depth;
	m.is_received = (int)below(2);
	m.rank = (int)below(RANKS + 1) - 1;
	m.tag = (int)below(3);
	m.comm = below(2);
	m.bytes = (int64_t)below(1000) - 1;
	m.posted_ns = m.is_received && below(2) ? 1 : 0;
	ompp_mpi_message_add(&m);
	KEEP_FRAME();
}

static APART void play_meeting(int depth)
{
	static const enum ompp_meeting_kind kinds[] = { OMPP_MEETING_ALL, OMPP_MEETING_SOME, OMPP_MEETING_SEND,
		                                        OMPP_MEETING_SYNCHRONOUS, OMPP_MEETING_RECEIVE };
	enum ompp_meeting_kind kind = kinds[below(OMPP_COUNT_OF(kinds))];
	uint64_t key = ompp_meeting_key(100 + (uint64_t)kind, 1 + below(KEYS)), index, begin = ompp_clock();
	int32_t place = ompp_meeting_place(ompp_meeting_counted(key, kind));

	for (unsigned int n = below(20); n > 0; n--)
		ompp_clock();
	if (place < 0) /* there is no room for more */
		return;
	index = kind == OMPP_MEETING_RECEIVE ? ompp_meeting_next_receive(place, 0) : ompp_meeting_next(place, 0);
	if (ompp_meeting_is_kept(kind, index))
		ompp_meeting_keep(&(struct ompp_meeting){ .key = key,
		                                          .index = index,
		                                          .begin_ticks = begin,
		                                          .end_ticks = ompp_clock(),
		                                          .post_ticks = begin,
		                                          .region = 1,
		                                          .peer = below(RANKS),
		                                          .place = place,
		                                          .kind = kind },
		                  index);
	if (!below(60))
		ompp_meeting_spoil(place);
	body(depth > 1 ? 1 : 0);
	KEEP_FRAME();
}

void varied_constructs_put(FILE *to)
{
	const struct ompp_meeting *m;

	if (ompp_meetings_stop())
		return;
	for (int are_messages = 0; are_messages < 2; are_messages++)
		for (uint32_t i = 0; (m = ompp_meetings(are_messages, i)); i++)
			fprintf(to, "meeting %llx %llu %llu %llu %u %d %d %llu\n", (unsigned long long)m->key,
			        (unsigned long long)m->index, (unsigned long long)m->begin_ticks,
			        (unsigned long long)m->end_ticks, m->peer, (int)m->place, (int)m->kind,
			        (unsigned long long)ompp_meeting_total(m->place));
	ompp_meetings_go();
}

/* ---- chance ---- */

void varied_constructs_play(int depth)
{
	static void (*const plays[])(int depth) = { play_taskgroup, play_taskgroup, play_taskloop,   play_told_loop,
		                                    play_told_loop, play_workshare, play_target,     play_lock,
		                                    play_lock,      play_nest_lock, play_jump,       play_left,
		                                    play_open,      play_barrier,   play_unmeasured, play_message,
		                                    play_message,   play_meeting,   play_meeting };

	plays[below(OMPP_COUNT_OF(plays))](depth);
	KEEP_FRAME();
}

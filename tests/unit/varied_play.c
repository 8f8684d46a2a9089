/*
 * Varied play: see varied_play.h.
 */
#define _GNU_SOURCE
#include "tests/unit/varied_play.h"

#include "tests/unit/steps.h"

#include <semaphore.h>
#include <sys/mman.h>
#include <unistd.h>

#include "reports/profile/record.h"
#include "reports/profile/schema.h"
#include "runtime/access/access.h"
#include "runtime/adapters/run_hooks.h"
#include "runtime/collect/page_trace.h"
#include "runtime/collect/trace.h"
#include "runtime/data/tally.h"
#include "runtime/host/clock.h"
#include "runtime/ompp.h"
#include "runtime/session/session_start.h"
#include "tests/unit/varied_constructs.h"
#include "tests/unit/varied_memory.h"
#include "tests/unit/varied_storm.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

/* The runtime tells by stack frames which construct an event belongs to, so that each function here has one. */
#define APART        __attribute__((noinline))
#define KEEP_FRAME() __asm__ volatile("" ::: "memory")

enum { WORKERS = 3, DEPTH = 4, TASKS = 16, MEMORY_BYTES = 1 << 18 };

REGION_WITH(parallel, parallel, 1, 9, "numThreads=n*");
REGION(pfor, parallelfor, 10, 11);
REGION_WITH(loop, for, 20, 29, "scheduleType=dynamic*");
REGION(even, for, 25, 28);
REGION(sections, sections, 30, 39);
REGION(single, single, 40, 49);
REGION_WITH(critical, critical, 50, 59, "criticalName=c*");
REGION(ordered, ordered, 60, 69);
REGION(atomic, atomic, 70, 70);
REGION(barrier, barrier, 71, 71);
REGION(master, master, 72, 72);
REGION(flush, flush, 73, 73);
REGION(task, task, 80, 81);
REGION_WITH(untied, task, 83, 84, "hasUntied=1*");
REGION(taskwait, taskwait, 82, 82);
REGION_WITH(user, userRegion, 90, 91, "userRegionName=u*");
REGION_WITH(inner, userRegion, 92, 93, "userRegionName=inner*");

/* ---- the library that the test stands in for ---- */

#define LOCK(name) \
	void omp_##name(void *s); \
	void omp_##name(void *s) \
	{ \
		(void)s; \
	}
LOCK(init_lock)
LOCK(destroy_lock)
LOCK(set_lock)
LOCK(unset_lock)

static uint64_t seed;

static unsigned int dice(unsigned int n)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned int)(seed >> 33) % n;
}

/* ---- threads that act one after another ---- */

static struct worker {
	pthread_t thread;
	sem_t go, done;
	void (*act)(int argument);
	int argument;
} workers[WORKERS];

static void *worker_loop(void *of)
{
	struct worker *w = of;

	for (;;) {
		sem_wait(&w->go);
		if (!w->act)
			return NULL;
		rank = (int)(w - workers);
		w->act(w->argument);
		sem_post(&w->done);
	}
}

/* Lets a worker act; worker 0 is the main thread. */
static APART void let(int worker, void (*act)(int argument), int argument)
{
	struct worker *w = &workers[worker];

	if (!worker) {
		rank = 0;
		act(argument);
		return;
	}
	w->act = act;
	w->argument = argument;
	sem_post(&w->go);
	sem_wait(&w->done);
	KEEP_FRAME();
}

static void start_workers(void)
{
	for (int i = 1; i < WORKERS; i++) {
		sem_init(&workers[i].go, 0, 0);
		sem_init(&workers[i].done, 0, 0);
		pthread_create(&workers[i].thread, NULL, worker_loop, &workers[i]);
	}
}

static void end_workers(void)
{
	for (int i = 1; i < WORKERS; i++) {
		workers[i].act = NULL;
		sem_post(&workers[i].go);
		pthread_join(workers[i].thread, NULL);
	}
}

/* Lets all workers of a team act in an order of chance. */
static void let_all(int n, void (*act)(int argument), int argument)
{
	int order[WORKERS];

	for (int i = 0; i < n; i++) {
		int k = (int)dice((unsigned int)i + 1);

		order[i] = order[k];
		order[k] = i;
	}
	for (int i = 0; i < n; i++)
		let(order[i], act, argument);
}

/* ---- memory ---- */

static char *memory;
static unsigned int uses;

/* The objects, and behind them the locks, which have no name there.  A kernel that does not know the flag may map them
 * elsewhere. */
static void map_memory(void)
{
	void *wanted = (void *)UINT64_C(0x260000000000);

	memory = mmap(wanted, MEMORY_BYTES + 4096 + VARIED_HEAP_BYTES, PROT_READ | PROT_WRITE,
	              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	if (memory != wanted)
		_exit(77);
}

static void name_memory(void)
{
	ompp_data_begin(memory, 4096, "page");
	ompp_data_begin(memory + 4096, 40, "small");
	ompp_data_begin(memory + 5000, 30000, "array");
	ompp_data_begin(memory + 9000, 64, "inside");
	ompp_data_begin(memory + 65536, 131072, "large");
}

/* A loop with several accesses in each iteration. */
static void access_in_order(void)
{
	struct ompp_ordered_access list[3];
	size_t n_list = 1 + dice(3), n = 1 + dice(60), place = 4096 + 16 * dice(4);

	for (size_t i = 0; i < n_list; i++) {
		list[i].n = n;
		list[i].step = dice(3) ? 8 : 64 * (size_t)dice(5);
		list[i].how = 3U | (dice(2) ? OMPP_ORDERED_STORE : 0);
		list[i].base = (uintptr_t)memory + 8 * dice(MEMORY_BYTES / 16);
	}
	ompp_access_in_order(list, n_list, place);
}

static uintptr_t place_of_access(void)
{
	if (uses & VARIED_NAMES && dice(2))
		return varied_memory_place();
	return (uintptr_t)memory + 8 * dice(dice(2) ? 600 : MEMORY_BYTES / 16);
}

/* A sample of an access that is not timed, as the machine would say how long it took. */
static void sample_access(uintptr_t address, size_t n_bytes, unsigned int is_store)
{
	unsigned int how = is_store ? OMPP_ACCESS_STORE : OMPP_ACCESS_LOAD;

	if (--ompp_access_countdown < 0)
		ompp_access_sample(address, n_bytes, how | OMPP_ACCESS_VOLATILE, 0x1000 + 16 * (uintptr_t)dice(5));
}

static void access_some(void)
{
	for (unsigned int n = dice(6); n > 0; n--) {
		unsigned int size = dice(4), how = size | (dice(2) ? 8 : 0);
		uintptr_t base = place_of_access();
		size_t step = dice(3) ? (size_t)1 << size : 64 * (size_t)dice(4), times = 1 + dice(40);

		for (unsigned int i = 0; uses & VARIED_NAMES && i < 4; i++)
			sample_access(base + 8 * i, (size_t)1 << size, how & 8);
		if (dice(4))
			ompp_access_run(base, step, times, how);
		else
			ompp_access_block(base, 1 + dice(200), how & 8 ? OMPP_SLOT_BLOCK_STORE : OMPP_SLOT_BLOCK_LOAD);
		if (!dice(8))
			ompp_access_block(base, 8, OMPP_SLOT_ATOMIC);
		if (!dice(4))
			access_in_order();
	}
}

/* ---- events ---- */

static int64_t tasks[TASKS];
static int n_tasks;

/* Work: readings of the clock are a microsecond each. */
static void work(void)
{
	for (unsigned int n = dice(4) ? dice(8) : dice(300); n > 0; n--)
		ompp_clock();
	if (uses & VARIED_NAMES && dice(2))
		varied_memory_act();
	if (uses & VARIED_ACCESSES)
		access_some();
}

static APART void play(int depth);

static APART void play_loop(int depth)
{
	void **handle = dice(2) ? &h_loop : &h_even;
	int64_t old;

	POMP2_For_enter(handle, handle == &h_loop ? loop_ctc : even_ctc);
	play(depth - 1);
	POMP2_Implicit_barrier_enter(handle, &old);
	POMP2_Implicit_barrier_exit(handle, old);
	POMP2_For_exit(handle);
	KEEP_FRAME();
}

static APART void play_sections(int depth)
{
	int64_t old;

	POMP2_Sections_enter(&h_sections, sections_ctc);
	while (dice(3)) {
		POMP2_Section_begin(&h_sections, sections_ctc);
		play(depth - 1);
		POMP2_Section_end(&h_sections);
	}
	POMP2_Implicit_barrier_enter(&h_sections, &old);
	POMP2_Implicit_barrier_exit(&h_sections, old);
	POMP2_Sections_exit(&h_sections);
	KEEP_FRAME();
}

static APART void play_task(int depth)
{
	int is_untied = dice(3) == 0;
	int64_t new_task, old;

	if (is_untied)
		POMP2_Untied_task_create_begin(&h_untied, &new_task, &old, (int)dice(2), untied_ctc);
	else
		POMP2_Task_create_begin(&h_task, &new_task, &old, 1, task_ctc);
	for (unsigned int n = dice(3); n > 0; n--) {
		int kind = (int)dice(3);

		ompp_task_depends(new_task, kind, &tasks[dice(4)]);
	}
	if (!is_untied && n_tasks < TASKS && dice(2)) { /* for later, by whomever */
		tasks[n_tasks++] = new_task;
		POMP2_Task_create_end(&h_task, old);
		return;
	}
	if (is_untied) {
		POMP2_Untied_task_begin(&h_untied, new_task);
		play(depth - 1);
		POMP2_Untied_task_end(&h_untied);
		POMP2_Untied_task_create_end(&h_untied, old);
		return;
	}
	POMP2_Task_begin(&h_task, new_task);
	play(depth - 1);
	POMP2_Task_end(&h_task);
	POMP2_Task_create_end(&h_task, old);
	KEEP_FRAME();
}

static APART void play_late_task(int depth)
{
	if (!n_tasks)
		return;
	POMP2_Task_begin(&h_task, tasks[--n_tasks]);
	play(depth - 1);
	POMP2_Task_end(&h_task);
	KEEP_FRAME();
}

static void end_tasks(void)
{
	while (n_tasks)
		play_late_task(1);
}

static APART void play_one(int kind, int depth)
{
	int64_t old;

	if (uses & VARIED_CONSTRUCTS && depth > 0 && !dice(3)) {
		varied_constructs_play(depth);
		return;
	}
	switch (kind) {
	case 0:
		play_loop(depth);
		break;
	case 1:
		play_sections(depth);
		break;
	case 2:
		POMP2_Single_enter(&h_single, single_ctc);
		if (dice(2)) {
			POMP2_Single_begin(&h_single);
			play(depth - 1);
			POMP2_Single_end(&h_single);
		}
		POMP2_Single_exit(&h_single);
		break;
	case 3:
		POMP2_Critical_enter(&h_critical, critical_ctc);
		work();
		POMP2_Critical_begin(&h_critical);
		play(depth - 1);
		POMP2_Critical_end(&h_critical);
		POMP2_Critical_exit(&h_critical);
		break;
	case 4:
		POMP2_Ordered_enter(&h_ordered, ordered_ctc);
		POMP2_Ordered_begin(&h_ordered);
		play(depth - 1);
		POMP2_Ordered_end(&h_ordered);
		POMP2_Ordered_exit(&h_ordered);
		break;
	case 5:
		POMP2_Master_begin(&h_master, master_ctc);
		play(depth - 1);
		POMP2_Master_end(&h_master);
		break;
	case 6:
		play_task(depth);
		break;
	case 7:
		POMP2_Taskwait_begin(&h_taskwait, &old, taskwait_ctc);
		play_late_task(depth);
		POMP2_Taskwait_end(&h_taskwait, old);
		break;
	case 8:
		POMP2_Begin(&h_user, user_ctc);
		play(depth - 1);
		POMP2_End(&h_user);
		break;
	case 9:
		POMP2_Begin(&h_inner, inner_ctc);
		play(depth - 1);
		POMP2_End(&h_inner);
		break;
	case 10: {
		void *lock = memory + MEMORY_BYTES + 64 * dice(3);

		ompp_set_lock("100:3:t.c:lock", lock);
		work();
		POMP2_Unset_lock(lock);
		break;
	}
	case 11:
		POMP2_Flush_enter(&h_flush, flush_ctc);
		POMP2_Flush_exit(&h_flush);
		break;
	default:
		POMP2_Atomic_enter(&h_atomic, atomic_ctc);
		POMP2_Atomic_exit(&h_atomic);
	}
	KEEP_FRAME();
}

static APART void play(int depth)
{
	for (unsigned int n = dice(4); n > 0; n--) {
		work();
		play_one((int)dice(depth > 0 ? 14 : 1) + (depth > 0 ? 0 : 12), depth);
	}
	KEEP_FRAME();
}

/* ---- teams, whose parts workers play in an order of chance ---- */

static int64_t team, old_of[WORKERS];
static void **the_handle;
static const char *the_context;

static APART void act_begin(int argument)
{
	(void)argument;
	ompp_parallel_begin(the_handle, team);
	KEEP_FRAME();
}

static APART void act_barrier_enter(int is_explicit)
{
	if (is_explicit)
		POMP2_Barrier_enter(&h_barrier, &old_of[rank], barrier_ctc);
	else
		POMP2_Implicit_barrier_enter(the_handle, &old_of[rank]);
	if (!dice(3))
		play_late_task(2);
	KEEP_FRAME();
}

static APART void act_barrier_exit(int is_explicit)
{
	if (is_explicit)
		POMP2_Barrier_exit(&h_barrier, old_of[rank]);
	else
		POMP2_Implicit_barrier_exit(the_handle, old_of[rank]);
	KEEP_FRAME();
}

static APART void act_end(int argument)
{
	(void)argument;
	POMP2_Parallel_end(the_handle);
	KEEP_FRAME();
}

/* A loop of the team, whose barrier all come to and leave together. */
static APART void act_loop_begin(int is_even)
{
	POMP2_For_enter(is_even ? &h_even : &h_loop, is_even ? even_ctc : loop_ctc);
	work();
	POMP2_Implicit_barrier_enter(is_even ? &h_even : &h_loop, &old_of[rank]);
	KEEP_FRAME();
}

static APART void act_loop_end(int is_even)
{
	POMP2_Implicit_barrier_exit(is_even ? &h_even : &h_loop, old_of[rank]);
	POMP2_For_exit(is_even ? &h_even : &h_loop);
	KEEP_FRAME();
}

static APART void act_storm(int argument)
{
	(void)argument;
	varied_storm_play();
	KEEP_FRAME();
}

static APART void play_team(void)
{
	int n = 1 + (int)dice(WORKERS);

	the_handle = dice(2) ? &h_parallel : &h_pfor;
	the_context = the_handle == &h_parallel ? parallel_ctc : pfor_ctc;
	rank = 0;
	POMP2_Parallel_fork(the_handle, 1, n, &team, the_context);
	let_all(n, act_begin, 0);
	for (unsigned int rounds = dice(4); rounds > 0; rounds--) {
		int how = (int)dice(4);

		let_all(n, play, DEPTH);
		if (uses & VARIED_STORMS)
			let_all(n, act_storm, 0);
		if (how == 0) {
			let_all(n, act_barrier_enter, 1);
			let_all(n, act_barrier_exit, 1);
		} else if (how < 3) {
			let_all(n, act_loop_begin, how - 1);
			let_all(n, act_loop_end, how - 1);
		}
	}
	let_all(n, act_barrier_enter, 0);
	let_all(n, act_barrier_exit, 0);
	let_all(n, act_end, 0);
	rank = 0;
	end_tasks();
	POMP2_Parallel_join(the_handle, team);
	KEEP_FRAME();
}

/* ---- runs ---- */

void varied_play(const struct varied_kind *kind)
{
	static const char *const each[] = { "OMPP_CLOCK", "fake",         "OMPP_QUIET", "1",        "OMPP_REPORTFILE",
		                            "none",       "OMPP_PROFILE", "0",          "OMPP_HOT", "0" };

	for (size_t i = 0; i < OMPP_COUNT_OF(each); i += 2)
		setenv(each[i], each[i + 1], 0);
	for (int i = 0; kind->options[i]; i += 2)
		option(kind->options[i], kind->options[i + 1]);
	seed = kind->seed;
	uses = kind->uses;
	if (uses & VARIED_ACCESSES)
		ompp_access_made(0);
	ompp_session_start();
	ompp_trace_start();
	ompp_pages_start();
	POMP2_Init();
	POMP2_Assign_handle(&h_task, task_ctc);
	POMP2_Assign_handle(&h_untied, untied_ctc);
	map_memory();
	if (uses & VARIED_ACCESSES)
		name_memory();
	if (uses & VARIED_NAMES)
		varied_memory_start(memory + MEMORY_BYTES + 4096, memory, MEMORY_BYTES, dice);
	if (uses & VARIED_CONSTRUCTS)
		varied_constructs_start(memory + MEMORY_BYTES + 1024, dice, play, end_tasks);
	if (uses & VARIED_STORMS)
		varied_storm_start(memory + MEMORY_BYTES + 3072, dice);
	start_workers();
	for (int i = 0; i < kind->n_teams; i++) {
		play(3);
		play_team();
		if (i == kind->n_teams / 2 && uses & VARIED_ACCESSES)
			ompp_data_end("inside");
	}
}

void varied_play_end(void)
{
	end_workers();
}

/* ---- what is known of the profile ---- */

/* What the machine has to do with it, and not only the run. */
static int is_known(enum ompp_section section)
{
	return section != OMPP_SECTION_CONDITIONS && section != OMPP_SECTION_BINDINGS &&
	       section != OMPP_SECTION_NUMA_NODES && section != OMPP_SECTION_PLACEMENTS;
}

static void put_word(FILE *to, const struct ompp_word *word, const char *at)
{
	if (word->type == OMPP_WORD_TEXT)
		fprintf(to, " \"%s\"", *(const char *const *)(const void *)at);
	else if (word->type == OMPP_WORD_64)
		fprintf(to, " %lld", (long long)*(const int64_t *)(const void *)at);
	else
		fprintf(to, " %u", *(const uint32_t *)(const void *)at);
}

static void put_section(FILE *to, enum ompp_section section, const struct ompp_profile *p)
{
	struct ompp_words words = ompp_schemas[section].words();
	const void *list;
	size_t n = ompp_records(section, p, &list);

	for (size_t i = 0; i < n; i++) {
		fprintf(to, "%s", ompp_schemas[section].tag);
		for (size_t w = 0; w < words.n; w++)
			put_word(to, &words.list[w],
			         (const char *)list + i * ompp_schemas[section].record_bytes + words.list[w].offset);
		fputc('\n', to);
	}
}

static void put_head(FILE *to, const struct ompp_profile *p)
{
	fprintf(to, "HEAD %lld %llu %lld %lld %lld %lld %lld %llu %llu\n", (long long)p->duration_ns,
	        (unsigned long long)p->n_events, (long long)p->work_ns, (long long)p->span_ns,
	        (long long)p->burdened_ns, (long long)p->fixed_ns, (long long)p->executed_ns,
	        (unsigned long long)p->n_tasks_created, (unsigned long long)p->n_tasks_lost);
}

void varied_play_put(FILE *to, enum ompp_section section, const struct ompp_profile *p)
{
	if (section == OMPP_SECTION_HEAD)
		put_head(to, p);
	else if (is_known(section))
		put_section(to, section, p);
}

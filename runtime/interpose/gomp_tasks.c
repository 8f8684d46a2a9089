/*
 * GOMP tasks: the calls of tasks, see gomp_calls.h.
 *
 * The library gets, in place of a task's function, one of ours that knows the construct: a task has nothing else that
 * we could use, as its data are copied or not, and dropped when it is cancelled.  So there is a fixed number of such
 * functions, TRAMPOLINES of them, which are given to the constructs in the order in which they are met; tasks of more
 * constructs are seen to be made, but not to be executed.
 */
#include <stdatomic.h>
#include <stddef.h>

#include "runtime/base/array.h"
#include "runtime/events/task.h"
#include "runtime/host/note.h"
#include "runtime/interpose/gomp_call.h"
#include "runtime/interpose/gomp_calls.h"

#define TRAMPOLINES 512
#define TEXT_OF(x)  #x
#define TEXT(x)     TEXT_OF(x)

typedef void task_body(void *data);

/* The body of a construct's tasks and its region, by the construct's number, from 1 on; written once, before its
 * trampoline is handed out. */
static struct {
	task_body *body;
	const struct ompp_region_def *def;
} bodies[TRAMPOLINES + 1];
static _Atomic uint32_t n_bodies;

void ompp_gomp_run_task(void *data, uint32_t number) __attribute__((visibility("hidden")));

/* Executes a task; the trampolines jump here. */
void ompp_gomp_run_task(void *data, uint32_t number)
{
	const struct ompp_region_def *def = bodies[number].def;

	ompp_task_begin(def, 0, 0, OMPP_CALLER());
	bodies[number].body(data);
	ompp_task_end(def);
}

#if defined(__x86_64__)
#define TRAMPOLINE_BYTES 16
#define TRAMPOLINE \
	"\tmovl $ompp_gomp_number, %esi\n" \
	"\tjmp ompp_gomp_run_task\n" \
	"\t.p2align 4, 0xcc\n"
#elif defined(__aarch64__)
#define TRAMPOLINE_BYTES 16
#define TRAMPOLINE \
	"\thint #34\n" /* bti c: the OpenMP library calls it by its address */ \
	"\tmov w1, #ompp_gomp_number\n" \
	"\tb ompp_gomp_run_task\n" \
	"\t.p2align 4\n"
#endif

#ifdef TRAMPOLINE
extern const char ompp_gomp_trampolines[] __attribute__((visibility("hidden")));

__asm__("\t.text\n"
        "\t.p2align 4\n"
        "\t.globl ompp_gomp_trampolines\n"
        "\t.hidden ompp_gomp_trampolines\n"
        "\t.type ompp_gomp_trampolines, %function\n"
        "ompp_gomp_trampolines:\n"
        "\t.cfi_startproc\n"
        "\t.set ompp_gomp_number, 1\n"
        "\t.rept " TEXT(TRAMPOLINES) "\n" TRAMPOLINE "\t.set ompp_gomp_number, ompp_gomp_number + 1\n"
                                     "\t.endr\n"
                                     "\t.cfi_endproc\n"
                                     "\t.size ompp_gomp_trampolines, . - ompp_gomp_trampolines\n");

static task_body *trampoline(uint32_t number)
{
	return (task_body *)(uintptr_t)(ompp_gomp_trampolines + ((size_t)number - 1) * TRAMPOLINE_BYTES);
}
#else
static task_body *trampoline(uint32_t number)
{
	return bodies[number].body;
}
#endif

/* Gives the construct a number where it has none yet, and there are some left. */
static __attribute__((noinline, cold)) task_body *new_stand_in(struct ompp_region_def *def, task_body *body)
{
	uint32_t number = atomic_load_explicit(&def->task_number, memory_order_acquire);

	if (def->off)
		return body;
	if (!number) {
		uint32_t none = 0;

		number = atomic_fetch_add_explicit(&n_bodies, 1, memory_order_relaxed) + 1;
		if (number > TRAMPOLINES) {
			static const char lost[] = "tasks of more than " TEXT(
				TRAMPOLINES) " constructs: of the others' tasks it is seen that "
					     "they are made, and not that they are executed";

			ompp_note_say_once(lost, sizeof(lost) - 1);
			atomic_store_explicit(&n_bodies, TRAMPOLINES, memory_order_relaxed);
			return body;
		}
		bodies[number].body = body;
		bodies[number].def = def;
		if (!atomic_compare_exchange_strong(&def->task_number, &none, number))
			number = none;
	}
	return bodies[number].body == body ? trampoline(number) : body;
}

/* Returns the function that stands for the body of a construct's tasks. */
static inline task_body *task_stand_in(struct ompp_region_def *def, task_body *body)
{
	uint32_t number = atomic_load_explicit(&def->task_number, memory_order_acquire);

	return __builtin_expect(number && bodies[number].body == body, 1) ? trampoline(number)
	                                                                  : new_stand_in(def, body);
}

typedef void task_copy(void *to, void *from);

/* What a call passes behind is_deferred is one register or one word of the stack each, which is handed on as it is. */
static void (*real_GOMP_task)(task_body *, void *, task_copy *, long, long, _Bool, uintptr_t, uintptr_t, uintptr_t,
                              uintptr_t);
static void GOMP_task_(task_body *body, void *data, task_copy *copy, long n_bytes, long alignment, _Bool is_deferred,
                       uintptr_t flags, uintptr_t depend, uintptr_t priority, uintptr_t detach)
{
	struct ompp_caller caller = OMPP_CALLER();
	struct ompp_region_def *def = ompp_call_region(OMPP_TASK, NULL, ompp_call_body(body));

	ompp_gomp_enter(def, OMPP_PART_REGION, caller);
	real_GOMP_task(task_stand_in(def, body), data, copy, n_bytes, alignment, is_deferred, flags, depend, priority,
	               detach);
	ompp_gomp_leave(def, OMPP_PART_REGION);
}

#define TASKLOOP(name, type) \
	static void (*real_##name)(task_body *, void *, task_copy *, long, long, unsigned, unsigned long, int, type, \
	                           type, type); \
	static void name##_(task_body *body, void *data, task_copy *copy, long n_bytes, long alignment, \
	                    unsigned flags, unsigned long n_tasks, int priority, type start, type end, type step) \
	{ \
		struct ompp_caller caller = OMPP_CALLER(); \
		struct ompp_region_def *def = ompp_call_region(OMPP_TASKLOOP, NULL, ompp_call_body(body)); \
		ompp_gomp_enter(def, OMPP_PART_REGION, caller); \
		real_##name(task_stand_in(def, body), data, copy, n_bytes, alignment, flags, n_tasks, priority, start, \
		            end, step); \
		ompp_gomp_leave(def, OMPP_PART_REGION); \
	}

TASKLOOP(GOMP_taskloop, long)
TASKLOOP(GOMP_taskloop_ull, unsigned long long)

OMPP_GOMP_VISIT_VOID(OMPP_TASKWAIT, GOMP_taskwait, (void), ())
OMPP_GOMP_VISIT_VOID(OMPP_TASKWAIT, GOMP_taskwait_depend, (void **depend), (depend))
OMPP_GOMP_VISIT_VOID(OMPP_TASKYIELD, GOMP_taskyield, (void), ())

static void (*real_GOMP_taskgroup_start)(void);
static void GOMP_taskgroup_start_(void)
{
	struct ompp_caller caller = OMPP_CALLER();

	ompp_gomp_begin(ompp_call_region(OMPP_TASKGROUP, NULL, caller.site), caller);
	real_GOMP_taskgroup_start();
	ompp_gomp_return();
}

static void (*real_GOMP_taskgroup_end)(void);
static void GOMP_taskgroup_end_(void)
{
	const struct ompp_region_def *def = ompp_gomp_end(OMPP_TASKGROUP);

	real_GOMP_taskgroup_end();
	ompp_gomp_leave(def, OMPP_PART_REGION);
}

void ompp_gomp_start_tasks(void)
{
	static const struct ompp_redirection list[] = {
		OMPP_CALL_ROW(GOMP_task),
		OMPP_CALL_ROW(GOMP_taskloop),
		OMPP_CALL_ROW(GOMP_taskloop_ull),
		OMPP_CALL_ROW(GOMP_taskwait),
		OMPP_CALL_ROW(GOMP_taskwait_depend),
		OMPP_CALL_ROW(GOMP_taskyield),
		OMPP_CALL_ROW(GOMP_taskgroup_start),
		OMPP_CALL_ROW(GOMP_taskgroup_end),
	};

	ompp_redirect_add(list, OMPP_COUNT_OF(list));
}

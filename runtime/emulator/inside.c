/*
 * Inside: see inside.h.
 *
 * What the kernel tells a program at its start stands on the program's stack, where the emulator has put it: arguments,
 * environment and auxiliary vector.  The stack is where a thread makes its first access.
 */
#define _GNU_SOURCE
#include "runtime/emulator/inside.h"

#include <elf.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/access/emulated.h"
#include "runtime/base/auxv.h"
#include "runtime/base/program_file.h"
#include "runtime/collect/dump.h"
#include "runtime/collect/forks.h"
#include "runtime/collect/page_trace.h"
#include "runtime/collect/trace.h"
#include "runtime/core/session.h"
#include "runtime/core/thread.h"
#include "runtime/core/thread_stack.h"
#include "runtime/counters/event.h"
#include "runtime/host/real.h"
#include "runtime/memory/heap.h"
#include "runtime/program/maps.h"
#include "runtime/session/naming.h"
#include "runtime/session/session_start.h"

/* FIRST_WORDS: how far from the first access the number of arguments may be; CALL_BYTES: what the C libraries take from
 * the stack of a new thread at once, its function and the argument of that. */
enum { FIRST_WORDS = 64, MOST_ARGUMENTS = 1 << 24, CALL_BYTES = 16, LAST_ERROR = -4095 };

static __thread unsigned int own_cpu;
static __thread uintptr_t first_access; /* of the thread, in its stack */
static __thread struct {
	uint64_t argument[4];
	uintptr_t behind;
	struct ompp_mapped *cut; /* what it may unmap */
} call;

/* The end of the heap of brk(); 0: not known yet.  Two threads that move it at once, which the C library does not do,
 * may come here in the wrong order. */
static _Atomic uintptr_t brk_end;

/* ---- the program, and its threads ---- */

/* The main thread's stack is a mapping of its own.  Above another thread's its own variables may stand in the mapping,
 * and below it other memory.  One in the heap of brk() keeps the names that this has. */
static void find_stack(uintptr_t *lo, uintptr_t *hi)
{
	uintptr_t end = atomic_load(&brk_end);
	struct ompp_mapping found;

	if (ompp_maps_holding(first_access, &found) != 1 || (found.lo < end && end <= found.hi))
		return;
	*lo = found.lo;
	*hi = ompp_self->host == 1 ? found.hi : first_access + CALL_BYTES;
}

/* Is it the number of arguments, with the arguments behind it? */
static int is_count(const uintptr_t *count, uintptr_t lo, uintptr_t hi)
{
	uintptr_t n = *count;

	if (!n || n > MOST_ARGUMENTS || (hi - (uintptr_t)count) / sizeof(*count) < n + 2 || count[1 + n])
		return 0;
	for (uintptr_t i = 1; i <= n; i++)
		if (count[i] < lo || count[i] >= hi)
			return 0;
	return 1;
}

/* Finds the number of arguments, and tells the library of all that stands behind it.  Returns 0, or -1. */
static int find_arguments(void)
{
	const uintptr_t *count = (const uintptr_t *)(first_access & -(uintptr_t)CALL_BYTES);
	struct ompp_mapping stack;

	if (ompp_maps_holding(first_access, &stack) != 1)
		return -1;
	for (int i = 0; i < FIRST_WORDS && (uintptr_t)count < stack.hi; i++, count++) {
		if (!is_count(count, stack.lo, stack.hi))
			continue;
		ompp_session.argc = (int)*count;
		ompp_session.argv = (char **)(uintptr_t)(count + 1);
		ompp_session.envp = ompp_session.argv + *count + 1;
		ompp_auxv_start(ompp_session.argc, ompp_session.argv, ompp_session.envp);
		return 0;
	}
	return -1;
}

static void first_event(void)
{
	ompp_forks_watch();
	ompp_dump_start();
}

static void inside_ask(enum ompp_emulation_what what, void *about)
{
	ompp_emulator_answer(own_cpu, what, about);
}

/* Starts the measured run.  Returns 0, or -1 where the program is none that we understand: it runs without. */
static int inside_start(void)
{
	static char path[PATH_MAX];
	const char *name;

	if (find_arguments())
		return -1;
	name = (const char *)ompp_auxv(AT_EXECFN);
	if (!name || !realpath(name, path))
		return -1;
	ompp_program_file = path;
	ompp_real_become_host();
	ompp_event_is_none = 1; /* they would be those of the emulator */
	ompp_emulated_ask = inside_ask;
	ompp_thread_emulated_stack = find_stack;
	ompp_session.first_event = first_event;
	ompp_session_start();
	ompp_trace_start();
	ompp_pages_start();
	ompp_emulated_begin();
	return 0;
}

/* The memory of another thread's stack is no block any more, as the stack is what has no other name.  Up to the end of
 * its first page, it belongs to the thread: its own variables are there, too. */
static void take_stack(void)
{
	uintptr_t page = ompp_page_bytes(), lo = 0, hi = 0;

	find_stack(&lo, &hi);
	hi = (hi + page - 1) & -page;
	if (ompp_heap_on && ompp_self->host > 1 && hi > lo)
		ompp_heap_unmapped(ompp_heap_unmap((const void *)lo, hi - lo), 0);
}

static enum { NOT_YET, STARTED, FAILED } run;

/* The first thread is alone when it begins. */
static void inside_begin(unsigned int cpu, uintptr_t address)
{
	own_cpu = cpu;
	first_access = address;
	if (run == NOT_YET)
		run = inside_start() ? FAILED : STARTED;
	if (run != STARTED)
		return;
	ompp_naming_here();
	take_stack();
}

static void inside_settle(void)
{
	if (ompp_self->limit)
		ompp_emulated_settle(ompp_self);
}

/* ---- system calls ---- */

static void heap_map(uintptr_t address, size_t n_bytes)
{
	ompp_heap_map((const void *)address, n_bytes,
	              &(struct ompp_heap_call){ .callers = &call.behind, .n_callers = 1 });
}

static void inside_called(int64_t number, const uint64_t argument[4], uintptr_t behind)
{
	const void *at = (const void *)(uintptr_t)argument[0];

	if (!ompp_self->limit)
		return;
	for (int i = 0; i < 4; i++)
		call.argument[i] = argument[i];
	call.behind = behind;
	call.cut = NULL;
	if (ompp_heap_on && number == SYS_munmap)
		call.cut = ompp_heap_unmap(at, argument[1]);
	else if (ompp_heap_on && number == SYS_mremap && argument[1] > argument[2])
		call.cut = ompp_heap_unmap_end(at, argument[1], argument[2]);
	else if (ompp_heap_on && number == SYS_mremap)
		call.cut = ompp_heap_unmap(at, argument[1]);
}

/* The heap of brk() has the bytes up to its new end. */
static void move_brk(uintptr_t end)
{
	uintptr_t before = atomic_exchange(&brk_end, end);

	if (before && end > before)
		heap_map(before, end - before);
	else if (end < before)
		ompp_heap_unmapped(ompp_heap_unmap((const void *)end, before - end), 0);
}

static void inside_returned(int64_t number, int64_t result)
{
	int has_failed = result < 0 && result >= LAST_ERROR;

	if (!ompp_self->limit || !ompp_heap_on)
		return;
	if (number == SYS_munmap || number == SYS_mremap)
		ompp_heap_unmapped(call.cut, has_failed);
	if (has_failed)
		return;
	if (number == SYS_brk)
		move_brk((uintptr_t)result);
	else if (number == SYS_mmap)
		heap_map((uintptr_t)result, call.argument[1]);
	else if (number == SYS_mremap && call.argument[2] >= call.argument[1])
		heap_map((uintptr_t)result, call.argument[2]);
}

/* ---- the end ---- */

static void end_by(int sig)
{
	if (run != STARTED)
		return;
	inside_settle();
	ompp_dump_final(sig);
}

static void inside_ended(qemu_plugin_id_t id, void *none)
{
	(void)id, (void)none;
	end_by(0);
}

/* The emulator calls the C library's function for nothing but to end the process by a signal that the program does not
 * handle: this one stands before it. */
QEMU_EXPORT int kill(pid_t pid, int sig)
{
	if (sig && pid == getpid())
		end_by(sig);
	return (int)syscall(SYS_kill, pid, sig);
}

__attribute__((constructor)) static void inside_loaded(void)
{
	static const struct ompp_inside inside = { inside_begin, inside_settle, inside_called, inside_returned,
		                                   inside_ended };

	ompp_inside = &inside;
}

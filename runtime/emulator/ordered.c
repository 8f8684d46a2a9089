/*
 * Ordered: see ordered.h.
 */
#define _GNU_SOURCE
#include "runtime/emulator/ordered.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MOST_ROOM = 1 << 20 };

int ompp_ordered_allow(uintptr_t lo, uintptr_t hi)
{
#if defined(__x86_64__)
	return lo < hi ? mprotect((void *)lo, hi - lo, PROT_READ | PROT_EXEC) : -1;
#else
	(void)lo, (void)hi;
	return -1;
#endif
}

static int ordered_grow(struct ompp_ordered *o)
{
	size_t n_room = o->n_room ? o->n_room * 2 : OMPP_ORDERED_PIECE;
	struct ompp_emulated_access *entries = n_room > MOST_ROOM ? NULL
	                                                          : realloc(o->entries, n_room * sizeof(*entries));

	if (!entries)
		return -1;
	o->entries = entries;
	o->n_room = n_room;
	return 0;
}

void ompp_ordered_put(struct ompp_ordered *o, struct ompp_emulated_access access)
{
	if (o->n == o->n_room && ordered_grow(o))
		o->n_lost++;
	else
		o->entries[o->n++] = access;
}

#if defined(__x86_64__)
/* Returns take(some, n), called with `storage` as the thread's storage, and `own` again after it.  158 is arch_prctl,
 * 0x1002 its ARCH_SET_FS. */
int ompp_ordered_call(const struct ompp_emulated_access *some, size_t n, void *take, uintptr_t storage, uintptr_t own)
	__attribute__((visibility("hidden")));
__asm__(".text\n"
        ".globl ompp_ordered_call\n"
        ".hidden ompp_ordered_call\n"
        ".type ompp_ordered_call, @function\n"
        "ompp_ordered_call:\n\t"
        ".cfi_startproc\n\t"
        "pushq %rbx\n\t"
        ".cfi_adjust_cfa_offset 8\n\t"
        "pushq %r12\n\t"
        ".cfi_adjust_cfa_offset 8\n\t"
        "pushq %r13\n\t"
        ".cfi_adjust_cfa_offset 8\n\t"
        "movq %rdi, %r12\n\t"
        "movq %rsi, %r13\n\t"
        "movq %r8, %rbx\n\t"
        "movq %rdx, %r9\n\t"
        "movq %rcx, %rsi\n\t"
        "movl $0x1002, %edi\n\t"
        "movl $158, %eax\n\t"
        "syscall\n\t"
        "movq %r12, %rdi\n\t"
        "movq %r13, %rsi\n\t"
        "call *%r9\n\t"
        "movl %eax, %r12d\n\t"
        "movq %rbx, %rsi\n\t"
        "movl $0x1002, %edi\n\t"
        "movl $158, %eax\n\t"
        "syscall\n\t"
        "movl %r12d, %eax\n\t"
        "popq %r13\n\t"
        ".cfi_adjust_cfa_offset -8\n\t"
        "popq %r12\n\t"
        ".cfi_adjust_cfa_offset -8\n\t"
        "popq %rbx\n\t"
        ".cfi_adjust_cfa_offset -8\n\t"
        "ret\n\t"
        ".cfi_endproc\n\t"
        ".size ompp_ordered_call, . - ompp_ordered_call");

static uintptr_t own_storage(void)
{
	uintptr_t own;

	__asm__("movq %%fs:0, %0" : "=r"(own));
	return own;
}
#else
static int ompp_ordered_call(const struct ompp_emulated_access *some, size_t n, void *take, uintptr_t storage,
                             uintptr_t own)
{
	(void)some, (void)n, (void)take, (void)storage, (void)own;
	return -1;
}

static uintptr_t own_storage(void)
{
	return 0;
}
#endif

/* A handler of the emulator's would not find its own storage. */
void ompp_ordered_hand_over(struct ompp_ordered *o, struct ompp_emulated_thread *t,
                            int (*take)(const struct ompp_emulated_access *some, size_t n))
{
	sigset_t all, before;

	if (!t || !o->n)
		return;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	if (ompp_ordered_call(o->entries, o->n, (void *)(uintptr_t)take, t->storage, own_storage()))
		o->n_lost += o->n;
	sigprocmask(SIG_SETMASK, &before, NULL);
	o->n = 0;
	t->n_waiting = 0;
}

uint64_t ompp_ordered_sum(const struct ompp_ordered *o)
{
	return o->n + o->n_lost;
}

uint64_t ompp_ordered_clear(struct ompp_ordered *o)
{
	uint64_t sum = ompp_ordered_sum(o);

	o->n = 0;
	o->n_lost = 0;
	return sum;
}

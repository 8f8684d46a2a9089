/*
 * Stack: see stack.h.
 */
#define _GNU_SOURCE
#include "runtime/host/stack.h"
#include "runtime/base/space.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>

#include "runtime/base/auxv.h"
#include "runtime/base/sys.h"

/* A page of ARM may be as large as the guard. */
enum { NEED_BYTES = 256 * 1024, GUARD_BYTES = 64 * 1024 };

/* The first stack counts as no larger than this, whatever the limit is, as another stack may lie further below. */
#define MOST_BYTES ((uintptr_t)64 << 20)

#if defined(__x86_64__)
#define SWITCH \
	"\tpush %rbp\n" \
	"\t.cfi_def_cfa_offset 16\n" \
	"\t.cfi_offset 6, -16\n" \
	"\tmov %rsp, %rbp\n" \
	"\t.cfi_def_cfa_register 6\n" \
	"\tmov %rdx, %rsp\n" \
	"\tmov %rdi, %rax\n" \
	"\tmov %rsi, %rdi\n" \
	"\tcall *%rax\n" \
	"\tmov %rbp, %rsp\n" \
	"\tpop %rbp\n" \
	"\t.cfi_def_cfa 7, 8\n" \
	"\tret\n"
#elif defined(__aarch64__)
#define SWITCH \
	"\tstp x29, x30, [sp, #-16]!\n" \
	"\t.cfi_def_cfa_offset 16\n" \
	"\t.cfi_offset 29, -16\n" \
	"\t.cfi_offset 30, -8\n" \
	"\tmov x29, sp\n" \
	"\t.cfi_def_cfa_register 29\n" \
	"\tmov sp, x2\n" \
	"\tmov x3, x0\n" \
	"\tmov x0, x1\n" \
	"\tblr x3\n" \
	"\tmov sp, x29\n" \
	"\t.cfi_def_cfa_register 31\n" \
	"\tldp x29, x30, [sp], #16\n" \
	"\t.cfi_restore 29\n" \
	"\t.cfi_restore 30\n" \
	"\t.cfi_def_cfa_offset 0\n" \
	"\tret\n"
#elif defined(__riscv) && __riscv_xlen == 64
#define SWITCH \
	"\taddi sp, sp, -16\n" \
	"\t.cfi_def_cfa_offset 16\n" \
	"\tsd ra, 8(sp)\n" \
	"\t.cfi_offset 1, -8\n" \
	"\tsd s0, 0(sp)\n" \
	"\t.cfi_offset 8, -16\n" \
	"\taddi s0, sp, 16\n" \
	"\t.cfi_def_cfa 8, 0\n" \
	"\tmv sp, a2\n" \
	"\tmv t1, a0\n" \
	"\tmv a0, a1\n" \
	"\tjalr t1\n" \
	"\taddi sp, s0, -16\n" \
	"\t.cfi_def_cfa 2, 16\n" \
	"\tld ra, 8(sp)\n" \
	"\t.cfi_restore 1\n" \
	"\tld s0, 0(sp)\n" \
	"\t.cfi_restore 8\n" \
	"\taddi sp, sp, 16\n" \
	"\t.cfi_def_cfa_offset 0\n" \
	"\tret\n"
#elif defined(__powerpc64__) && _CALL_ELF == 2 /* a frame has 32 bytes that a function called from it may use */
#define SWITCH \
	"\tmflr 0\n" \
	"\tstd 0, 16(1)\n" \
	"\t.cfi_offset 65, 16\n" \
	"\tstd 31, -8(1)\n" \
	"\t.cfi_offset 31, -8\n" \
	"\tstdu 1, -48(1)\n" \
	"\t.cfi_def_cfa_offset 48\n" \
	"\tstd 2, 24(1)\n" \
	"\tmr 31, 1\n" \
	"\t.cfi_def_cfa_register 31\n" \
	"\tstdu 1, -32(5)\n" \
	"\tmr 1, 5\n" \
	"\tmr 12, 3\n" \
	"\tmr 3, 4\n" \
	"\tmtctr 12\n" \
	"\tbctrl\n" \
	"\tmr 1, 31\n" \
	"\t.cfi_def_cfa_register 1\n" \
	"\tld 2, 24(1)\n" \
	"\taddi 1, 1, 48\n" \
	"\t.cfi_def_cfa_offset 0\n" \
	"\tld 31, -8(1)\n" \
	"\t.cfi_restore 31\n" \
	"\tld 0, 16(1)\n" \
	"\tmtlr 0\n" \
	"\t.cfi_restore 65\n" \
	"\tblr\n"
#elif defined(__s390x__) /* a frame has 160 such bytes */
#define SWITCH \
	"\tstmg %r11, %r15, 88(%r15)\n" \
	"\t.cfi_offset 11, -72\n" \
	"\t.cfi_offset 14, -48\n" \
	"\t.cfi_offset 15, -40\n" \
	"\tlgr %r11, %r15\n" \
	"\t.cfi_def_cfa_register 11\n" \
	"\tlgr %r1, %r2\n" \
	"\tlgr %r2, %r3\n" \
	"\tlay %r15, -160(%r4)\n" \
	"\tbasr %r14, %r1\n" \
	"\tlmg %r11, %r15, 88(%r11)\n" \
	"\t.cfi_def_cfa_register 15\n" \
	"\t.cfi_restore 11\n" \
	"\t.cfi_restore 14\n" \
	"\t.cfi_restore 15\n" \
	"\tbr %r14\n"
#endif

#ifdef SWITCH
/* Calls run(arg) with the stack that ends at `top`, and comes back to this one. */
void ompp_stack_switch(void (*run)(void *), void *arg, void *top) __attribute__((visibility("hidden")));
__asm__("\t.text\n"
        "\t.hidden ompp_stack_switch\n"
        "\t.globl ompp_stack_switch\n"
        "\t.type ompp_stack_switch, %function\n"
        "ompp_stack_switch:\n"
        "\t.cfi_startproc\n" SWITCH "\t.cfi_endproc\n"
        "\t.size ompp_stack_switch, . - ompp_stack_switch\n");

/* Tells whether this is the process's first stack and has room for what we need.  The kernel puts the program's name at
 * its end, and it grows as far as the limit lets it. */
static int has_room(void)
{
	const char *name = (const char *)(uintptr_t)ompp_auxv(AT_EXECFN);
	uintptr_t here = (uintptr_t)__builtin_frame_address(0), top = (uintptr_t)name + (name ? strlen(name) : 0);
	uintptr_t most = MOST_BYTES;
	struct rlimit limit;

	if (!ompp_sys_getrlimit(RLIMIT_STACK, &limit) && limit.rlim_cur < most)
		most = limit.rlim_cur;
	return here < top && top - here < most && most - (top - here) >= NEED_BYTES;
}

static int is_main_thread(void)
{
	return ompp_sys_getpid() == ompp_sys_gettid();
}

void ompp_stack_call(void (*run)(void *arg), void *arg)
{
	uint64_t blocked = OMPP_ALL_SIGNALS & ~OMPP_OWN_SIGNALS;
	uint64_t before;
	char *stack;
	long made;

	if (is_main_thread() && has_room()) {
		run(arg);
		return;
	}
	made = ompp_space_map(GUARD_BYTES + NEED_BYTES, PROT_READ | PROT_WRITE,
	                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
	if (made < 0) {
		run(arg);
		return;
	}
	stack = (char *)made;
	ompp_sys_mprotect(stack, GUARD_BYTES, PROT_NONE);
	ompp_sys_sigmask(SIG_BLOCK, &blocked, &before);
	ompp_stack_switch(run, arg, stack + GUARD_BYTES + NEED_BYTES);
	ompp_sys_sigmask(SIG_SETMASK, &before, NULL);
	ompp_sys_munmap(stack, GUARD_BYTES + NEED_BYTES);
}
#else
void ompp_stack_call(void (*run)(void *arg), void *arg)
{
	run(arg);
}
#endif

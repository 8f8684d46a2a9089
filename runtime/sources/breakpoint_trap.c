/*
 * Breakpoint, traps that a virtual machine loses: see breakpoint.h.
 *
 * A debug exception tells in register DR6 which breakpoint was hit.  Hypervisors may enter a guest with an old DR6 (KVM
 * before Linux 6.13, when a timer of the host ends the entry before): about one exception in ten thousand then has no
 * breakpoint in DR6.  The kernel mistakes it for the instruction INT1 and sends SIGTRAP, which ends the program.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdatomic.h>
#include <ucontext.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "runtime/sources/breakpoint_set.h"

_Atomic int ompp_breakpoint_handled;
_Atomic int ompp_breakpoint_unguarded;
__thread int ompp_breakpoint_blocked __attribute__((tls_model("initial-exec")));
__thread int ompp_breakpoint_tries __attribute__((tls_model("initial-exec")));

#if defined(__x86_64__)

enum { INT1 = 0xf1, HYPERVISOR = 1u << 31 };

/* The answer is kept, as a virtual machine leaves the guest for CPUID. */
int ompp_breakpoint_may_lose(void)
{
	static _Atomic int known; /* 1 for no, 2 for yes */
	unsigned int a, b, c, d;

	if (!atomic_load_explicit(&known, memory_order_relaxed))
		atomic_store_explicit(&known, 1 + (__get_cpuid(1, &a, &b, &c, &d) && (c & (unsigned int)HYPERVISOR)),
		                      memory_order_relaxed);
	return atomic_load_explicit(&known, memory_order_relaxed) == 2;
}

int ompp_breakpoint_lost_trap(const siginfo_t *info, const void *context)
{
	const ucontext_t *at = context;
	int none = 0;

	if (info->si_code != TRAP_BRKPT || !(ompp_breakpoint_n_open() || ompp_breakpoint_tries))
		return 0;
	if (((const unsigned char *)at->uc_mcontext.gregs[REG_RIP])[-1] == INT1)
		return 0;
	if (!ompp_breakpoint_tries)
		atomic_compare_exchange_strong(&ompp_breakpoint_error, &none, OMPP_BREAKPOINT_LOST_TRAP);
	return 1;
}

#else

int ompp_breakpoint_may_lose(void)
{
	return 0;
}

int ompp_breakpoint_lost_trap(const siginfo_t *info, const void *context)
{
	(void)info;
	(void)context;
	return 0;
}

#endif

int ompp_breakpoint_is_guarded(void)
{
	return !ompp_breakpoint_may_lose() || (atomic_load(&ompp_breakpoint_handled) &&
	                                       !atomic_load(&ompp_breakpoint_unguarded) && !ompp_breakpoint_blocked);
}

/*
 * Main call: see main_call.h.
 *
 * The program's first instructions call __libc_start_main() by an entry of the GOT, with main() as an argument; it is
 * called with ours in place of that.  Both of ours end with a jump to the real ones, and so are in no call stack.
 */
#include "runtime/interpose/main_call.h"

#include <stdatomic.h>

#include "runtime/base/array.h"
#include "runtime/core/session.h"
#include "runtime/core/thread.h"
#include "runtime/host/redirect.h"

typedef void function(void);
typedef int main_function(int argc, char **argv, char **envp);
typedef int start_function(main_function *main, int argc, char **argv, function *init, function *fini,
                           function *rtld_fini, void *stack_end);

static main_function *program_main;
static start_function *real_start;

/* Of a program that had events before main() nothing is noted: its constructors have regions of their own. */
static int main_begins(int argc, char **argv, char **envp)
{
	if (!atomic_load_explicit(&ompp_n_threads, memory_order_relaxed))
		ompp_session.main_ticks = ompp_clock();
	return program_main(argc, argv, envp);
}

static int start_main(main_function *main, int argc, char **argv, function *init, function *fini, function *rtld_fini,
                      void *stack_end)
{
	program_main = main;
	return real_start(main_begins, argc, argv, init, fini, rtld_fini, stack_end);
}

void ompp_main_call_start(void)
{
	static const struct ompp_redirection list[] = { { "__libc_start_main", (function *)(uintptr_t)start_main,
		                                          (function **)(void *)&real_start, 0 } };

	if (ompp_clock_kind != OMPP_CLOCK_FAKE) /* where each reading of the clock is a step of it */
		ompp_redirect_add(list, OMPP_COUNT_OF(list));
}

/*
 * Jump calls: see jump_calls.h.  A signal handler may leave the allocator by a jump; what is accessed after that
 * is the program's again.  Programs that kinst built have adapters/jumps.c.
 */
#include "runtime/interpose/jump_calls.h"

#include <stdint.h>

#include "runtime/access/emulated.h"
#include "runtime/base/array.h"
#include "runtime/host/redirect.h"

typedef void function(void);

#define JUMP(name) \
	static void (*real_##name)(void *buffer, int value); \
	static void name##_(void *buffer, int value) \
	{ \
		ompp_emulated_allocating = 0; \
		real_##name(buffer, value); \
	}

JUMP(longjmp)
JUMP(_longjmp)
JUMP(siglongjmp)
JUMP(__longjmp_chk)

/* clang-format off */
#define ROW(name) { #name, (function *)(uintptr_t)name##_, (function **)(void *)&real_##name, 0 }
/* clang-format on */

static const struct ompp_redirection jumps[] = {
	ROW(longjmp),
	ROW(_longjmp),
	ROW(siglongjmp),
	ROW(__longjmp_chk),
};

void ompp_jump_calls_watch(void)
{
	if (ompp_emulated_is_on())
		ompp_redirect(jumps, OMPP_COUNT_OF(jumps));
}

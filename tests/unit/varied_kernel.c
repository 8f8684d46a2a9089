/*
 * Varied kernel: see varied_kernel.h.
 */
#define _GNU_SOURCE
#include "tests/unit/varied_kernel.h"

#include <stddef.h>

#include "runtime/base/sys.h"

static varied_answer *answer;

void varied_kernel_set(varied_answer *new_answer)
{
	answer = new_answer;
	__atomic_store_n(&ompp_filtered, new_answer != NULL, __ATOMIC_RELEASE);
}

/* The linker puts it in the place of ompp_filter_call(). */
long __wrap_ompp_filter_call(long number, long a, long b, long c, long d, long e, long f);
long __wrap_ompp_filter_call(long number, long a, long b, long c, long d, long e, long f)
{
	const long arguments[6] = { a, b, c, d, e, f };
	long result;

	if (answer && answer(number, arguments, &result))
		return result;
	return ompp_sys_direct(number, a, b, c, d, e, f);
}

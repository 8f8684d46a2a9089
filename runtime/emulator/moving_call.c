/*
 * Moving call: see moving_call.h.
 */
#include "runtime/emulator/moving_call.h"

#include <stddef.h>

#include "runtime/base/array.h"

enum ompp_moving_call ompp_moving_call(int64_t number)
{
	static const uint16_t fill[] = {
		/* read, pread64, readv, recvfrom, recvmsg, getcwd, readlink */ 0,
		17,
		19,
		45,
		47,
		79,
		89,
		/* getdents64, readlinkat, preadv, getrandom, preadv2 */ 217,
		267,
		295,
		318,
		327,
	};
	static const uint16_t drain[] = {
		/* write, pwrite64, writev, sendto, sendmsg, pwritev, pwritev2 */ 1,
		18,
		20,
		44,
		46,
		296,
		328,
	};

	for (size_t i = 0; i < OMPP_COUNT_OF(fill); i++)
		if (number == fill[i])
			return OMPP_CALL_FILLS;
	for (size_t i = 0; i < OMPP_COUNT_OF(drain); i++)
		if (number == drain[i])
			return OMPP_CALL_DRAINS;
	return OMPP_CALL_OTHER;
}

/*
 * Moving call: which system calls move bytes to or from the program's memory, and tell how many by their result.
 */
#ifndef OMPP_EMULATOR_MOVING_CALL_H
#define OMPP_EMULATOR_MOVING_CALL_H

#include <stdint.h>

enum ompp_moving_call {
	OMPP_CALL_OTHER,
	OMPP_CALL_FILLS, /* as read does */
	OMPP_CALL_DRAINS /* as write does */
};

/* number: x86-64's, whatever machine this is */
enum ompp_moving_call ompp_moving_call(int64_t number);

#endif

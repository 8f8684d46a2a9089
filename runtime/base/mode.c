/*
 * Mode: see mode.h.
 */
#include "runtime/base/mode.h"

uint32_t ompp_modes;

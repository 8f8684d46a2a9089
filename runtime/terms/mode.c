/*
 * Mode: see mode.h.
 */
#include "runtime/terms/mode.h"

uint32_t ompp_modes;

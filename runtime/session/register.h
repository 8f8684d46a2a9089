/*
 * Register: registers regions at their first event.  The first event may come before the library's constructor, so the
 * session starts here at the latest.  COLD.
 */
#ifndef OMPP_SESSION_REGISTER_H
#define OMPP_SESSION_REGISTER_H

#include "runtime/core/region.h"

/* Do the same as the functions of region.h with the same parameters. */
struct ompp_region_def *ompp_register(void **handle, const char *ctc, size_t n_bytes);
struct ompp_region_def *ompp_register_named(enum ompp_construct construct, const char *name, const char *file,
                                            uint32_t line);
struct ompp_region_def *ompp_register_function(const char *name, uintptr_t address);
struct ompp_region_def *ompp_register_call(enum ompp_construct construct, const char *name, uintptr_t address);

#endif

/*
 * Register: see register.h.
 */
#include "runtime/session/register.h"

#include "runtime/session/session_start.h"

struct ompp_region_def *ompp_register(void **handle, const char *ctc, size_t n_bytes)
{
	ompp_session_start();
	return ompp_region_assign(handle, ctc, n_bytes);
}

struct ompp_region_def *ompp_register_named(enum ompp_construct construct, const char *name, const char *file,
                                            uint32_t line)
{
	ompp_session_start();
	return ompp_region_named(construct, name, file, line);
}

struct ompp_region_def *ompp_register_function(const char *name, uintptr_t address)
{
	ompp_session_start();
	return ompp_region_function(name, address);
}

struct ompp_region_def *ompp_register_call(enum ompp_construct construct, const char *name, uintptr_t address)
{
	ompp_session_start();
	return ompp_region_call(construct, name, address);
}

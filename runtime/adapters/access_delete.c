/*
 * Access, delete: C++'s operators delete, through ld --wrap.  They end the names in the block.  This is a separate
 * part of the archive, as only C++ programs have the real operators.
 */
#include "runtime/adapters/access_hooks.h"

#pragma GCC visibility push(hidden)

#define DELETE(name, parameters, arguments) \
	__attribute__((visibility("default"))) void __real_##name parameters; \
	void ompp_static_##name parameters __attribute__((weak)); \
	void __wrap_##name parameters; \
	void __wrap_##name parameters \
	{ \
		if (p) \
			ompp_access_freed(p); \
		(ompp_static_##name ? ompp_static_##name : __real_##name) arguments; \
	}

DELETE(_ZdlPv, (void *p), (p))
DELETE(_ZdaPv, (void *p), (p))
DELETE(_ZdlPvm, (void *p, size_t n), (p, n))
DELETE(_ZdaPvm, (void *p, size_t n), (p, n))
DELETE(_ZdlPvRKSt9nothrow_t, (void *p, const void *nothrow), (p, nothrow))
DELETE(_ZdaPvRKSt9nothrow_t, (void *p, const void *nothrow), (p, nothrow))
DELETE(_ZdlPvSt11align_val_t, (void *p, size_t align), (p, align))
DELETE(_ZdaPvSt11align_val_t, (void *p, size_t align), (p, align))
DELETE(_ZdlPvmSt11align_val_t, (void *p, size_t n, size_t align), (p, n, align))
DELETE(_ZdaPvmSt11align_val_t, (void *p, size_t n, size_t align), (p, n, align))
DELETE(_ZdlPvSt11align_val_tRKSt9nothrow_t, (void *p, size_t align, const void *nothrow), (p, align, nothrow))
DELETE(_ZdaPvSt11align_val_tRKSt9nothrow_t, (void *p, size_t align, const void *nothrow), (p, align, nothrow))

#pragma GCC visibility pop

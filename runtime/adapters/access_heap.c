/*
 * Access, heap: functions of the C library that free or move memory, through ld --wrap.  Names in the memory end or
 * follow it.
 */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "runtime/adapters/access_hooks.h"

#pragma GCC visibility push(hidden)

#define VISIBLE __attribute__((visibility("default")))

/* Declares all names of a function. */
#define WRAP(result, name, ...) \
	VISIBLE result __real_##name(__VA_ARGS__); \
	result ompp_static_##name(__VA_ARGS__) __attribute__((weak)); \
	result __wrap_##name(__VA_ARGS__); \
	result __wrap_##name(__VA_ARGS__)

/* What the wrapped function goes on to; in a static program it is told of blocks, too (static_call.h). */
#define REAL(name) (ompp_static_##name ? ompp_static_##name : __real_##name)

/* Lets the site of a block that we get for the program be the program's call. */
#define CALLER_IS_MINE() ((void)(ompp_access_caller = (uintptr_t)__builtin_return_address(0)))

WRAP(void, free, void *p)
{
	if (p)
		ompp_access_freed(p);
	REAL(free)(p);
}

WRAP(void *, realloc, void *p, size_t n)
{
	struct ompp_range *ranges = p ? ompp_access_moving(p, 0) : NULL;
	void *now;

	CALLER_IS_MINE();
	now = REAL(realloc)(p, n);
	ompp_access_caller = 0;
	if (ranges)
		ompp_access_moved(ranges, p, now ? now : n ? p : NULL, now ? n : SIZE_MAX);
	return now;
}

WRAP(void *, reallocarray, void *p, size_t n, size_t size)
{
	struct ompp_range *ranges = p ? ompp_access_moving(p, 0) : NULL;
	void *now;

	CALLER_IS_MINE();
	now = REAL(reallocarray)(p, n, size);
	ompp_access_caller = 0;
	if (ranges)
		ompp_access_moved(ranges, p, now ? now : n && size ? p : NULL, now ? n * size : SIZE_MAX);
	return now;
}

WRAP(int, munmap, void *p, size_t n)
{
	ompp_access_unmapped(p, n);
	return REAL(munmap)(p, n);
}

VISIBLE void *__real_mremap(void *p, size_t n_old, size_t n, int flags, ...);
void *ompp_static_mremap(void *p, size_t n_old, size_t n, int flags, ...) __attribute__((weak));
void *__wrap_mremap(void *p, size_t n_old, size_t n, int flags, ...);
void *__wrap_mremap(void *p, size_t n_old, size_t n, int flags, ...)
{
	struct ompp_range *ranges = n_old ? ompp_access_moving(p, n_old) : NULL; /* 0 makes a second mapping */
	void *to = NULL, *now;
	va_list more;

	if (flags & MREMAP_FIXED) {
		va_start(more, flags);
		to = va_arg(more, void *);
		va_end(more);
	}
	CALLER_IS_MINE();
	now = flags & MREMAP_FIXED ? REAL(mremap)(p, n_old, n, flags, to) : REAL(mremap)(p, n_old, n, flags);
	ompp_access_caller = 0;
	if (to && now != MAP_FAILED)
		ompp_access_unmapped(to, n); /* the mapping that was there before is gone */
	if (ranges)
		ompp_access_moved(ranges, p, now == MAP_FAILED ? p : now, now == MAP_FAILED ? SIZE_MAX : n);
	return now;
}

#pragma GCC visibility pop

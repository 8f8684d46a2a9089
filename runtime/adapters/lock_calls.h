/*
 * Lock calls: the five functions of one kind of OpenMP lock, for C and for Fortran names.
 *
 * The real function (prefix_init_kind …) is called here; it is weak, as libompp is not linked to an OpenMP library,
 * and there whenever a program calls these.  Whether the lock is measured is decided before the real call.
 */
#ifndef OMPP_ADAPTERS_LOCK_CALLS_H
#define OMPP_ADAPTERS_LOCK_CALLS_H

#include "runtime/core/lock.h"

#define OMPP_DEFINE_LOCKS(init, destroy, set, unset, test, prefix, kind, construct)           \
	extern void prefix##_init_##kind(void *) __attribute__((weak));                       \
	extern void prefix##_destroy_##kind(void *) __attribute__((weak));                    \
	extern void prefix##_set_##kind(void *) __attribute__((weak));                        \
	extern void prefix##_unset_##kind(void *) __attribute__((weak));                      \
	extern int prefix##_test_##kind(void *) __attribute__((weak));                        \
	void init(void *s)                                                                    \
	{                                                                                     \
		prefix##_init_##kind(s);                                                      \
	}                                                                                     \
	void destroy(void *s)                                                                 \
	{                                                                                     \
		prefix##_destroy_##kind(s);                                                   \
	}                                                                                     \
	void set(void *s)                                                                     \
	{                                                                                     \
		struct ompp_lock *lock = ompp_lock_find(s, construct);                        \
		uint64_t before = lock ? ompp_clock() : 0;                                    \
		prefix##_set_##kind(s);                                                       \
		if (lock)                                                                     \
			ompp_lock_after_set(lock, before, 1);                                 \
	}                                                                                     \
	void unset(void *s)                                                                   \
	{                                                                                     \
		struct ompp_lock *lock = ompp_lock_find(s, construct);                        \
		struct ompp_lock_release release = { 0 };                                     \
		if (lock)                                                                     \
			release = ompp_lock_before_unset(lock);                               \
		prefix##_unset_##kind(s);                                                     \
		if (lock)                                                                     \
			ompp_lock_after_unset(release);                                       \
	}                                                                                     \
	int test(void *s)                                                                     \
	{                                                                                     \
		struct ompp_lock *lock = ompp_lock_find(s, construct);                        \
		uint64_t before = lock ? ompp_clock() : 0;                                    \
		int got = prefix##_test_##kind(s);                                            \
		if (lock)                                                                     \
			ompp_lock_after_set(lock, before, got);                               \
		return got;                                                                   \
	}

#endif

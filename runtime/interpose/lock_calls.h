/*
 * Lock calls: the five functions of one kind of OpenMP lock, under C and Fortran names.
 *
 * They decide whether the lock is measured, and call the real function (prefix_init_kind and so on).  libompp is not
 * linked to an OpenMP library, so its references have no version.  The dynamic linker would bind them to the oldest
 * one, which in libgomp is that of OpenMP 2.5, whose locks have another layout.  So we call the default version in the
 * same library, as the program itself does.  The static library does not need this, as it is linked together with the
 * program.
 */
#ifndef OMPP_INTERPOSE_LOCK_CALLS_H
#define OMPP_INTERPOSE_LOCK_CALLS_H

#include "runtime/host/clock.h"
#include "runtime/host/real.h"
#include "runtime/session/lock.h"

/* Returns the real function, which is looked up once.
 * bound: what the dynamic linker found */
static inline void *ompp_lock_function(void **cache, const char *name, void *bound)
{
	void *function = __atomic_load_n(cache, __ATOMIC_RELAXED);

	if (__builtin_expect(!function, 0)) {
		function = ompp_real_version(name, bound);
		__atomic_store_n(cache, function, __ATOMIC_RELAXED);
	}
	return function;
}

#ifdef PIC
#define OMPP_LOCK_FUNCTION(name) \
	({ \
		static void *cache_; \
		(__typeof__(&name))ompp_lock_function(&cache_, #name, (void *)name); \
	})
#else
#define OMPP_LOCK_FUNCTION(name) name
#endif

static inline void ompp_lock_init(void *s, const char *site, void (*real)(void *))
{
	real(s);
	ompp_lock_made(s, ompp_lock_site(site, SIZE_MAX));
}

/* Passes to the lock where the program sets it and its name in the source, if the call has them. */
static inline void ompp_lock_seen(struct ompp_lock *lock, const char *site)
{
	if (__builtin_expect(site && lock->site != site, 0))
		ompp_lock_set_at(lock, site);
}

static inline void ompp_lock_set(void *s, const char *site, enum ompp_construct construct, void (*real)(void *))
{
	struct ompp_lock *lock = ompp_lock_find(s, construct, site);
	uint64_t before = lock ? ompp_lock_before_set(lock) : 0;

	real(s);
	if (!lock)
		return;
	ompp_lock_after_set(lock, before);
	ompp_lock_seen(lock, site);
}

static inline void ompp_lock_unset(void *s, enum ompp_construct construct, void (*real)(void *))
{
	struct ompp_lock *lock = ompp_lock_find(s, construct, NULL);
	struct ompp_lock_release release = { 0 };

	if (lock)
		release = ompp_lock_before_unset(lock);
	real(s);
	if (lock)
		ompp_lock_after_unset(release);
}

static inline int ompp_lock_test(void *s, const char *site, enum ompp_construct construct, int (*real)(void *))
{
	struct ompp_lock *lock = ompp_lock_find(s, construct, site);
	uint64_t before = lock ? ompp_clock() : 0;
	int got = real(s);

	if (!lock)
		return got;
	ompp_lock_after_test(lock, before, got);
	if (got)
		ompp_lock_seen(lock, site);
	return got;
}

#define OMPP_DECLARE_LOCKS(prefix, kind) \
	extern void prefix##_init_##kind(void *) __attribute__((weak)); \
	extern void prefix##_destroy_##kind(void *) __attribute__((weak)); \
	extern void prefix##_set_##kind(void *) __attribute__((weak)); \
	extern void prefix##_unset_##kind(void *) __attribute__((weak)); \
	extern int prefix##_test_##kind(void *) __attribute__((weak));

/* Defines four of the functions; the last but two arguments are what they call.
 * site: an expression for the site string of the call, or NULL */
#define OMPP_LOCK_CALLS(init, set, unset, test, real_init, real_set, real_unset, real_test, construct, site) \
	void init(void *s) \
	{ \
		ompp_lock_init(s, site, real_init); \
	} \
	void set(void *s) \
	{ \
		ompp_lock_set(s, site, construct, real_set); \
	} \
	void unset(void *s) \
	{ \
		ompp_lock_unset(s, construct, real_unset); \
	} \
	int test(void *s) \
	{ \
		return ompp_lock_test(s, site, construct, real_test); \
	}

/* Defines the five functions for calls that the program's text has. */
#define OMPP_DEFINE_LOCKS(init, destroy, set, unset, test, prefix, kind, construct, site) \
	OMPP_DECLARE_LOCKS(prefix, kind) \
	OMPP_LOCK_CALLS(init, set, unset, test, OMPP_LOCK_FUNCTION(prefix##_init_##kind), \
	                OMPP_LOCK_FUNCTION(prefix##_set_##kind), OMPP_LOCK_FUNCTION(prefix##_unset_##kind), \
	                OMPP_LOCK_FUNCTION(prefix##_test_##kind), construct, site) \
	void destroy(void *s) \
	{ \
		OMPP_LOCK_FUNCTION(prefix##_destroy_##kind)(s); \
	}

#endif

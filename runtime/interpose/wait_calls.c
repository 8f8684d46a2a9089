/*
 * Wait calls: see wait_calls.h.
 *
 * Where a try succeeds the call would have done the same; where it does not, the call follows, and tells what the
 * reason is.
 */
#define _GNU_SOURCE
#include "runtime/interpose/wait_calls.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <threads.h>
#include <time.h>

#include "runtime/base/array.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/sys.h"
#include "runtime/events/cost.h"
#include "runtime/host/real.h"
#include "runtime/interpose/wait_call.h"

/* glibc's flags of mutexes that are robust, or have a protocol of priorities.  Their tries differ: that of a mutex
 * which cannot be recovered any more keeps it locked. */
enum { NOT_PLAIN = 16 | 32 | 64 };

static inline int is_plain(const pthread_mutex_t *mutex)
{
	return !(mutex->__data.__kind & NOT_PLAIN);
}

static inline int is_any(const void *lock)
{
	(void)lock;
	return 1;
}

/* Does a call have to wait for another thread?  By glibc's own fields, which may change at any time. */
static inline int is_owned(const pthread_mutex_t *mutex)
{
	int owner = OMPP_LOAD(&mutex->__data.__owner);

	return owner && owner != ompp_sys_gettid();
}

static inline int is_c11_owned(const mtx_t *mutex)
{
	return is_owned((const void *)mutex); /* glibc's are the same */
}

static inline int is_written(const pthread_rwlock_t *lock)
{
	return OMPP_LOAD(&lock->__data.__cur_writer) != 0;
}

static inline int is_used(const pthread_rwlock_t *lock)
{
	enum { READER = 8 }; /* the lowest bit of the number of readers */

	return is_written(lock) || OMPP_LOAD(&lock->__data.__readers) >= READER;
}

typedef const struct timespec moment;

OMPP_WAIT_LOCK(OMPP_MUTEX, pthread_mutex_t *, pthread_mutex_lock, pthread_mutex_trylock, is_plain, is_owned, 0)
OMPP_WAIT_LOCK(OMPP_RWLOCK, pthread_rwlock_t *, pthread_rwlock_rdlock, pthread_rwlock_tryrdlock, is_any, is_written, 1)
OMPP_WAIT_LOCK(OMPP_RWLOCK, pthread_rwlock_t *, pthread_rwlock_wrlock, pthread_rwlock_trywrlock, is_any, is_used, 0)
OMPP_WAIT_LOCK(OMPP_MUTEX, mtx_t *, mtx_lock, mtx_trylock, is_any, is_c11_owned, 0) /* thrd_success is 0 */

static int (*real_unlock)(pthread_mutex_t *mutex);

/* Does the same as pthread_mutex_lock_(), as if it was called by another file: our own are looked at more closely. */
static __attribute__((noinline)) int lock_counted(pthread_mutex_t *mutex)
{
	return pthread_mutex_lock_at(mutex, (struct ompp_caller){ OMPP_STACK(), (uintptr_t)real_unlock + 1 });
}

/* Gets a mutex of ours that is free, and releases it. */
static void lock_once(int is_counted)
{
	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

	if (is_counted)
		lock_counted(&mutex);
	else
		real_pthread_mutex_lock(&mutex);
	real_unlock(&mutex);
}

void ompp_wait_calls_begin(void)
{
	void *lock = (void *)(uintptr_t)real_pthread_mutex_lock, *unlock;

	if (real_unlock || !lock || !real_pthread_mutex_trylock)
		return;
	unlock = ompp_real_version("pthread_mutex_unlock", lock);
	if (!unlock || unlock == lock)
		return;
	real_unlock = (int (*)(pthread_mutex_t *))(uintptr_t)unlock;
	ompp_cost_counted = lock_once;
}

/* A call with a time limit checks that, too.  C11's functions have their own result for it. */
OMPP_WAIT_TIMED(OMPP_MUTEX, pthread_mutex_timedlock, m, (pthread_mutex_t * m, moment *t), (m, t), is_owned, 0,
                ETIMEDOUT)
OMPP_WAIT_TIMED(OMPP_MUTEX, pthread_mutex_clocklock, m, (pthread_mutex_t * m, clockid_t c, moment *t), (m, c, t),
                is_owned, 0, ETIMEDOUT)
OMPP_WAIT_TIMED(OMPP_MUTEX, mtx_timedlock, m, (mtx_t * m, moment *t), (m, t), is_c11_owned, 0, thrd_timedout)
OMPP_WAIT_TIMED(OMPP_RWLOCK, pthread_rwlock_timedrdlock, l, (pthread_rwlock_t * l, moment *t), (l, t), is_written, 1,
                ETIMEDOUT)
OMPP_WAIT_TIMED(OMPP_RWLOCK, pthread_rwlock_timedwrlock, l, (pthread_rwlock_t * l, moment *t), (l, t), is_used, 0,
                ETIMEDOUT)
OMPP_WAIT_TIMED(OMPP_RWLOCK, pthread_rwlock_clockrdlock, l, (pthread_rwlock_t * l, clockid_t c, moment *t), (l, c, t),
                is_written, 1, ETIMEDOUT)
OMPP_WAIT_TIMED(OMPP_RWLOCK, pthread_rwlock_clockwrlock, l, (pthread_rwlock_t * l, clockid_t c, moment *t), (l, c, t),
                is_used, 0, ETIMEDOUT)

OMPP_WAIT_CONDITION(pthread_cond_wait, m, (pthread_cond_t * v, pthread_mutex_t *m), (v, m), 0)
OMPP_WAIT_CONDITION(pthread_cond_timedwait, m, (pthread_cond_t * v, pthread_mutex_t *m, moment *t), (v, m, t),
                    ETIMEDOUT)
OMPP_WAIT_CONDITION(pthread_cond_clockwait, m, (pthread_cond_t * v, pthread_mutex_t *m, clockid_t c, moment *t),
                    (v, m, c, t), ETIMEDOUT)
OMPP_WAIT_CONDITION(cnd_wait, m, (cnd_t * v, mtx_t *m), (v, m), 0)
OMPP_WAIT_CONDITION(cnd_timedwait, m, (cnd_t * v, mtx_t *m, moment *t), (v, m, t), thrd_timedout)

OMPP_WAIT_CALL(OMPP_THREAD_BARRIER, int, pthread_barrier_wait, (pthread_barrier_t * b), (b))

OMPP_WAIT_CALL(OMPP_SEMAPHORE, int, sem_wait, (sem_t * s), (s))
OMPP_WAIT_CALL(OMPP_SEMAPHORE, int, sem_timedwait, (sem_t * s, moment *t), (s, t))
OMPP_WAIT_CALL(OMPP_SEMAPHORE, int, sem_clockwait, (sem_t * s, clockid_t c, moment *t), (s, c, t))

/* ---- C++ ---- */

/* std::condition_variable::wait(), and the functions in which std::future and its kin wait, with or without a limit of
 * seconds and nanoseconds.  Where these call one of the functions above, that is a part of them. */
OMPP_WAIT_CALL(OMPP_CONDITION, void *, _ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE, (void *v, void *m),
               (v, m))

#define FUTURE_PARAMETERS (void *f, unsigned int *word, unsigned int value, bool has_limit, long s, long ns)
#define FUTURE_WAIT(begin) \
	FUTURE_WAIT_(begin##EPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE)
#define FUTURE_WAIT_(name) \
	OMPP_WAIT_CALL(OMPP_FUTURE, bool, name, FUTURE_PARAMETERS, (f, word, value, has_limit, s, ns))

FUTURE_WAIT(_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_until)
FUTURE_WAIT(_ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_steady)

#define FUTURE_ROW(begin) \
	FUTURE_ROW_(begin##EPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE)
#define FUTURE_ROW_(name) OMPP_CALL_ROW(name)

void ompp_wait_calls_start(void)
{
	static const struct ompp_redirection list[] = {
		OMPP_CALL_ROW(pthread_mutex_lock),
		OMPP_CALL_ROW(pthread_mutex_trylock),
		OMPP_CALL_ROW(pthread_mutex_timedlock),
		OMPP_CALL_ROW(pthread_mutex_clocklock),
		OMPP_CALL_ROW(pthread_rwlock_rdlock),
		OMPP_CALL_ROW(pthread_rwlock_tryrdlock),
		OMPP_CALL_ROW(pthread_rwlock_timedrdlock),
		OMPP_CALL_ROW(pthread_rwlock_clockrdlock),
		OMPP_CALL_ROW(pthread_rwlock_wrlock),
		OMPP_CALL_ROW(pthread_rwlock_trywrlock),
		OMPP_CALL_ROW(pthread_rwlock_timedwrlock),
		OMPP_CALL_ROW(pthread_rwlock_clockwrlock),
		OMPP_CALL_ROW(pthread_cond_wait),
		OMPP_CALL_ROW(pthread_cond_timedwait),
		OMPP_CALL_ROW(pthread_cond_clockwait),
		OMPP_CALL_ROW(pthread_barrier_wait),
		OMPP_CALL_ROW(sem_wait),
		OMPP_CALL_ROW(sem_timedwait),
		OMPP_CALL_ROW(sem_clockwait),
		OMPP_CALL_ROW(mtx_lock),
		OMPP_CALL_ROW(mtx_trylock),
		OMPP_CALL_ROW(mtx_timedlock),
		OMPP_CALL_ROW(cnd_wait),
		OMPP_CALL_ROW(cnd_timedwait),
		OMPP_CALL_ROW(_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE),
		FUTURE_ROW(_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_until),
		FUTURE_ROW(_ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_steady),
	};

	ompp_redirect_add(list, OMPP_COUNT_OF(list));
}

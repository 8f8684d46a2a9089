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

typedef const struct timespec moment;

OMPP_WAIT_LOCK(OMPP_MUTEX, pthread_mutex_t *, pthread_mutex_lock, pthread_mutex_trylock, is_plain)
OMPP_WAIT_LOCK(OMPP_RWLOCK, pthread_rwlock_t *, pthread_rwlock_rdlock, pthread_rwlock_tryrdlock, is_any)
OMPP_WAIT_LOCK(OMPP_RWLOCK, pthread_rwlock_t *, pthread_rwlock_wrlock, pthread_rwlock_trywrlock, is_any)
OMPP_WAIT_LOCK(OMPP_MUTEX, mtx_t *, mtx_lock, mtx_trylock, is_any) /* thrd_success is 0 */

/* A call with a time limit checks that, too. */
OMPP_WAIT_CALL(OMPP_MUTEX, int, pthread_mutex_timedlock, (pthread_mutex_t * m, moment *t), (m, t))
OMPP_WAIT_CALL(OMPP_MUTEX, int, pthread_mutex_clocklock, (pthread_mutex_t * m, clockid_t c, moment *t), (m, c, t))
OMPP_WAIT_CALL(OMPP_MUTEX, int, mtx_timedlock, (mtx_t * m, moment *t), (m, t))
OMPP_WAIT_CALL(OMPP_RWLOCK, int, pthread_rwlock_timedrdlock, (pthread_rwlock_t * l, moment *t), (l, t))
OMPP_WAIT_CALL(OMPP_RWLOCK, int, pthread_rwlock_timedwrlock, (pthread_rwlock_t * l, moment *t), (l, t))
OMPP_WAIT_CALL(OMPP_RWLOCK, int, pthread_rwlock_clockrdlock, (pthread_rwlock_t * l, clockid_t c, moment *t), (l, c, t))
OMPP_WAIT_CALL(OMPP_RWLOCK, int, pthread_rwlock_clockwrlock, (pthread_rwlock_t * l, clockid_t c, moment *t), (l, c, t))

OMPP_WAIT_CALL(OMPP_CONDITION, int, pthread_cond_wait, (pthread_cond_t * v, pthread_mutex_t *m), (v, m))
OMPP_WAIT_CALL(OMPP_CONDITION, int, pthread_cond_timedwait, (pthread_cond_t * v, pthread_mutex_t *m, moment *t),
               (v, m, t))
OMPP_WAIT_CALL(OMPP_CONDITION, int, pthread_cond_clockwait,
               (pthread_cond_t * v, pthread_mutex_t *m, clockid_t c, moment *t), (v, m, c, t))
OMPP_WAIT_CALL(OMPP_CONDITION, int, cnd_wait, (cnd_t * v, mtx_t *m), (v, m))
OMPP_WAIT_CALL(OMPP_CONDITION, int, cnd_timedwait, (cnd_t * v, mtx_t *m, moment *t), (v, m, t))

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

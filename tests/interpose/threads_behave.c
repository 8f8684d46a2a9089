/* What the C library's functions of threads return, in all cases that are not usual.  It prints each result, and is the
 * same with and without kinst. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#define SAY(x) \
	do { \
		errno = 77; \
		int rc_ = (int)(x); \
		printf("%s: %d %d\n", #x, rc_, errno); \
	} while (0)

static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t error = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t robust;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_key_t key;
static sem_t sem, asleep;
static int n_serial;

static struct timespec in_ms(clockid_t clock, long ms)
{
	struct timespec t;

	clock_gettime(clock, &t);
	t.tv_nsec += ms * 1000000;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}

static void *dies_with_it(void *arg)
{
	SAY(pthread_mutex_lock(&robust));
	return arg;
}

static void *leaves(void *arg)
{
	pthread_mutex_lock(&plain);
	pthread_mutex_unlock(&plain);
	pthread_exit(arg);
}

static void locks_at_end(void *arg)
{
	pthread_mutex_lock(&plain);
	printf("destructor %d\n", (int)(intptr_t)arg);
	pthread_mutex_unlock(&plain);
}

static void *has_key(void *arg)
{
	pthread_setspecific(key, arg);
	return NULL;
}

static void unlock(void *mutex)
{
	SAY(pthread_mutex_unlock(mutex));
}

static void *waits_for_ever(void *arg)
{
	pthread_mutex_lock(&error);
	pthread_cleanup_push(unlock, &error);
	sem_post(&asleep);
	pthread_cond_wait(&never, &error);
	pthread_cleanup_pop(0);
	return arg;
}

static void *waits_for_semaphore(void *arg)
{
	sem_post(&asleep);
	sem_wait(&sem);
	return arg;
}

static void *is_cancelled_before(void *arg)
{
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	sem_post(&asleep);
	usleep(50000);
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
	sem_wait(&sem); /* could be got at once */
	return arg;
}

static void *meets(void *arg)
{
	int rc = pthread_barrier_wait(&barrier);

	if (rc == PTHREAD_BARRIER_SERIAL_THREAD)
		__atomic_fetch_add(&n_serial, 1, __ATOMIC_RELAXED);
	return arg;
}

static void *holds_a_while(void *arg)
{
	pthread_mutex_lock(arg);
	sem_post(&asleep);
	usleep(30000);
	pthread_mutex_unlock(arg);
	return NULL;
}

static int c11(void *arg)
{
	return 3 + *(int *)arg;
}

static int c11_leaves(void *arg)
{
	(void)arg;
	thrd_exit(9);
}

static void on_signal(int sig)
{
	(void)sig;
}

static void cancel(const char *what, void *(*run)(void *))
{
	pthread_t t;
	void *result;

	pthread_create(&t, NULL, run, NULL);
	sem_wait(&asleep);
	usleep(10000);
	pthread_cancel(t);
	pthread_join(t, &result);
	printf("%s: cancelled %d\n", what, result == PTHREAD_CANCELED);
}

static void mutexes(void)
{
	pthread_mutexattr_t attr;
	struct timespec t;
	pthread_t thread;

	SAY(pthread_mutex_lock(&error));
	SAY(pthread_mutex_lock(&error));
	SAY(pthread_mutex_unlock(&error));
	SAY(pthread_mutex_unlock(&error));
	SAY(pthread_mutex_lock(&recursive));
	SAY(pthread_mutex_lock(&recursive));
	SAY(pthread_mutex_trylock(&recursive));
	for (int i = 0; i < 3; i++)
		SAY(pthread_mutex_unlock(&recursive));
	SAY(pthread_mutex_unlock(&recursive));
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&robust, &attr);
	pthread_create(&thread, NULL, dies_with_it, NULL);
	pthread_join(thread, NULL);
	SAY(pthread_mutex_lock(&robust));
	SAY(pthread_mutex_consistent(&robust));
	SAY(pthread_mutex_unlock(&robust));
	pthread_create(&thread, NULL, dies_with_it, NULL);
	pthread_join(thread, NULL);
	SAY(pthread_mutex_lock(&robust));
	SAY(pthread_mutex_unlock(&robust));
	SAY(pthread_mutex_lock(&robust)); /* not recoverable any more */
	pthread_create(&thread, NULL, holds_a_while, &plain);
	sem_wait(&asleep);
	SAY(pthread_mutex_trylock(&plain));
	t = in_ms(CLOCK_REALTIME, 1);
	SAY(pthread_mutex_timedlock(&plain, &t));
	t.tv_nsec = -1;
	SAY(pthread_mutex_timedlock(&plain, &t));
	t = in_ms(CLOCK_MONOTONIC, 1);
	SAY(pthread_mutex_clocklock(&plain, CLOCK_MONOTONIC, &t));
	SAY(pthread_mutex_clocklock(&plain, 99, &t));
	SAY(pthread_mutex_lock(&plain));
	SAY(pthread_mutex_unlock(&plain));
	pthread_join(thread, NULL);
}

static void others(void)
{
	struct sigaction action = { .sa_handler = on_signal };
	struct timespec t = in_ms(CLOCK_REALTIME, 5);
	pthread_t thread[4];

	SAY(pthread_rwlock_rdlock(&rw));
	SAY(pthread_rwlock_rdlock(&rw));
	SAY(pthread_rwlock_trywrlock(&rw));
	SAY(pthread_rwlock_timedwrlock(&rw, &t));
	SAY(pthread_rwlock_unlock(&rw));
	SAY(pthread_rwlock_unlock(&rw));
	SAY(pthread_rwlock_wrlock(&rw));
	SAY(pthread_rwlock_wrlock(&rw));
	SAY(pthread_rwlock_rdlock(&rw));
	SAY(pthread_rwlock_unlock(&rw));
	pthread_mutex_lock(&plain);
	t = in_ms(CLOCK_REALTIME, 5);
	SAY(pthread_cond_timedwait(&never, &plain, &t));
	t.tv_nsec = -1;
	SAY(pthread_cond_timedwait(&never, &plain, &t));
	SAY(pthread_mutex_unlock(&plain));
	pthread_barrier_init(&barrier, NULL, 4);
	for (int i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, meets, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	printf("serial threads: %d\n", n_serial);
	t = in_ms(CLOCK_REALTIME, 5);
	SAY(sem_timedwait(&sem, &t));
	t.tv_nsec = -1;
	SAY(sem_timedwait(&sem, &t));
	sigaction(SIGALRM, &action, NULL);
	ualarm(20000, 0);
	SAY(sem_wait(&sem));
	SAY(sem_post(&sem));
	SAY(sem_wait(&sem));
	SAY(pthread_join(pthread_self(), NULL));
}

static void c11_threads(void)
{
	int seven = 7, result;
	struct timespec t = in_ms(CLOCK_REALTIME, 5);
	thrd_t thread;
	mtx_t mutex;
	cnd_t condition;

	SAY(thrd_create(&thread, c11, &seven));
	SAY(thrd_join(thread, &result));
	printf("result %d\n", result);
	SAY(thrd_create(&thread, c11_leaves, NULL));
	SAY(thrd_join(thread, &result));
	printf("result %d\n", result);
	SAY(mtx_init(&mutex, mtx_timed | mtx_recursive));
	SAY(cnd_init(&condition));
	SAY(mtx_lock(&mutex));
	SAY(mtx_lock(&mutex));
	SAY(mtx_trylock(&mutex));
	SAY(mtx_unlock(&mutex));
	SAY(mtx_unlock(&mutex));
	SAY(cnd_timedwait(&condition, &mutex, &t));
	SAY(mtx_unlock(&mutex));
}

static void in_child(void)
{
	pthread_t thread;
	int status;

	fflush(stdout);
	if (!fork()) {
		pthread_create(&thread, NULL, has_key, (void *)5);
		pthread_join(thread, NULL);
		fflush(stdout);
		_exit(4);
	}
	wait(&status);
	printf("child: %d\n", WEXITSTATUS(status));
}

int main(void)
{
	pthread_attr_t attr;
	pthread_t thread;
	void *result;

	setvbuf(stdout, NULL, _IOLBF, 0);
	sem_init(&sem, 0, 0);
	sem_init(&asleep, 0, 0);
	pthread_key_create(&key, locks_at_end);
	pthread_create(&thread, NULL, leaves, (void *)12);
	SAY(pthread_join(thread, &result));
	printf("result %d\n", (int)(intptr_t)result);
	pthread_create(&thread, NULL, has_key, (void *)8);
	SAY(pthread_join(thread, &result));
	mutexes();
	others();
	cancel("condition", waits_for_ever);
	cancel("semaphore", waits_for_semaphore);
	sem_post(&sem);
	cancel("semaphore that is free", is_cancelled_before);
	c11_threads();
	in_child();
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attr, 16384);
	SAY(pthread_create(&thread, &attr, waits_for_ever, NULL)); /* waits until the end */
	sem_wait(&asleep);
	pthread_attr_setstacksize(&attr, (size_t)1 << 50);
	SAY(pthread_create(&thread, &attr, leaves, NULL));
	return 6;
}

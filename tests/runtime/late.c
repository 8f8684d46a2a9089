/*
 * Late: preloaded, it lets each new thread start 100 ms late.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

struct start { void *(*run)(void *); void *arg; };

static void *start_late(void *arg)
{
	const struct timespec pause = { 0, 100000000 };
	struct start start = *(struct start *)arg;

	free(arg);
	nanosleep(&pause, NULL);
	return start.run(start.arg);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *arg)
{
	int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	struct start *start = malloc(sizeof(*start));

	*(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
	*start = (struct start){ run, arg };
	return real(thread, attr, start_late, start);
}

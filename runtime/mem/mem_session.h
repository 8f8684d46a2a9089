/*
 * Session: the threads that are sampled, their samplers, and the samples kept.
 *
 * Samples come in through the session's own thread while it runs, and through ompp_mem_stop() afterwards; they go out
 * to the user's calls.  The lock of each sampled thread is held meanwhile.  The handler is called without it.
 */
#ifndef OMPP_MEM_SESSION_H
#define OMPP_MEM_SESSION_H

#include <pthread.h>

#include "runtime/ompp_mem.h"
#include "runtime/samples/sampler.h"

/* One sampled thread. */
struct ompp_mem_thread {
	pthread_mutex_t lock; /* guards all members below */
	pid_t tid;
	struct ompp_sampler sampler;
	int is_open;
	struct ompp_mem_sample *samples; /* has n_have places; n samples are kept, from `first` on */
	size_t first, n, n_have;
	size_t n_told;                 /* samples since the handler was called last */
	struct ompp_mem_counts counts; /* of the runs before, and what was lost here; the sampler has the rest */
};

struct ompp_mem {
	struct ompp_mem_options options;
	enum ompp_mem_kind kinds; /* those of the last start */
	size_t n_threads;
	struct ompp_mem_thread *threads;
	int is_running;
	pthread_t collector;
	int wake[2];      /* a pipe: the session's own thread ends when the other end is closed */
	size_t n_samples; /* the handler is called after so many; 0 without a handler */
	void (*handler)(struct ompp_mem *mem, size_t thread, void *context);
	void *context;
};

#endif

/*
 * Session: see mem_session.h and ompp_mem.h.
 */
#define _GNU_SOURCE
#include "runtime/mem/mem_session.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/mem/problem.h"

enum { DEFAULT_PERIOD = 1000, DEFAULT_PAGES = 16, DEFAULT_SAMPLES = 1000000, FIRST_SAMPLES = 1024 };

/* ---- samples come in ---- */

/* Makes room for one more sample behind the kept ones.  Returns 0 when there is none. */
static int make_room(struct ompp_mem_thread *t, size_t most)
{
	struct ompp_mem_sample *grown;
	size_t n;

	if (t->first + t->n < t->n_have)
		return 1;
	if (t->first) {
		memmove(t->samples, t->samples + t->first, t->n * sizeof(*t->samples));
		t->first = 0;
		return 1;
	}
	n = t->n_have ? 2 * t->n_have : FIRST_SAMPLES;
	n = n < most ? n : most;
	if (n <= t->n_have)
		return 0;
	grown = realloc(t->samples, n * sizeof(*grown));
	if (!grown)
		return 0;
	t->samples = grown;
	t->n_have = n;
	return 1;
}

struct keeper {
	struct ompp_mem *mem;
	struct ompp_mem_thread *thread;
};

static void session_keep(void *context, const struct ompp_mem_sample *sample)
{
	struct keeper *k = context;
	struct ompp_mem_thread *t = k->thread;

	if (!make_room(t, k->mem->options.most_samples)) {
		t->counts.lost++;
		return;
	}
	t->samples[t->first + t->n++] = *sample;
	t->counts.samples++;
	t->n_told++;
}

/* Returns the thread's sums: those of the runs before, and the sampler's own counts. */
static struct ompp_mem_counts session_sums(const struct ompp_mem_thread *t)
{
	const struct ompp_sampler_counts *c = &t->sampler.counts;
	struct ompp_mem_counts counts = t->counts;

	if (t->is_open) {
		counts.others += c->n_others;
		counts.lost += c->n_lost;
		counts.throttled += c->n_throttled;
		counts.undecodable += c->n_undecodable + c->n_truncated;
	}
	return counts;
}

/* Takes the samples of a thread.  Returns 1 when the handler has to be called. */
static int session_drain(struct ompp_mem *mem, size_t i)
{
	struct ompp_mem_thread *t = &mem->threads[i];
	struct keeper k = { mem, t };
	int is_due;

	pthread_mutex_lock(&t->lock);
	if (t->is_open)
		ompp_sampler_drain(&t->sampler, session_keep, &k);
	is_due = mem->n_samples && t->n_told >= mem->n_samples;
	if (is_due)
		t->n_told -= mem->n_samples;
	pthread_mutex_unlock(&t->lock);
	return is_due;
}

/* Runs in the session's own thread: it waits until the kernel tells that a ring fills, and drains it. */
static void *session_collect(void *argument)
{
	struct ompp_mem *mem = argument;
	size_t n = mem->n_threads;
	struct pollfd *fds = calloc(n + 1, sizeof(*fds));

	if (!fds)
		return NULL;
	fds[n] = (struct pollfd){ .fd = mem->wake[0], .events = POLLIN };
	for (size_t i = 0; i < n; i++)
		fds[i] = (struct pollfd){ .fd = mem->threads[i].sampler.ring_fd, .events = POLLIN };
	for (;;) {
		if (poll(fds, n + 1, -1) < 0 && errno != EINTR)
			break;
		if (fds[n].revents)
			break;
		for (size_t i = 0; i < n; i++) {
			if (!fds[i].revents)
				continue;
			if (fds[i].revents & (POLLHUP | POLLERR | POLLNVAL))
				fds[i].fd = -1; /* its thread has ended; ompp_mem_stop() takes the rest */
			while (session_drain(mem, i))
				mem->handler(mem, i, mem->context);
		}
	}
	free(fds);
	return NULL;
}

static int start_collector(struct ompp_mem *mem)
{
	sigset_t all, before;
	int rc;

	if (pipe2(mem->wake, O_CLOEXEC))
		return -errno;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	rc = pthread_create(&mem->collector, NULL, session_collect, mem);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (rc) {
		close(mem->wake[0]);
		close(mem->wake[1]);
	}
	return -rc;
}

/* ---- start and stop ---- */

static void close_all(struct ompp_mem *mem)
{
	for (size_t i = 0; i < mem->n_threads; i++) {
		struct ompp_mem_thread *t = &mem->threads[i];

		if (t->is_open)
			ompp_sampler_close(&t->sampler);
		t->counts = session_sums(t);
		t->is_open = 0;
	}
}

/* Opens all threads' events, with rings of n_pages pages.  Returns 0 or -errno. */
static int open_threads(struct ompp_mem *mem, const struct ompp_memory_event *events, int n_events,
                        unsigned int n_pages)
{
	struct ompp_sampler_options options = {
		.period = mem->options.period,
		.latency = mem->options.latency,
		.ring_pages = n_pages,
		.kinds = (uint8_t)mem->kinds,
		.wants_physical = mem->options.physical != 0,
		.clock = CLOCK_MONOTONIC,
		.wakeup_samples = (uint32_t)mem->n_samples,
	};

	for (size_t i = 0; i < mem->n_threads; i++) {
		struct ompp_mem_thread *t = &mem->threads[i];
		int rc = ompp_sampler_open(&t->sampler, t->tid, events, n_events, &options, ompp_problem());

		if (rc)
			return rc;
		t->is_open = 1;
		t->n_told = 0;
	}
	return 0;
}

/* Opens all threads' events.  The system bounds the memory of all rings together, so all threads get smaller rings
 * when it does not suffice. */
static int open_all(struct ompp_mem *mem)
{
	struct ompp_memory_event events[OMPP_MEMORY_EVENTS];
	unsigned int n_pages = mem->options.ring_pages;
	int n = ompp_memory_events(-1, mem->kinds, mem->options.latency, events, ompp_problem()), rc;

	if (n < 0)
		return n;
	while ((rc = open_threads(mem, events, n, n_pages)) == -EPERM && n_pages > 1) {
		close_all(mem);
		n_pages /= 2;
	}
	return rc;
}

static int is_kind(enum ompp_mem_kind kinds)
{
	return kinds >= OMPP_MEM_LOADS && kinds <= OMPP_MEM_BOTH;
}

static int no_kind(void)
{
	return ompp_problem_is(OMPP_MEM_ERROR_ARGUMENT,
	                       "no kind of access; give OMPP_MEM_LOADS, OMPP_MEM_STORES or both");
}

int ompp_mem_resume(struct ompp_mem *mem, enum ompp_mem_kind kinds)
{
	int rc;

	if (!is_kind(kinds))
		return no_kind();
	if (mem->is_running)
		return ompp_problem_is(OMPP_MEM_ERROR_STATE, "the session was started already; stop it first");
	mem->kinds = kinds;
	rc = open_all(mem);
	if (!rc)
		rc = start_collector(mem);
	if (rc) {
		close_all(mem);
		return ompp_problem_of(rc);
	}
	for (size_t i = 0; i < mem->n_threads; i++)
		ompp_sampler_enable(&mem->threads[i].sampler);
	mem->is_running = 1;
	return 0;
}

int ompp_mem_start(struct ompp_mem *mem, enum ompp_mem_kind kinds)
{
	for (size_t i = 0; !mem->is_running && i < mem->n_threads; i++) {
		mem->threads[i].first = mem->threads[i].n = 0;
		memset(&mem->threads[i].counts, 0, sizeof(mem->threads[i].counts));
	}
	return ompp_mem_resume(mem, kinds);
}

int ompp_mem_stop(struct ompp_mem *mem)
{
	if (!mem->is_running)
		return ompp_problem_is(OMPP_MEM_ERROR_STATE, "the session was not started; start it first");
	for (size_t i = 0; i < mem->n_threads; i++)
		ompp_sampler_disable(&mem->threads[i].sampler);
	close(mem->wake[1]);
	pthread_join(mem->collector, NULL);
	close(mem->wake[0]);
	for (size_t i = 0; i < mem->n_threads; i++)
		while (session_drain(mem, i))
			mem->handler(mem, i, mem->context);
	close_all(mem);
	mem->is_running = 0;
	return 0;
}

/* ---- a session ---- */

int ompp_mem_supported(enum ompp_mem_kind kinds)
{
	struct ompp_memory_event events[OMPP_MEMORY_EVENTS];
	int n;

	if (!is_kind(kinds))
		return no_kind();
	n = ompp_memory_events(-1, kinds, 0, events, ompp_problem());
	if (n > 0)
		n = ompp_sampler_try(events, n, kinds, ompp_problem());
	return n ? ompp_problem_of(n) : 0;
}

static void set_defaults(struct ompp_mem_options *o)
{
	o->period = o->period ? o->period : DEFAULT_PERIOD;
	o->ring_pages = o->ring_pages ? o->ring_pages : DEFAULT_PAGES;
	o->most_samples = o->most_samples ? o->most_samples : DEFAULT_SAMPLES;
}

int ompp_mem_new(struct ompp_mem **result, const pid_t *tids, size_t n_tids, const struct ompp_mem_options *options)
{
	struct ompp_mem *mem;

	*result = NULL;
	if (!n_tids)
		return ompp_problem_is(OMPP_MEM_ERROR_ARGUMENT, "no threads; give one at least");
	mem = calloc(1, sizeof(*mem));
	if (mem)
		mem->threads = calloc(n_tids, sizeof(*mem->threads));
	if (!mem || !mem->threads) {
		free(mem);
		return ompp_problem_of(-ENOMEM);
	}
	if (options)
		mem->options = *options;
	set_defaults(&mem->options);
	mem->n_threads = tids ? n_tids : 1;
	for (size_t i = 0; i < mem->n_threads; i++) {
		mem->threads[i].tid = tids ? tids[i] : gettid();
		pthread_mutex_init(&mem->threads[i].lock, NULL);
	}
	*result = mem;
	return 0;
}

void ompp_mem_free(struct ompp_mem *mem)
{
	if (!mem)
		return;
	if (mem->is_running)
		ompp_mem_stop(mem);
	for (size_t i = 0; i < mem->n_threads; i++) {
		free(mem->threads[i].samples);
		pthread_mutex_destroy(&mem->threads[i].lock);
	}
	free(mem->threads);
	free(mem);
}

int ompp_mem_set_handler(struct ompp_mem *mem, size_t n_samples,
                         void (*handler)(struct ompp_mem *mem, size_t thread, void *context), void *context)
{
	if (mem->is_running)
		return ompp_problem_is(OMPP_MEM_ERROR_STATE, "the session runs; stop it before its handler is set");
	if (handler && !n_samples)
		return ompp_problem_is(OMPP_MEM_ERROR_ARGUMENT,
		                       "a handler for each 0 samples; give a number of 1 or more");
	mem->n_samples = handler ? n_samples : 0;
	mem->handler = handler;
	mem->context = context;
	return 0;
}

/* ---- samples go out ---- */

static struct ompp_mem_thread *thread_of(struct ompp_mem *mem, size_t thread)
{
	return thread < mem->n_threads ? &mem->threads[thread] : NULL;
}

size_t ompp_mem_n_samples(struct ompp_mem *mem, size_t thread)
{
	struct ompp_mem_thread *t = thread_of(mem, thread);
	size_t n;

	if (!t)
		return 0;
	pthread_mutex_lock(&t->lock);
	n = t->n;
	pthread_mutex_unlock(&t->lock);
	return n;
}

/* Copies samples, and forgets them when is_taken is 1. */
static size_t session_copy(struct ompp_mem_thread *t, size_t first, struct ompp_mem_sample *samples, size_t most,
                           int is_taken)
{
	size_t n;

	if (!t)
		return 0;
	pthread_mutex_lock(&t->lock);
	n = first < t->n ? t->n - first : 0;
	n = n < most ? n : most;
	if (n)
		memcpy(samples, t->samples + t->first + first, n * sizeof(*samples));
	if (is_taken) {
		t->first += n;
		t->n -= n;
	}
	pthread_mutex_unlock(&t->lock);
	return n;
}

size_t ompp_mem_copy(struct ompp_mem *mem, size_t thread, size_t first, struct ompp_mem_sample *samples, size_t most)
{
	return session_copy(thread_of(mem, thread), first, samples, most, 0);
}

size_t ompp_mem_take(struct ompp_mem *mem, size_t thread, struct ompp_mem_sample *samples, size_t most)
{
	return session_copy(thread_of(mem, thread), 0, samples, most, 1);
}

struct ompp_mem_counts ompp_mem_counts(struct ompp_mem *mem, size_t thread)
{
	struct ompp_mem_thread *t = thread_of(mem, thread);
	struct ompp_mem_counts counts = { 0 };

	if (!t)
		return counts;
	pthread_mutex_lock(&t->lock);
	counts = session_sums(t);
	pthread_mutex_unlock(&t->lock);
	return counts;
}

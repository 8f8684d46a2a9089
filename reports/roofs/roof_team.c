/*
 * Roof team: see roof_team.h.
 *
 * Each thread repeats its work until its time is over and counts what it did; the sum of the rates of all threads is
 * that of the machine, as all of them begin together and end within one piece of work.
 */
#define _GNU_SOURCE
#include "config.h"

#include "reports/roofs/roof_team.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef HAVE_NUMA
#include <numa.h>
#endif

enum { LINE = 64, ROUNDS = 2048, PIECE_BYTES = 1 << 19 };

static const double repeat_s = 0.003;

struct roof_team {
	const struct ompp_roof_work *work;
	size_t n;
	_Atomic size_t n_arrivals;          /* of all repeats */
	_Atomic int is_off;                 /* 1: a thread could not be made, and nobody waits for it */
	double (*rates)[OMPP_ROOF_REPEATS]; /* by thread */
};

struct roof_member {
	struct roof_team *team;
	pthread_t thread;
	size_t number;
	int processor, rc;
	char *buffer;
	size_t at; /* of the piece of the buffer that comes next */
};

static double team_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Does a piece of work, and returns how much it was. */
static double team_piece(struct roof_member *m)
{
	const struct ompp_roof_work *w = m->team->work;
	size_t n_bytes = w->buffer_bytes < PIECE_BYTES ? w->buffer_bytes : PIECE_BYTES, done = 0;

	if (w->compute) {
		w->compute(ROUNDS);
		return ROUNDS * w->each;
	}
	do {
		if (m->at + n_bytes > w->buffer_bytes)
			m->at = 0;
		w->stream(m->buffer + m->at, n_bytes);
		m->at += n_bytes;
		done += n_bytes;
	} while (done < PIECE_BYTES);
	return (double)done * w->each;
}

static double team_rate(struct roof_member *m)
{
	double begin = team_now(), end, done = 0;

	do {
		done += team_piece(m);
		end = team_now();
	} while (end - begin < repeat_s);
	return done / (end - begin);
}

static char *team_buffer(const struct ompp_roof_work *w)
{
	char *buffer;

#ifdef HAVE_NUMA
	if (w->node >= 0)
		return numa_alloc_onnode(w->buffer_bytes, w->node);
#endif
	buffer = aligned_alloc(LINE, w->buffer_bytes);
	return buffer;
}

static void team_free(const struct ompp_roof_work *w, char *buffer)
{
#ifdef HAVE_NUMA
	if (w->node >= 0) {
		if (buffer)
			numa_free(buffer, w->buffer_bytes);
		return;
	}
#endif
	(void)w;
	free(buffer);
}

/* Waits until all threads are there. */
static void team_meet(struct roof_team *team, size_t repeat)
{
	atomic_fetch_add(&team->n_arrivals, 1);
	while (atomic_load(&team->n_arrivals) < (repeat + 1) * team->n && !atomic_load(&team->is_off))
		sched_yield();
}

static void *team_member(void *of)
{
	struct roof_member *m = of;
	const struct ompp_roof_work *w = m->team->work;
	cpu_set_t *set = CPU_ALLOC((size_t)m->processor + 1);

	if (set) { /* where it may not be bound, it runs where the kernel likes */
		CPU_ZERO_S(CPU_ALLOC_SIZE((size_t)m->processor + 1), set);
		CPU_SET_S((size_t)m->processor, CPU_ALLOC_SIZE((size_t)m->processor + 1), set);
		pthread_setaffinity_np(pthread_self(), CPU_ALLOC_SIZE((size_t)m->processor + 1), set);
		CPU_FREE(set);
	}
	m->buffer = w->buffer_bytes ? team_buffer(w) : NULL;
	m->rc = w->buffer_bytes && !m->buffer ? -ENOMEM : 0;
	if (m->buffer)
		memset(m->buffer, 1, w->buffer_bytes);
	for (size_t i = 0; i < OMPP_ROOF_REPEATS; i++) {
		team_meet(m->team, i);
		m->team->rates[m->number][i] = m->rc || atomic_load(&m->team->is_off) ? 0 : team_rate(m);
	}
	if (m->buffer)
		team_free(w, m->buffer);
	return NULL;
}

static int team_run(struct roof_team *team, struct roof_member *members, const int *processors)
{
	size_t n_made = 0;
	int rc = 0;

	for (; n_made < team->n && !rc; n_made += !rc) {
		members[n_made] = (struct roof_member){ .team = team,
			                                .number = n_made,
			                                .processor = processors[n_made] };
		rc = -pthread_create(&members[n_made].thread, NULL, team_member, &members[n_made]);
	}
	atomic_store(&team->is_off, rc != 0);
	for (size_t i = 0; i < n_made; i++) {
		pthread_join(members[i].thread, NULL);
		rc = rc ? rc : members[i].rc;
	}
	return rc;
}

int ompp_roof_team(const struct ompp_roof_work *work, const int *processors, size_t n, double rates[OMPP_ROOF_REPEATS])
{
	struct roof_team team = { .work = work, .n = n, .rates = calloc(n, sizeof(*team.rates)) };
	struct roof_member *members = calloc(n, sizeof(*members));
	int rc = team.rates && members ? team_run(&team, members, processors) : -ENOMEM;

	for (int i = 0; i < OMPP_ROOF_REPEATS && !rc; i++) {
		rates[i] = 0;
		for (size_t k = 0; k < n; k++)
			rates[i] += team.rates[k][i];
	}
	free(team.rates);
	free(members);
	return rc;
}

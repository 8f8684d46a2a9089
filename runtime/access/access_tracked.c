/*
 * Access, tracked: see access_tracked.h.
 */
#include "runtime/access/access_tracked.h"

#include <stdatomic.h>
#include <string.h>

#include "runtime/base/relaxed.h"
#include "runtime/core/session.h"
#include "runtime/core/thread.h"
#include "runtime/data/front.h"
#include "runtime/data/object.h"
#include "runtime/data/segment.h"
#include "runtime/data/site.h"
#include "runtime/data/tally.h"
#include "runtime/data/tracked.h"
#include "runtime/memory/sample.h"
#include "runtime/sources/sampling.h"
#include "runtime/terms/option.h"

static void add_tally(const struct ompp_tally *y, const struct ompp_site *site)
{
	for (struct ompp_tracked *t = ompp_tracked(site->tracked.first); t; t = ompp_tracked(t->next))
		for (uint32_t i = t->n_parts ? 0 : t->cover; i; i = ompp_cover(i)->next_tracked)
			if (i < y->n_rows)
				ompp_tracked_add(t->counted, ompp_tally_word((struct ompp_tally *)(uintptr_t)y,
				                                             ompp_cover_row(i), 0));
}

static void add_samples(const struct ompp_thread *thread, const struct ompp_site *site)
{
	uint32_t index = site->tracked.first;

	for (struct ompp_tracked *t = ompp_tracked(index); t; t = ompp_tracked(index)) {
		if (!t->n_parts)
			t->n_sampled += ompp_sample_of_tracked(thread, index, t->generation).n;
		index = t->next;
	}
}

/* Accesses to a block come before its end, whichever thread ends it; so all of them are in the tallies by now, and
 * hooks have sampled them. */
static void access_tracked_count(uint32_t index)
{
	uint32_t n = atomic_load_explicit(&ompp_n_threads, memory_order_acquire);
	const struct ompp_site *site = ompp_site(index);

	for (struct ompp_tracked *t = ompp_tracked(site->tracked.first); t; t = ompp_tracked(t->next)) {
		memset(t->counted, 0, sizeof(t->counted));
		t->n_sampled = 0;
	}
	for (uint32_t i = 0; i < n; i++) {
		const struct ompp_callgraph *graph = &ompp_threads[i]->graph;
		const struct ompp_callnode *node = __atomic_load_n(&graph->newest, __ATOMIC_ACQUIRE);

		for (; node; node = node->older) {
			const struct ompp_tally *y = __atomic_load_n(&node->tallies, __ATOMIC_ACQUIRE);

			for (; y; y = y->older)
				add_tally(y, site);
		}
		add_samples(ompp_threads[i], site);
	}
}

/* The processor's samples are read late: when a block has ended nobody knows how many of them are still to come.  So
 * places are not used again while it samples. */
void ompp_access_tracked_start(int has_fronts)
{
	ompp_tracked_start((uint32_t)ompp_session.options.number[OMPP_OPT_INSTANCES],
	                   has_fronts ? OMPP_FRONT_COVERS / 2 : OMPP_MAX_TRACKED);
	if (!ompp_sampling.source[0])
		ompp_tracked_counting = access_tracked_count;
}

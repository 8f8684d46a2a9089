/*
 * Map bytes: see map_bytes.h.
 */
#include "runtime/events/map_bytes.h"

#include "runtime/core/callgraph.h"
#include "runtime/core/frame.h"
#include "runtime/core/mapped.h"
#include "runtime/core/session.h"
#include "runtime/core/thread.h"

static void map_add(uint64_t *sum, uint64_t *lacks, int64_t bytes)
{
	uint64_t more = *sum + (uint64_t)bytes;

	if (bytes < 0 || more > INT64_MAX / 2)
		OMPP_STORE(lacks, 1);
	else
		OMPP_STORE(sum, more);
}

void ompp_map_bytes(uint64_t key, int64_t to_bytes, int64_t from_bytes)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_mapped *m;

	if (!t->limit || OMPP_LOAD(&ompp_session.off) || t->top > t->limit || t->top->key != key)
		return;
	m = t->top->node->mapped;
	if (!m) {
		m = ompp_callgraph_alloc(&t->graph, sizeof(*m));
		if (!m)
			return;
		__atomic_store_n(&t->top->node->mapped, m, __ATOMIC_RELEASE);
	}
	map_add(&m->to_bytes, &m->lacks_to, to_bytes);
	map_add(&m->from_bytes, &m->lacks_from, from_bytes);
}

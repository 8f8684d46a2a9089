/*
 * Span pool: see span_pool.h.
 */
#include "runtime/span/span_pool.h"

#include <stdatomic.h>

#include "runtime/base/space.h"

enum { RECORDS = 256 };

struct ompp_span_task *ompp_span_pool_more(struct ompp_span *s)
{
	size_t n_bytes = RECORDS * sizeof(struct ompp_span_task);
	struct ompp_span_task *task = atomic_exchange_explicit(&s->returned, NULL, memory_order_acquire);

	if (!task && s->left_bytes >= n_bytes) {
		task = ompp_space_reserve(n_bytes);
		s->left_bytes -= task ? n_bytes : 0;
		for (int i = 0; task && i < RECORDS; i++) {
			task[i].home = s;
			task[i].n_refs = 1;
			task[i].next = i + 1 < RECORDS ? &task[i + 1] : NULL;
		}
	}
	if (!task) {
		s->n_lost++;
		return NULL;
	}
	s->free = task->next;
	return task;
}

void ompp_span_pool_return(struct ompp_span_task *task)
{
	struct ompp_span *home = task->home;
	struct ompp_span_task *first = atomic_load_explicit(&home->returned, memory_order_relaxed);

	do
		task->next = first;
	while (!atomic_compare_exchange_weak_explicit(&home->returned, &first, task, memory_order_release,
	                                              memory_order_relaxed));
}

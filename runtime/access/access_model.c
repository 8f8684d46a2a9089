/*
 * Access model: see access_model.h.
 */
#define _GNU_SOURCE
#include "runtime/access/access_model.h"

#include <string.h>

#include "runtime/base/sys.h"
#include "runtime/data/object.h"
#include "runtime/data/order.h"
#include "runtime/data/segment.h"
#include "runtime/host/note.h"

struct ompp_cache_geometry ompp_access_geometry;
int ompp_access_modelled;

enum { HUGE_BYTES = 4 << 20 };

static int has_fronts;
static void *shared_cache;

void ompp_access_model_start(const char *text, int sees_each, uint64_t line_bytes)
{
	char why[256];
	size_t n;

	if (ompp_cache_geometry(text, &ompp_access_geometry, why, sizeof(why))) {
		ompp_note_say(why);
		memset(&ompp_access_geometry, 0, sizeof(ompp_access_geometry));
	}
	if (!ompp_cache_private_bytes(&ompp_access_geometry))
		return;
	n = ompp_cache_shared_bytes(&ompp_access_geometry);
	shared_cache = n ? ompp_data_alloc(n) : NULL;
	if (n && !shared_cache) {
		ompp_note_say("OMPP_CACHE: no memory for the model; no misses are given");
		memset(&ompp_access_geometry, 0, sizeof(ompp_access_geometry));
		return;
	}
	if (n >= HUGE_BYTES)
		ompp_sys_madvise(shared_cache, n, MADV_HUGEPAGE); /* each miss is to another page of it */
	ompp_row_bytes = OMPP_N_MODEL_SLOTS * sizeof(uint64_t);
	has_fronts = !sees_each && (!line_bytes || ompp_access_geometry.level[0].line_bytes == line_bytes);
	ompp_access_modelled = 1;
	ompp_order_keep();
}

__attribute__((noinline, cold)) void *ompp_access_model_memory(struct ompp_thread *t, size_t n_bytes)
{
	static const char text[] =
		"no memory for the models of a thread's accesses: they are missing in the numbers of "
		"OMPP_CACHE, OMPP_REUSE and OMPP_LAYOUTS; raise the limit of address space (ulimit -v)";

	void *memory = t->lacks_models ? NULL : ompp_data_alloc(n_bytes);

	if (!memory && !t->lacks_models) {
		t->lacks_models = 1;
		ompp_note_say_once(text, sizeof(text) - 1);
	}
	return memory;
}

void *ompp_access_model_cache(struct ompp_thread *t, const struct ompp_cache_geometry *geometry, void *shared)
{
	void *cache = ompp_access_model_memory(t, ompp_cache_private_bytes(geometry));

	if (cache)
		ompp_cache_prepare(geometry, cache, shared);
	return cache;
}

__attribute__((noinline, cold)) int ompp_access_model_new(struct ompp_thread *t)
{
	void *cache = ompp_access_model_cache(t, &ompp_access_geometry, shared_cache);

	if (!cache)
		return 0;
	if (has_fronts)
		t->front = ompp_front_new(&ompp_access_geometry);
	t->cache = cache;
	return 1;
}

unsigned int ompp_access_model(struct ompp_thread *t, struct ompp_tally *y, const struct ompp_segment *s, uint32_t row,
                               uintptr_t address, size_t n_bytes, int stores)
{
	unsigned int missed;

	if (t->front) {
		ompp_front_renew(t->front);
		if (!(s->row & OMPP_ROW_FLAGS) && ompp_segment_has(s, address, n_bytes) &&
		    ompp_front_is_line(t->front, address, n_bytes)) {
			ompp_access_model_front(t, y, s, address, n_bytes, stores);
			return 0;
		}
	}
	missed = ompp_cache_access(t->cache, address, n_bytes);
	t->n_moved = OMPP_MOST_MOVED + 1; /* it may be several */
	if (missed)
		ompp_access_missed(ompp_tally_word(y, row, 0), missed, address, n_bytes,
		                   ompp_first_by(t->slot, address) == OMPP_FIRST_OTHERS);
	if (stores)
		ompp_first_store(t->slot, &t->last_page, address, n_bytes);
	if (t->front)
		ompp_front_leave_all(t->front, address, n_bytes);
	return missed;
}

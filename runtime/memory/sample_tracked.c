/*
 * Sample tracked: see sample_tracked.h.
 */
#include "runtime/memory/sample_tracked.h"

#include "runtime/base/check.h"
#include "runtime/base/relaxed.h"
#include "runtime/data/object.h"

/* Returns the counts of a slot, allocated if necessary; NULL without memory. */
static struct ompp_sample_tracked *counts_of(struct ompp_sample_places *places, uint32_t index)
{
	struct ompp_sample_tracked **part = &places->part[(index - 1) / OMPP_SAMPLE_PLACES];

	if (!*part)
		__atomic_store_n(part, ompp_data_alloc(OMPP_SAMPLE_PLACES * sizeof(**part)), __ATOMIC_RELEASE);
	return *part ? &(*part)[(index - 1) % OMPP_SAMPLE_PLACES] : NULL;
}

void ompp_sample_tracked_add(struct ompp_sample_places *places, uint32_t index,
                             const struct ompp_sample_tracked *sample)
{
	struct ompp_sample_tracked *to = index && index <= OMPP_MAX_TRACKED ? counts_of(places, index) : NULL, old;

	ompp_assert(sample->known <= sample->estimate && sample->memory <= sample->known);
	if (!to || (int32_t)(sample->generation - to->generation) < 0)
		return;
	old = to->generation == sample->generation ? *to : (struct ompp_sample_tracked){ 0 };
	OMPP_STORE(&to->generation, 0u);
	ompp_fence_release();
	OMPP_STORE(&to->n, old.n + sample->n);
	OMPP_STORE(&to->estimate, old.estimate + sample->estimate);
	OMPP_STORE(&to->variance, old.variance + sample->variance);
	OMPP_STORE(&to->known, old.known + sample->known);
	OMPP_STORE(&to->known_variance, old.known_variance + sample->known_variance);
	OMPP_STORE(&to->memory, old.memory + sample->memory);
	OMPP_STORE(&to->memory_variance, old.memory_variance + sample->memory_variance);
	__atomic_store_n(&to->generation, sample->generation, __ATOMIC_RELEASE);
}

/* A reader may find the counts in the middle of a change, and tries again.  A signal handler that interrupted the
 * writer would do so for ever: after MOST_TRIES it takes the counts as they are. */
struct ompp_sample_tracked ompp_sample_tracked_of(const struct ompp_sample_places *places, uint32_t index,
                                                  uint32_t generation)
{
	enum { MOST_TRIES = 1000 };
	const struct ompp_sample_tracked
		*part = index && index <= OMPP_MAX_TRACKED
	                      ? __atomic_load_n(&places->part[(index - 1) / OMPP_SAMPLE_PLACES], __ATOMIC_ACQUIRE)
	                      : NULL;
	const struct ompp_sample_tracked *from = part ? &part[(index - 1) % OMPP_SAMPLE_PLACES] : NULL;

	for (int i = 0; from && i < MOST_TRIES; i++) {
		uint32_t is = __atomic_load_n(&from->generation, __ATOMIC_ACQUIRE);
		struct ompp_sample_tracked found = { .generation = is,
			                             .n = OMPP_LOAD(&from->n),
			                             .estimate = OMPP_LOAD(&from->estimate),
			                             .variance = OMPP_LOAD(&from->variance),
			                             .known = OMPP_LOAD(&from->known),
			                             .known_variance = OMPP_LOAD(&from->known_variance),
			                             .memory = OMPP_LOAD(&from->memory),
			                             .memory_variance = OMPP_LOAD(&from->memory_variance) };

		ompp_fence_acquire();
		if (is != OMPP_LOAD(&from->generation) || (!is && found.n))
			continue;
		return is == generation ? found : (struct ompp_sample_tracked){ 0 };
	}
	return (struct ompp_sample_tracked){ 0 };
}

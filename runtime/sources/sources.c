/*
 * The list of all sources: see sources.h.
 */
#include "runtime/sources/sources.h"

#include <stddef.h>

const struct ompp_source *const ompp_source_list[] = {
	&ompp_source_fake, &ompp_source_counters, &ompp_source_samples, &ompp_source_touch, &ompp_source_hot, NULL,
};

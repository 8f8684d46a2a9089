/*
 * Data source: decodes how the access of a sample was served, from the kernel's union perf_mem_data_src.
 *
 * Recent kernels give the level as a number, with "remote" and a count of hops.  If the number is missing, we read the
 * older bits, one for each level.
 */
#ifndef OMPP_SAMPLES_DATA_SOURCE_H
#define OMPP_SAMPLES_DATA_SOURCE_H

#include <stdint.h>

#include "runtime/ompp_mem.h"

/* Fills the sample's kind, level, snoop, translation and lock. */
void ompp_data_source_decode(uint64_t word, struct ompp_mem_sample *sample);

#endif

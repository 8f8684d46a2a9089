/*
 * Data source: reads from the kernel's word about a sample (union perf_mem_data_src) how the access was served.
 *
 * Kernels of today give the level as a number, with "remote" and a count of hops.  Where the number is missing, the
 * older bits are read, of which there is one for each level.
 */
#ifndef OMPP_SAMPLES_DATA_SOURCE_H
#define OMPP_SAMPLES_DATA_SOURCE_H

#include <stdint.h>

#include "runtime/ompp_mem.h"

/* Fills the sample's kind, level, snoop, translation and lock. */
void ompp_data_source_decode(uint64_t word, struct ompp_mem_sample *sample);

#endif

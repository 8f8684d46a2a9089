/*
 * Record: decodes one record of the kernel's ring buffer (PERF_RECORD_* in linux/perf_event.h).
 *
 * Others may write to the memory of the ring, and future kernels may add fields.  So each length is checked, and a
 * mismatch is an error, never a wrong sample.
 */
#ifndef OMPP_SAMPLES_SAMPLE_RECORD_H
#define OMPP_SAMPLES_SAMPLE_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/ompp_mem.h"

/* Returns the fields that ompp_record_sample() can decode or skip: the PERF_SAMPLE_* bits that an event may be opened
 * with. */
uint64_t ompp_record_known(void);

/* Decodes a PERF_RECORD_SAMPLE.  Latency, level and the other data of the data source come from the fields WEIGHT (or
 * WEIGHT_STRUCT) and DATA_SRC; RAW, which only events of AMD's IBS are opened with, tells whether the line was under
 * way already.  Returns 0, -EBADMSG when the record is shorter than its fields, or -ENOTSUP when sample_type has fields
 * that are not known. sample_type: that of the event record: all of the record, with its header */
int ompp_record_sample(uint64_t sample_type, const void *record, size_t n_bytes, struct ompp_mem_sample *sample);

/* The contents of a PERF_RECORD_MMAP: the mapping that contains this memory is new, or has grown, or has a new
 * protection.  The function returns 0 or -EBADMSG.
 * sample_type: that of the event, which has sample_id_all */
struct ompp_record_mapping {
	uint64_t address, n_bytes, time_ns;
};
int ompp_record_mapping(uint64_t sample_type, const void *record, size_t n_bytes, struct ompp_record_mapping *mapping);

/* Returns the number of records that the kernel had to drop, from a PERF_RECORD_LOST or PERF_RECORD_LOST_SAMPLES; 0
 * when the record is too short. */
uint64_t ompp_record_lost(const void *record, size_t n_bytes);

/* The contents of a PERF_RECORD_AUX: n_bytes of the AUX ring are new, from `offset` on; flags are PERF_AUX_FLAG_*.  The
 * function returns 0 or -EBADMSG. */
struct ompp_record_aux {
	uint64_t offset, n_bytes, flags;
};
int ompp_record_aux(const void *record, size_t n_bytes, struct ompp_record_aux *aux);

#endif

/*
 * Record: takes apart one record of the kernel's ring (PERF_RECORD_* in linux/perf_event.h).
 *
 * A ring is memory that others may write to, and kernels of tomorrow add fields.  So each length is checked, and what
 * does not fit is an error, never a wrong sample.
 */
#ifndef OMPP_SAMPLES_SAMPLE_RECORD_H
#define OMPP_SAMPLES_SAMPLE_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/ompp_mem.h"

/* Returns the fields that ompp_record_sample() can take or skip: the PERF_SAMPLE_* bits that an event may be opened
 * with. */
uint64_t ompp_record_known(void);

/* Takes apart a PERF_RECORD_SAMPLE.  Latency, level and what else the data source tells come from the fields WEIGHT (or
 * WEIGHT_STRUCT) and DATA_SRC.  Returns 0, -EBADMSG when the record is shorter than its fields, or -ENOTSUP when
 * sample_type has fields that are not known.
 * sample_type: that of the event
 * record: all of the record, with its header */
int ompp_record_sample(uint64_t sample_type, const void *record, size_t n_bytes, struct ompp_mem_sample *sample);

/* What a PERF_RECORD_MMAP tells: the mapping that this memory is in is new, or has grown, or may be used in another way
 * now.  The function returns 0 or -EBADMSG.
 * sample_type: that of the event, which has sample_id_all */
struct ompp_record_mapping {
	uint64_t address, n_bytes, time_ns;
};
int ompp_record_mapping(uint64_t sample_type, const void *record, size_t n_bytes, struct ompp_record_mapping *mapping);

/* Returns how many records the kernel had to drop, as a PERF_RECORD_LOST or PERF_RECORD_LOST_SAMPLES tells; 0 when
 * the record is too short to tell. */
uint64_t ompp_record_lost(const void *record, size_t n_bytes);

/* What a PERF_RECORD_AUX tells: n_bytes of the AUX ring are new, from `offset` on; flags are PERF_AUX_FLAG_*.  The
 * function returns 0 or -EBADMSG. */
struct ompp_record_aux {
	uint64_t offset, n_bytes, flags;
};
int ompp_record_aux(const void *record, size_t n_bytes, struct ompp_record_aux *aux);

#endif

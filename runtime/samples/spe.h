/*
 * SPE: decodes the packets that Arm's statistical profiling extension writes (Arm Architecture Reference Manual for
 * A-profile, chapter "Statistical Profiling Extension Sample Record Specification").
 *
 * A record is a sequence of packets, each with a header of one or two bytes and a payload of 1, 2, 4 or 8, and ends
 * with an end packet or a timestamp packet.
 */
#ifndef OMPP_SAMPLES_SPE_H
#define OMPP_SAMPLES_SPE_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/ompp_mem.h"

/* Decodes the next record in the *n_bytes bytes at *at; both are advanced past it.  Returns 1 for a record, 0 when
 * there are no more bytes, or -EBADMSG for an unknown packet or a truncated last one; *n_bytes is then 0.
 * sources_are_neoverse: 1 when the level is taken from the data source packet; other vendors use other numbers, and
 * then the level comes from the events
 * sample: set from the record; its time is the timestamp packet's count of the generic timer, 0 without one */
int ompp_spe_next(const unsigned char **at, size_t *n_bytes, int sources_are_neoverse, struct ompp_mem_sample *sample);

/* Returns 1 when this processor numbers its data sources as Arm's Neoverse does.
 * midr: its main identification register */
int ompp_spe_is_neoverse(uint64_t midr);

#endif

/*
 * Last writer: the thread that wrote each byte of a cache line last, so that it is known which stores would come after
 * another thread's if each thread's bytes had lines of their own.
 *
 * All threads share one table of lines.  A line for which there is no room is not followed.
 */
#ifndef OMPP_DATA_LAST_WRITER_H
#define OMPP_DATA_LAST_WRITER_H

#include <stddef.h>
#include <stdint.h>

/* Stores by line: one that crosses lines is one in each. */
struct ompp_last_writer_count {
	uint32_t n;      /* followed */
	uint32_t n_now;  /* of them came after another thread's store to the line */
	uint32_t n_then; /* of them came after another thread's store to one of their bytes */
};

/* Notes a store, and says after whose it came.
 * slot: the thread's, below UINT16_MAX */
struct ompp_last_writer_count ompp_last_writer_store(uintptr_t address, size_t n_bytes, uint32_t slot);

#endif

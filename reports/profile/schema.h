/*
 * Schema: which fields of which struct stand in which section of a profile file, in the order of their words.  New
 * fields go to the end of their list, and none is ever taken out.
 */
#ifndef OMPP_SCHEMA_H
#define OMPP_SCHEMA_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/little.h"

enum ompp_field_type { OMPP_FIELD_U32, OMPP_FIELD_I32, OMPP_FIELD_64, OMPP_FIELD_TEXT };

struct ompp_field {
	enum ompp_field_type type;
	size_t offset;
};

enum ompp_section {
	OMPP_SECTION_HEAD,
	OMPP_SECTION_CONDITIONS,
	OMPP_SECTION_REGIONS,
	OMPP_SECTION_ROWS,
	OMPP_SECTION_METRICS,
	OMPP_SECTION_EVALS,
	OMPP_SECTION_NOTES,
	OMPP_SECTION_NODES,
	OMPP_SECTION_CELLS,
	OMPP_SECTION_VALUES,
	OMPP_SECTION_NUMA_VALUES,
	OMPP_SECTION_OBJECTS,
	OMPP_SECTION_LEVELS,
	OMPP_SECTION_ACCESSES,
	OMPP_SECTION_LINES,
	OMPP_SECTION_WAITS,
	OMPP_SECTION_PATTERNS,
	OMPP_SECTION_SAMPLES,
	OMPP_SECTION_SAMPLE_HISTOGRAM,
	OMPP_SECTION_SAMPLE_LINES,
	OMPP_SECTION_FIRST_TOUCHES,
	OMPP_SECTION_ALLOCATIONS,
	OMPP_SECTION_USES,
	OMPP_SECTION_SPOTS,
	OMPP_SECTION_EXTENTS,
	OMPP_SECTION_PLACEMENTS,
	OMPP_SECTION_BINDINGS,
	OMPP_SECTION_NUMA_NODES,
	OMPP_SECTION_PAGED,
	OMPP_SECTION_HOT_PAGES,
	OMPP_SECTION_PAGE_VARIABLES,
	OMPP_SECTION_INSTANCES,
	OMPP_SECTION_END,
	OMPP_N_SECTIONS
};

enum { OMPP_MAX_FIELDS = 48 };

struct ompp_schema {
	char tag[5];
	size_t record_bytes; /* size of the struct in memory */
	size_t n_fields;
	struct ompp_field fields[OMPP_MAX_FIELDS];
};

extern const struct ompp_schema ompp_schemas[OMPP_N_SECTIONS];

/* Sizes of what stands in the file. */
enum { OMPP_FILE_HEADER_BYTES = 16, OMPP_SECTION_HEADER_BYTES = 32 };

extern const unsigned char ompp_profile_magic[8];

/* Returns the checksum (FNV-1a of 64 bits) of what was summed so far and these bytes.  The first sum is
 * OMPP_CHECKSUM_START. */
#define OMPP_CHECKSUM_START UINT64_C(0xcbf29ce484222325)
uint64_t ompp_checksum(uint64_t sum, const void *data, size_t n_bytes);

/* A piece of memory, with the sum so far and, when its sum is ready, of all of it; data and n_bytes are used up. */
struct ompp_summed {
	uint64_t sum;
	const unsigned char *data;
	size_t n_bytes;
};

/* Makes the checksums of n pieces, side by side: each byte of a sum waits for the multiplication of the one before, and
 * a processor multiplies for other pieces meanwhile. */
void ompp_checksums(struct ompp_summed *pieces, size_t n);

#endif

/*
 * Schema: which words a record of each section of a profile file has, in their order, what they may be, and how they
 * add up.  It is made of the rows of head.def and fields.def.
 */
#ifndef OMPP_SCHEMA_H
#define OMPP_SCHEMA_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/little.h"
#include "runtime/counters/value.h"

/* How a member is written: as a word of 64 bits each. */
enum ompp_word_type { OMPP_WORD_U32, OMPP_WORD_I32, OMPP_WORD_64, OMPP_WORD_TEXT };

/* The valid range of a number read from a file.  An invalid size or time is corrected; any other invalid number makes
 * the record invalid and ends its section. */
enum ompp_bound {
	OMPP_BOUND_ANY,
	OMPP_BOUND_TIME,       /* corrected: absolute value at most OMPP_MOST_NS */
	OMPP_BOUND_KNOWN_TIME, /* the same, or OMPP_MISSING */
	OMPP_BOUND_SIZE,       /* corrected: missing when it is negative or too large */
	OMPP_BOUND_LATER,      /* the same; also missing in older profiles, which lack the word */
	OMPP_BOUND_SAID,       /* the same; also missing when it is 0, as in older profiles */
	OMPP_BOUND_COUNT,      /* unsigned, at most OMPP_MOST_NS */
	OMPP_BOUND_COUNTED,    /* signed, from 0 to OMPP_MOST_NS */
	OMPP_BOUND_NATURAL,    /* signed, from 0, or OMPP_MISSING */
	OMPP_BOUND_FLAG,       /* 0 or 1 */
	/* Indices into another section, which comes before it. */
	OMPP_BOUND_NODE,
	OMPP_BOUND_ROW,
	OMPP_BOUND_REGION,
	OMPP_BOUND_OBJECT,
	OMPP_BOUND_CELL,
	OMPP_BOUND_SAMPLED,
	/* The same, or OMPP_NONE. */
	OMPP_BOUND_NODE_OR_NONE,
	OMPP_BOUND_ROW_OR_NONE,
	OMPP_BOUND_REGION_OR_NONE,
	OMPP_BOUND_OBJECT_OR_NONE
};

/* Longer times (over a hundred years) and larger counts can only be damage.  So no sum of a few of them can
 * overflow. */
#define OMPP_MOST_NS (INT64_MAX / 2)

/* A course has at most so many slices, and none is longer than so: then no time in it is above OMPP_MOST_NS. */
#define OMPP_MOST_COURSE   65536
#define OMPP_MOST_SLICE_NS (OMPP_MOST_NS / OMPP_MOST_COURSE)

/* How a word of two records with equal keys is merged. */
enum ompp_join {
	OMPP_JOIN_SAME,      /* they are equal; if not, the first one is kept */
	OMPP_JOIN_ADD,       /* the sum, at most OMPP_MOST_NS */
	OMPP_JOIN_ADD_KNOWN, /* the sum; missing where one is */
	OMPP_JOIN_MOST,
	OMPP_JOIN_LEAST,
	OMPP_JOIN_OR, /* of flags */
	OMPP_JOIN_AND,
	OMPP_JOIN_COMMON,  /* missing where they differ, of an OMPP_BOUND_COUNT 0 */
	OMPP_JOIN_KNOWN,   /* the first one that is neither 0 nor empty */
	OMPP_JOIN_NOTHING, /* equal within one process; 0 for several processes, which cannot have it in common */
	OMPP_JOIN_OWN      /* merged by code of its own (merge*.c) */
};

struct ompp_word {
	uint8_t type, bound, join; /* ompp_word_type, ompp_bound, ompp_join */
	uint16_t offset;           /* in the record, bytes */
};

/* Returns what a word is that a section does not have, of a text what it refers to: none. */
static inline uint64_t ompp_word_absent(const struct ompp_word *word)
{
	return word->bound == OMPP_BOUND_LATER ? (uint64_t)OMPP_MISSING : 0;
}

struct ompp_words {
	const struct ompp_word *list;
	size_t n;
};

/* A member by which records are sorted. */
struct ompp_key {
	enum ompp_word_type type;
	size_t offset;
};

struct ompp_order {
	const struct ompp_key *keys;
	size_t n_keys; /* 0: not sorted, or, where records may be alike, by code of their own (record.c) */
	int are_apart; /* 1 when two records may have all keys equal */
};

/* The sections in the order of the file.  VALUES stand beside CELLS there. */
enum ompp_section {
	OMPP_SECTION_HEAD,
#define SECTION(id, tag, record, list, n_list, table, sentence) OMPP_SECTION_##id,
#include "reports/profile/fields.def"
	OMPP_SECTION_VALUES,
	OMPP_SECTION_END,
	OMPP_N_SECTIONS
};

struct ompp_schema {
	char tag[5];
	size_t record_bytes; /* size of the struct in memory */
	size_t list, n_list; /* offsets in struct ompp_profile: the records, and their number; 0 for HEAD and VALUES */
	struct ompp_words (*words)(void);
};

extern const struct ompp_schema ompp_schemas[OMPP_N_SECTIONS];
extern const struct ompp_order ompp_orders[OMPP_N_SECTIONS];

/* Sizes in the file. */
enum { OMPP_FILE_HEADER_BYTES = 16, OMPP_SECTION_HEADER_BYTES = 32 };

extern const unsigned char ompp_profile_magic[8];

/* A piece of memory with its running checksum (runtime/base/checksum.h), which at the end is that of the whole piece;
 * data and n_bytes are consumed. */
struct ompp_summed {
	uint64_t sum;
	const unsigned char *data;
	size_t n_bytes;
};

/* Computes the checksums of n pieces interleaved: within one sum each byte depends on the multiplication of the one
 * before, so other pieces fill the latency. */
void ompp_checksums(struct ompp_summed *pieces, size_t n);

#endif

/*
 * Profile: one measured run as plain arrays.  It is the interface between measuring and showing.
 *
 * In the measured process runtime/collect fills it in; ompp_profile_read() fills it in from a saved file.  The views
 * read nothing else, so both give the same report.  Everything points into one arena and lives as long as that arena.
 * Strings are "" when they are not known, and never NULL unless it is said here.  Indices begin with 0; OMPP_NONE means
 * no index.
 *
 * Times are in nanoseconds and without the profiler's own cost; counts are plain numbers.  A value that was not
 * measured is OMPP_MISSING, which reports print as "-" and never as 0.
 */
#ifndef OMPP_PROFILE_H
#define OMPP_PROFILE_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/arena.h"
#include "runtime/counters/metric.h"
#include "runtime/counters/value.h"
#include "runtime/terms/access_fields.h"
#include "runtime/terms/construct.h"
#include "runtime/terms/wait.h"

#define OMPP_NONE UINT32_MAX

/* The function of a hot spot in kinst's own code. */
#define OMPP_PROFILE_OWN "(kinst)"

const char *ompp_certainty_name(enum ompp_certainty certainty);

/* Which parts of an object the threads access in parallel regions, as far as the first and the last byte of each thread
 * show it.  Two parts may have up to two cache lines in common at their edges and still count as apart. */
enum ompp_parts {
	OMPP_PARTS_UNKNOWN,
	OMPP_PARTS_OVERLAP, /* parts that several threads store to overlap */
	OMPP_PARTS_WRITTEN, /* each thread that stores has its own part, which others read */
	OMPP_PARTS_OWN,     /* each thread has its own part */
	OMPP_PARTS_ONE,     /* at most one thread accesses the object there */
	OMPP_N_PARTS
};

enum ompp_pattern_kind {
	OMPP_PATTERN_FALSE_SHARING, /* threads write the same lines, but different bytes of them */
	OMPP_PATTERN_STRIDE,        /* modelled misses that have the same distance, a line or more */
	OMPP_PATTERN_FOREIGN,       /* modelled misses of pages that another thread wrote first */
	OMPP_PATTERN_READERS,       /* threads load from the same lines, but other bytes than another one writes */
	OMPP_N_PATTERNS
};

/* Is the pattern about lines that threads take from each other? */
static inline int ompp_pattern_is_of_lines(enum ompp_pattern_kind kind)
{
	return kind == OMPP_PATTERN_FALSE_SHARING || kind == OMPP_PATTERN_READERS;
}

enum { OMPP_MOST_SMALL = 64 };              /* at most so many small variables are named, those with most samples */
enum { OMPP_PAGED_RUN, OMPP_PAGED_REGION }; /* scopes of the uses of pages */
enum { OMPP_PAGED_PARTS = 64 };             /* of a page */
enum { OMPP_HOT_PAGES = 20 };

/* The C types of the types of fields. */
#define OMPP_MEMBER_U32        uint32_t
#define OMPP_MEMBER_KNOWN32    uint32_t
#define OMPP_MEMBER_INDEX      uint32_t
#define OMPP_MEMBER_LEAST      uint32_t
#define OMPP_MEMBER_SCOPE      uint32_t
#define OMPP_MEMBER_INT        int
#define OMPP_MEMBER_FLAG       int
#define OMPP_MEMBER_RANK       int
#define OMPP_MEMBER_KNOWN_INT  int
#define OMPP_MEMBER_U64        uint64_t
#define OMPP_MEMBER_KNOWN64    uint64_t
#define OMPP_MEMBER_I64        int64_t
#define OMPP_MEMBER_ERROR      int64_t
#define OMPP_MEMBER_MILLI      int64_t
#define OMPP_MEMBER_TEXT       const char *
#define OMPP_MEMBER_KNOWN_TEXT const char *
#define OMPP_MEMBER_CONSTRUCT  enum ompp_construct
#define OMPP_MEMBER_ORIGIN     enum ompp_origin
#define OMPP_MEMBER_PARTS      enum ompp_parts
#define OMPP_MEMBER_PATTERN    enum ompp_pattern_kind
#define OMPP_MEMBER_KIND       uint32_t /* OMPP_MEM_LOADS or OMPP_MEM_STORES */
#define OMPP_MEMBER_LEVEL      uint32_t /* enum ompp_mem_level */

/* Sums over the samples of memory accesses of one kind that one level served.
 *
 * A sample stands for as many accesses as its period.  The number of accesses is estimated by the sum of the periods,
 * and the variance of that estimate by `variance`; its standard error is the root of it.  Sums saturate at INT64_MAX /
 * 2. */
struct ompp_sampled_sum {
#define SUM(type, member, ...) OMPP_MEMBER_##type member;
#define SUM_ALSO(...)
#include "reports/profile/sum.def"
#undef SUM
#undef SUM_ALSO
};

/* The structs of the records, and their members. */
#define SECTION(id, tag, record, list, n_list, table, sentence) struct record {
#define FIELD(type, member, ...)                                OMPP_MEMBER_##type member;
#define HIDDEN                                                  FIELD
#define MEMBER(type, member)                                    type member;
#define PART(...)
#define HIDDEN_PART(...)
#define END(id) \
	} \
	;
#define OUTSIDE(...)
#define END_OUTSIDE(id)
#include "reports/profile/fields.def"

struct ompp_profile {
#define FIELD(type, member, ...) OMPP_MEMBER_##type member;
#define HIDDEN                   FIELD
#define GATED(text, ...)         FIELD(__VA_ARGS__)
#define MEMBER(type, member)     type member;
#define ALSO(...)
#include "reports/profile/head.def"
#undef FIELD
#undef HIDDEN
#undef GATED
#undef MEMBER
#undef ALSO
#define SECTION(id, tag, record, list, n_list, table, sentence) \
	const struct record *list; \
	size_t n_list;
#include "reports/profile/fields.def"
	const int64_t *values; /* [cell * n_metrics + metric]: inclusive, for the part of the construct that counters
	                          cover; counts of tasks are at their TASKEXEC only; each may be OMPP_MISSING */
};

/* Returns the instantiation of a template that a region stands in; "" for none. */
static inline const char *ompp_region_instantiation(const struct ompp_region *region)
{
	return region->instantiation ? region->instantiation : "";
}

/* Returns the row that stands for this row's thread: for rank 0 of a team, the row that forked the team, as it is the
 * same thread. */
static inline uint32_t ompp_thread_row(const struct ompp_profile *p, uint32_t row)
{
	while (!p->rows[row].rank && p->rows[row].parent != OMPP_NONE)
		row = p->rows[row].parent;
	return row;
}

/* Returns the value of the condition of this label; "" when the profile does not have it. */
const char *ompp_profile_condition(const struct ompp_profile *p, const char *label);

/* Did the program run in an emulator, whose times say nothing of the program's? */
int ompp_profile_is_emulated(const struct ompp_profile *p);

/* Returns what all times of the profile contain that is not the program's; "" for nothing. */
const char *ompp_profile_times_remark(const struct ompp_profile *p);

#endif

/*
 * ompp.h: what a program may call of libompp.  All functions may be called from any thread, at any time, also when
 * the program was not built by kinst.  None of them fails, blocks, or changes errno.
 */
#ifndef OMPP_H
#define OMPP_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A user region: time and counts of what is between begin and end, per thread and call path.  Regions nest.  The name
 * is copied at its first use; the end names the innermost open region of that name. */
#define ompp_region_begin(name) ompp_region_begin_at((name), __FILE__, __LINE__)
void ompp_region_begin_at(const char *name, const char *file, int line);
void ompp_region_end(const char *name);

/* Name a range of memory, a data object: from now on what the program does with these bytes is counted under the name
 * (copied).  The same name again moves the range, also while other threads count.  Ranges may overlap and nest: each
 * counts its own.  Called inside a parallel region, the range is the calling thread's own: each thread has one under
 * the same name.  0 bytes, or NULL, end the range.  The range of a heap block ends with the block, and follows it
 * through realloc: a range that was all of the block becomes all of the new one, a part keeps its place and size.  What
 * code without hooks does with a block (a library that reallocates it) is not seen: name it again. */
void ompp_data_begin(const void *address, size_t n_bytes, const char *name);

/* End the range of this name: the calling thread's own where there is one, else the common one. */
void ompp_data_end(const char *name);

/* The same as ompp_data_begin(), under the name that ompP gave it. */
void ompp_papi_set_drange(const void *address, size_t n_bytes, const char *name);

/* What kinst makes of `inst data`.  flags: 1 is the clause private.  The result is for ompp_data_leave(), which ends
 * the range when it lies on the caller's stack; NULL when it does not. */
const void *ompp_data_enter(const void *address, size_t n_bytes, const char *name, int flags);
void ompp_data_leave(const void **entered);

/* Stop and resume measuring in all threads.  The time between is in no region, also of those that are open meanwhile; the
 * report states it.  A region counts when a part of it was measured.  Off twice is off once. */
void ompp_off(void);
void ompp_on(void);

/* Write an incremental report now, named as the final one with the suffix .dump<n>. */
void ompp_dump(void);

#ifdef __cplusplus
}
#endif

#endif

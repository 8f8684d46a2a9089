/*
 * ompp.h: what a program may call of libompp.  All functions may be called from any thread, at any time, also when
 * the program was not built by kinst.  None of them fails, blocks, or changes errno.
 */
#ifndef OMPP_H
#define OMPP_H

#ifdef __GNUC__
#pragma GCC system_header /* macros with any number of arguments are none of C90 and C++98 */
#endif

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Begin and end a user region, which has the time and the counts of what lies between, per thread and call path.
 * Regions nest.  The name is copied at its first use; the end ends the innermost open region of its name.  It ends at
 * the latest where the function returns that began it: a function that only begins regions, as a constructor or a
 * timer's start, calls ompp_region_open() in place of begin, and the region is open until its end, or that of one
 * around it. */
#define ompp_region_begin(name) ompp_region_begin_at((name), __FILE__, __LINE__)
void ompp_region_begin_at(const char *name, const char *file, int line);
void ompp_region_open(const char *name);
void ompp_region_end(const char *name);

/* Names a range of memory, a data object: from now on what the program does with these bytes is counted under the name,
 * which is copied.  A call with the same name moves the range, also while other threads count.  Ranges may overlap and
 * nest: each counts its own.  A call inside a parallel region makes a range of the calling thread's: each thread has
 * one under the same name.  0 bytes, or NULL, end the range.  The range of a heap block ends with the block, and
 * follows it through realloc: a range that was all of the block becomes all of the new one, a part keeps its place and
 * size.  What code without hooks does with a block (a library that reallocates it) is not seen: name it again. */
void ompp_data_begin(const void *address, size_t n_bytes, const char *name);

/* Ends the range of this name: the calling thread's own where there is one, else the common one. */
void ompp_data_end(const char *name);

/* Does the same as ompp_data_begin(); ompP called it so. */
void ompp_papi_set_drange(const void *address, size_t n_bytes, const char *name);

/* kinst makes calls of these of the directive `inst data`.  ompp_data_leave() ends a range that lies on the caller's
 * stack, by the result of ompp_data_enter(), which is NULL for other ranges. flags: 1 for the clause private, 4 for
 * each, 8 for sum */
const void *ompp_data_enter(const void *address, size_t n_bytes, const char *name, int flags);
void ompp_data_leave(const void **entered);

/* Does the same for a container, an object that has its data elsewhere.
 * n_bytes: of the container itself
 * look: says where the data is and how large; it is asked now and whenever the program has changed the container.  With
 * NULL the container is the data */
const void *ompp_data_follow(const void *container, size_t n_bytes,
                             void (*look)(const void *container, const void **data, size_t *n_bytes), const char *name,
                             int flags);

/* Stop and resume measuring in all threads.  The time between is in no region, not even in those that are open
 * meanwhile; the report states it.  A region counts when a part of it was measured.  A second off has no effect. */
void ompp_off(void);
void ompp_on(void);

/* Writes an incremental report now, named as the final one with the suffix .dump<n>. */
void ompp_dump(void);

/* Show something to ompp stat and ompp record that watch the program: a label at this moment, of at most 103 bytes, and
 * a value, which the column value:NAME has from now on.  A name has at most 47 bytes, and a program 64 of them; further
 * ones are left out.  They take less than a microsecond, also while nobody watches. */
void ompp_label(const char *text);
void ompp_sensor_set(const char *name, long long number);

#ifdef __cplusplus
}
#endif

/*
 * These macros are nothing where kinst does not compile: no call, no library, and no pragma that a compiler could warn
 * of. Each is a statement, in a function, with a semicolon behind it; this file may be copied into a project that uses
 * them.
 *
 *     OMPP_REGION("solve");                a user region from here to the end of the block, however it is left
 *     OMPP_REGION_BEGIN("solve");          one from here to OMPP_REGION_END of the same name and file
 *     OMPP_REGION_END("solve");
 *     OMPP_DATA(a, n * sizeof *a, "a");    a data object: the directive `inst data`, with all that it may leave out
 *     OMPP_DATA_PRIVATE(b);                the same, each thread its own
 *     OMPP_DATA_END("a");
 *     OMPP_OFF(); OMPP_ON();               stop and resume measuring
 *
 * Names are string literals.
 */
#ifdef __KINST__

#define OMPP_PRAGMA_(text)      _Pragma(#text)
#define OMPP_PRAGMA(...)        OMPP_PRAGMA_(pomp inst __VA_ARGS__)((void)0)
#define OMPP_REGION_BEGIN(name) OMPP_PRAGMA(begin(name))
#define OMPP_REGION_END(name)   OMPP_PRAGMA(end(name))
#define OMPP_DATA(...)          OMPP_PRAGMA(data(__VA_ARGS__))
#define OMPP_DATA_PRIVATE(...)  OMPP_PRAGMA(data(__VA_ARGS__) private)
#define OMPP_DATA_END(name)     OMPP_PRAGMA(data end(name))
#define OMPP_OFF()              OMPP_PRAGMA(off)
#define OMPP_ON()               OMPP_PRAGMA(on)

/* The region ends with a variable whose life ends with the block, also by return, goto and exceptions. */
#define OMPP_JOIN__(a, b) a##b
#define OMPP_JOIN_(a, b)  OMPP_JOIN__(a, b)
#define OMPP_REGION(name) \
	const char *OMPP_JOIN_(ompp_region_of_line_, __LINE__) \
		__attribute__((__cleanup__(ompp_region_left_), __unused__)) = ompp_region_entered_((name), __FILE__, \
	                                                                                           __LINE__)

/* Inlined at -O0, too, as the region would end where it returns. */
static __inline__ __attribute__((__always_inline__)) const char *ompp_region_entered_(const char *name,
                                                                                      const char *file, int line)
{
	ompp_region_begin_at(name, file, line);
	return name;
}

static __inline__ void ompp_region_left_(const char *const *name)
{
	ompp_region_end(*name);
}

#else

#define OMPP_REGION(name)       ((void)0)
#define OMPP_REGION_BEGIN(name) ((void)0)
#define OMPP_REGION_END(name)   ((void)0)
#define OMPP_DATA(...)          ((void)0)
#define OMPP_DATA_PRIVATE(...)  ((void)0)
#define OMPP_DATA_END(name)     ((void)0)
#define OMPP_OFF()              ((void)0)
#define OMPP_ON()               ((void)0)

#endif

#endif

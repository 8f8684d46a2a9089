/*
 * ompp.h: what a program may call of libompp.  All functions may be called from any thread, at any time, also when
 * the program was not built by kinst.  None of them fails, blocks, or changes errno.
 */
#ifndef OMPP_H
#define OMPP_H

#ifdef __cplusplus
extern "C" {
#endif

/* A user region: time and counts of what is between begin and end, per thread and call path.  Regions nest.  The name
 * is copied at its first use; the end names the innermost open region of that name. */
#define ompp_region_begin(name) ompp_region_begin_at((name), __FILE__, __LINE__)
void ompp_region_begin_at(const char *name, const char *file, int line);
void ompp_region_end(const char *name);

/* Stop and resume measuring in all threads.  Regions that are open go on. */
void ompp_off(void);
void ompp_on(void);

/* Write an incremental report now, named as the final one with the suffix .dump<n>. */
void ompp_dump(void);

#ifdef __cplusplus
}
#endif

#endif

/*
 * Chunk calls: counts the calls by which loops ask the OpenMP library for their next chunk of iterations, and times
 * some of them, chosen at random.  Loops with a schedule other than static do so, and ordered ones with any.
 *
 * The calls are those that gcc and clang put into the program.  They are redirected (host/redirect.h); in static
 * programs they are not, and nothing is known of chunks there.
 */
#ifndef OMPP_INTERPOSE_CHUNK_CALLS_H
#define OMPP_INTERPOSE_CHUNK_CALLS_H

/* Has the calls of all files redirected (host/redirect.h). */
void ompp_chunk_calls_start(void);

#endif

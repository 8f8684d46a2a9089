/*
 * Heap: sees which blocks of memory the program allocates, with OMPP_OBJECTS=all.
 */
#ifndef OMPP_ADAPTERS_HEAP_CALLS_H
#define OMPP_ADAPTERS_HEAP_CALLS_H

/* Lets the calls by which the program and its libraries allocate memory lead through us (host/redirect.h), when all
 * objects are asked for; those of libraries that are loaded later, too, from one of the next such calls on.  Where
 * instructions are sampled, ompp_heap_watch_loads() is called in any case. */
void ompp_heap_watch(void);

/* Lets the calls by which files are loaded and unloaded lead through us, so that files which are gone keep their names
 * (host/past.h).  Only the first call does anything. */
void ompp_heap_watch_loads(void);

#endif

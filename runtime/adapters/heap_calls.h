/*
 * Heap: intercepts the program's memory allocation, with OMPP_OBJECTS=all.
 */
#ifndef OMPP_ADAPTERS_HEAP_CALLS_H
#define OMPP_ADAPTERS_HEAP_CALLS_H

/* Redirects the allocation calls of the program and its libraries to us (host/redirect.h), when all objects are
 * requested; those of libraries that are loaded later, too, from one of the next such calls on.  If instructions are
 * sampled, or libompp was only loaded into the program, ompp_heap_watch_loads() is called in any case. */
void ompp_heap_watch(void);

/* Redirects the calls that load and unload libraries, so that unloaded files keep their names (host/past.h).  Only the
 * first call does anything. */
void ompp_heap_watch_loads(void);

#endif

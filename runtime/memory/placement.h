/*
 * Placement: puts the memory of named data on NUMA nodes according to OMPP_PLACE (set_mempolicy(2), mbind(2)).
 *
 * OMPP_PLACE is a list of NAME=HOW:
 *
 *   interleave      its pages go to all nodes, round-robin
 *
 *   node:2          its pages go to that node, as long as there is room
 *
 *   parts:0+1*3     it is divided into parts of equal size, here 4, which go to these nodes in this order: 0, 1, 1, 1
 *
 *   blocks:0+1*3    the first block, or range of the name, goes to node 0, the next three to 1, the next to 0 again
 *
 *   allocator       each block goes to the node of the thread that allocates it
 *
 * NAME is a name of data, or an allocation site with OMPP_OBJECTS=all: its calls, by file and offset, innermost first:
 * exe+0x1149/exe+0x1200/libc.so.6+0x2724a.  These come from a profile, by ompp place.
 *
 * It applies to each range of the name from the time when it is named: pages that already exist are moved, and later
 * ones are allocated there.  Pages that are only partly in the range stay as they are.  If something cannot be done, a
 * note is made, and the memory stays as it was.
 */
#ifndef OMPP_MEMORY_PLACEMENT_H
#define OMPP_MEMORY_PLACEMENT_H

#include <stddef.h>
#include <stdint.h>

/* Reads OMPP_PLACE before the first name.  COLD. */
void ompp_placement_start(void);

/* Calls `say` once for each name that matched nothing, and for each that could not be placed. */
void ompp_placement_tell(void (*say)(const char *line));

#endif

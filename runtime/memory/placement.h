/*
 * Placement: puts the memory of named data on NUMA nodes, as OMPP_PLACE says (set_mempolicy(2), mbind(2)).
 *
 * OMPP_PLACE is a list of NAME=HOW:
 *
 *   interleave      its pages go to all nodes in turn
 *
 *   node:2          its pages go to that node, as long as there is room
 *
 *   parts:0+1*3     it is cut into parts, of one size each, here 4, and these go to these nodes in this order: 1 has 3
 *
 *   blocks:0+1*3    the first block, or range of the name, goes to node 0, the next three to 1, the next to 0 again
 *
 *   allocator       each block goes to the node of the thread that allocates it
 *
 * NAME is that of data, or the calls that allocate blocks of memory with OMPP_OBJECTS=all, by file and offset, the
 * innermost first: exe+0x1149/exe+0x1200/libc.so.6+0x2724a.  These come from a profile, by ompp place.
 *
 * It holds for each range of the name from the moment that it is named: pages that it has already are moved, and later
 * ones begin there.  Pages that are in the range with a part alone stay as they are.  What cannot be done is noted, and
 * the memory stays as it was.
 */
#ifndef OMPP_MEMORY_PLACEMENT_H
#define OMPP_MEMORY_PLACEMENT_H

#include <stddef.h>
#include <stdint.h>

/* Reads OMPP_PLACE before the first name.  COLD. */
void ompp_placement_start(void);

/* Hands over a sentence for each name that nothing had, and for each that could not be placed; once. */
void ompp_placement_tell(void (*say)(const char *line));

#endif

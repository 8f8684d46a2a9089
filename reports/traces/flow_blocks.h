/*
 * Flow blocks: the blocks of memory of a trace, and which of them holds an address at a time.
 *
 * Allocations and frees are gone through in the order of their times; a tree for each process holds the blocks that
 * live, as processes have others at the same address.
 */
#ifndef OMPP_PROGRAM_FLOW_BLOCKS_H
#define OMPP_PROGRAM_FLOW_BLOCKS_H

#include "reports/traces/flow_command.h"
#include "runtime/base/treap.h"

struct ompp_flow_block {
	struct ompp_treap tree; /* by the address; first, so that the tree's address is the block's */
	uint64_t bytes, order, begun_ns, ended_ns; /* order: among those of its call path, from 1 */
	uint32_t site, thread, process, index;
};

struct ompp_flow_blocks {
	size_t n_processes;
	struct ompp_treap **live;      /* by process */
	struct ompp_flow_block **list; /* by index */
	size_t n, have;
	uint32_t *same;   /* by site: the first one of the same name, as compilers copy calls */
	uint64_t *n_of;   /* by the first site of its name, and process */
	size_t at;        /* how far allocations and frees were gone through */
	uint64_t next_ns; /* time of the next one; UINT64_MAX behind the last */
};

/* Starts before the first event.  Returns 0, or -1 without memory; ompp_flow_blocks_drop() is needed in both cases. */
int ompp_flow_blocks_start(const struct ompp_flow_look *look, struct ompp_flow_blocks *blocks);
void ompp_flow_blocks_drop(struct ompp_flow_blocks *blocks);

/* Goes through the allocations and frees up to a time.  Returns 0, or -1 without memory. */
int ompp_flow_blocks_go_on(const struct ompp_flow_look *look, struct ompp_flow_blocks *blocks, uint64_t until_ns);

/* Returns the block of the process that holds the address now; NULL when there is none. */
struct ompp_flow_block *ompp_flow_block_at(const struct ompp_flow_blocks *blocks, uint32_t process, uint64_t address);

#endif

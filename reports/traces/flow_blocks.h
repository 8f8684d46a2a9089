/*
 * Flow blocks: the blocks of memory of a trace, and which of them holds an address at a time.
 *
 * Allocations and frees are gone through in the order of their times; the live blocks of each process are in a tree of
 * their own, as processes use the same addresses for different memory.
 */
#ifndef OMPP_PROGRAM_FLOW_BLOCKS_H
#define OMPP_PROGRAM_FLOW_BLOCKS_H

#include "reports/traces/flow_table.h"
#include "runtime/base/treap.h"

struct ompp_flow_block {
	struct ompp_treap tree; /* key: the address; first member, so that a pointer to the tree is one to the block */
	uint64_t bytes, order, begun_ns, ended_ns; /* order: among those of its call path, from 1 */
	uint32_t site, thread, process, index;
};

struct ompp_flow_blocks {
	size_t n_processes;
	struct ompp_treap **live;      /* by process */
	struct ompp_flow_block **list; /* by index */
	size_t n, have;
	uint32_t *same;   /* by site: the first site of the same name (compilers duplicate calls) */
	uint64_t *n_of;   /* by the first site of its name, and process */
	size_t at;        /* position of the next allocation or free */
	uint64_t next_ns; /* time of the next one; UINT64_MAX behind the last */
};

/* Starts before the first event.  Returns 0, or -1 without memory; ompp_flow_blocks_drop() is needed in both cases. */
int ompp_flow_blocks_start(const struct ompp_flow_look *look, struct ompp_flow_blocks *blocks);
void ompp_flow_blocks_drop(struct ompp_flow_blocks *blocks);

/* Applies the allocations and frees up to a time.  Returns 0, or -1 without memory. */
int ompp_flow_blocks_go_on(const struct ompp_flow_look *look, struct ompp_flow_blocks *blocks, uint64_t until_ns);

/* Returns the block of the process that holds the address now; NULL when there is none. */
struct ompp_flow_block *ompp_flow_block_at(const struct ompp_flow_blocks *blocks, uint32_t process, uint64_t address);

#endif

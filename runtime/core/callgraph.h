/*
 * Call graph: one tree of nodes per thread, keyed by (region, part).
 *
 * Owner-only writes: the thread that a tree belongs to is the only writer of its nodes.  Others read while it runs
 * (a worker copies the forking thread's path, a report is made), so every field that changes is written and read
 * with relaxed atomics, and a node is linked in with release after its constant fields are filled.  Nodes never go
 * away.  Memory comes in chunks that double, as address space may be scarce (ulimit -v); when OMPP_MEM bytes are used,
 * or no more are to be had, the tree answers its (lost) node.
 */
#ifndef OMPP_CORE_CALLGRAPH_H
#define OMPP_CORE_CALLGRAPH_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/relaxed.h"
#include "runtime/core/access.h"
#include "runtime/core/arrival.h"

enum { OMPP_NODE_WAYS = 8 };            /* children remembered for the fast path */

/* Fork-to-join times of one rank of the teams forked at this path; written by the forking thread at the join. */
struct ompp_rank_times {
	uint64_t n;
	uint64_t exec_ticks, startup_ticks, shutdown_ticks;
	uint64_t made_ticks;                    /* of startup_ticks: of teams for which threads were made */
};

/* Counters of the whole machine during the teams forked at this path; written by the forking thread at the join. */
struct ompp_uncore_sum { uint64_t count, n_failed; };

struct ompp_callnode {
	/* constant after linking */
	uint64_t              key;
	struct ompp_callnode *parent;
	uint32_t              index;            /* in order of creation, parents first */
	uint32_t              same;             /* ancestors with the same key */
	uint32_t              is_read;          /* 1: the sources are read at its events; 0: no counters cover it */
	struct ompp_callnode *older;            /* the node created before this one */
	struct ompp_callnode *head;             /* the first node of the tree with this key */
	/* by the owner, on the hot path */
	uint64_t              n;                /* visits that ended */
	uint64_t              ticks;            /* their time, tasks that ran inside included, but without visits of the same
	                                           key in these tasks, which count at their own node */
	uint64_t              task_ticks;       /* of it, other task instances that ran inside; ticks - task_ticks is the sum
	                                           over all visits of what each spent itself */
	uint64_t              once_ticks;       /* of a head: time that some visit of its key took in tasks */
	uint64_t              lead_ticks;       /* BODY: from the parent's enter to this begin (waiting) */
	uint64_t              n_tasks;          /* other task instances that ran directly inside */
	struct ompp_tally    *tally;            /* where accesses are counted; ompp_no_tally: not so far */
	struct ompp_callnode *ways[OMPP_NODE_WAYS];     /* children by ompp_callnode_way(), or in the other place of that
	                                           pair; ompp_no_node: none */
	/* by the owner, rarely */
	struct ompp_tally    *tallies;          /* all that were made, newest first */
	struct ompp_rank_times *ranks;          /* FORK: array of n_ranks; old arrays stay valid */
	struct ompp_waits     *waits;           /* of a barrier; NULL: none so far */
	struct ompp_uncore_sum *uncore;         /* FORK: by value; NULL: never read */
	uint32_t              n_ranks;
	uint32_t              n_readings_inside, n_readings_outside;    /* of the thread's CPU time, in the node's time and
	                                           right after its end (arrival.c) */
	uint32_t              n_folded;         /* visits beyond OMPP_MAX_DEPTH, without time */
	uint64_t              n_lock_exits;     /* LOCK: unset calls; their time is in exit_ticks */
	uint64_t              body_ticks, exit_ticks;         /* LOCK: held; in unset */
	uint64_t              values[];         /* sums of the metrics */
};

struct ompp_callgraph {
	char                  *chunk;           /* the newest; it begins with the address and size of the one before */
	size_t                 used_bytes, chunk_bytes;         /* of it */
	size_t                 left_bytes;      /* for further chunks */
	struct ompp_callnode  *root;            /* key 0, above all hosts */
	struct ompp_callnode  *lost;            /* key UINT64_MAX: what found no memory */
	struct ompp_callnode  *newest;          /* head of the `older` list */
	struct ompp_callnode **table;           /* open addressing over (parent, key) */
	uint64_t              *table_keys;      /* folded links: the key that was asked for */
	size_t                 n_slots, n_used;
	uint32_t               n_nodes;
	size_t                 n_values;
	uint64_t               n_lost;          /* visits charged to `lost` */
};

/* Returns 1 when the node is one of those that a report has listed by their index, and 0 when it is newer: it may not be
 * read then, nor may one whose index is not to be seen yet. */
static inline int ompp_callnode_is_listed(const struct ompp_callnode *node, struct ompp_callnode *const *nodes, uint32_t n)
{
	uint32_t i = node ? OMPP_LOAD(&node->index) : UINT32_MAX;

	return i < n && nodes[i] == node;
}

/* Start an empty tree of at most limit_bytes.  -ENOMEM when the system does not give even its first 64 KiB. */
int ompp_callgraph_init(struct ompp_callgraph *graph, size_t limit_bytes, size_t n_values);

/* Give the memory back; for a tree that no one has seen. */
void ompp_callgraph_fini(struct ompp_callgraph *graph);

/* Forget all counts (in a forked child); the nodes stay. */
void ompp_callgraph_clear(struct ompp_callgraph *graph);

/* Child of parent with this key, made if need be; never NULL.  With max_depth levels of this key above, the deepest
 * of them is answered instead (the visit is folded).  WARM. */
struct ompp_callnode *ompp_callgraph_find(struct ompp_callgraph *graph, struct ompp_callnode *parent, uint64_t key,
                                          uint32_t max_depth);

/* Is there such a child?  WARM. */
int ompp_callgraph_knows(const struct ompp_callgraph *graph, const struct ompp_callnode *parent, uint64_t key);

/* The same path in this tree as that of a node in another thread's tree. */
struct ompp_callnode *ompp_callgraph_mirror(struct ompp_callgraph *graph, const struct ompp_callnode *other,
                                            uint32_t max_depth);

/* Zeroed memory of the tree's thread, 16-byte aligned; NULL when used up.  Owner only. */
void *ompp_callgraph_alloc(struct ompp_callgraph *graph, size_t n_bytes);

/* In place of a child that is not remembered; its key is that of no child. */
extern struct ompp_callnode ompp_no_node __attribute__((visibility("hidden")));

static inline unsigned int ompp_callnode_way(uint64_t key)
{
	return (unsigned int)(key >> 32 ^ key >> 28) & (OMPP_NODE_WAYS - 1);
}

/* Returns the child that the node remembers, and NULL when it remembers none of this key.  HOT: about 10 instructions. */
static inline struct ompp_callnode *ompp_callnode_child(const struct ompp_callnode *parent, uint64_t key)
{
	unsigned int at = ompp_callnode_way(key);
	struct ompp_callnode *way = parent->ways[at];

	if (__builtin_expect(way->key == key, 1))
		return way;
	way = parent->ways[at ^ 1];
	return way->key == key ? way : NULL;
}

/* Child of parent with this key, as ompp_callgraph_find().  HOT */
static inline struct ompp_callnode *ompp_callgraph_child(struct ompp_callgraph *graph, struct ompp_callnode *parent,
                                                         uint64_t key, uint32_t max_depth)
{
	struct ompp_callnode *way = ompp_callnode_child(parent, key);

	return __builtin_expect(way != NULL, 1) ? way : ompp_callgraph_find(graph, parent, key, max_depth);
}

#endif

/*
 * Call graph: one tree of nodes per thread, keyed by (region, part).
 *
 * Only the thread that owns a tree writes its nodes.  Others read them while it runs: a worker copies the forking
 * thread's path, and reports read all trees.  So every field that changes is accessed with relaxed atomics, and a node
 * is linked in with release after its constant fields are filled.  Nodes are never freed.  Memory is allocated in
 * chunks of doubling size, as address space may be scarce (ulimit -v).  When OMPP_MEM bytes are used, or the system has
 * no more memory, lookups return the tree's (lost) node.
 */
#ifndef OMPP_CORE_CALLGRAPH_H
#define OMPP_CORE_CALLGRAPH_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/relaxed.h"
#include "runtime/core/managing.h"
#include "runtime/core/storm.h"
#include "runtime/data/tally.h"
#include "runtime/statistics/durations.h"
#include "runtime/statistics/waits.h"

enum { OMPP_NODE_WAYS = 8 }; /* children remembered for the fast path */

/* The times from fork to join of one rank of the teams forked at this path; written by the forking thread at the
 * join. */
struct ompp_rank_times {
	uint64_t n;
	uint64_t exec_ticks, startup_ticks, shutdown_ticks;
	uint64_t made_ticks; /* the part of startup_ticks in teams for which threads were made */
};

/* Counters of the whole machine during the teams forked at this path; written by the forking thread at the join. */
struct ompp_uncore_sum {
	uint64_t count, n_failed;
};

struct ompp_span_sum;

struct ompp_callnode {
	/* constant after linking */
	uint64_t key;
	struct ompp_callnode *parent;
	uint32_t index;              /* in order of creation, parents first */
	uint32_t same;               /* ancestors with the same key */
	uint32_t is_read;            /* 1 when the sources are read at its events; 0 when no counters cover it */
	uint32_t place;              /* of its own time on the longest path (span/span.h); 0 before it is looked up */
	struct ompp_callnode *older; /* the node created before this one */
	struct ompp_callnode *head;  /* the first node of the tree with this key */
	/* written by the owner on the hot path */
	uint64_t look_at;  /* number of visits at which an enter checks the node's times; 0 in a storm (storm.h) */
	uint64_t timed_at; /* in a storm, the value of n at which the next visit is timed; else 0 */
	uint64_t n;        /* visits that ended */
	uint64_t ticks; /* the time of timed visits, including tasks that ran inside, but without visits of the same key
	                   in these tasks, which count at their own node */
	uint64_t task_ticks; /* the part of ticks in which other task instances ran inside; ticks - task_ticks is the
	                        sum over all visits of what each spent itself */
	uint64_t once_ticks; /* head: time in tasks of visits of its key, nested visits counted once */
	uint64_t lead_ticks; /* BODY: waiting time, from the parent's enter to this begin */
	uint64_t n_tasks;    /* other task instances that ran directly inside */
	uint64_t off_ticks;  /* TASKEXEC: time of long visits in which the thread may have had no processor; it is part
	                        of ticks, and not of the durations */
	struct ompp_durations *durations; /* ompp_no_durations before the second visit; NULL where none are kept */
	struct ompp_tally *tally;         /* the current tally; ompp_no_tally before the first access */
	struct ompp_callnode *ways[OMPP_NODE_WAYS]; /* cached children, each at ompp_callnode_way() of its key or in the
	                                               other slot of that pair; ompp_no_node in empty slots */
	/* written by the owner, rarely */
	struct ompp_tally *tallies;     /* all tallies that were made, newest first */
	struct ompp_rank_times *ranks;  /* FORK: an array of n_ranks; replaced arrays stay valid */
	struct ompp_managing *managing; /* FORK: of teams of two or more; NULL before the first */
	struct ompp_waits *waits;       /* of a barrier; NULL before the first */
	struct ompp_chunks *chunks;     /* of a loop; NULL before the first */
	struct ompp_mapped *mapped;     /* of a target construct, or a call of MPI; NULL before the first */
	struct ompp_storm *storm;       /* NULL before the first look */
	struct ompp_uncore_sum *uncore; /* FORK: indexed by value; NULL when never read */
	struct ompp_span_sum *span;     /* FORK, TASKEXEC: work and span; NULL before the first */
	uint32_t n_ranks;
	uint32_t n_readings_inside, n_readings_outside; /* readings of the thread's CPU time: within the node's time,
	                                                   and right after its end (arrival.c) */
	uint64_t sample_ticks;           /* the cost of samples by hooks, which is part of its own time */
	uint32_t n_folded;               /* visits beyond OMPP_MAX_DEPTH, without time */
	uint64_t n_quick;                /* the part of n that was counted alone, by no enter and exit */
	uint64_t n_lock_exits;           /* LOCK: calls of unset; their time is in exit_ticks */
	uint64_t body_ticks, exit_ticks; /* LOCK: time while it was held, and time in calls of unset */
	uint64_t values[];               /* sums of the sources' values */
};

struct ompp_callgraph {
	char *chunk;                    /* the newest chunk; it begins with the address and size of the one before */
	size_t used_bytes, chunk_bytes; /* of the newest chunk */
	size_t left_bytes;              /* for further chunks */
	size_t least_left_bytes;        /* with less than this, nodes keep no durations, so that there are more nodes */
	struct ompp_callnode *root;     /* key 0, above all hosts */
	struct ompp_callnode *lost;     /* key UINT64_MAX; takes the visits that found no memory */
	struct ompp_callnode *newest;   /* head of the `older` list */
	struct ompp_callnode **table;   /* hash table with open addressing, by parent and key */
	uint64_t *table_keys;           /* the requested key, which differs from the node's if the visit is folded */
	size_t n_slots, n_used;
	uint32_t n_nodes;
	size_t n_values;
	uint64_t n_lost; /* visits charged to `lost` */
};

/* Returns 1 when the node is in a report's list, which is ordered by index.  Returns 0 when the node is newer or its
 * index is not visible yet; then it must not be read. */
static inline int ompp_callnode_is_listed(const struct ompp_callnode *node, struct ompp_callnode *const *nodes,
                                          uint32_t n)
{
	uint32_t i = node ? OMPP_LOAD(&node->index) : UINT32_MAX;

	return i < n && nodes[i] == node;
}

/* Starts an empty tree of at most limit_bytes.  Returns 0, or -ENOMEM when the system has no memory for the first 64
 * KiB. */
int ompp_callgraph_init(struct ompp_callgraph *graph, size_t limit_bytes, size_t n_values);

/* Frees the memory; only for a tree that no other thread has seen. */
void ompp_callgraph_fini(struct ompp_callgraph *graph);

/* Resets all counts, in a forked child; the nodes stay. */
void ompp_callgraph_clear(struct ompp_callgraph *graph);

/* Returns 1 when a visit has ended, or was folded, since the start or that reset. */
int ompp_callgraph_has_visits(const struct ompp_callgraph *graph);

/* Returns the parent's child with this key, and creates it if necessary; never NULL.  When max_depth ancestors already
 * have this key, returns the deepest of them instead: the visit is folded.  WARM. */
struct ompp_callnode *ompp_callgraph_find(struct ompp_callgraph *graph, struct ompp_callnode *parent, uint64_t key,
                                          uint32_t max_depth);

/* Returns 1 when the parent has a child with this key.  WARM. */
int ompp_callgraph_knows(const struct ompp_callgraph *graph, const struct ompp_callnode *parent, uint64_t key);

/* Returns the node of this tree that has the same path as a node in another thread's tree. */
struct ompp_callnode *ompp_callgraph_mirror(struct ompp_callgraph *graph, const struct ompp_callnode *other,
                                            uint32_t max_depth);

/* Checks that the tree is well formed (base/check.h).  By its own thread. */
#ifdef OMPP_DEBUG
void ompp_callgraph_check(const struct ompp_callgraph *graph);
#else
#define ompp_callgraph_check(graph) ((void)(graph))
#endif

/* Ends the node's storm for ever, when it gets a child; all later visits are timed.  A body and its construct have one
 * storm together. */
static inline void ompp_callnode_settle(struct ompp_callnode *node)
{
	struct ompp_storm *s = node->storm;

	if (s && s->body == node)
		node = node->parent;
	if (s && !node->look_at)
		OMPP_STORE(&s->end_n, node->n);
	OMPP_STORE(&node->timed_at, 0);
	OMPP_STORE(&node->look_at, OMPP_STORM_NEVER);
	if (!s || !s->body)
		return;
	OMPP_STORE(&s->body->timed_at, 0);
	OMPP_STORE(&s->body->look_at, OMPP_STORM_NEVER);
}

/* Returns zeroed memory, 16-byte aligned; NULL when none is left.  Only the tree's own thread may call it. */
void *ompp_callgraph_alloc(struct ompp_callgraph *graph, size_t n_bytes);

/* Adds a timed visit, which is counted already, to the node's durations, if it keeps any.  COLD. */
void ompp_callgraph_took(struct ompp_callgraph *graph, struct ompp_callnode *node, uint64_t ticks);

/* The same where the visit before it waits, and can be counted at once.  Returns 0 where ompp_callgraph_took() has to
 * do it: the caller leaves that to a function that it calls last, so that it needs no room on the stack.  HOT. */
static inline __attribute__((always_inline)) int ompp_callgraph_took_usual(struct ompp_callnode *node, uint64_t ticks)
{
	struct ompp_durations *d = node->durations;

	if (!d)
		return 1;
	if (__builtin_expect(!ompp_durations_count_last(d), 0))
		return 0;
	ompp_durations_wait(d, ticks, node->n);
	return 1;
}

/* Takes the time in which the thread may have had no processor out of the duration of the visit that ended last.
 * COLD. */
void ompp_callgraph_took_less(struct ompp_callnode *node, uint64_t off_ticks);

/* Placeholder for an empty way; no child has its key. */
extern struct ompp_callnode ompp_no_node __attribute__((visibility("hidden")));

/* The lowest three bits of the region's number and its part, added up with what is carried from below the part. */
_Static_assert(OMPP_NODE_WAYS == 8, "three bits");
static inline uint64_t ompp_callnode_way(uint64_t key)
{
	return (key + (key << 4)) << 29 >> 61;
}

/* Returns the child with this key if the node has it in its ways, else NULL.  HOT: about 10 instructions. */
static inline struct ompp_callnode *ompp_callnode_child(const struct ompp_callnode *parent, uint64_t key)
{
	uint64_t at = ompp_callnode_way(key);
	struct ompp_callnode *way = parent->ways[at];

	if (__builtin_expect(way->key == key, 1))
		return way;
	way = parent->ways[at ^ 1];
	return way->key == key ? way : NULL;
}

/* Returns the parent's child with this key, as ompp_callgraph_find() does.  HOT. */
static inline struct ompp_callnode *ompp_callgraph_child(struct ompp_callgraph *graph, struct ompp_callnode *parent,
                                                         uint64_t key, uint32_t max_depth)
{
	struct ompp_callnode *way = ompp_callnode_child(parent, key);

	return __builtin_expect(way != NULL, 1) ? way : ompp_callgraph_find(graph, parent, key, max_depth);
}

#endif

/*
 * Calls: the functions of libompp_access.a that compiled code calls to count accesses.
 *
 * The hooks are named by GCC, which puts one before each access (pass_tsan).  The others are ours
 * (runtime/adapters/run_hooks.c); their calls have no virtual operands, so that they are in the way of no other pass.
 */
#ifndef KINST_PLUGIN_CALLS_H
#define KINST_PLUGIN_CALLS_H

#include "counting.h"
#include "gcc.h"

/* Returns the `how` of a hook for one access of 1, 2, 4, 8 or 16 bytes; -1 for any other statement. */
int hook_how(gimple *statement);

/* Returns how many bytes a hook for a block is told, as of a struct that is copied; 0 for other statements, and where a
 * call of memcpy may copy it, which looks for the hook so as not to count again.  *slot: what it is */
unsigned HOST_WIDE_INT block_bytes(gimple *statement, unsigned int *slot);

/* Returns 1 for a call of any function of GCC's interface for hooks. */
bool is_tsan_call(gimple *statement);

/* Returns 1 for a call of one of the functions below. */
bool is_own_call(gimple *statement);

/* Returns over how many loops a call counts a run: 1 to MOST_DIMENSIONS; 0 when it counts none. */
int run_dimensions(gimple *statement);

/* The arguments of a call that counts a run: the first address, a step and a number for each loop, the innermost
 * last, and `how`. */
enum { RUN_BASE = 0 };
static inline unsigned int run_step(int i)
{
	return 1 + 2 * i;
}
static inline unsigned int run_number(int i)
{
	return 2 + 2 * i;
}
static inline unsigned int run_how(int dimensions)
{
	return 1 + 2 * dimensions;
}

/* The declarations of what follows, NULL_TREE until they are needed. */
enum { KINST_N_DECLARED = MOST_DIMENSIONS + 9 };
extern tree declared[KINST_N_DECLARED];

/* The functions. */
tree run_function(int dimensions); /* ompp_access_run, ompp_access_run2, ompp_access_run3 */
tree blocks_function(void);        /* ompp_access_blocks */
tree site_function(void);          /* ompp_access_site */
tree site_end_function(void);      /* ompp_access_site_end */
tree nest_end_function(void);      /* ompp_access_nest_end */
tree order_function(void);         /* ompp_access_order */

/* The variables that point to what says whether accesses may be counted by runs and at sites, or in their order. */
tree by_runs_variable(void);
tree by_order_variable(void);

/* Returns what such a variable says now, and adds what loads it to the sequence. */
tree flag_of(gimple_seq *sequence, tree variable);

/* What the library keeps for each thread of nests (runtime/data/tally.h): how often each was short, two bytes with a
 * part of its hash above, what its execution gains, and whether the thread is in one whose accesses are counted before
 * or behind it. */
tree n_short_of(unsigned int nest);
tree low_n_short_of(unsigned int nest); /* its lower byte */
tree gain_of_nest(void);
tree in_nest(void);

/* Returns a variable of n words in the frame of the function, which the library reads and may write. */
tree make_words(unsigned int n, const char *name);

/* Returns a reference to one of the words. */
tree word_of(tree words, unsigned int i);

/* Returns a reference to the i-th word of a log, to which a pointer of type size_t leads.  It is of a type of its own,
 * so that it is in the way of no access of the program. */
tree log_place(gimple_seq *sequence, tree log, tree i);

/* Makes the call of a hook one without virtual operands. */
void loosen_hook(gimple *statement);

/* Removes a statement that defines nothing which is used. */
void remove_statement(gimple *statement);

/* Returns a value as a size, and adds what computes it to the sequence. */
tree as_size(gimple_seq *sequence, tree value);

/* Returns a value as a pointer, in the same way. */
tree as_pointer(gimple_seq *sequence, tree value);

#endif

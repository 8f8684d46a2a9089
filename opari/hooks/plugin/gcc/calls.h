/*
 * Calls: the functions of libompp_access.a that compiled code calls to count accesses.
 *
 * The hooks have GCC's names; GCC puts one before each access (pass_tsan).  The others are ours
 * (runtime/adapters/run_hooks.c); their calls have no virtual operands, so that they do not hinder other passes.
 *
 * What the plug-in computes in line has no associative operation on two unsigned integers, but on signed ones and on
 * pointers, and comparisons: GCC takes such an operation for the end of a reduction, and where a part of a function has
 * one, it looks for vectors in all of that part.  That took up to a tenth of a compile.
 */
#ifndef KINST_PLUGIN_CALLS_H
#define KINST_PLUGIN_CALLS_H

#include "counting.h"
#include "gcc.h"

/* Returns the `how` of a hook for one access of 1, 2, 4, 8 or 16 bytes; -1 for any other statement. */
int hook_how(gimple *statement);

/* Returns the size of a block in its hook's argument, for example of a copied struct; 0 for other statements, and if a
 * call of memcpy may make the copy, as memcpy checks for the hook to avoid counting twice. *slot: the kind of access */
unsigned HOST_WIDE_INT block_bytes(gimple *statement, unsigned int *slot);

/* Returns 1 for a call of any function of GCC's interface for hooks. */
bool is_tsan_call(gimple *statement);

/* Returns 1 for a call of one of the functions below. */
bool is_own_call(gimple *statement);

/* Returns the number of loops of the run that a call counts, 1 to MOST_DIMENSIONS; 0 when it counts no run. */
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
enum { KINST_N_DECLARED = MOST_DIMENSIONS + 10 };
extern tree declared[KINST_N_DECLARED];

/* The functions. */
tree run_function(int dimensions); /* ompp_access_run, ompp_access_run2, ompp_access_run3 */
tree blocks_function(void);        /* ompp_access_blocks */
tree site_function(void);          /* ompp_access_site */
tree site_end_function(void);      /* ompp_access_site_end */
tree nest_end_function(void);      /* ompp_access_nest_end */
tree order_function(void);         /* ompp_access_order */

/* The variables that point to the flags whether accesses may be counted by runs and at sites, or handed over in
 * order. */
tree by_runs_variable(void);
tree by_order_variable(void);

/* Returns the current value of such a flag; the statements that load it are added to the sequence. */
tree flag_of(gimple_seq *sequence, tree variable);

/* State of nests that the library keeps per thread (runtime/data/tally.h): how often each nest was short (two bytes,
 * with a part of the nest's hash in the upper bits), the gain of its current execution, and whether the thread is in a
 * nest whose accesses are counted before or after it. */
tree n_short_of(unsigned int nest);
tree low_n_short_of(unsigned int nest); /* its lower byte */
tree gain_of_nest(void);
tree in_nest(void);

/* Returns a word of the operations that the thread has executed (counting.h). */
tree work_word(unsigned int i);

/* Returns a variable of n words in the frame of the function, which the library reads and may write. */
tree make_words(unsigned int n, const char *name);

/* Returns a reference to one of the words. */
tree word_of(tree words, unsigned int i);

/* Returns a reference to the i-th word of a log, given its address as a size_t.  It has an alias type of its own, so
 * that it does not conflict with accesses of the program. */
tree log_place(gimple_seq *sequence, tree log, tree i);

/* Removes the virtual operands from the call of a hook. */
void loosen_hook(gimple *statement);

/* Removes a statement whose result is unused. */
void remove_statement(gimple *statement);

/* Returns a value converted to a size; the conversion is added to the sequence. */
tree as_size(gimple_seq *sequence, tree value);

/* Returns a value as a pointer, in the same way. */
tree as_pointer(gimple_seq *sequence, tree value);

#endif

/*
 * Nest: loops whose accesses may be counted at another place of the same execution.
 *
 * While such a loop runs, the thread enters no region, names no memory, and is not stopped half-way: a *quiet* loop
 * calls nothing but functions without side effects, throws nothing, and is left by its exits alone.  A nest is an
 * outermost quiet loop with its inner loops: it is in no other nest.
 *
 * A nest may also have calls of unknown functions if GCC expects them in few iterations only, such as those that grow a
 * container.  These are its *pauses*: counts are handed over before such a call, whether or not it returns, and start
 * anew after it.  Loops with pauses cannot count anything before they run.
 */
#ifndef KINST_PLUGIN_NEST_H
#define KINST_PLUGIN_NEST_H

#include "calls.h"

/* Returns 1 when a statement enters no region, throws nothing, and comes back. */
bool is_quiet_statement(gimple *statement);

/* Returns 1 when a loop, with those inside it, is quiet. */
bool is_quiet(class loop *loop);

/* Returns 1 when GCC expects a block to be executed in few iterations of its loop. */
bool is_rare(basic_block block);

/* Returns 1 when a statement of a nest is a pause, or would be one where it is rare. */
bool is_pause(gimple *statement);

/* Returns the exit edges of a nest, except those of exceptions, which come from pauses. */
auto_vec<edge> exits_of(class loop *nest);

/* Finds the nests of the current function that have hooks. */
void find_nests(vec<class loop *> *nests);

/* Makes a second version of each nest, which keeps its hooks; the first one is to count by runs.  At run time the
 * choice depends on ompp_access_runs, and on how often in a row the nest was short.  The exits of the first version
 * have blocks of their own.  Nests that cannot be doubled are removed from the list. */
void double_nests(vec<class loop *> *nests, vec<class loop *> *by_hooks);

/* Returns the condition by which the i-th nest switches to its second version at the end of an iteration of its
 * outermost loop; it is false until make_sites() changes it.  NULL if the nest cannot switch. */
gcond *switch_of(unsigned int i);

/* Lets the i-th nest, which has neither sites nor pauses, choose its version by ompp_access_runs alone: what it gained
 * is not known, so that it is never short. */
void choose_by_runs(unsigned int i);

/* At a pause, sets the variable by_hooks to the number of executions for which the nest is to call its hooks from there
 * on, and counts that. */
void choose_again(gimple_seq *sequence, unsigned int nest, tree by_hooks);

/* Tells the library while the thread is in one of these nests without pauses, as its runs are counted before or after
 * it.  At the end the previous state is restored, as a function called in a nest may have a nest itself. */
void tell_nests(const vec<class loop *> &nests);

/* Keeps what tell_nests() is to restore on the exits of a nest: for those who enter its first version elsewhere. */
void keep_in_nest(gimple_seq *sequence);

/* Returns the hash, of NEST_BITS, under which the library keeps how often a nest was short. */
unsigned int number_of_nest(class loop *nest);

/* Returns 1 when a call is one of the mathematical library, which makes no access. */
bool is_math_call(gimple *statement);

#endif

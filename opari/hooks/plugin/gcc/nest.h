/*
 * Nest: loops whose accesses may be counted at another place of the same execution.
 *
 * While such a loop runs, the thread enters no region, names no memory, and is not stopped half-way: a *quiet* loop
 * calls nothing but functions without side effects, throws nothing, and is left by its exits alone.  A nest is a quiet
 * loop, with the loops inside it, that is in no other nest.
 *
 * A nest may also make calls of which nothing is known, where GCC expects them in a few iterations only, as those that
 * let a container grow.  They are its *pauses*: what was counted before is handed over ahead of such a call, whether it
 * comes back or not, and counted anew behind it.  There is nothing that loops with pauses could count before they run.
 */
#ifndef KINST_PLUGIN_NEST_H
#define KINST_PLUGIN_NEST_H

#include "calls.h"

/* Returns 1 when a loop, with those inside it, is quiet. */
bool is_quiet(class loop *loop);

/* Returns 1 when a block is executed in a few iterations of its loop only, as GCC expects. */
bool is_rare(basic_block block);

/* Returns 1 when a statement of a nest is a pause, or would be one where it is rare. */
bool is_pause(gimple *statement);

/* Returns the edges by which a nest is left, but those of exceptions, which come from pauses. */
auto_vec<edge> exits_of(class loop *nest);

/* Finds the nests of the current function that have hooks. */
void find_nests(vec<class loop *> *nests);

/* Makes a second version of each nest, which keeps its hooks; the first one is to count by runs.  At run time
 * ompp_access_runs chooses, and how often in a row the nest was short.  The exits of the first version have blocks of
 * their own.  Nests that cannot be doubled are removed from the list. */
void double_nests(vec<class loop *> *nests, vec<class loop *> *by_hooks);

/* Returns the condition by which the i-th nest goes over to its second version at the end of an iteration of its
 * outermost loop, which is false until make_sites() lets it be another; NULL where it cannot. */
gcond *switch_of(unsigned int i);

/* Lets by_hooks, a variable, say at a pause how often the nest is to call its hooks from there on, and counts that. */
void choose_again(gimple_seq *sequence, unsigned int nest, tree by_hooks);

/* Lets the library know while the thread is in a nest without pauses, as its runs are counted before or behind it. What
 * it knew before is put back, as a function that is called in a nest may have one itself. */
void tell_nest(class loop *nest);

/* Returns the hash of NEST_BITS by which the library knows how often a nest was short. */
unsigned int number_of_nest(class loop *nest);

/* Returns 1 when a call is one of the mathematical library, which makes no access. */
bool is_math_call(gimple *statement);

#endif

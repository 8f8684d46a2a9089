/*
 * Access interchange: replays nests of two loops in other orders (access/loop_nest.h) through further models of the
 * caches, beside those of other layouts (access_relayout.h).
 *
 * Code that counts whole loops hands over innermost ones in order (access/access_order.c), with the first address, the
 * step and the number of each access.  Consecutive executions of the same length, with the same accesses, each as many
 * bytes behind the one before, are a nest; accesses between them belong to it where they advance by constant steps,
 * too.  When the nest is over it is made in the other order, if that is expected to be nearer and no dependence between
 * its accesses to memory forbids it, and as it is if not.  All other accesses are made as they are.  Loops that follow
 * each other directly and yet are no nest, or are one in a further loop, are counted by their place.
 */
#ifndef OMPP_ACCESS_ACCESS_INTERCHANGE_H
#define OMPP_ACCESS_ACCESS_INTERCHANGE_H

#include <stddef.h>
#include <stdint.h>

struct ompp_ordered_access;
struct ompp_thread;

/* 1 when nests are replayed.  Written once, before any segment exists. */
extern int ompp_access_interchange_on __attribute__((visibility("hidden")));

/* Starts it, after the cache model.  COLD. */
void ompp_access_interchange_start(void) __attribute__((visibility("hidden")));

/* Reports that a loop of these accesses is counted next, one access after the other.
 * place: in the program, which tells loops apart */
void ompp_access_interchange_loop(struct ompp_thread *t, const struct ompp_ordered_access *list, size_t n_list,
                                  uintptr_t place) __attribute__((visibility("hidden")));

/* Reports which access of the list is counted next. */
void ompp_access_interchange_at(struct ompp_thread *t, size_t index) __attribute__((visibility("hidden")));

/* Reports that the loop is over. */
void ompp_access_interchange_loop_end(struct ompp_thread *t) __attribute__((visibility("hidden")));

/* Replays an access that was counted.
 * row: the first word of the first kind of layouts; NULL when it is not counted
 * missed: a bit for each level that it missed */
void ompp_access_interchange_add(struct ompp_thread *t, uint64_t *row, uintptr_t address, size_t n_bytes, int is_load,
                                 unsigned int missed) __attribute__((visibility("hidden")));

/* How many loops of the program, directly in others, have only their own order, as their steps or lengths vary, and how
 * many are in two or more others, of which only the inner one is moved.  Where the 16 places of a loop's hash are in
 * use it is not counted. */
struct ompp_interchange_loops {
	uint64_t n_uneven, n_deep;
};
struct ompp_interchange_loops ompp_access_interchange_loops(void) __attribute__((visibility("hidden")));

/* Call it in a forked child, whose threads begin to count anew. */
void ompp_access_interchange_after_fork(void) __attribute__((visibility("hidden")));

/* Ends the nest, as an event of the program does. */
void ompp_access_interchange_end(struct ompp_thread *t) __attribute__((visibility("hidden")));

#endif

/*
 * Varied constructs: what few programs do, of chance: taskgroups, taskloops, loops whose iterations are told, copies to
 * devices, all kinds of locks, jumps out of regions, visits without an end or a begin, messages and meetings of MPI,
 * and parts that are not measured.
 */
#ifndef TESTS_UNIT_VARIED_CONSTRUCTS_H
#define TESTS_UNIT_VARIED_CONSTRUCTS_H

#include <stdio.h>

/* Sets memory for locks, which lies where it is known, what returns a number below n, what plays the body of a
 * construct, and what executes all tasks that are left. */
void varied_constructs_start(char *locks, unsigned int (*below)(unsigned int n), void (*body)(int depth),
                             void (*end_tasks)(void));

/* Does one such thing, with a body of this depth. */
void varied_constructs_play(int depth);

/* Writes the meetings that were kept, which no profile has with the fake clock. */
void varied_constructs_put(FILE *to);

#endif

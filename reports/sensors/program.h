/*
 * Program: what the watched program publishes (runtime/host/published.h), in the file that ompp gave it, or else in its
 * memory.
 *
 * The program is asked for nothing and changed in nothing.  It may end, become another program, or write nonsense; then
 * there is nothing to read.
 */
#ifndef OMPP_SENSORS_PROGRAM_H
#define OMPP_SENSORS_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/host/published.h"

enum { OMPP_PROGRAM_WHY = 200 };

struct ompp_program {
	int pid;
	int has_file, file;          /* the descriptor, of a program that ompp has started; else its memory is read */
	uint64_t address;            /* of ompp_published there; 0 while it is not found */
	unsigned int n_asked;        /* how often it was asked for */
	uint64_t n_labels, n_waited; /* labels that were handed over; the one that was being written, + 1 */
	struct ompp_published copy;  /* what was read last */
	char why[OMPP_PROGRAM_WHY];  /* why its memory cannot be read, or "" */
};

/* The program that is watched; there is one alone.  A watcher that has a file sets it before sensors are opened. */
extern struct ompp_program ompp_program;

/* Makes a file for a program that ompp starts, in shared memory, and remembers it.  Returns its path, or NULL. */
const char *ompp_program_make_file(void);
void ompp_program_remove_file(void);

/* Reads anew what the program publishes.  Returns NULL when there is nothing. */
const struct ompp_published *ompp_program_read(int pid);

/* Calls found() for each label that has come since the last call.  Returns how many more there were, which are lost as
 * they came faster than they were asked for. */
uint64_t ompp_program_labels(int pid, void (*found)(void *context, const char *text, int64_t monotonic_ns),
                             void *context);

#endif

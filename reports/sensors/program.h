/*
 * Program: what the watched program publishes (runtime/host/published.h), read from the file that ompp gave it, or else
 * from its memory.
 *
 * The program takes no part in this and is not changed.  It may end, call exec, or write invalid data; then there is
 * nothing to read.
 */
#ifndef OMPP_SENSORS_PROGRAM_H
#define OMPP_SENSORS_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/host/published.h"
#include "runtime/ompp_sensor.h"

enum { OMPP_PROGRAM_WHY = 200 };

struct ompp_program {
	int pid;
	int has_file, file;          /* file: descriptor, for a program started by ompp; otherwise its memory is read */
	uint64_t address;            /* of ompp_published there; 0 while it is not found */
	unsigned int n_asked;        /* how often it was searched for */
	uint64_t n_labels, n_waited; /* labels handed over; number + 1 of a label that was still being written */
	struct ompp_published copy;  /* what was read last */
	char why[OMPP_PROGRAM_WHY];  /* why its memory cannot be read, or "" */
};

/* The watched program; there is only one.  A watcher with a file sets this before sensors are opened. */
extern struct ompp_program ompp_program;

/* Makes a file for a program that ompp starts, in shared memory, and remembers it.  Returns its path, or NULL. */
const char *ompp_program_make_file(void);
void ompp_program_remove_file(void);

/* Returns the process to read where the given one is watched: the program that it runs, if it is an ompp (ompp run),
 * and else itself.  Children are known where the kernel lists them (CONFIG_PROC_CHILDREN). proc: where /proc is; last:
 * what it was before, which stays between two programs of ompp run and after the last */
int ompp_program_pid(const char *proc, int pid, int last);

/* Begins a sensor of the watched program: allocates its state, of n bytes, all 0.  Returns 0, or the result of lacks().
 */
int ompp_program_begin(struct ompp_sensor_host *host, void **state, size_t n_bytes);

/* Reads anew what the program publishes.  Returns NULL when there is nothing. */
const struct ompp_published *ompp_program_read(int pid);

/* Calls found() for each new label since the last call.  Returns how many labels were lost because they came faster
 * than they were read. */
uint64_t ompp_program_labels(int pid, void (*found)(void *context, const char *text, int64_t monotonic_ns),
                             void *context);

#endif

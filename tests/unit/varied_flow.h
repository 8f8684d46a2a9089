/*
 * Varied flow: what a trace of a run of chance tells, without the times, processors and instructions of the machine.
 */
#ifndef TESTS_UNIT_VARIED_FLOW_H
#define TESTS_UNIT_VARIED_FLOW_H

#include <stdio.h>

/* Writes what a trace refers to, and its events in their order.  Returns 0, or an error of libompp_flow. */
int varied_flow_put(FILE *to, const char *path);

#endif

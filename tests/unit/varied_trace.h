/*
 * Varied trace: traces of chance, whole ones, with all kinds of events of several threads, nodes, ranks and objects.
 */
#ifndef TESTS_UNIT_VARIED_TRACE_H
#define TESTS_UNIT_VARIED_TRACE_H

#include <stdint.h>

/* Writes trace number `number` into a file, as of process `pid`. */
void varied_trace_write(const char *path, uint32_t number, uint32_t pid);

#endif

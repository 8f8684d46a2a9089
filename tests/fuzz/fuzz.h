/*
 * Fuzz: the entry point that libFuzzer, or replay.c, calls with one input.
 */
#ifndef OMPP_FUZZ_H
#define OMPP_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes);

#endif

/*
 * Out: a buffered file descriptor.  Its first error is kept and ends all output.
 */
#ifndef OMPP_OUT_H
#define OMPP_OUT_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/arena.h"

struct ompp_out {
	int fd, rc;
	char *buffer;
	size_t n_bytes;
	/* what a terminal may get (report_options.h); 0 elsewhere */
	int has_color, has_blocks;
	unsigned int bar_columns, columns; /* columns: its width */
};

/* Returns 0, or -ENOMEM when the arena has no room for the buffer. */
int ompp_out_init(struct ompp_out *out, int fd, struct ompp_arena *arena);

void ompp_out_write(struct ompp_out *out, const void *data, size_t n_bytes);
void ompp_out_str(struct ompp_out *out, const char *s);
void ompp_out_number(struct ompp_out *out, int64_t n);
/* Writes a fixed-point number in units of 10^-n_digits: 1500 with 3 is 1.500. */
void ompp_out_fixed(struct ompp_out *out, int64_t value, unsigned int n_digits);
void ompp_out_char(struct ompp_out *out, char c);
void ompp_out_fill(struct ompp_out *out, char c, size_t n);

/* Writes what is still in the buffer.  Returns the first error of all, or 0. */
int ompp_out_flush(struct ompp_out *out);

#endif

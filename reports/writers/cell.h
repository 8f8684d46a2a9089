/*
 * Cell: a text in CSV, as RFC 4180 wants it.
 *
 * Names are untrusted, and CSV goes into spreadsheets and terminals.  So control characters are shown as in texts for
 * people (runtime/base/clean.h), and what a spreadsheet would evaluate as a formula gets an apostrophe in front: a
 * longer text that begins with = + - or @ (also in full width), and such a sign after a semicolon, which ends a cell in
 * many locales.  Raw cells have the bytes as they are.
 */
#ifndef OMPP_CELL_H
#define OMPP_CELL_H

#include <stddef.h>

/* Hands the bytes of the cell to put(), in pieces. */
void ompp_cell(const char *text, int is_raw, void (*put)(void *to, const char *bytes, size_t n_bytes), void *to);

#endif

/*
 * Cell: a text in CSV, as RFC 4180 wants it.
 *
 * Strangers write names, and CSV goes into spreadsheets and terminals.  So control characters are shown as in texts for
 * people (runtime/base/clean.h), and what a spreadsheet would run as a formula gets an apostrophe in front.  That is a
 * text which begins with = + - or @ (also in full width) and goes on, and such a sign behind a semicolon, which ends a
 * cell in the spreadsheets of many languages.  Raw cells have the bytes as they are.
 */
#ifndef OMPP_CELL_H
#define OMPP_CELL_H

#include <stddef.h>

/* Hands the bytes of the cell to put(), in pieces. */
void ompp_cell(const char *text, int is_raw, void (*put)(void *to, const char *bytes, size_t n_bytes), void *to);

#endif

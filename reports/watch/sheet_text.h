/*
 * Sheet text: samples as lines under headings, for people.
 */
#ifndef OMPP_SHEET_TEXT_H
#define OMPP_SHEET_TEXT_H

#include <stdio.h>

#include "reports/watch/sheet.h"

struct ompp_sheet_text {
	FILE *out;
	int n_lines; /* since the heading */
	unsigned int generation;
	int *widths; /* of the columns */
	size_t n;
};

/* Returns a sink that prints to the file; headings come again with each screen of a terminal. */
struct ompp_sink ompp_sheet_text(struct ompp_sheet_text *text, FILE *out);
void ompp_sheet_text_free(struct ompp_sheet_text *text);

#endif

/*
 * Pages SVG: what the pictures of `ompp pages` share.
 */
#ifndef OMPP_PROGRAM_PAGES_SVG_H
#define OMPP_PROGRAM_PAGES_SVG_H

#include <stdio.h>

#include "reports/pages/pages.h"

/* Shades of a colour. */
enum { OMPP_SVG_STRENGTHS = 8 };

/* Returns the shade of a cell, from 1 to n, on a logarithmic scale (each shade is half of the next); 0 for none. */
unsigned int ompp_svg_strength(double number, double most, unsigned int n);

/* Returns how opaque a cell of a strength is. */
double ompp_svg_opacity(unsigned int strength);

/* Writes a name of the program as XML may have it. */
void ompp_svg_name(FILE *f, const char *name);

/* Writes the beginning of a picture: its size, a white background, and what it shows. */
void ompp_svg_begin(FILE *f, const struct ompp_flow_look *look, size_t width, size_t height, const char *what);

/* Writes the file of --svg.  Returns the exit status, after a complaint where that is not 0. */
int ompp_svg_write(struct ompp_flow_look *look, void (*put)(FILE *f, struct ompp_flow_look *look, const void *picture),
                   const void *picture);

#endif

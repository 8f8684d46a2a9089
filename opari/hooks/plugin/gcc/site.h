/*
 * Site: a place in a nest whose accesses make no run over the nest.
 *
 * Most of them are to the object to which the one before was.  So the place knows the bounds of that object, and
 * compares and counts in line; only for an access out of these bounds it calls the library, which counts it and gives
 * the bounds for the next one.  What was counted in line is handed over then, and on the exits of the nest.  Accesses
 * that are executed together, at addresses whose distances are constant, are one site: they are its members.
 */
#ifndef KINST_PLUGIN_SITE_H
#define KINST_PLUGIN_SITE_H

#include "run.h"

/* Makes sites of the hooks of a nest, and of the runs that its inner loops do.
 * over: the condition by which it goes over to its second version, when it is the hooks' turn, or NULL */
void make_sites(class loop *nest, gcond *over, struct plugin_counts *counts);

#endif

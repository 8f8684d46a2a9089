/*
 * Site: a place in a nest whose accesses make no run over the nest.
 *
 * Most of them are to the same object as the previous access.  So the site keeps the bounds of that object, and
 * compares and counts inline; only for an access outside the bounds it calls the library, which counts the access and
 * returns the bounds for the next one.  Inline counts are handed over then, and on the exits of the nest.  Accesses
 * that are executed together, at constant distances, form one site: they are its members.
 */
#ifndef KINST_PLUGIN_SITE_H
#define KINST_PLUGIN_SITE_H

#include "run.h"

/* Makes sites of the hooks of a nest, and of the runs of its inner loops.
 * over: the condition by which it switches to its second version when the hooks are to be called, or NULL
 * Returns 0 when the nest has neither sites nor pauses. */
bool make_sites(class loop *nest, gcond *over, struct plugin_counts *counts);

#endif

/*
 * Counter plug-in: libompp_papi.so, which asks PAPI and libpfm4 what names mean; loaded at the first
 * question.
 */
#ifndef OMPP_BASE_COUNTER_PLUGIN_H
#define OMPP_BASE_COUNTER_PLUGIN_H

struct ompp_papi;

/* The plug-in, or NULL with a reason that a user can act on in *why (constant).  COLD. */
const struct ompp_papi *ompp_counter_plugin(const char **why);

#endif

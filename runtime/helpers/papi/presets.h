/*
 * Presets: asks PAPI once about its presets on this processor, and keeps the answers.
 */
#ifndef OMPP_PAPI_PRESETS_H
#define OMPP_PAPI_PRESETS_H

#include <stddef.h>

struct ompp_text;

struct ompp_preset {
	char *name;              /* "PAPI_L3_TCM" */
	char *derived, *postfix; /* "DERIVED_POSTFIX", "N0|N1|+|" */
	size_t n_natives;
	char **natives; /* under libpfm4's names */
};

/* Returns the preset, or NULL and why: this processor does not have it, or PAPI does not work here. */
const struct ompp_preset *ompp_preset_find(const char *name, struct ompp_text *why);

/* Asks PAPI whether it can restrict this event to a range of addresses (PAPI_DATA_ADDRESS).  Returns 0, or -ENOTSUP
 * and why. */
int ompp_preset_restrict(const char *name, struct ompp_text *why);

#endif

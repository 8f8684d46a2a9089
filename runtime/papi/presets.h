/*
 * Presets: what PAPI says of its presets on this processor, asked once and kept.
 */
#ifndef OMPP_PAPI_PRESETS_H
#define OMPP_PAPI_PRESETS_H

#include <stddef.h>

struct ompp_text;

struct ompp_preset {
	char  *name;                            /* "PAPI_L3_TCM" */
	char  *derived, *postfix;               /* "DERIVED_POSTFIX", "N0|N1|+|" */
	size_t n_natives;
	char **natives;                         /* by libpfm4's names */
};

/* The preset; NULL when this processor has it not, or PAPI does not work here, and why. */
const struct ompp_preset *ompp_preset_find(const char *name, struct ompp_text *why);

/* PAPI's answer to PAPI_DATA_ADDRESS with this event.  0, or -ENOTSUP and why. */
int ompp_preset_restrict(const char *name, struct ompp_text *why);

#endif

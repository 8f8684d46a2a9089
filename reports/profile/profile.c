/*
 * Profile: names of what it holds.
 */
#include "reports/profile/profile.h"

#include "runtime/base/array.h"

const char *ompp_certainty_name(enum ompp_certainty certainty)
{
	static const char *const names[] = { [OMPP_EXACT] = "exact",
		                             [OMPP_SAMPLED] = "sampled",
		                             [OMPP_SCALED] = "scaled",
		                             [OMPP_MODELLED] = "modelled",
		                             [OMPP_NOT_COUNTED] = "not counted" };

	return (unsigned int)certainty < OMPP_COUNT_OF(names) ? names[certainty] : "?";
}

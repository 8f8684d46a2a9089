/*
 * Profile: names of what it holds.
 */
#include "reports/profile/profile.h"

#include <string.h>

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

const char *ompp_profile_condition(const struct ompp_profile *p, const char *label)
{
	for (size_t i = 0; i < p->n_conditions; i++)
		if (!strcmp(p->conditions[i].label, label))
			return p->conditions[i].value;
	return "";
}

int ompp_profile_is_emulated(const struct ompp_profile *p)
{
	return !strcmp(p->data_method, "emulation");
}

const char *ompp_profile_times_remark(const struct ompp_profile *p)
{
	if (ompp_profile_is_emulated(p))
		return "times are the emulator's, not the program's";
	return p->hooked ? "times include the cost of access hooks" : "";
}

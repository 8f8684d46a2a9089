/*
 * Plain: see plain.h.
 */
#include "reports/findings/plain.h"

#include "reports/bounds/roofline.h"

int64_t ompp_plain_run_ns(const struct ompp_analysis *a)
{
	return a->times ? a->times->duration_ns : OMPP_MISSING;
}

int64_t ompp_plain_region_ns(const struct ompp_analysis *a, uint32_t region)
{
	if (!a->times || region == OMPP_NONE)
		return ompp_plain_run_ns(a);
	return a->times->why[region] ? OMPP_MISSING : a->times->time[region].body_ns;
}

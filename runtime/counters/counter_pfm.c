/*
 * Counter pfm: names of libpfm4, looked up through the helper.
 */
#include <errno.h>
#include <string.h>

#include "runtime/base/text.h"
#include "runtime/counters/counter_helper.h"
#include "runtime/counters/counter_list.h"

const char *ompp_counter_helper_reason(void)
{
	const char *why;

	ompp_counter_helper(&why);
	return why;
}

int ompp_counter_pfm_find(const char *name, size_t n_name, struct ompp_counter *counter, struct ompp_text *why)
{
	const struct ompp_papi *papi = ompp_counter_helper(NULL);
	char word[OMPP_COUNTER_NAME];

	if (!papi)
		return -ENOENT;
	memcpy(word, name, n_name);
	word[n_name] = '\0';
	counter->kind = OMPP_COUNTER_THREAD;
	counter->unit = "";
	counter->source = "libpfm4";
	counter->scale_mul = 1;
	counter->scale_shift = 0;
	return papi->pfm(word, counter, why);
}

int ompp_counter_pfm_each(ompp_counter_found found, void *context)
{
	const struct ompp_papi *papi = ompp_counter_helper(NULL);

	return papi ? papi->each(found, context) : 0;
}

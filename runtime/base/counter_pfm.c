/*
 * Counter pfm: names of libpfm4, and the plug-in that knows them.
 */
#include <errno.h>
#include <string.h>

#include "runtime/base/counter_list.h"
#include "runtime/base/counter_plugin.h"
#include "runtime/base/plugin.h"
#include "runtime/base/text.h"

static struct ompp_plugin plugin = {
	.file = "libompp_papi.so", .symbol = "ompp_papi_plugin", .version = OMPP_PAPI_VERSION,
	.why_not_installed = "its plug-in libompp_papi.so is not installed; build kinst where PAPI and libpfm4 are",
	.why_not_loadable = "its plug-in libompp_papi.so cannot be loaded; install PAPI (libpapi) and libpfm4",
	.why_other_version = "its plug-in libompp_papi.so is of another version; install kinst again",
};

const struct ompp_papi *ompp_counter_plugin(const char **why)
{
	return ompp_plugin(&plugin, why);
}

const char *ompp_counter_plugin_reason(void)
{
	const char *why;

	ompp_counter_plugin(&why);
	return why;
}

int ompp_counter_pfm_find(const char *name, size_t n_name, struct ompp_counter *counter, struct ompp_text *why)
{
	const struct ompp_papi *papi = ompp_counter_plugin(NULL);
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
	const struct ompp_papi *papi = ompp_counter_plugin(NULL);

	return papi ? papi->each(found, context) : 0;
}

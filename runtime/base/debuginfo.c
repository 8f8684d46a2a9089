/*
 * Debuginfo: see debuginfo.h.
 */
#include "runtime/base/debuginfo.h"

#include "runtime/base/plugin.h"

/* Weak: a static program need not have it, and must not get it because of this. */
extern char *__cxa_demangle(const char *name, char *buffer, size_t *n, int *status) __attribute__((weak));

static struct ompp_plugin plugin = {
	.file = "libompp_symbols.so", .symbol = "ompp_debuginfo_plugin", .version = OMPP_DEBUGINFO_VERSION,
	.why_not_installed = "its plug-in libompp_symbols.so is not installed",
	.why_not_loadable = "its plug-in libompp_symbols.so cannot be loaded; install elfutils (libdw1) and libstdc++",
	.why_other_version = "its plug-in libompp_symbols.so is of another version; install kinst again",
};

const struct ompp_debuginfo *ompp_debuginfo(const char **why)
{
	return ompp_plugin(&plugin, why);
}

char *ompp_debuginfo_demangle(const char *linkage)
{
	const struct ompp_debuginfo *p;
	int status;

	if (__cxa_demangle)
		return __cxa_demangle(linkage, NULL, NULL, &status);
	p = ompp_debuginfo(NULL);
	return p ? p->demangle(linkage) : NULL;
}

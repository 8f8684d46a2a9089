/*
 * Debuginfo: see debuginfo.h.
 */
#include "runtime/base/debuginfo.h"

#include "runtime/base/plugin.h"

static struct ompp_plugin plugin = {
	.file = "libompp_symbols.so", .symbol = "ompp_debuginfo_plugin", .version = OMPP_DEBUGINFO_VERSION,
	.why_not_installed = "its plug-in libompp_symbols.so is not installed",
	.why_not_loadable = "its plug-in libompp_symbols.so cannot be loaded; install elfutils (libdw1)",
	.why_other_version = "its plug-in libompp_symbols.so is of another version; install kinst again",
};

const struct ompp_debuginfo *ompp_debuginfo(const char **why)
{
	return ompp_plugin(&plugin, why);
}

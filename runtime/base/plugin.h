/*
 * Plug-in: a library of ours that links others, loaded when it is needed, so that programs gain no
 * dependency.
 *
 * In a static program there is none.  COLD: loading calls malloc.
 */
#ifndef OMPP_BASE_PLUGIN_H
#define OMPP_BASE_PLUGIN_H

#include <stdatomic.h>

/* What is wanted, and what came of it; static, one a plug-in.  What the symbol names begins with an
 * unsigned int, the version.  Reasons say what to do. */
struct ompp_plugin {
	const char  *file;                      /* "libompp_x.so" */
	const char  *symbol;
	unsigned int version;
	const char  *why_not_installed, *why_not_loadable, *why_other_version;

	_Atomic int  state;                     /* 0 not tried, 1 there, 2 not there; written by who tried */
	const void  *functions;                 /* written before state, as is why */
	const char  *why;
};

/* What the symbol names, or NULL with the reason in *why (constant), which may be NULL. */
const void *ompp_plugin(struct ompp_plugin *plugin, const char **why);

#endif

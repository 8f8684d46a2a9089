/*
 * Proc: see proc.h.
 */
#include "runtime/base/proc.h"

#include "runtime/base/sys.h"
#include "runtime/base/text.h"

const char *ompp_proc_folder = "/proc/self/";

int ompp_proc_open(const char *name, int flags)
{
	char path[48];
	struct ompp_text t;

	ompp_text_init(&t, path, sizeof(path));
	ompp_text_str(&t, ompp_proc_folder);
	ompp_text_str(&t, name);
	return ompp_sys_open(path, flags, 0);
}

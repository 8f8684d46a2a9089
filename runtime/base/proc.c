/*
 * Proc: see proc.h.
 */
#include "runtime/base/proc.h"

#include "runtime/base/sys.h"
#include "runtime/base/text.h"

static int open_of(const char *folder, const char *name, int flags)
{
	char path[48];
	struct ompp_text t;

	ompp_text_init(&t, path, sizeof(path));
	ompp_text_str(&t, folder);
	ompp_text_str(&t, name);
	return ompp_sys_open(path, flags, 0);
}

int ompp_proc_open(const char *name, int flags)
{
	int fd = open_of("/proc/thread-self/", name, flags);

	return fd < 0 ? open_of("/proc/self/", name, flags) : fd;
}

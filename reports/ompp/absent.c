/*
 * Absent: the reason why a program that ompp run has run left no profile.
 */
#define _GNU_SOURCE
#include "reports/ompp/ompp.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/base/search.h"

/* Does the program use libompp?  If it is linked to the shared library it contains the library's name; if linked to the
 * archive, the name of the plug-in. */
static int uses_libompp(int fd, const struct stat *st)
{
	static const char name[] = "libompp";
	void *data = st->st_size > 4 ? mmap(NULL, (size_t)st->st_size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
	int found;

	if (data == MAP_FAILED)
		return 0;
	found = !memcmp(data, "\177ELF", 4) && memmem(data, (size_t)st->st_size, name, sizeof(name) - 1);
	munmap(data, (size_t)st->st_size);
	return found;
}

void ompp_explain_absent(const char *program, int wait_status, const char *folder)
{
	char path[PATH_MAX];
	struct stat st = { 0 };
	int fd = ompp_search(program, X_OK, path, sizeof(path)) ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK),
	    is_ours;

	is_ours = fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && uses_libompp(fd, &st);
	if (fd >= 0)
		close(fd);
	if (!is_ours)
		ompp_complain(program,
		              "left no profile in %s: it is not built by kinst; build it, or the programs that it "
		              "starts, by 'kinst COMPILER -fopenmp'",
		              folder);
	else if (!ompp_setting(OMPP_OPT_PROFILE))
		ompp_complain(program, "left no profile to show: OMPP_PROFILE is off; its report is in %s", folder);
	else if (st.st_mode & (S_ISUID | S_ISGID))
		ompp_complain(program, "left no profile: it is set-uid or set-gid, and such programs write none");
	else if (WIFSIGNALED(wait_status))
		ompp_complain(program,
		              "left no profile: signal %d (%s) ended it at once; OMPP_DUMP_INTERVAL makes reports "
		              "while it runs",
		              WTERMSIG(wait_status), strsignal(WTERMSIG(wait_status)));
	else if (!access(folder, W_OK | X_OK))
		ompp_complain(program, "left no profile in %s%s", folder,
		              ompp_setting(OMPP_OPT_QUIET) ? "; without OMPP_QUIET it says why" : "");
	else if (ompp_setting(OMPP_OPT_QUIET)) /* if not quiet, the program has said so itself */
		ompp_complain(folder, "report not written: %s; set OMPP_OUTDIR or OMPP_REPORTFILE", strerror(errno));
}

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

#include "runtime/base/array.h"
#include "runtime/base/search.h"

/* What a program has to do with kinst. */
enum use {
	OF_LIBOMPP, /* it uses libompp */
	OF_OPENMP,  /* it uses a runtime of OpenMP, but not libompp */
	OF_NEITHER
};

/* Finds what the program uses by the names in its file.  If linked to the shared library it contains the library's
 * name; if linked to the archive of libompp, the name of the plug-in, and of libgomp, the names of its functions. */
static enum use find_use(const char *data, size_t n)
{
	static const struct {
		const char *name;
		enum use use;
	} names[] = {
		{ "libompp", OF_LIBOMPP }, { "libgomp", OF_OPENMP },       { "libomp", OF_OPENMP },
		{ "libiomp", OF_OPENMP },  { "GOMP_parallel", OF_OPENMP }, { "__kmpc_fork_call", OF_OPENMP },
	};

	for (size_t i = 0; i < OMPP_COUNT_OF(names) && !memcmp(data, "\177ELF", 4); i++)
		if (memmem(data, n, names[i].name, strlen(names[i].name)))
			return names[i].use;
	return OF_NEITHER;
}

static enum use file_use(int fd, const struct stat *st)
{
	void *data = st->st_size > 4 ? mmap(NULL, (size_t)st->st_size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
	enum use use;

	if (data == MAP_FAILED)
		return OF_NEITHER;
	use = find_use(data, (size_t)st->st_size);
	munmap(data, (size_t)st->st_size);
	return use;
}

void ompp_explain_absent(const char *program, int wait_status, const char *folder)
{
	char path[PATH_MAX];
	struct stat st = { 0 };
	int fd = ompp_search(program, X_OK, path, sizeof(path)) ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	enum use use = fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) ? file_use(fd, &st) : OF_NEITHER;

	if (fd >= 0)
		close(fd);
	if (use != OF_LIBOMPP)
		ompp_complain(program,
		              "left no profile in %s: it is built without %s; build it, or the programs that it "
		              "starts, by 'kinst COMPILER -fopenmp'",
		              folder, use == OF_OPENMP ? "kinst" : "-fopenmp, or without kinst");
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

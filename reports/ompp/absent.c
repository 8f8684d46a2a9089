/*
 * Absent: the reason why a program that ompp run has run left no profile.
 */
#define _GNU_SOURCE
#include "reports/ompp/ompp.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reports/ompp/emulated_run.h"
#include "reports/ompp/preload.h"

/* The other way to measure what libompp cannot be loaded into. */
#if defined(__x86_64__)
#define EMULATION ", or count its accesses by 'ompp run --emulate'"
#else
#define EMULATION ""
#endif

void ompp_explain_absent(const char *program, int wait_status, const char *folder)
{
	int is_secure;
	enum ompp_program_kind use = ompp_program_kind(program, &is_secure);

	if (is_secure)
		ompp_complain(program, "left no profile: it is set-uid or set-gid, and such programs write none");
	else if (ompp_program_is_closed(use) && !ompp_emulated_run_is_inside())
		ompp_complain(program, "left no profile in %s: it is %s" EMULATION, folder,
		              use == OMPP_PROGRAM_STATIC
		                      ? "static, so that nothing can be loaded into it; build it by "
		                        "'kinst COMPILER -fopenmp'"
		                      : "for the C library musl, and libompp needs the GNU C library; "
		                        "build it for that");
	else if (!ompp_setting(OMPP_OPT_PROFILE))
		ompp_complain(program, "left no profile to show: OMPP_PROFILE is off; its report, if any, is in %s",
		              folder);
	else if (WIFSIGNALED(wait_status))
		ompp_complain(program,
		              "left no profile: signal %d (%s) ended it at once; OMPP_DUMP_INTERVAL makes reports "
		              "while it runs",
		              WTERMSIG(wait_status), strsignal(WTERMSIG(wait_status)));
	else if (ompp_emulated_run_is_inside() && !access(folder, W_OK | X_OK))
		ompp_complain(program,
		              "left no profile in %s: it ended by becoming another program (exec), or its memory is "
		              "not where the emulator has it; leave out QEMU_GUEST_BASE",
		              folder);
	else if (use != OMPP_PROGRAM_LIBOMPP && !ompp_preload_library())
		ompp_complain(program,
		              "left no profile in %s: libompp.so is not found to load into it; install it in %s, or "
		              "set KINST_LIBDIR",
		              folder, OMPP_LIBDIR);
	else if (!access(folder, W_OK | X_OK))
		ompp_complain(program, "left no profile in %s: %s", folder,
		              ompp_setting(OMPP_OPT_QUIET)
		                      ? "without OMPP_QUIET it says why, if it can"
		                      : "it ended without exit(), did little but start others, or may "
		                        "not write any more; "
		                        "OMPP_DUMP_INTERVAL makes reports while it runs");
	else if (ompp_setting(OMPP_OPT_QUIET)) /* if not quiet, the program has said so itself */
		ompp_complain(folder, "report not written: %s; set OMPP_OUTDIR or OMPP_REPORTFILE", strerror(errno));
}

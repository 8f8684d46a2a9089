/*
 * Emulated run: see emulated_run.h.
 */
#define _GNU_SOURCE
#include "reports/ompp/emulated_run.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reports/command/arguments.h"
#include "reports/ompp/preload.h"
#include "runtime/base/array.h"
#include "runtime/base/search.h"

#define EMULATOR "qemu-x86_64"

enum { MOST_WORDS = 12, WORD_BYTES = 3 * PATH_MAX };

static char plugin[WORD_BYTES]; /* the file, and its arguments */
static char file[PATH_MAX];     /* of the plug-in */
static int is_inside;           /* libompp is inside of the plug-in, as it cannot be loaded into the program */

/* How the emulator sets the program's LD_PRELOAD: the option, and its value. */
static const char *preload_option;
static char preloaded[WORD_BYTES];

/* Sets what is emulated apart from how it would be without: all memory is told by its name, and the kernel's clock of
 * samples is left alone, as it would sample the emulator. */
static void set_defaults(void)
{
	setenv("OMPP_OBJECTS", "all", 0);
	setenv("OMPP_HOT", "0", 0);
}

/* Does the environment set an option to something else than that it is off? */
static int is_set(const char *name, const char *none)
{
	const char *value = getenv(name);

	return value && value[0] && strcasecmp(value, none);
}

/* Is anything asked for that needs the order of accesses? */
static int asks_for_order(void)
{
	static const struct {
		const char *name, *none;
	} asked[] = {
		{ "OMPP_CACHE", "0" },
		{ "OMPP_SHARING", "0" },
		{ "OMPP_PAGES", "off" },
		{ "OMPP_FIELDS", "0" },
	};

	for (size_t i = 0; i < OMPP_COUNT_OF(asked); i++)
		if (is_set(asked[i].name, asked[i].none))
			return 1;
	return 0;
}

/* Are counters asked for, among which may be operations?  Counting these takes time for each block of instructions. */
static int asks_for_work(void)
{
	if (is_set("OMPP_WORK", "0"))
		return 1;
	for (char **e = environ; *e; e++)
		if (!strncmp(*e, "OMPP_CTR", 8) || !strncmp(*e, "OMPP_EVAL", 9))
			return 1;
	return 0;
}

/* Is the file a program of the emulated processor? */
static int is_emulated(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	Elf64_Ehdr head;
	int fits = fd >= 0 && read(fd, &head, sizeof(head)) == sizeof(head) && !memcmp(head.e_ident, ELFMAG, SELFMAG) &&
	           head.e_ident[EI_CLASS] == ELFCLASS64 && head.e_machine == EM_X86_64;

	if (fd >= 0)
		close(fd);
	return fits;
}

/* Complains about a program that cannot be emulated, and is refused.  Returns 1 when it can. */
static int may_emulate(const char *program, const char *path)
{
	if (!is_emulated(path))
		ompp_complain(program, "cannot be emulated: it is no program for x86-64; give the program itself, "
		                       "not a script that starts it");
	else if (ompp_program_kind(program, NULL) == OMPP_PROGRAM_LIBOMPP)
		ompp_complain(program, "cannot be emulated: kinst built it; build it by 'kinst --access' to count its "
		                       "accesses, or without kinst");
	else
		return 1;
	return 0;
}

/* Is it a program that must run as it is, without us?  Says so. */
static int runs_plainly(const char *program)
{
	int is_secure;

	is_inside = ompp_program_is_closed(ompp_program_kind(program, &is_secure));
	if (is_secure)
		ompp_complain(program, "runs as it is, and nothing is counted: it is set-uid or set-gid, and would "
		                       "lack its rights in the emulator");
	return is_secure;
}

/* Has libompp loaded into the program, unless it is inside of the plug-in: then the program has the variable that it
 * would have without us.  Returns 1 when the emulator understands it. */
static int set_preloaded(const char *library)
{
	const char *others = getenv("LD_PRELOAD");

	if (is_inside && !others) {
		preload_option = "-U";
		strcpy(preloaded, "LD_PRELOAD");
	} else {
		preload_option = "-E";
		snprintf(preloaded, sizeof(preloaded), "LD_PRELOAD=%s%s%s", is_inside ? "" : library,
		         !is_inside && others && others[0] ? ":" : "", others ? others : "");
	}
	return !strchr(preloaded, ',');
}

/* Finds all that is needed beside the program.  Complains, and returns 0, where it is missing. */
static int find_parts(char *emulator, size_t n_emulator)
{
	const char *library = ompp_preload_library(),
		   *name = is_inside ? "ompp-emulator-static.so" : "ompp-emulator.so";

	if (is_set("OMPP_SAMPLE", "off")) {
		ompp_complain("--emulate", "the emulator cannot do OMPP_SAMPLE; leave it out");
	} else if (is_set("OMPP_HOT", "0")) {
		ompp_complain("--emulate",
		              "the emulator cannot do OMPP_HOT, samples of which would be its own; leave it out");
	} else if (is_set("OMPP_REUSE", "0")) {
		ompp_complain("--emulate", "the emulator cannot do OMPP_REUSE; leave it out");
	} else if (is_set("OMPP_LAYOUTS", "0")) {
		ompp_complain("--emulate",
		              "the emulator cannot do OMPP_LAYOUTS; leave it out, or build the program by 'kinst "
		              "--access -g' and run it without --emulate");
	} else if (ompp_search(EMULATOR, X_OK, emulator, n_emulator)) {
		ompp_complain(EMULATOR, "not found; install QEMU's user mode (Debian's package qemu-user)");
	} else if (!library || !ompp_preload_part(name, OMPP_HELPERDIR, file, sizeof(file))) {
		ompp_complain(name, "not found; install kinst again, or set KINST_LIBDIR to its folder");
	} else {
		snprintf(plugin, sizeof(plugin), "%s%s%s%s%s", file,
		         is_inside ? "" : ",library=", is_inside ? "" : library, asks_for_work() ? ",work=on" : "",
		         asks_for_order() ? ",order=on" : "");
		if (strpbrk(file, is_inside ? " :," : ","))
			ompp_complain(file, "%s would be cut; install kinst in a path without %s",
			              is_inside ? "a blank, a colon or a comma, at which it" : "a comma, at which it",
			              is_inside ? "these" : "one");
		else if (!set_preloaded(library))
			ompp_complain("LD_PRELOAD",
			              "a path has a comma, at which QEMU would cut it; set it to others, or "
			              "install kinst elsewhere");
		else
			return 1;
	}
	return 0;
}

char **ompp_emulated_run_command(char **argv, int *status)
{
	static char emulator[PATH_MAX], path[PATH_MAX];
	static char **command;
	size_t n = 0, k = 0;

	*status = OMPP_EXIT_NOT_RUN;
#if !defined(__x86_64__)
	ompp_complain("--emulate", "this machine is no x86-64; programs are emulated on such machines alone");
	return NULL;
#endif
	if (ompp_search(argv[0], X_OK, path, sizeof(path)) || access(path, F_OK)) {
		ompp_complain(argv[0], "cannot be run: %s", strerror(ENOENT));
		*status = OMPP_EXIT_NOT_FOUND;
		return NULL;
	}
	if (access(path, X_OK)) {
		ompp_complain(argv[0], "cannot be run: %s", strerror(errno));
		return NULL;
	}
	if (is_emulated(path) && runs_plainly(argv[0])) {
		*status = 0;
		return argv;
	}
	if (!may_emulate(argv[0], path) || !find_parts(emulator, sizeof(emulator)))
		return NULL;
	while (argv[n])
		n++;
	free(command);
	command = calloc(n + MOST_WORDS, sizeof(*command));
	if (!command) {
		ompp_complain("--emulate", "not enough memory");
		return NULL;
	}
	const char *const first[] = { emulator,       "-cpu",    "max", "-plugin", plugin,
		                      preload_option, preloaded, "-0",  argv[0],   path };

	for (; k < OMPP_COUNT_OF(first); k++)
		command[k] = (char *)(uintptr_t)first[k];
	for (size_t i = 1; i < n; i++)
		command[k++] = argv[i];
	set_defaults();
	*status = 0;
	return command;
}

void ompp_emulated_run_here(void)
{
	/* The emulator itself is not measured.  A plug-in with libompp inside has more thread-local variables than
	 * there is room for what is loaded later. */
	if (is_inside)
		setenv("LD_PRELOAD", file, 1);
	else
		unsetenv("LD_PRELOAD");
	setenv("KINST_EMULATED", "1", 1);
	ompp_preload_number();
}

int ompp_emulated_run_is_inside(void)
{
	return is_inside;
}

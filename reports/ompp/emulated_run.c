/*
 * Emulated run: see emulated_run.h.
 */
#define _GNU_SOURCE
#include "reports/ompp/emulated_run.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
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

static char plugin[WORD_BYTES], preloaded[WORD_BYTES];

/* Sets what is emulated apart from how it would be without: all memory is told by its name, and the kernel's clock of
 * samples is left alone, as it would sample the emulator. */
static void set_defaults(void)
{
	setenv("OMPP_OBJECTS", "all", 0);
	setenv("OMPP_HOT", "0", 0);
}

/* Returns what is asked for and cannot be had by emulation; NULL for nothing. */
static const char *find_refused(void)
{
	static const struct {
		const char *name, *none;
	} refused[] = {
		{ "OMPP_CACHE", "0" },
		{ "OMPP_SHARING", "0" },
		{ "OMPP_PAGES", "off" },
		{ "OMPP_SAMPLE", "off" },
	};

	for (size_t i = 0; i < OMPP_COUNT_OF(refused); i++) {
		const char *value = getenv(refused[i].name);

		if (value && value[0] && strcasecmp(value, refused[i].none))
			return refused[i].name;
	}
	return NULL;
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

/* Complains about a program that cannot be emulated.  Returns 1 when it can. */
static int may_emulate(const char *program, const char *path)
{
	int is_secure;
	enum ompp_program_kind kind = ompp_program_kind(program, &is_secure);

	if (!is_emulated(path))
		ompp_complain(program, "cannot be emulated: it is no program for x86-64; give the program itself, "
		                       "not a script that starts it");
	else if (is_secure)
		ompp_complain(program,
		              "cannot be emulated: it is set-uid or set-gid, and would run without its privileges");
	else if (kind == OMPP_PROGRAM_STATIC)
		ompp_complain(program, "cannot be emulated: it is static, so that nothing can be loaded into it; link "
		                       "it without -static");
	else if (kind == OMPP_PROGRAM_LIBOMPP)
		ompp_complain(program, "cannot be emulated: kinst built it; build it by 'kinst --access' to count its "
		                       "accesses, or without kinst");
	else
		return 1;
	return 0;
}

/* Finds all that is needed beside the program.  Complains, and returns 0, where it is missing. */
static int find_parts(char *emulator, size_t n_emulator)
{
	const char *refused = find_refused(), *others = getenv("LD_PRELOAD"), *library = ompp_preload_library();
	char file[PATH_MAX];

	if (refused) {
		ompp_complain("--emulate", "%s: not by emulation; leave it out", refused);
	} else if (ompp_search(EMULATOR, X_OK, emulator, n_emulator)) {
		ompp_complain(EMULATOR, "not found; install QEMU's user mode (Debian's package qemu-user)");
	} else if (!library || !ompp_preload_part("ompp-emulator.so", OMPP_HELPERDIR, file, sizeof(file))) {
		ompp_complain("ompp-emulator.so", "not found; install kinst again, or set KINST_LIBDIR to its folder");
	} else {
		snprintf(plugin, sizeof(plugin), "%s,library=%s", file, library);
		snprintf(preloaded, sizeof(preloaded), "LD_PRELOAD=%s%s%s", library, others && others[0] ? ":" : "",
		         others ? others : "");
		if (!strchr(preloaded, ',') && !strchr(file, ','))
			return 1;
		ompp_complain("LD_PRELOAD", "a path has a comma, at which QEMU would cut it; install kinst elsewhere");
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
	char *const first[] = { emulator, "-cpu", "max", "-plugin", plugin, "-E", preloaded, "-0", argv[0], path };

	for (; k < OMPP_COUNT_OF(first); k++)
		command[k] = first[k];
	for (size_t i = 1; i < n; i++)
		command[k++] = argv[i];
	set_defaults();
	*status = 0;
	return command;
}

void ompp_emulated_run_here(void)
{
	unsetenv("LD_PRELOAD"); /* the emulator itself is not measured */
	setenv("KINST_EMULATED", "1", 1);
	ompp_preload_number();
}

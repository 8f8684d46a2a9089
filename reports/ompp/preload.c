/*
 * Preload: see preload.h.
 */
#define _GNU_SOURCE
#include "reports/ompp/preload.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reports/command/arguments.h"
#include "runtime/base/array.h"
#include "runtime/base/search.h"

enum { PATH_BYTES = 4096 };

/* Returns the path of the dynamic linker, of n_path bytes, as the file has it; NULL when it has none. */
static const char *dynamic_linker(const char *data, size_t n, size_t *n_path)
{
	const ElfW(Ehdr) *head = (const void *)data;
	const ElfW(Phdr) *segments = (const void *)(data + head->e_phoff);

	if (n < sizeof(*head) || head->e_phentsize != sizeof(*segments) || head->e_phoff % sizeof(void *) ||
	    head->e_phoff > n || head->e_phnum > (n - head->e_phoff) / sizeof(*segments))
		return NULL;
	for (int i = 0; i < head->e_phnum; i++) {
		if (segments[i].p_type != PT_INTERP)
			continue;
		*n_path = segments[i].p_filesz;
		return segments[i].p_offset <= n && *n_path <= n - segments[i].p_offset ? data + segments[i].p_offset
		                                                                        : NULL;
	}
	return NULL;
}

/* Finds what the program uses by the names in its file.  If linked to the shared library it contains the library's
 * name; if linked to the archive of libompp, the name of the plug-in, and of libgomp, the names of its functions.  What
 * is no program itself (a script) uses neither. */
static enum ompp_program_kind find_use(const char *data, size_t n)
{
	static const struct {
		const char *name;
		enum ompp_program_kind use;
	} names[] = {
		{ "libompp", OMPP_PROGRAM_LIBOMPP },      { "libgomp", OMPP_PROGRAM_OPENMP },
		{ "GOMP_parallel", OMPP_PROGRAM_OPENMP }, { "libomp", OMPP_PROGRAM_OPENMP },
		{ "libiomp", OMPP_PROGRAM_OPENMP },       { "__kmpc_fork_call", OMPP_PROGRAM_OPENMP },
	};
	static const char musl[] = "/ld-musl-";
	enum ompp_program_kind use = OMPP_PROGRAM_NEITHER;
	const char *linker;
	size_t n_linker = 0;

	if (memcmp(data, ELFMAG, SELFMAG))
		return use;
	for (size_t i = 0; i < OMPP_COUNT_OF(names) && use == OMPP_PROGRAM_NEITHER; i++)
		if (memmem(data, n, names[i].name, strlen(names[i].name)))
			use = names[i].use;
	linker = dynamic_linker(data, n, &n_linker);
	return use == OMPP_PROGRAM_LIBOMPP                      ? use
	     : !linker                                          ? OMPP_PROGRAM_STATIC
	     : memmem(linker, n_linker, musl, sizeof(musl) - 1) ? OMPP_PROGRAM_MUSL
	                                                        : use;
}

enum ompp_program_kind ompp_program_kind(const char *program, int *is_secure)
{
	char path[PATH_MAX];
	struct stat st = { 0 };
	int fd = ompp_search(program, X_OK, path, sizeof(path)) ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	enum ompp_program_kind use = OMPP_PROGRAM_NEITHER;
	void *data = MAP_FAILED;

	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > SELFMAG)
		data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (data != MAP_FAILED) {
		use = find_use(data, (size_t)st.st_size);
		munmap(data, (size_t)st.st_size);
	}
	if (fd >= 0)
		close(fd);
	if (is_secure)
		*is_secure = (st.st_mode & (S_ISUID | S_ISGID)) != 0;
	return use;
}

/* Is it the dynamic linker of the GNU C library (ld-linux-x86-64.so.2, ld-2.31.so, ld.so), also behind a link? */
static int is_linker(const char *program)
{
	char path[PATH_MAX], real[PATH_MAX];
	const char *name = program;

	if (!ompp_search(program, X_OK, path, sizeof(path)) && realpath(path, real))
		name = real;
	name = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
	return !strncmp(name, "ld", 2) && (name[2] == '-' || name[2] == '.' || !strncmp(name, "ld64.", 5)) &&
	       strstr(name, ".so") && ompp_program_kind(program, NULL) == OMPP_PROGRAM_STATIC;
}

const char *ompp_preload_program(char *const *argv)
{
	static const char *const with_value[] = {
		"--library-path",      "--inhibit-rpath",       "--audit", "--preload", "--argv0",
		"--glibc-hwcaps-mask", "--glibc-hwcaps-prepend"
	};
	char *const *word = argv + 1;

	if (!is_linker(argv[0]))
		return argv[0];
	while (*word && !strncmp(*word, "--", 2)) {
		int has_value = 0;

		for (size_t i = 0; i < OMPP_COUNT_OF(with_value); i++)
			has_value |= !strcmp(*word, with_value[i]);
		word += has_value && word[1] ? 2 : 1;
	}
	return *word ? *word : argv[0];
}

int ompp_program_is_closed(enum ompp_program_kind kind)
{
	return kind == OMPP_PROGRAM_STATIC || kind == OMPP_PROGRAM_MUSL;
}

/* What the program gets: the library, and its number, by which it knows that it is the one that was run
 * (collect/dump.c).
 */
static char library[PATH_BYTES];

/* Takes the file in a folder.  Returns 1 when it is there. */
static int take_at(const char *folder, size_t n_folder, const char *below, const char *name, char *path, size_t n_path)
{
	int n = snprintf(path, n_path, "%.*s%s/%s", (int)n_folder, folder, below, name);

	return n > 0 && (size_t)n < n_path && !access(path, R_OK);
}

int ompp_preload_part(const char *name, const char *installed, char *path, size_t n_path)
{
	static const char *const below[] = { "/.libs", "", "/../lib" };
	const char *given = getenv("KINST_LIBDIR"), *slash;
	char own[PATH_BYTES];
	ssize_t n = readlink("/proc/self/exe", own, sizeof(own));

	if (given && given[0])
		return take_at(given, strlen(given), "", name, path, n_path);
	slash = n > 0 ? memrchr(own, '/', (size_t)n) : NULL;
	for (size_t i = 0; slash && i < OMPP_COUNT_OF(below); i++)
		if (take_at(own, (size_t)(slash - own), below[i], name, path, n_path))
			return 1;
	return take_at(installed, strlen(installed), "", name, path, n_path);
}

const char *ompp_preload_library(void)
{
	return ompp_preload_part("libompp.so", OMPP_LIBDIR, library, sizeof(library)) ? library : NULL;
}

int ompp_preload_find(const char *program)
{
	int is_secure;
	enum ompp_program_kind use = ompp_program_kind(program, &is_secure);

	return use != OMPP_PROGRAM_LIBOMPP && !ompp_program_is_closed(use) && !is_secure && ompp_preload_library();
}

void ompp_preload_number(void)
{
	char number[32];

	snprintf(number, sizeof(number), "%ld", (long)getpid());
	setenv("KINST_RUN", number, 1);
}

void ompp_preload_here(void)
{
	const char *others = getenv("LD_PRELOAD");
	char list[2 * PATH_BYTES];
	int n = snprintf(list, sizeof(list), "%s%s%s", library, others && others[0] ? ":" : "", others ? others : "");

	if (n <= 0 || n >= (int)sizeof(list))
		return;
	setenv("LD_PRELOAD", list, 1);
	ompp_preload_number();
}

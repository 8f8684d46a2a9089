/*
 * Folders: see folders.h.
 */
#include "opari/base/folders.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "opari/base/kinst_text.h"

#ifndef KINST_PREFIX
#define KINST_PREFIX     "/usr/local"
#define KINST_BINDIR     "/usr/local/bin"
#define KINST_LIBDIR     "/usr/local/lib"
#define KINST_INCLUDEDIR "/usr/local/include"
#define KINST_DATADIR    "/usr/local/share"
#endif

static int folders_has(const char *folder, const char *file)
{
	char *path = kinst_format("%s/%s", folder, file);
	int found = !access(path, R_OK);

	free(path);
	return found;
}

/* Returns the folder of the running program, which the caller frees. */
static char *program_folder(void)
{
	char *path = realpath("/proc/self/exe", NULL), *slash = path ? strrchr(path, '/') : NULL;

	if (slash)
		*slash = '\0';
	return path;
}

/*
 * Returns a configured folder relocated with the program: at the same relative path from it as configured.
 */
static char *folders_moved(const char *program, const char *configured)
{
	const char *bin = KINST_BINDIR;
	size_t n = strlen(KINST_PREFIX);

	if (strncmp(bin, KINST_PREFIX, n) || strncmp(configured, KINST_PREFIX, n) || !kinst_ends(program, bin + n))
		return NULL;
	return kinst_format("%.*s%s", (int)(strlen(program) - strlen(bin + n)), program, configured + n);
}

/*
 * Returns the first of these folders that has one of the files: that of the variable, the configured one, the one
 * relocated with the program, and one in a build tree.
 */
static char *folders_find(const char *variable, const char *configured, const char *file, const char *file2,
                          const char *const *tree)
{
	const char *given = getenv(variable);
	char *program = program_folder(), *folder = NULL;

	if (given && *given)
		folder = kinst_strdup(given);
	if (!folder && program) {
		folder = folders_moved(program, configured);
		if (folder && !folders_has(folder, file) && !folders_has(folder, file2)) {
			free(folder);
			folder = NULL;
		}
	}
	for (; !folder && program && *tree; tree++) {
		folder = kinst_format("%s%s", program, *tree);
		if (!folders_has(folder, file) && !folders_has(folder, file2)) {
			free(folder);
			folder = NULL;
		}
	}
	free(program);
	return folder ? folder : kinst_strdup(configured);
}

char *kinst_folders_library(void)
{
	static const char *const tree[] = { "/.libs", "", NULL };

	return folders_find("KINST_LIBDIR", KINST_LIBDIR, "libompp.so", "libompp.a", tree);
}

char *kinst_folders_include(void)
{
	static const char *const tree[] = { "/include", NULL };

	return folders_find("KINST_INCLUDEDIR", KINST_INCLUDEDIR, "ompp.h", "ompp.mod", tree);
}

char *kinst_folders_plugin(void)
{
	static const char *const tree[] = { NULL };

	return folders_find("KINST_PLUGINDIR", KINST_DATADIR "/kinst/plugin", "gcc/plugin.cc", "llvm/plugin.cc", tree);
}

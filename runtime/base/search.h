/*
 * Search: where execvp(3) finds a command.  For the programs kinst and ompp alone, so it is no part of libompp.
 */
#ifndef OMPP_BASE_SEARCH_H
#define OMPP_BASE_SEARCH_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Writes the path of the file that the word names and that access(2) allows in the given mode (X_OK, F_OK).  A word
 * with a slash is its own path.  Returns 0, or -1 when no folder of PATH has such a file. */
static inline int ompp_search(const char *word, int mode, char *path, size_t n_path)
{
	const char *folders = getenv("PATH");

	if (strchr(word, '/') || !folders) {
		snprintf(path, n_path, "%s", word);
		return 0;
	}
	for (;;) {
		size_t n = strcspn(folders, ":");

		snprintf(path, n_path, "%.*s/%s", n ? (int)n : 1, n ? folders : ".", word);
		if (!access(path, mode))
			return 0;
		if (!folders[n])
			return -1;
		folders += n + 1;
	}
}

/* Returns the error of execvp(3) as shells see it: a command that is in no folder of PATH gives ENOENT, even when the
 * user may not enter one of the folders, where execvp gives EACCES. */
static inline int ompp_search_error(const char *word, int error)
{
	char path[4096];

	return error == EACCES && ompp_search(word, F_OK, path, sizeof(path)) ? ENOENT : error;
}

#endif

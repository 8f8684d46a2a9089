/*
 * Newest: the profile that a command takes when none is named.
 */
#include "reports/show/show.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char end[] = ".ompp";

static int is_profile(const char *name)
{
	size_t n = strlen(name);

	return n >= sizeof(end) && !strcmp(name + n - (sizeof(end) - 1), end);
}

static int is_later(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

/* Writes the name of the newest profile of the working directory; of those of one time, the last in byte order.
 * Returns 0 when there is none. */
static int newest_find(char *newest, size_t n_bytes)
{
	struct timespec latest = { 0, 0 };
	struct dirent *entry;
	struct stat st;
	DIR *folder = opendir(".");
	int found = 0;

	while (folder && (entry = readdir(folder)) != NULL) {
		if (!is_profile(entry->d_name) || strlen(entry->d_name) >= n_bytes || stat(entry->d_name, &st) ||
		    !S_ISREG(st.st_mode))
			continue;
		if (found && (is_later(&latest, &st.st_mtim) ||
		              (!is_later(&st.st_mtim, &latest) && strcmp(newest, entry->d_name) > 0)))
			continue;
		memcpy(newest, entry->d_name, strlen(entry->d_name) + 1);
		latest = st.st_mtim;
		found = 1;
	}
	if (folder)
		closedir(folder);
	return found;
}

char **ompp_newest(const char *command)
{
	static char name[NAME_MAX + 1];
	static char *files[] = { name, NULL };

	if (!newest_find(name, sizeof(name))) {
		ompp_complain(command, "no file, and no profile here; give a saved profile (.ompp)");
		return NULL;
	}
	ompp_complain(command, "%s, the newest profile here", name);
	return files;
}

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

/* Is it the name of an MPI rank's profile: prog.2.r3-0.ompp, or prog.2.r3.ompp of those that are overwritten?  stem:
 * where the rank begins; rest: what comes after its number */
static int is_of_rank(const char *name, int *stem, int *rest)
{
	const char *at = name + strlen(name) - (sizeof(end) - 1), *digits = at;

	for (int i = 0; i < 2; i++) {
		while (digits > name && digits[-1] >= '0' && digits[-1] <= '9')
			digits--;
		if (digits == at || digits - name < 2)
			return 0;
		if (!strncmp(digits - 2, ".r", 2)) {
			*stem = (int)(digits - 2 - name);
			*rest = (int)(at - name);
			return 1;
		}
		if (digits[-1] != '-')
			return 0;
		at = --digits;
	}
	return 0;
}

/* Do the profiles of ranks here all have names like this one, that tell of no run before theirs?  Each rank takes its
 * own first free number, so else nobody knows which belong together. */
static int is_of_one_run(const char *name, int stem, int rest)
{
	int is_one = !strcmp(name + rest, end) || !strncmp(name + rest, "-0.", 3), its_stem, its_rest;
	DIR *folder = opendir(".");
	struct dirent *entry;

	while (folder && is_one && (entry = readdir(folder)) != NULL)
		if (is_profile(entry->d_name) && is_of_rank(entry->d_name, &its_stem, &its_rest))
			is_one = its_stem == stem && !strncmp(entry->d_name, name, (size_t)stem) &&
			         !strcmp(entry->d_name + its_rest, name + rest);
	if (folder)
		closedir(folder);
	return folder && is_one;
}

char **ompp_newest(const char *command)
{
	static char name[NAME_MAX + 1];
	static char *files[] = { name, NULL };
	int stem, rest;

	if (!newest_find(name, sizeof(name))) {
		ompp_complain(command, "no file, and no profile here; give a saved profile (.ompp)");
		return NULL;
	}
	if (!is_of_rank(name, &stem, &rest))
		ompp_complain(command, "%s, the newest profile here", name);
	else if (is_of_one_run(name, stem, rest))
		ompp_complain(command, "%s, the newest profile here, of one MPI rank; of all: ompp %s %.*s.r*%s", name,
		              command, stem, name, name + rest);
	else
		ompp_complain(command,
		              "%s, the newest profile here, of one MPI rank; of all: ompp %s with the profile of each",
		              name, command);
	return files;
}

/*
 * Temp: see temp.h.
 */
#include "opari/base/temp.h"

#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "opari/base/kinst_text.h"
#include "opari/base/signals.h"
#include "runtime/base/array.h"
#include "runtime/base/checksum.h"

static char *folder; /* the folder's path; NULL before it is made */
static int keep, n_paths;
static uint64_t seed; /* made of the call's words; 0 when there is none */

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	remove(path);
	return 0;
}

void kinst_temp_remove(void)
{
	if (folder && !keep)
		nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
	free(folder);
	folder = NULL;
}

void kinst_temp_keep(void)
{
	keep = 1;
}

static void add_to_seed(const char *word)
{
	seed = ompp_checksum(seed, word, strlen(word) + 1);
}

void kinst_temp_seed(const struct kinst_words *words)
{
	char *directory = getcwd(NULL, 0);

	seed = OMPP_CHECKSUM_START ^ getuid();
	add_to_seed(directory ? directory : "");
	for (size_t i = 0; i < words->n; i++)
		add_to_seed(words->items[i]);
	free(directory);
}

static int is_usable(const char *base)
{
	struct stat st;

	return base && *base && !stat(base, &st) && S_ISDIR(st.st_mode) && !access(base, R_OK | W_OK | X_OK);
}

/*
 * Returns the first usable folder of gcc's list of folders for temporary files, which compilers use, too.
 */
static const char *choose_base(void)
{
	const char *const bases[] = { getenv("TMPDIR"), getenv("TMP"), getenv("TEMP"), P_tmpdir,
		                      "/var/tmp",       "/usr/tmp",    "/tmp" };

	for (size_t i = 0; i < OMPP_COUNT_OF(bases); i++)
		if (is_usable(bases[i]))
			return bases[i];
	return ".";
}

/*
 * Makes the folder and returns its path: named after the call if that name is free, else random.  NULL with errno set
 * when there is none.
 */
static char *make_folder(void)
{
	const char *base = choose_base();
	char *path;

	path = kinst_format("%s/kinst.%016llx", base, (unsigned long long)seed);
	if (seed && !mkdir(path, 0700))
		return path;
	free(path);
	path = kinst_format("%s/kinst.XXXXXX", base);
	if (mkdtemp(path))
		return path;
	free(path);
	return NULL;
}

const char *kinst_temp_dir(void)
{
	char *path, *absolute;

	if (folder)
		return folder;
	kinst_signals_hold();
	path = make_folder();
	if (path) {
		absolute = realpath(path, NULL);
		folder = absolute ? absolute : kinst_strdup(path);
		atexit(kinst_temp_remove);
		kinst_signals_clean_by(kinst_temp_remove);
	}
	kinst_signals_release();
	free(path);
	return folder;
}

char *kinst_temp_path(const char *name)
{
	const char *dir = kinst_temp_dir();
	char *sub, *path = NULL;

	if (!dir)
		return NULL;
	sub = kinst_format("%s/%d", dir, ++n_paths);
	if (!mkdir(sub, 0700))
		path = kinst_format("%s/%s", sub, name);
	free(sub);
	return path;
}

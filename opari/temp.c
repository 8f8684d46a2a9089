/*
 * Temp: see temp.h.  One folder, removed with all that is in it.
 */
#include "opari/temp.h"

#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "opari/process.h"
#include "opari/text.h"

static char *folder;            /* NULL: none */
static int   keep, n_paths;

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

const char *kinst_temp_dir(void)
{
	const char *base = getenv("TMPDIR");
	char *path, *absolute;

	if (folder)
		return folder;
	path = kinst_format("%s/kinst.XXXXXX", base && *base ? base : "/tmp");
	kinst_signals_hold();
	if (mkdtemp(path)) {
		absolute = realpath(path, NULL);
		folder = absolute ? absolute : kinst_strdup(path);
		atexit(kinst_temp_remove);
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

/*
 * Replay: runs a fuzz target over the files of a corpus, for `make check` and compilers without libFuzzer.  The exit
 * status is 0, or 1 when there is no file or one cannot be read; a target that fails aborts.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"

static int replay(const char *path)
{
	FILE *file = fopen(path, "rb");
	uint8_t *data = NULL;
	long n_bytes;
	int ok = file && !fseek(file, 0, SEEK_END) && (n_bytes = ftell(file)) >= 0 && !fseek(file, 0, SEEK_SET) &&
	         (data = malloc((size_t)n_bytes + 1)) && fread(data, 1, (size_t)n_bytes, file) == (size_t)n_bytes;

	if (ok)
		LLVMFuzzerTestOneInput(data, (size_t)n_bytes);
	else
		fprintf(stderr, "replay: %s: cannot be read\n", path);
	if (file)
		fclose(file);
	free(data);
	return ok;
}

int main(int argc, char **argv)
{
	DIR *dir = argc > 1 ? opendir(argv[1]) : NULL;
	struct dirent *entry;
	int n = 0, n_bad = 0;

	while (dir && (entry = readdir(dir))) {
		char path[4096];

		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", argv[1], entry->d_name);
		n_bad += !replay(path);
		n++;
	}
	if (dir)
		closedir(dir);
	printf("%d inputs\n", n);
	return n && !n_bad ? 0 : 1;
}

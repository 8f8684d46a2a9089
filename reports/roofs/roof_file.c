/*
 * Roof file: see roof_file.h.
 */
#define _GNU_SOURCE
#include "reports/roofs/roof_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/array.h"

#define FIRST_LINE "ompp-machine 1"

enum { MOST_ROOFS = 4096, LINE_BYTES = 512, PATH_BYTES = 4096 };

static const char *const kinds[OMPP_N_ROOF_KINDS] = {
	[OMPP_ROOF_FLOPS] = "flops", [OMPP_ROOF_DIVISIONS] = "divisions", [OMPP_ROOF_BYTES] = "bytes"
};

const char *ompp_roofs_path(const char *host, struct ompp_arena *arena)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char path[PATH_BYTES];
	int n;

	if (cache && cache[0] == '/') /* others are to be passed over, as the specification of these folders has it */
		n = snprintf(path, sizeof(path), "%s/kinst/machine-%s", cache, host);
	else if (home && home[0])
		n = snprintf(path, sizeof(path), "%s/.cache/kinst/machine-%s", home, host);
	else
		return NULL;
	return n > 0 && (size_t)n < sizeof(path) ? ompp_arena_strdup(arena, path) : NULL;
}

/* ---- writing ---- */

static int make_folders(const char *path)
{
	char folder[PATH_BYTES];

	for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		if ((size_t)(slash - path) >= sizeof(folder))
			return -ENAMETOOLONG;
		memcpy(folder, path, (size_t)(slash - path));
		folder[slash - path] = '\0';
		if (mkdir(folder, 0777) && errno != EEXIST)
			return -errno;
	}
	return 0;
}

static void roofs_print(const struct ompp_roofs *r, FILE *to)
{
	fprintf(to, FIRST_LINE "\nhost %s\ncpu %s\ndate %s\nvector %s\nthreads %" PRIu32 "\nothers %" PRId64 "\n",
	        r->host, r->cpu, r->date, r->vector, r->n_threads, r->others);
	for (size_t i = 0; i < r->n; i++)
		fprintf(to, "%s %" PRIu32 " %" PRId64 " %" PRId64 " %s\n", kinds[r->list[i].kind], r->list[i].n_threads,
		        r->list[i].rate, r->list[i].spread, r->list[i].name);
}

int ompp_roofs_write(const struct ompp_roofs *roofs, const char *path)
{
	char new_path[PATH_BYTES];
	int rc = make_folders(path), is_bad;
	FILE *to;

	if (rc)
		return rc;
	if ((size_t)snprintf(new_path, sizeof(new_path), "%s.%ld", path, (long)getpid()) >= sizeof(new_path))
		return -ENAMETOOLONG;
	to = fopen(new_path, "wxe");
	if (!to)
		return -errno;
	roofs_print(roofs, to);
	is_bad = ferror(to);
	if (fclose(to) || is_bad || rename(new_path, path))
		rc = errno ? -errno : -EIO;
	if (rc)
		unlink(new_path);
	return rc;
}

/* ---- reading ---- */

/* Takes a number of a line, which a space follows or the end.  Returns 0 or -EINVAL. */
static int take_number(const char **at, int64_t *n)
{
	char *end;

	errno = 0;
	*n = strtoll(*at, &end, 10);
	if (end == *at || errno || *n < 0 || (*end && *end != ' '))
		return -EINVAL;
	*at = end + (*end == ' ');
	return 0;
}

static int take_roof(struct ompp_roofs *r, enum ompp_roof_kind kind, const char *at, struct ompp_arena *arena)
{
	struct ompp_roof roof = { .kind = kind };
	int64_t n_threads;

	if (r->n == MOST_ROOFS || take_number(&at, &n_threads) || take_number(&at, &roof.rate) ||
	    take_number(&at, &roof.spread) || !*at || !roof.rate || !n_threads || n_threads > UINT32_MAX)
		return -EINVAL;
	roof.n_threads = (uint32_t)n_threads;
	roof.name = ompp_arena_strdup(arena, at);
	r->list[r->n++] = roof;
	return roof.name ? 0 : -ENOMEM;
}

static int take_text(const char **to, const char *at, struct ompp_arena *arena)
{
	*to = ompp_arena_strdup(arena, at);
	return *to ? 0 : -ENOMEM;
}

/* Takes a line.  A word that is not known is of a later version, and passed over. */
static int take_line(struct ompp_roofs *r, const char *line, struct ompp_arena *arena)
{
	const struct {
		const char *word;
		const char **to;
	} texts[] = { { "host", &r->host }, { "cpu", &r->cpu }, { "date", &r->date }, { "vector", &r->vector } };
	size_t n = strcspn(line, " ");
	const char *rest = line + n + (line[n] == ' ');
	int64_t number;

	for (size_t i = 0; i < OMPP_COUNT_OF(texts); i++)
		if (strlen(texts[i].word) == n && !memcmp(texts[i].word, line, n))
			return take_text(texts[i].to, rest, arena);
	for (int i = 0; i < OMPP_N_ROOF_KINDS; i++)
		if (strlen(kinds[i]) == n && !memcmp(kinds[i], line, n))
			return take_roof(r, (enum ompp_roof_kind)i, rest, arena);
	if (n == strlen("others") && !memcmp(line, "others", n))
		return take_number(&rest, &r->others);
	if (n != strlen("threads") || memcmp(line, "threads", n))
		return 0;
	if (take_number(&rest, &number) || !number || number > UINT32_MAX)
		return -EINVAL;
	r->n_threads = (uint32_t)number;
	return 0;
}

/* Reads the next line without its end.  Returns 0 at the end of the file. */
static int next_line(FILE *from, char line[LINE_BYTES])
{
	if (!fgets(line, LINE_BYTES, from))
		return 0;
	line[strcspn(line, "\n")] = '\0';
	return 1;
}

int ompp_roofs_read(struct ompp_roofs *roofs, const char *path, struct ompp_arena *arena, const char **why)
{
	FILE *from = fopen(path, "re");
	char line[LINE_BYTES];
	int rc = 0;

	*why = "";
	if (!from)
		return -errno;
	*roofs = (struct ompp_roofs){ .host = "", .cpu = "", .date = "", .vector = "" };
	roofs->list = ompp_arena_alloc(arena, MOST_ROOFS * sizeof(*roofs->list));
	if (!roofs->list)
		rc = -ENOMEM;
	else if (!next_line(from, line) || strcmp(line, FIRST_LINE)) {
		*why = "is not a file that ompp machine wrote; give one, or measure anew with 'ompp machine'";
		rc = -EINVAL;
	}
	while (!rc && next_line(from, line))
		rc = take_line(roofs, line, arena);
	if (!rc && (!roofs->n || !roofs->n_threads))
		rc = -EINVAL;
	if (rc == -EINVAL && !(*why)[0])
		*why = "is damaged; measure anew with 'ompp machine'";
	fclose(from);
	return rc;
}

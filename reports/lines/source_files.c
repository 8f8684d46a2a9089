/*
 * Source files: see source_files.h.
 */
#include "reports/lines/source_files.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/array.h"
#include "runtime/base/sort.h"

/* Does the name have a suffix of source files? */
static int is_source_name(const char *path)
{
	static const char *const ends[] = { "c",   "cc",  "cpp", "cxx", "c++", "C",   "cu",  "h",   "hh",  "hpp",
		                            "hxx", "inc", "ipp", "tpp", "f",   "for", "ftn", "f77", "f90", "f95",
		                            "f03", "f08", "F",   "FOR", "F77", "F90", "F95", "F03", "F08" };
	const char *dot = strrchr(path, '.');

	for (size_t i = 0; dot && i < OMPP_COUNT_OF(ends); i++)
		if (!strcmp(dot + 1, ends[i]))
			return 1;
	return 0;
}

char *ompp_source_load(const char *path, int64_t start_unix_ns, struct ompp_arena *arena, int *has_changed,
                       const char **why)
{
	int fd = is_source_name(path) ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	struct stat st;
	char *text = NULL;
	ssize_t n = 0;
	size_t n_bytes = 0;

	*has_changed = 0;
	*why = fd < 0 ? is_source_name(path) ? "not found here" : "its name is not that of a source" : "cannot be read";
	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode)) {
		*why = "too long";
		if (st.st_size <= OMPP_SOURCE_MOST_BYTES)
			text = ompp_arena_alloc(arena, (size_t)st.st_size + 1);
		while (text && n_bytes < (size_t)st.st_size &&
		       (n = read(fd, text + n_bytes, (size_t)st.st_size - n_bytes)) > 0)
			n_bytes += (size_t)n;
		*has_changed = st.st_mtim.tv_sec > start_unix_ns / 1000000000;
	}
	close(fd);
	if (text && strlen(text) != n_bytes) {
		*why = "not a text";
		return NULL;
	}
	return text;
}

static int is_after(const void *files, uint32_t x, uint32_t y)
{
	const char *const *f = files;

	int d = strcmp(f[x], f[y]);

	return d ? d > 0 : x > y;
}

/* Adds the files first mentioned in a region, or the other files.
 * order: that of all mentions by name; the first n_of_regions are those of regions */
static void add_files(const char **files, size_t *n_files, const char *const *all, const uint32_t *order, size_t n,
                      size_t n_of_regions, int of_regions)
{
	for (size_t i = 0; i < n; i++) {
		const char *name = all[order[i]];

		if (name[0] && (!i || strcmp(name, all[order[i - 1]])) && (order[i] < n_of_regions) == of_regions)
			files[(*n_files)++] = name;
	}
}

const char **ompp_source_files(const struct ompp_analysis *a, size_t *n_files)
{
	const struct ompp_profile *p = a->profile;
	size_t n_all = p->n_regions + p->n_sample_lines + p->n_first_touches + p->n_hot_spots, n = 0, n_of_regions;
	const char **all = ompp_arena_alloc(a->arena, (n_all + 1) * sizeof(*all));
	const char **files = ompp_arena_alloc(a->arena, (n_all + 1) * sizeof(*files));
	uint32_t *order = ompp_arena_alloc(a->arena, (n_all + 1) * sizeof(*order));

	*n_files = 0;
	if (!all || !files || !order)
		return NULL;
	for (size_t i = 0; i < p->n_regions; i++)
		if (a->shown[i])
			all[n++] = p->regions[i].file;
	n_of_regions = n;
	for (size_t i = 0; i < p->n_sample_lines; i++)
		all[n++] = p->sample_lines[i].file;
	for (size_t i = 0; i < p->n_first_touches; i++)
		all[n++] = p->first_touches[i].file;
	for (size_t i = 0; i < p->n_hot_spots; i++)
		all[n++] = p->hot_spots[i].file;
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	ompp_sort(order, n, is_after, all);
	add_files(files, n_files, all, order, n, n_of_regions, 1);
	add_files(files, n_files, all, order, n, n_of_regions, 0);
	return files;
}

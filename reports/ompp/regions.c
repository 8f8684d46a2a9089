/*
 * Regions: ompp regions.  For a binary it lists the CTC strings in its bytes, and the notes of what is not measured;
 * for a saved profile, its regions.
 */
#define _GNU_SOURCE
#include "reports/show/show.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reports/command/command_line.h"
#include "reports/profile/profile_file.h"
#include "runtime/program/unmeasured.h"
#include "runtime/terms/ctc.h"

static int regions_compare(const void *a, const void *b)
{
	const struct ompp_ctc *x = a, *y = b;
	size_t n = x->file_bytes < y->file_bytes ? x->file_bytes : y->file_bytes;
	int d = memcmp(x->file, y->file, n);

	if (d || x->file_bytes != y->file_bytes)
		return d ? d : x->file_bytes < y->file_bytes ? -1 : 1;
	if (x->begin_line != y->begin_line)
		return x->begin_line < y->begin_line ? -1 : 1;
	if (x->end_line != y->end_line)
		return x->end_line < y->end_line ? -1 : 1;
	return (int)x->construct - (int)y->construct;
}

static void print_bytes(const char *text, size_t n_bytes)
{
	char *copy = strndup(text, n_bytes);

	fputs(copy ? ompp_shown(copy) : "", stdout);
	free(copy);
}

static void regions_print(const struct ompp_ctc *c)
{
	print_bytes(c->file, c->file_bytes);
	printf(":%u-%u %s", c->begin_line, c->end_line, ompp_construct_name(c->construct));
	if (c->name_bytes) {
		putchar(' ');
		print_bytes(c->name, c->name_bytes);
	}
	putchar('\n');
}

/* Finds all different CTC strings in the bytes, sorted by place.  Returns their number, or -1 without memory. */
static long regions_find(const char *data, size_t n_bytes, struct ompp_ctc **found)
{
	static const char mark[] = "*regionType=";
	const char *p = data, *end = data + n_bytes;
	size_t n = 0, have = 0, kept = 0;

	*found = NULL;
	while ((p = memmem(p, (size_t)(end - p), mark, sizeof(mark) - 1))) {
		const char *start = p;
		struct ompp_ctc ctc;

		while (start > data && start[-1] >= '0' && start[-1] <= '9')
			start--;
		p += sizeof(mark) - 1;
		if (ompp_ctc_parse(start, (size_t)(end - start), &ctc))
			continue;
		if (n == have) {
			struct ompp_ctc *grown = realloc(*found, (have = have ? 2 * have : 64) * sizeof(*grown));

			if (!grown)
				return -1;
			*found = grown;
		}
		(*found)[n++] = ctc;
		p = start + ctc.text_bytes;
	}
	if (n)
		qsort(*found, n, sizeof(**found), regions_compare);
	for (size_t i = 0; i < n; i++)
		if (!kept || regions_compare(&(*found)[kept - 1], &(*found)[i]))
			(*found)[kept++] = (*found)[i];
	return (long)kept;
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Finds all different texts of notes in the bytes, which may be those of an archive, sorted.  Returns their number, or
 * -1 without memory. */
static long find_unmeasured(const char *data, size_t n_bytes, const char ***found)
{
	static const char owner[] = OMPP_UNMEASURED_OWNER;
	const char *p = data, *end = data + n_bytes, *text;
	size_t n = 0, have = 0, kept = 0;

	*found = NULL;
	for (; (p = memmem(p, (size_t)(end - p), owner, sizeof(owner))); p++) {
		size_t at = 0, head = 3 * sizeof(uint32_t);

		if ((size_t)(p - data) < head ||
		    !(text = ompp_unmeasured_next(p - head, (size_t)(end - p) + head, OMPP_UNMEASURED_TYPE, &at)) ||
		    text > p + sizeof(owner) + 3)
			continue;
		if (n == have) {
			const char **grown = realloc(*found, (have = have ? 2 * have : 64) * sizeof(*grown));

			if (!grown)
				return -1;
			*found = grown;
		}
		(*found)[n++] = text;
	}
	if (n)
		qsort(*found, n, sizeof(**found), compare_texts);
	for (size_t i = 0; i < n; i++)
		if (!kept || strcmp((*found)[kept - 1], (*found)[i]))
			(*found)[kept++] = (*found)[i];
	return (long)kept;
}

static int print_unmeasured(const char *data, size_t n_bytes)
{
	const char **found;
	long n = find_unmeasured(data, n_bytes, &found);

	for (long i = 0; i < n; i++)
		printf("not measured: %s\n", ompp_shown(found[i]));
	free(found);
	return n < 0;
}

static int of_binary(const char *path, const char *data, size_t n_bytes)
{
	struct ompp_ctc *found;
	long n = regions_find(data, n_bytes, &found);

	for (long i = 0; i < n; i++)
		regions_print(&found[i]);
	free(found);
	if (n < 0 || print_unmeasured(data, n_bytes))
		ompp_complain(path, "not enough memory");
	if (!n)
		ompp_complain(path, "no instrumented region in it; build it with 'kinst COMPILER -fopenmp'");
	return n > 0 ? 0 : OMPP_EXIT_FAILED;
}

static int of_profile(const char *path)
{
	struct ompp_arena arena;
	struct ompp_profile profile;
	int rc;

	ompp_arena_init(&arena, 0);
	rc = ompp_load(path, &arena, &profile);
	for (size_t i = 0; !rc && i < profile.n_regions; i++) {
		const struct ompp_region *r = &profile.regions[i];

		regions_print(&(struct ompp_ctc){ .construct = r->construct,
		                                  .file = r->file,
		                                  .file_bytes = strlen(r->file),
		                                  .begin_line = r->begin_line,
		                                  .end_line = r->end_line,
		                                  .name = r->name,
		                                  .name_bytes = strlen(r->name) });
	}
	ompp_arena_fini(&arena);
	return rc ? OMPP_EXIT_FAILED : 0;
}

static int regions_main(int argc, char **argv)
{
	size_t n_files = 0;
	int status = ompp_command_words_of(&ompp_regions_command, NULL, argc, argv, &n_files), fd;
	const char *path = argv[0];
	struct stat st;
	char *data;

	if (status)
		return status - 1;
	if (n_files != 1) {
		ompp_complain("regions", "give one file: a program, object, library or saved profile");
		return OMPP_EXIT_USAGE;
	}
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		ompp_complain(path, "cannot be read: %s; give a program or a saved profile",
		              fd < 0 ? strerror(errno) : "not a file");
		if (fd >= 0)
			close(fd);
		return OMPP_EXIT_FAILED;
	}
	if (!st.st_size) {
		close(fd);
		return of_binary(path, "", 0);
	}
	data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (data == MAP_FAILED) {
		ompp_complain(path, "cannot be read: %s", strerror(errno));
		return OMPP_EXIT_FAILED;
	}
	if (ompp_profile_is(data, (size_t)st.st_size))
		status = of_profile(path);
	else
		status = of_binary(path, data, (size_t)st.st_size);
	munmap(data, (size_t)st.st_size);
	return status;
}

const struct ompp_command ompp_regions_command = {
	.name = "regions",
	.usage = "FILE",
	.brief = "list the regions in a program, object, library or saved profile",
	.about = "Lists the OpenMP constructs and user regions that were instrumented, as file:first-last\n"
		 "construct name, and those that kinst could not instrument, with the reason.\n"
		 "FILE is a program, object file, archive or shared library built by kinst, or a saved profile.\n",
	.run = regions_main,
};

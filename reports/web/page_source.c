/*
 * Page source: see page_source.h.
 */
#include "reports/web/page_source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/array.h"
#include "runtime/base/sort.h"

/* Does the name end as those of sources do? */
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

/* Returns what the file has, terminated; NULL when it is no source, and *why tells the reason. */
static char *load(const char *path, int64_t start_unix_ns, struct ompp_arena *arena, int *has_changed, const char **why)
{
	int fd = is_source_name(path) ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	struct stat st;
	char *text = NULL;
	ssize_t n = 0;
	size_t n_bytes = 0;

	*why = fd < 0 ? is_source_name(path) ? "not found here" : "its name is not that of a source" : "cannot be read";
	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode)) {
		*why = "too long";
		if (st.st_size <= OMPP_PAGE_SOURCE_BYTES)
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

static size_t put_lines(struct ompp_embed *e, char *text)
{
	size_t n_bytes = 0;

	ompp_embed_key(e, "lines");
	ompp_embed_open(e, '[');
	while (*text) {
		size_t n = strcspn(text, "\n"), n_shown = n && text[n - 1] == '\r' ? n - 1 : n;
		int is_last = !text[n];

		text[n_shown] = text[n] = '\0';
		ompp_embed_source_line(e, text);
		n_bytes += n;
		text += n + !is_last;
	}
	ompp_embed_close(e, ']');
	return n_bytes;
}

static int is_after(const void *files, uint32_t x, uint32_t y)
{
	const char *const *f = files;

	return strcmp(f[x], f[y]) > 0;
}

int ompp_page_source(struct ompp_embed *e, const struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;
	size_t n = p->n_regions + p->n_sample_lines + p->n_first_touches, n_files = 0, n_bytes = 0;
	const char **files = ompp_arena_alloc(a->arena, (n + 1) * sizeof(*files));
	uint32_t *order = ompp_arena_alloc(a->arena, (n + 1) * sizeof(*order));

	if (!files || !order)
		return -ENOMEM;
	for (size_t i = 0; i < p->n_regions; i++)
		if (a->shown[i])
			files[n_files++] = p->regions[i].file;
	for (size_t i = 0; i < p->n_sample_lines; i++)
		files[n_files++] = p->sample_lines[i].file;
	for (size_t i = 0; i < p->n_first_touches; i++)
		files[n_files++] = p->first_touches[i].file;
	for (uint32_t i = 0; i < n_files; i++)
		order[i] = i;
	ompp_sort(order, n_files, is_after, files);
	ompp_embed_key(e, "sources");
	ompp_embed_open(e, '[');
	for (size_t i = 0; i < n_files; i++) {
		const char *path = files[order[i]], *why;
		int has_changed = 0;
		char *text;

		if (!path[0] || (i && !strcmp(path, files[order[i - 1]])))
			continue;
		text = load(path, p->start_unix_ns, a->arena, &has_changed, &why);
		if (text && n_bytes > OMPP_PAGE_SOURCES_BYTES) {
			text = NULL;
			why = "too much with the other files";
		}
		ompp_embed_open(e, '{');
		ompp_embed_text_of(e, "file", path);
		if (text)
			n_bytes += put_lines(e, text);
		else
			ompp_embed_text_of(e, "why", why);
		ompp_embed_number_of(e, "changed", has_changed);
		ompp_embed_close(e, '}');
	}
	ompp_embed_close(e, ']');
	return 0;
}

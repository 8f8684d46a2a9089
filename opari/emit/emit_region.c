/*
 * Emit region: see emit_region.h.
 */
#include "opari/emit/emit_region.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "opari/data/prologue.h"
#include "runtime/base/array.h"
#include "runtime/base/checksum.h"

/* Returns an absolute path without "." and, if `parents` is set, without "x/..". */
static char *without_dots(const char *path, int parents)
{
	char *out = kinst_alloc(strlen(path) + 1);
	size_t n = 0;

	while (*path) {
		size_t length = strcspn(path, "/");

		if (parents && length == 2 && !strncmp(path, "..", 2)) {
			while (n && out[--n] != '/')
				;
		} else if (length && !(length == 1 && *path == '.')) {
			out[n++] = '/';
			memcpy(out + n, path, length);
			n += length;
		}
		path += length + (path[length] == '/');
	}
	out[n] = '\0';
	return out;
}

/* Returns 1 when both paths belong to the same file.  If x is a symbolic link, "x/.." is not the folder that contains
 * x. */
static int is_same(const char *path, const char *other)
{
	struct stat a, b;

	return !stat(path, &a) && !stat(other, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

char *kinst_location_path(const struct kinst_location *location, const char *directory)
{
	char *file = kinst_alloc(location->n_file + 1), *whole, *path, *shorter;
	size_t n = 0;

	for (const char *p = location->file, *end = p + location->n_file; p < end; p++) {
		p += *p == '\\' && p + 1 < end;
		file[n++] = *p;
	}
	file[n] = '\0';
	if (!n || *file == '<')
		return file;
	whole = *file == '/' ? kinst_strdup(file) : kinst_format("%s/%s", directory, file);
	path = without_dots(whole, 0);
	if (strstr(path, "/../")) {
		shorter = without_dots(path, 1);
		if (is_same(path, shorter)) {
			free(path);
			path = shorter;
		} else {
			free(shorter);
		}
	}
	free(whole);
	free(file);
	return path;
}

/* Returns the path of a location.  It is cached, as most locations are in the same file as the previous one. */
static const char *path_of(struct kinst_regions *regions, const struct kinst_location *location)
{
	if (!regions->path || regions->n_file != location->n_file ||
	    memcmp(regions->file, location->file, location->n_file)) {
		free(regions->path);
		regions->path = kinst_location_path(location, regions->directory);
		regions->file = location->file;
		regions->n_file = location->n_file;
	}
	return regions->path;
}

/* Adds a path in the form that a C string has; Fortran's have no escapes.  *n grows by the bytes that the string has at
 * run time. */
static void put_file(struct kinst_regions *regions, const struct kinst_location *location, struct kinst_text *out,
                     size_t *n)
{
	for (const char *p = path_of(regions, location), *end; *p; p = end) {
		end = p + 1 + strcspn(p + 1, "\"\\");
		if (!regions->fortran && (*p == '"' || *p == '\\'))
			kinst_text_puts(out, "\\");
		kinst_text_add(out, p, (size_t)(end - p));
		*n += (size_t)(end - p);
	}
}

static void put_counted(struct kinst_text *out, size_t *n, const char *text)
{
	kinst_text_puts(out, text);
	*n += strlen(text);
}

static void put_line(struct kinst_text *out, size_t *n, const char *before, unsigned int line)
{
	size_t length = out->length;

	kinst_text_puts(out, before);
	kinst_text_number(out, line);
	*n += out->length - length;
}

static void put_location(struct kinst_regions *regions, const char *key, const struct kinst_location *location,
                         struct kinst_text *out, size_t *n)
{
	put_counted(out, n, key);
	put_file(regions, location, out, n);
	put_line(out, n, ":", location->first_line);
	put_line(out, n, ":", location->last_line);
	put_counted(out, n, "*");
}

/* Returns n plus the number of digits of the result: a length that includes itself. */
static size_t counting_itself(size_t n)
{
	size_t n_digits = 1;

	for (size_t least = 10; n + n_digits >= least; least *= 10)
		n_digits++;
	return n + n_digits;
}

/* Adds a text to a sum, and a byte that no text has. */
static uint64_t sum_text(uint64_t sum, const char *text, size_t n)
{
	return ompp_checksum(ompp_checksum(sum, text, n), "\xff", 1);
}

/* Returns what regions of the same type, file and name have in common. */
static uint64_t likeness(struct kinst_regions *regions, const char *type, const struct kinst_location *first,
                         const char *attributes)
{
	const char *path = path_of(regions, first), *name = strstr(attributes, "Name=");
	uint64_t sum = sum_text(OMPP_CHECKSUM_START, type, strlen(type));

	sum = sum_text(sum, path, strlen(path));
	return name ? sum_text(sum, name, strcspn(name, "*")) : sum;
}

/* Returns what regions that are alike have in common where they stand on the same lines, too. */
static uint64_t likeness_of_lines(uint64_t like, const struct kinst_location *first, const struct kinst_location *last)
{
	uint32_t lines[] = { first->first_line, first->last_line, last->first_line, last->last_line };

	return ompp_checksum(like, lines, sizeof(lines));
}

/* Returns the entry of a sum, or the free one where it belongs; there is one. */
static struct kinst_alike *alike_at(struct kinst_alike *table, size_t room, uint64_t sum)
{
	size_t i = (size_t)sum & (room - 1);

	while (table[i].n && table[i].sum != sum)
		i = (i + 1) & (room - 1);
	return &table[i];
}

static void alike_grow(struct kinst_regions *regions)
{
	size_t room = regions->alike_room ? regions->alike_room * 2 : 64;
	struct kinst_alike *table = kinst_realloc(NULL, room * sizeof(*table));

	memset(table, 0, room * sizeof(*table));
	for (size_t i = 0; i < regions->alike_room; i++)
		if (regions->alike[i].n)
			*alike_at(table, room, regions->alike[i].sum) = regions->alike[i];
	free(regions->alike);
	regions->alike = table;
	regions->alike_room = room;
}

/* Returns the number of a further region among those with that in common, from 1. */
static unsigned int number_alike(struct kinst_regions *regions, uint64_t sum)
{
	struct kinst_alike *alike;

	if (regions->n_alike * 2 >= regions->alike_room)
		alike_grow(regions);
	alike = alike_at(regions->alike, regions->alike_room, sum);
	regions->n_alike += !alike->n;
	alike->sum = sum;
	return ++alike->n;
}

size_t kinst_region_new(struct kinst_regions *regions, const char *type, struct kinst_location first,
                        struct kinst_location last, const char *attributes)
{
	struct kinst_text body = { 0 }, whole = { 0 };
	uint64_t like = likeness(regions, type, &first, attributes);
	unsigned int number = number_alike(regions, like),
		     here = number_alike(regions, likeness_of_lines(like, &first, &last));
	size_t n = 0;

	put_counted(&body, &n, "*regionType=");
	put_counted(&body, &n, type);
	put_location(regions, "*sscl=", &first, &body, &n);
	put_location(regions, "escl=", &last, &body, &n);
	put_counted(&body, &n, attributes);
	put_line(&body, &n, "number=", number);
	if (here > 1 && strcmp(type, "critical")) /* those of one name are one lock */
		put_line(&body, &n, "*onLine=#", here);
	put_counted(&body, &n, "**");
	kinst_text_number(&whole, counting_itself(n));
	kinst_text_add(&whole, body.data, body.length);
	kinst_text_free(&body);
	if (regions->n == regions->room) {
		regions->room = regions->room * 2 + 32;
		regions->items = kinst_realloc(regions->items, regions->room * sizeof(*regions->items));
	}
	regions->items[regions->n] = (struct kinst_region){ .ctc = whole.data };
	return regions->n++;
}

void kinst_region_site(struct kinst_regions *regions, struct kinst_location location, const char *argument, size_t n,
                       struct kinst_text *out)
{
	const char *path = path_of(regions, &location);

	kinst_text_printf(out, "%lu:%zu:%s:%.*s", (unsigned long)location.first_line, strlen(path), path, (int)n,
	                  argument);
}

/* Returns how many bytes a list of words has at the begin of a clause, up to its comma, as those of a schedule; 0 for
 * something else. */
static size_t words_before_comma(const struct kinst_clause *clause)
{
	size_t i = 0;

	while (i < clause->n_args && (isalpha((unsigned char)clause->args[i]) || strchr(" _:", clause->args[i])))
		i++;
	return i < clause->n_args && clause->args[i] == ',' ? i + 1 : 0;
}

/* Adds the text in the parentheses of a clause.  An expression that is not possible in a context string becomes
 * "...". */
static void put_args(struct kinst_text *out, const struct kinst_clause *clause)
{
	int is_plain = clause->n_args <= 40;

	for (size_t i = 0; i < clause->n_args; i++)
		is_plain &= isalnum((unsigned char)clause->args[i]) || strchr(" _,.:()+-/", clause->args[i]) != NULL;
	kinst_text_puts(out, "(");
	kinst_text_add(out, clause->args, is_plain ? clause->n_args : words_before_comma(clause));
	kinst_text_puts(out, is_plain ? ")" : "...)");
}

char *kinst_region_attributes(const struct kinst_directive *d, int is_nowait, const char *attributes)
{
	static const struct {
		const char *name;
		int with_args;
	} names[] = { { "schedule", 1 },    { "collapse", 1 },    { "ordered", 1 }, { "grainsize", 1 },
		      { "num_tasks", 1 },   { "num_threads", 1 }, { "if", 0 },      { "reduction", 0 },
		      { "copyprivate", 0 }, { "untied", 0 },      { "final", 0 },   { "depend", 0 },
		      { "nowait", 0 } };
	struct kinst_text out = { 0 };
	size_t start;

	kinst_text_puts(&out, attributes);
	kinst_text_puts(&out, "clauses=");
	start = out.length;
	for (size_t i = 0; i < OMPP_COUNT_OF(names); i++) {
		const struct kinst_clause *clause = kinst_directive_clause(d, names[i].name);

		if (!clause && !(is_nowait && !strcmp(names[i].name, "nowait")))
			continue;
		kinst_text_puts(&out, out.length > start ? " " : "");
		kinst_text_puts(&out, names[i].name);
		if (clause && clause->args && names[i].with_args)
			put_args(&out, clause);
	}
	if (out.length == start) {
		kinst_text_free(&out);
		return kinst_strdup(attributes);
	}
	kinst_text_puts(&out, "*");
	return out.data;
}

size_t kinst_region_begin(struct kinst_regions *regions, const char *name, size_t n_name, struct kinst_location first,
                          struct kinst_location last)
{
	char *attribute = kinst_format("userRegionName=%.*s*", (int)n_name, name);
	size_t region = kinst_region_new(regions, "userRegion", first, last, attribute);

	regions->items[region].user = kinst_strndup(name, n_name);
	regions->items[region].file = kinst_strndup(first.file, first.n_file);
	regions->items[region].first_line = first.first_line;
	free(attribute);
	return region;
}

size_t kinst_region_begun(const struct kinst_regions *regions, const char *name, size_t n_name, int any_case)
{
	for (size_t i = regions->n; i-- > 0;) {
		const char *user = regions->items[i].user;

		if (user && strlen(user) == n_name &&
		    !(any_case ? strncasecmp(user, name, n_name) : strncmp(user, name, n_name)))
			return i;
	}
	return regions->n;
}

const char *kinst_region_type(const struct kinst_directive *d)
{
	switch (d->leaves[0]) {
	/* clang-format off */
	case KINST_OMP_TASKGROUP:           return "taskgroup";
	case KINST_OMP_TASKWAIT:            return "taskwait";
	case KINST_OMP_TASKYIELD:           return "taskyield";
	case KINST_OMP_GENERIC_LOOP:        return "loop";
	case KINST_OMP_SIMD:                return "simd";
	case KINST_OMP_TEAMS:               return "teams";
	case KINST_OMP_DISTRIBUTE:          return "distribute";
	case KINST_OMP_TARGET:              return "target";
	case KINST_OMP_TARGET_DATA:         return "targetdata";
	case KINST_OMP_TARGET_ENTER_DATA:   return "targetenterdata";
	case KINST_OMP_TARGET_EXIT_DATA:    return "targetexitdata";
	case KINST_OMP_TARGET_UPDATE:       return "targetupdate";
	case KINST_OMP_WORKSHARE:           return "workshare";
	case KINST_OMP_DEPOBJ:              return "depobj";
	default:                        return "region";
		/* clang-format on */
	}
}

/* Adds the definition of a region's handle.  For C++, linkers keep or discard the handle of an inline function with its
 * section group, and gcc allows one group per section.  So in C++ each handle has a section of its own. */
static void put_definition(const struct kinst_regions *regions, size_t region, struct kinst_text *out)
{
	kinst_text_printf(out, "static POMP2_Region_handle __kinst_%zu __attribute__((__section__(\"" KINST_STATICS,
	                  region);
	if (regions->cxx)
		kinst_text_printf(out, ".%zu", region);
	kinst_text_puts(out, "\")));");
}

void kinst_region_code(const struct kinst_regions *regions, size_t region, const char *code, struct kinst_text *out)
{
	const char *from = code;

	kinst_text_puts(out, "");
	for (const char *p = code; (p = strpbrk(p, "HCD")); p++) {
		if ((p > code && kinst_is_word(p[-1])) || kinst_is_word(p[1]))
			continue;
		kinst_text_add(out, from, (size_t)(p - from));
		from = p + 1;
		if (*p == 'H') {
			kinst_text_puts(out, "__kinst_");
			kinst_text_number(out, region);
		} else if (*p == 'D') {
			put_definition(regions, region, out);
		} else {
			kinst_text_puts(out, "\"");
			kinst_text_puts(out, regions->items[region].ctc);
			kinst_text_puts(out, "\"");
		}
	}
	kinst_text_puts(out, from);
}

void kinst_regions_free(struct kinst_regions *regions)
{
	for (size_t i = 0; i < regions->n; i++) {
		free(regions->items[i].ctc);
		free(regions->items[i].user);
		free(regions->items[i].file);
	}
	free(regions->items);
	free(regions->alike);
	free(regions->path);
	*regions = (struct kinst_regions){ 0 };
}

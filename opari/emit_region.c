/*
 * Emit region: see emit_region.h.
 */
#include "opari/emit_region.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The file with its folder, spelled for a C string; the bytes that it has at run time are counted. */
static void put_file(const struct kinst_regions *regions, const struct kinst_place *place, struct kinst_text *out,
		     size_t *n)
{
	const char *p = place->file, *end = p + place->n_file;

	if (place->n_file && *p != '/' && *p != '<') {
		for (const char *d = regions->directory; *d; d++, ++*n) {
			if (*d == '"' || *d == '\\')
				kinst_text_puts(out, "\\");
			kinst_text_add(out, d, 1);
		}
		kinst_text_puts(out, "/");
		++*n;
	}
	kinst_text_add(out, p, place->n_file);
	for (; p < end; p++, ++*n)
		p += *p == '\\' && p + 1 < end;
}

static void put_counted(struct kinst_text *out, size_t *n, const char *text)
{
	kinst_text_puts(out, text);
	*n += strlen(text);
}

static void put_place(const struct kinst_regions *regions, const char *key, const struct kinst_place *place,
		      struct kinst_text *out, size_t *n)
{
	char lines[64];

	put_counted(out, n, key);
	put_file(regions, place, out, n);
	snprintf(lines, sizeof(lines), ":%u:%u*", place->first_line, place->last_line);
	put_counted(out, n, lines);
}

size_t kinst_region_new(struct kinst_regions *regions, const char *type, struct kinst_place first,
			struct kinst_place last, const char *attributes)
{
	struct kinst_text body = { 0 };
	size_t n = 0, n_digits = 1;
	char head[64];

	snprintf(head, sizeof(head), "*regionType=%s", type);
	put_counted(&body, &n, head);
	put_place(regions, "*sscl=", &first, &body, &n);
	put_place(regions, "escl=", &last, &body, &n);
	put_counted(&body, &n, attributes);
	put_counted(&body, &n, "*");
	/* the length counts its own digits */
	while ((size_t)snprintf(NULL, 0, "%zu", n + n_digits) != n_digits)
		n_digits++;
	if (regions->n == regions->room) {
		regions->room = regions->room * 2 + 32;
		regions->items = kinst_realloc(regions->items, regions->room * sizeof(*regions->items));
	}
	regions->items[regions->n] = (struct kinst_region){ kinst_format("%zu%s", n + n_digits, body.data), NULL };
	kinst_text_free(&body);
	return regions->n++;
}

size_t kinst_region_begin(struct kinst_regions *regions, const char *name, size_t n_name, struct kinst_place first,
			  struct kinst_place last)
{
	char *attribute = kinst_format("userRegionName=%.*s*", (int)n_name, name);
	size_t region = kinst_region_new(regions, "userRegion", first, last, attribute);

	regions->items[region].user = kinst_strndup(name, n_name);
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
	}
}

void kinst_region_code(const struct kinst_regions *regions, size_t region, const char *code, struct kinst_text *out)
{
	kinst_text_puts(out, "");
	for (const char *p = code; *p; p++) {
		int alone = (p == code || (!isalnum((unsigned char)p[-1]) && p[-1] != '_')) &&
			    !isalnum((unsigned char)p[1]) && p[1] != '_';

		if (*p == 'H' && alone)
			kinst_text_printf(out, "__kinst_%zu", region);
		else if (*p == 'C' && alone)
			kinst_text_printf(out, "\"%s\"", regions->items[region].ctc);
		else
			kinst_text_add(out, p, 1);
	}
}

void kinst_regions_free(struct kinst_regions *regions)
{
	for (size_t i = 0; i < regions->n; i++) {
		free(regions->items[i].ctc);
		free(regions->items[i].user);
	}
	free(regions->items);
	*regions = (struct kinst_regions){ 0 };
}

/*
 * Doubt, Fortran: see doubt_fortran.h.
 */
#include "opari/read/doubt_fortran.h"

#include <ctype.h>
#include <string.h>

#include "opari/read/doubt.h"

/* Returns 1 when a directive goes on in a line that does not follow. */
static int is_dangling(const struct kinst_statements *all, size_t i)
{
	struct kinst_span line = all->lines[all->items[i].last];
	const char *end = line.p + line.n, *p = memchr(line.p, '$', line.n), *amp;

	amp = p && (p = memchr(p, ' ', (size_t)(end - p))) ? memchr(p, '&', (size_t)(end - p)) : NULL;
	for (p = amp ? amp + 1 : end; p < end && isspace((unsigned char)*p); p++)
		;
	return amp && (p == end || *p == '!');
}

int kinst_doubt_fortran(const struct kinst_statements *all, const struct kinst_fortran_extent *extent)
{
	struct kinst_directive end;
	int doubt = kinst_doubt_directive(&extent->d) || is_dangling(all, extent->first);

	if (doubt || extent->end == KINST_NOWHERE || !kinst_fortran_read(all, extent->end, &end))
		return doubt;
	doubt = kinst_doubt_end(&end) || is_dangling(all, extent->end);
	kinst_directive_free(&end);
	return doubt;
}

/*
 * Emitter, in Fortran: see emitter_fortran.h.
 */
#include "opari/emit/emitter_fortran.h"

#include <stdlib.h>

#include "opari/emit/construct_location.h"
#include "opari/read/operand_fortran.h"

#define NO_CALLS "nothing can be called inside of a simd loop, an atomic, a workshare or code for a device"

/* Walks over statements; if `why_not` gives a reason, no calls are inserted in them. */
void kinst_fortran_walk_silently(struct kinst_fortran_emitter *e, size_t from, size_t to, const char *why_not)
{
	const char *before = e->silent;

	if (!before)
		e->silent = why_not;
	e->walk(e, from, to);
	e->silent = before;
}

const char *kinst_fortran_no_calls_if(int is)
{
	return is ? NO_CALLS : NULL;
}

/* Writes a call with a region's context string, and with `more` arguments. */
void kinst_fortran_put_call(struct kinst_fortran_emitter *e, const char *name, size_t region, const char *more)
{
	kinst_write_call(&e->w, name, e->regions.items[region].ctc, more);
}

void kinst_fortran_call_before(struct kinst_fortran_emitter *e, size_t i, const char *name, size_t region,
                               const char *more)
{
	kinst_write_before(&e->w, i);
	kinst_fortran_put_call(e, name, region, more);
	kinst_write_resume(&e->w, i, 0);
}

void kinst_fortran_call_behind(struct kinst_fortran_emitter *e, size_t i, const char *name, size_t region)
{
	kinst_write_behind(&e->w, i);
	kinst_fortran_put_call(e, name, region, "");
	kinst_write_resume(&e->w, i, 1);
}

struct kinst_location kinst_fortran_place(const struct kinst_fortran_emitter *e, size_t i)
{
	const struct kinst_statement *s = &e->s.items[i];

	return (struct kinst_location){ s->file.p, s->file.n, (uint32_t)s->line,
		                        (uint32_t)(s->line + s->last - s->first) };
}

size_t kinst_fortran_region(struct kinst_fortran_emitter *e, const struct kinst_fortran_extent *s, const char *type,
                            const char *attribute)
{
	char *attributes = kinst_region_attributes(&s->d, kinst_fortran_end_has(&e->s, s, "nowait"), attribute);
	struct kinst_bounds bounds = kinst_construct_bounds_fortran(&e->s, s->first, s->last);
	size_t region = kinst_region_new(&e->regions, type, bounds.first, bounds.last, attributes);

	free(attributes);
	return region;
}

/* Puts a call where the body ends: before the end directive, or behind the last statement where there is none. */
void kinst_fortran_put_end_calls(struct kinst_fortran_emitter *e, const struct kinst_fortran_extent *s,
                                 const char *name, size_t region)
{
	if (s->end != KINST_NOWHERE)
		kinst_fortran_call_before(e, s->end, name, region, "");
	else
		kinst_fortran_call_behind(e, s->last, name, region);
}

void kinst_fortran_walk_body(struct kinst_fortran_emitter *e, const struct kinst_fortran_extent *s, const char *why_not)
{
	kinst_fortran_walk_silently(e, s->first + 1, s->end != KINST_NOWHERE ? s->end : s->last + 1, why_not);
}

char *kinst_fortran_name(const struct kinst_directive *d)
{
	return kinst_strndup(d->name, d->n_name);
}

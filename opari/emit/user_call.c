/*
 * User call: see user_call.h.
 */
#include "opari/emit/user_call.h"

#include <string.h>
#include <strings.h>

/* Ends the region that was begun last under the directive's name.  Returns 1 when calls are made for it. */
static int end_region(struct kinst_regions *regions, const struct kinst_pomp *pomp,
                      const struct kinst_location *location, int any_case, struct kinst_text *messages, size_t *region)
{
	*region = kinst_region_begun(regions, pomp->name, pomp->n_name, any_case);
	if (*region == regions->n) {
		kinst_pomp_complain_unbegun(regions, pomp, location, messages);
		return 0;
	}
	regions->items[*region].is_ended = 1;
	return regions->items[*region].is_called;
}

enum kinst_pomp_verb kinst_user_call(struct kinst_regions *regions, const struct kinst_emit_options *options,
                                     struct kinst_emitted *emitted, const struct kinst_pomp *pomp,
                                     struct kinst_location location, const struct kinst_bounds *bounds, size_t *region)
{
	enum kinst_pomp_verb verb = options->no_pomp ? KINST_POMP_NONE : pomp->verb;
	int is_wanted = kinst_pomp_meet(options->pomp, pomp, &location);

	if (*pomp->problem)
		kinst_pomp_complain(&emitted->messages, &location, pomp->problem);
	switch (verb) {
	case KINST_POMP_INSTRUMENT:
	case KINST_POMP_NOINSTRUMENT:
		return verb;
	case KINST_POMP_BEGIN:
		*region = kinst_region_begin(regions, pomp->name, pomp->n_name, bounds ? bounds->first : location,
		                             bounds ? bounds->last : location);
		regions->items[*region].is_called = is_wanted;
		break;
	case KINST_POMP_END:
	case KINST_POMP_ALTEND:
		is_wanted = end_region(regions, pomp, &location, options->fortran, &emitted->messages, region) &&
		            is_wanted;
		break;
	case KINST_POMP_DATA: /* rewritten before (data.h, data_fortran.h) */
		return KINST_POMP_NONE;
	default:
		break;
	}
	return is_wanted ? verb : KINST_POMP_NONE;
}

const char *kinst_user_call_name(enum kinst_pomp_verb verb)
{
	return verb == KINST_POMP_INIT     ? "init"
	     : verb == KINST_POMP_FINALIZE ? "finalize"
	     : verb == KINST_POMP_ON       ? "on"
	     : verb == KINST_POMP_OFF      ? "off"
	                                   : NULL;
}

int kinst_user_read_fortran(const struct kinst_statements *statements, size_t i, struct kinst_pomp *pomp)
{
	const struct kinst_statement *s = &statements->items[i];

	return s->directive && kinst_pomp_read(pomp, s->directive, strlen(s->directive), s->is_pomp);
}

size_t kinst_user_end_fortran(const struct kinst_statements *statements, size_t i, const struct kinst_pomp *begin)
{
	struct kinst_pomp end;

	for (size_t k = i + 1; k < statements->n; k++)
		if (kinst_user_read_fortran(statements, k, &end) && end.verb == KINST_POMP_END &&
		    end.n_name == begin->n_name && !strncasecmp(end.name, begin->name, end.n_name))
			return k;
	return i;
}

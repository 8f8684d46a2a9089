/*
 * Engines: see engines.h.
 */
#include "opari/source/engines.h"

#include <string.h>

#include "opari/emit/emit_fortran.h"
#include "opari/opari2/opari2.h"
#include "runtime/base/array.h"

#define C       (1u << KINST_C | 1u << KINST_CXX)
#define FORTRAN (1u << KINST_FORTRAN)

/* In front is what is taken without --engine.  Rows of one name stand together. */
static const struct kinst_engine engines[] = {
	{ "kinst", C, kinst_emit },
	{ "kinst", FORTRAN, kinst_emit_fortran },
	{ "opari2", C | FORTRAN, kinst_opari2_emit },
};

const struct kinst_engine *kinst_engine_of(const char *name, enum kinst_language language)
{
	for (size_t i = 0; i < OMPP_COUNT_OF(engines); i++)
		if ((engines[i].languages & 1u << language) && (!name || !strcmp(engines[i].name, name)))
			return &engines[i];
	return &engines[0];
}

const char *kinst_engine_name(size_t i)
{
	for (size_t k = 0; k < OMPP_COUNT_OF(engines); k++)
		if ((!k || strcmp(engines[k].name, engines[k - 1].name)) && !i--)
			return engines[k].name;
	return NULL;
}

/*
 * Construct: see construct.h.
 */
#include "runtime/terms/construct.h"

const struct ompp_construct_info ompp_constructs[OMPP_N_CONSTRUCTS] = {
#define CONSTRUCT(constant, name, words, form, counts, overhead, own, cost, option) \
	[constant] = { name, \
		       words, \
		       OMPP_FORM_##form, \
		       OMPP_COUNTS_##counts, \
		       OMPP_##overhead, \
		       OMPP_OWN_TIME_##own, \
		       OMPP_DISABLE_##option },
#include "runtime/terms/construct.def"
#undef CONSTRUCT
};

const char *ompp_construct_name(enum ompp_construct construct)
{
	return (unsigned int)construct < OMPP_N_CONSTRUCTS ? ompp_constructs[construct].name : "?";
}

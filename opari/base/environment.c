/*
 * Environment: see environment.h.
 */
#include "opari/base/environment.h"

#include <stdlib.h>

#include "opari/base/kinst_text.h"
#include "runtime/base/array.h"

static struct {
	const char *name;
	int is_depend;
	char *value; /* NULL where it is not hidden */
} variables[] = {
	{ "DEPENDENCIES_OUTPUT", 1, NULL },    { "SUNPRO_DEPENDENCIES", 1, NULL },
	{ "CC_PRINT_OPTIONS", 0, NULL },       { "CC_PRINT_OPTIONS_FILE", 0, NULL },
	{ "CC_PRINT_HEADERS", 0, NULL },       { "CC_PRINT_HEADERS_FILE", 0, NULL },
	{ "CC_LOG_DIAGNOSTICS", 0, NULL },     { "CC_LOG_DIAGNOSTICS_FILE", 0, NULL },
	{ "CC_PRINT_PROC_STAT", 0, NULL },     { "CC_PRINT_PROC_STAT_FILE", 0, NULL },
	{ "CC_PRINT_INTERNAL_STAT", 0, NULL }, { "CC_PRINT_INTERNAL_STAT_FILE", 0, NULL },
};

void kinst_environment_hide(void)
{
	for (size_t i = 0; i < OMPP_COUNT_OF(variables); i++) {
		const char *value = getenv(variables[i].name);

		if (!value)
			continue;
		free(variables[i].value);
		variables[i].value = kinst_strdup(value);
		unsetenv(variables[i].name);
	}
}

void kinst_environment_show(void)
{
	for (size_t i = 0; i < OMPP_COUNT_OF(variables); i++)
		if (variables[i].value)
			setenv(variables[i].name, variables[i].value, 1);
}

int kinst_environment_wants_depend(void)
{
	int found = 0;

	for (size_t i = 0; i < OMPP_COUNT_OF(variables); i++)
		found |= variables[i].is_depend && variables[i].value;
	return found;
}

/*
 * Problem: see problem.h.
 */
#include "runtime/mem/problem.h"

#include <errno.h>

static __thread char buffer[300];
static __thread struct ompp_text message;

const char *ompp_mem_message(void)
{
	return buffer;
}

struct ompp_text *ompp_problem(void)
{
	ompp_text_init(&message, buffer, sizeof(buffer));
	return &message;
}

int ompp_problem_is(enum ompp_mem_error error, const char *sentence)
{
	ompp_text_str(ompp_problem(), sentence);
	return error;
}

int ompp_problem_of(int rc)
{
	switch (-rc) {
	case ENOMEM:
		return ompp_problem_is(OMPP_MEM_ERROR_MEMORY,
		                       "not enough memory; ask for fewer samples or smaller rings");
	case ENODATA:
	case ENODEV:
	case ENOENT:
		return OMPP_MEM_ERROR_MACHINE;
	case ENOTSUP:
		return OMPP_MEM_ERROR_KIND;
	case EACCES:
	case EPERM:
		return OMPP_MEM_ERROR_RIGHTS;
	case ESRCH:
	case EINVAL:
		return OMPP_MEM_ERROR_ARGUMENT;
	}
	return OMPP_MEM_ERROR_SYSTEM;
}

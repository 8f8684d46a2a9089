/*
 * papi: a program that counts with PAPI itself, while it is measured.
 *
 * The loop is USER REGION loop.  The program prints what PAPI counted in the loop, as "papi INSTRUCTIONS CYCLES", and
 * what the loop executes, as "expected USER_REGION:loop 0 INSTRUCTIONS".
 */
#include <papi.h>
#include <stdio.h>

#include "loop.h"

enum { ROUNDS = 5000000 };

static int failed(const char *what, int error)
{
	printf("%s: %s\n", what, PAPI_strerror(error));
	return 1;
}

int main(void)
{
	long long counts[2];
	int set = PAPI_NULL, rc;

	rc = PAPI_library_init(PAPI_VER_CURRENT);
	if (rc != PAPI_VER_CURRENT)
		return failed("PAPI_library_init", rc);
	rc = PAPI_create_eventset(&set);
	if (!rc)
		rc = PAPI_add_named_event(set, "PAPI_TOT_INS");
	if (!rc)
		rc = PAPI_add_named_event(set, "PAPI_TOT_CYC");
	if (!rc)
		rc = PAPI_start(set);
	if (rc)
		return failed("PAPI_start", rc);
#pragma pomp inst begin(loop)
	loop(ROUNDS);
#pragma pomp inst end(loop)
	rc = PAPI_stop(set, counts);
	if (rc)
		return failed("PAPI_stop", rc);
	printf("papi %lld %lld\nexpected USER_REGION:loop 0 %d\n", counts[0], counts[1], ROUNDS * LOOP_INSTRUCTIONS);
	return 0;
}

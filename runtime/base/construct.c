/*
 * Construct: see construct.h.
 */
#include "runtime/base/construct.h"

static const char *const names[OMPP_N_CONSTRUCTS] = {
	[OMPP_PARALLEL]           = "PARALLEL",
	[OMPP_PARALLEL_LOOP]      = "PARALLEL LOOP",
	[OMPP_PARALLEL_SECTIONS]  = "PARALLEL SECTIONS",
	[OMPP_PARALLEL_WORKSHARE] = "PARALLEL WORKSHARE",
	[OMPP_LOOP]               = "LOOP",
	[OMPP_SECTIONS]           = "SECTIONS",
	[OMPP_SINGLE]             = "SINGLE",
	[OMPP_WORKSHARE]          = "WORKSHARE",
	[OMPP_MASTER]             = "MASTER",
	[OMPP_CRITICAL]           = "CRITICAL",
	[OMPP_ATOMIC]             = "ATOMIC",
	[OMPP_BARRIER]            = "BARRIER",
	[OMPP_FLUSH]              = "FLUSH",
	[OMPP_ORDERED]            = "ORDERED",
	[OMPP_TASK]               = "TASK",
	[OMPP_TASKEXEC]           = "TASKEXEC",
	[OMPP_TASKWAIT]           = "TASKWAIT",
	[OMPP_LOCK]               = "LOCK",
	[OMPP_NEST_LOCK]          = "NEST LOCK",
	[OMPP_USER_REGION]        = "USER REGION",
	[OMPP_FUNCTION]           = "FUNCTION",
	[OMPP_TASKLOOP]           = "TASKLOOP",
	[OMPP_TASKGROUP]          = "TASKGROUP",
	[OMPP_TASKYIELD]          = "TASKYIELD",
	[OMPP_MASKED]             = "MASKED",
	[OMPP_SCOPE]              = "SCOPE",
	[OMPP_GENERIC_LOOP]       = "GENERIC LOOP",
	[OMPP_SIMD]               = "SIMD",
	[OMPP_TEAMS]              = "TEAMS",
	[OMPP_DISTRIBUTE]         = "DISTRIBUTE",
	[OMPP_TARGET]             = "TARGET",
	[OMPP_TARGET_DATA]        = "TARGET DATA",
	[OMPP_TARGET_ENTER_DATA]  = "TARGET ENTER DATA",
	[OMPP_TARGET_EXIT_DATA]   = "TARGET EXIT DATA",
	[OMPP_TARGET_UPDATE]      = "TARGET UPDATE",
	[OMPP_CANCEL]             = "CANCEL",
	[OMPP_CANCELLATION_POINT] = "CANCELLATION POINT",
	[OMPP_DEPOBJ]             = "DEPOBJ",
};

const char *ompp_construct_name(enum ompp_construct construct)
{
	return (unsigned int)construct < OMPP_N_CONSTRUCTS ? names[construct] : "?";
}

/*
 * Operations: what both plug-ins count of code, apart from how their compilers write it.
 */
#ifndef KINST_PLUGIN_OPERATIONS_H
#define KINST_PLUGIN_OPERATIONS_H

#include "counting.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

/* How many operations of each kind. */
struct work {
	uint64_t n[N_WORK];
};

static inline bool is_any(const struct work &work)
{
	for (uint64_t n : work.n)
		if (n)
			return true;
	return false;
}

static inline void add_all(struct work *to, const struct work &from)
{
	for (int k = 0; k < N_WORK; k++)
		to->n[k] += from.n[k];
}

/* What a value consists of. */
struct value_type {
	int precision; /* WORK_SINGLE, WORK_DOUBLE or WORK_OTHER; below 0 where it is no floating-point number */
	uint64_t lanes;
	bool is_vector;
};

/* Adds an operation on floating-point numbers, WORK_ADD to WORK_SQRT, with a result of this type. */
static inline void add_float(struct work *work, const struct value_type &type, int kind)
{
	if (type.precision < 0)
		return;
	work->n[type.precision * N_WORK_KINDS + kind] += type.lanes;
	if (type.is_vector)
		work->n[WORK_VECTOR] += type.lanes;
}

/* What functions of the mathematical library are, and those by which compilers have operations. */
enum work_function {
	WORK_NOT_KNOWN,
	WORK_IS_ROOT,
	WORK_IS_FUSED,
	WORK_IS_COMPARED,
	WORK_IS_CONVERTED,
	WORK_IS_INTEGER,
	WORK_IS_NOTHING
};
static const struct {
	const char *name;
	enum work_function is;
} work_functions[] = {
	{ "sqrt", WORK_IS_ROOT },           { "fma", WORK_IS_FUSED },           { "fms", WORK_IS_FUSED },
	{ "fnma", WORK_IS_FUSED },          { "fnms", WORK_IS_FUSED },          { "fmuladd", WORK_IS_FUSED },
	{ "fmin", WORK_IS_COMPARED },       { "fmax", WORK_IS_COMPARED },       { "minnum", WORK_IS_COMPARED },
	{ "maxnum", WORK_IS_COMPARED },     { "minimum", WORK_IS_COMPARED },    { "maximum", WORK_IS_COMPARED },
	{ "floor", WORK_IS_CONVERTED },     { "ceil", WORK_IS_CONVERTED },      { "trunc", WORK_IS_CONVERTED },
	{ "round", WORK_IS_CONVERTED },     { "roundeven", WORK_IS_CONVERTED }, { "rint", WORK_IS_CONVERTED },
	{ "nearbyint", WORK_IS_CONVERTED }, { "lrint", WORK_IS_CONVERTED },     { "llrint", WORK_IS_CONVERTED },
	{ "lround", WORK_IS_CONVERTED },    { "llround", WORK_IS_CONVERTED },   { "ifloor", WORK_IS_CONVERTED },
	{ "iceil", WORK_IS_CONVERTED },     { "iround", WORK_IS_CONVERTED },    { "irint", WORK_IS_CONVERTED },
	{ "fabs", WORK_IS_NOTHING },        { "copysign", WORK_IS_NOTHING },    { "smax", WORK_IS_INTEGER },
	{ "smin", WORK_IS_INTEGER },        { "umax", WORK_IS_INTEGER },        { "umin", WORK_IS_INTEGER },
	{ "abs", WORK_IS_INTEGER },
};

/* Finds a function by its name, in any case, with or without f or l at the end. */
static inline enum work_function work_function_of(const char *name, size_t n_name)
{
	for (size_t i = 0; i < sizeof(work_functions) / sizeof(work_functions[0]); i++) {
		size_t n = strlen(work_functions[i].name);

		if (n_name >= n && n_name <= n + 1 && !strncasecmp(name, work_functions[i].name, n) &&
		    (n_name == n || name[n] == 'f' || name[n] == 'l'))
			return work_functions[i].is;
	}
	return WORK_NOT_KNOWN;
}

/* Adds a call of a function with a result of this type.  Returns false when it is not known. */
static inline bool add_function(struct work *work, enum work_function function, const struct value_type &type)
{
	switch (function) {
	case WORK_NOT_KNOWN:
		return false;
	case WORK_IS_ROOT:
		add_float(work, type, WORK_SQRT);
		break;
	case WORK_IS_FUSED:
		add_float(work, type, WORK_MUL);
		add_float(work, type, WORK_ADD);
		break;
	case WORK_IS_COMPARED:
		work->n[WORK_COMPARE]++;
		break;
	case WORK_IS_CONVERTED:
		work->n[WORK_CONVERT]++;
		break;
	case WORK_IS_INTEGER:
		work->n[WORK_INT] += type.lanes;
		break;
	case WORK_IS_NOTHING:
		break;
	}
	return true;
}

#endif

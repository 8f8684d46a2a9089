/*
 * Counter work: the operations that the program's own code counts (work.h), as counters.
 */
#include <errno.h>
#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/text.h"
#include "runtime/counters/counter_list.h"
#include "runtime/counters/work.h"

#define WORD(name)      (UINT32_C(1) << OMPP_WORK_##name)
#define PRECISION(name) (((UINT32_C(1) << OMPP_WORK_KINDS) - 1) << OMPP_WORK_##name * OMPP_WORK_KINDS)
#define KIND(name)      (WORD(name) | WORD(name) << OMPP_WORK_KINDS | WORD(name) << 2 * OMPP_WORK_KINDS)

static const struct {
	const char *name, *what;
	uint32_t words;
} rows[] = {
	/* clang-format off */
	{ "flops", "floating-point operations; a fused multiply-add is two", (UINT32_C(1) << OMPP_WORK_FLOPS) - 1 },
	{ "flops_single", "floating-point operations in single precision", PRECISION(SINGLE) },
	{ "flops_double", "floating-point operations in double precision", PRECISION(DOUBLE) },
	{ "flops_other", "floating-point operations in other precisions", PRECISION(OTHER) },
	{ "flops_add", "floating-point additions and subtractions", KIND(ADD) },
	{ "flops_mul", "floating-point multiplications", KIND(MUL) },
	{ "flops_div", "floating-point divisions", KIND(DIV) },
	{ "flops_sqrt", "square roots", KIND(SQRT) },
	{ "flops_vector", "floating-point operations that the source has on vectors, by element", WORD(VECTOR) },
	{ "float_compares", "comparisons of floating-point numbers, minima, maxima", WORD(COMPARE) },
	{ "float_conversions", "conversions of floating-point numbers, roundings", WORD(CONVERT) },
	{ "math_calls", "calls of other functions of the mathematical library", WORD(MATH) },
	{ "intops", "operations on integers, but for addresses", WORD(INT) | WORD(INT_MUL) | WORD(INT_DIV) },
	{ "intops_mul", "multiplications of integers", WORD(INT_MUL) },
	{ "intops_div", "divisions of integers, remainders", WORD(INT_DIV) },
	/* clang-format on */
};

static void counter_work_fill(struct ompp_counter *counter, size_t i)
{
	counter->kind = OMPP_COUNTER_WORK;
	counter->work = rows[i].words;
	counter->unit = "";
	counter->what = rows[i].what;
	counter->source = "code";
}

int ompp_counter_work_find(const char *name, size_t n_name, struct ompp_counter *counter, struct ompp_text *why)
{
	for (size_t i = 0; i < OMPP_COUNT_OF(rows); i++) {
		if (!ompp_text_same(name, n_name, rows[i].name, strlen(rows[i].name)))
			continue;
		counter_work_fill(counter, i);
		if (ompp_work_is_emulated && rows[i].words == WORD(MATH)) {
			ompp_text_str(why, "not by emulation, which counts the operations in these functions");
			return -ENODEV;
		}
		if (&ompp_work_linked || ompp_work_is_emulated)
			return 0;
		ompp_text_str(why, "the program does not count its operations; build it with kinst --work");
		return -ENODEV;
	}
	return -ENOENT;
}

int ompp_counter_work_each(ompp_counter_found found, void *context)
{
	int rc = 0;

	for (size_t i = 0; i < OMPP_COUNT_OF(rows) && !rc; i++) {
		struct ompp_counter counter;

		ompp_counter_entry(&counter, rows[i].name, "code", rows[i].what);
		counter_work_fill(&counter, i);
		rc = found(context, &counter);
	}
	return rc;
}

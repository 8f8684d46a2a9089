/*
 * Expression: arithmetic over counters, for OMPP_EVALn: + - * / ( ), decimal numbers, and names.
 *
 * Names are EXECT (the region's time, seconds), EXECC (executions), THREADS (rows summed), and counters.  A counter
 * whose name has other characters than letters, digits, '_', ':' and '.' is recognised if it is among those requested
 * (the longest match), and can always be quoted: 'page-faults'/EXECT.
 *
 * An expression is parsed once into postfix.  It is evaluated with decimal floating point implemented with integers, as
 * report code must not use the processor's floating point: 18 significant digits, rounded half away from zero,
 * exponents up to ±99.  Division by zero and overflow give "missing"; underflow gives 0.  All memory is the caller's;
 * any thread may call these functions.
 */
#ifndef OMPP_COUNTERS_EXPRESSION_H
#define OMPP_COUNTERS_EXPRESSION_H

#include <stddef.h>
#include <stdint.h>

struct ompp_text;

enum { OMPP_EXPRESSION_NAMES = 16, OMPP_EXPRESSION_STEPS = 64 };

/* The number mantissa × 10^exponent.  The mantissa is below 10^18 and has no zeros at its end; 0 is 0 × 10^0.  A
 * missing number has the mantissa OMPP_MISSING. */
struct ompp_decimal {
	int64_t mantissa;
	int32_t exponent;
};

enum ompp_expression_step {
	OMPP_STEP_NUMBER,
	OMPP_STEP_EXECT,
	OMPP_STEP_EXECC,
	OMPP_STEP_THREADS,
	OMPP_STEP_COUNTER,
	OMPP_STEP_ADD,
	OMPP_STEP_SUBTRACT,
	OMPP_STEP_MULTIPLY,
	OMPP_STEP_DIVIDE,
	OMPP_STEP_NEGATE
};

struct ompp_expression {
	size_t n_steps, n_names;
	struct {
		enum ompp_expression_step step;
		uint32_t name;
		struct ompp_decimal number;
	} steps[OMPP_EXPRESSION_STEPS];
	struct {
		const char *text;
		size_t n;
	} names[OMPP_EXPRESSION_NAMES]; /* of counters; they point into the parsed text */
};

/* Parses the text.  Returns 0; -EINVAL with the reason in why ("column 7: ')' is missing"); or -E2BIG with the reason
 * in why for too many names or steps.
 * known: the n_known requested counters; NULL when there are none */
int ompp_expression_parse(struct ompp_expression *expression, const char *text, const char *const *known,
                          size_t n_known, struct ompp_text *why);

/* Returns the value of an expression.
 * values: of the counters, in the order of expression->names; may be OMPP_MISSING */
struct ompp_decimal ompp_expression_value(const struct ompp_expression *expression, const int64_t *values,
                                          int64_t exec_ns, uint64_t n_exec, uint64_t n_threads);

/* Returns number × 10^exponent. */
struct ompp_decimal ompp_decimal(int64_t number, int32_t exponent);

#endif

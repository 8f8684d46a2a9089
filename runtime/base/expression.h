/*
 * Expression: arithmetic over counters, as OMPP_EVALn has it: + - * / ( ), decimal numbers, and names.
 *
 * Names are EXECT (the region's time, seconds), EXECC (executions), THREADS (rows summed), and counters.  A counter
 * whose name holds other characters than letters, digits, '_', ':' and '.' is recognised where it is among those asked
 * for (the longest that fits), and can always stand in quotes: 'page-faults'/EXECT.
 *
 * Parsed once into postfix.  Evaluated with decimal floating point in integers, as report code must not use the
 * processor's: 18 significant digits, rounded half away from zero, ten to the power of ±99.  Division by zero and
 * results beyond that give "missing", what is closer to zero than that is 0.  No memory but the caller's; any thread.
 */
#ifndef OMPP_BASE_EXPRESSION_H
#define OMPP_BASE_EXPRESSION_H

#include <stddef.h>
#include <stdint.h>

struct ompp_text;

enum { OMPP_EXPRESSION_NAMES = 16, OMPP_EXPRESSION_STEPS = 64 };

/* mantissa × 10^exponent, the mantissa below 10^18 and without zeros at its end; 0 is 0 × 10^0; missing: mantissa
 * INT64_MIN. */
struct ompp_decimal { int64_t mantissa; int32_t exponent; };

enum ompp_expression_step {
	OMPP_STEP_NUMBER, OMPP_STEP_EXECT, OMPP_STEP_EXECC, OMPP_STEP_THREADS, OMPP_STEP_COUNTER, OMPP_STEP_ADD,
	OMPP_STEP_SUBTRACT, OMPP_STEP_MULTIPLY, OMPP_STEP_DIVIDE, OMPP_STEP_NEGATE
};

struct ompp_expression {
	size_t n_steps, n_names;
	struct { enum ompp_expression_step step; uint32_t name; struct ompp_decimal number; }
		steps[OMPP_EXPRESSION_STEPS];
	struct { const char *text; size_t n; } names[OMPP_EXPRESSION_NAMES];    /* of counters, into the text given */
};

/* known: counters asked for, n_known of them; NULL and 0: none.  0; -EINVAL with why ("column 7: ')' is missing"),
 * -E2BIG with why (more names or steps than fit). */
int ompp_expression_parse(struct ompp_expression *expression, const char *text, const char *const *known,
                          size_t n_known, struct ompp_text *why);

/* values[i] belongs to names[i], INT64_MIN missing; exec_ns in nanoseconds. */
struct ompp_decimal ompp_expression_value(const struct ompp_expression *expression, const int64_t *values,
                                          int64_t exec_ns, uint64_t n_exec, uint64_t n_threads);

/* number × 10^exponent as a decimal. */
struct ompp_decimal ompp_decimal(int64_t number, int32_t exponent);

#endif

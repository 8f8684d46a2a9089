/*
 * Expression: see expression.h.
 */
#include "runtime/counters/expression.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/text.h"
#include "runtime/counters/value.h"

__extension__ typedef __int128 wide;

enum { MAX_POWER = 99 };

#define LIMIT      INT64_C(1000000000000000000) /* 10^18 */
#define WIDE_LIMIT ((wide)LIMIT * LIMIT)        /* 10^36; the sum of two numbers below ten times this fits */

static const struct ompp_decimal missing = { OMPP_MISSING, 0 }, zero = { 0, 0 };

static int is_missing(struct ompp_decimal d)
{
	return d.mantissa == OMPP_MISSING;
}

/* Returns the decimal that is nearest to m × 10^exponent. */
static struct ompp_decimal expression_rounded(wide m, int32_t exponent)
{
	wide magnitude = m < 0 ? -m : m, bound = LIMIT, unit = 1;
	int64_t mantissa;
	int32_t power;

	for (; magnitude >= bound; exponent++) {
		bound *= 10;
		unit *= 10;
	}
	mantissa = (int64_t)(magnitude / unit + (magnitude % unit >= unit - unit / 2));
	if (!mantissa)
		return zero;
	for (; mantissa % 10 == 0; exponent++)
		mantissa /= 10;
	power = exponent;
	for (int64_t rest = mantissa; rest >= 10; rest /= 10)
		power++;
	if (power > MAX_POWER)
		return missing;
	if (power < -MAX_POWER)
		return zero;
	return (struct ompp_decimal){ m < 0 ? -mantissa : mantissa, exponent };
}

struct ompp_decimal ompp_decimal(int64_t number, int32_t exponent)
{
	return number == OMPP_MISSING ? missing : expression_rounded(number, exponent);
}

/* Returns d's mantissa with as many digits as fit, and the exponent that belongs to it.  d must not be 0. */
static wide expression_widened(struct ompp_decimal d, int32_t *exponent)
{
	wide m = d.mantissa;

	*exponent = d.exponent;
	for (; m < WIDE_LIMIT && m > -WIDE_LIMIT; --*exponent)
		m *= 10;
	return m;
}

static struct ompp_decimal expression_add(struct ompp_decimal a, struct ompp_decimal b)
{
	int32_t exponent_a, exponent_b;
	wide m, n;

	if (!a.mantissa || !b.mantissa)
		return a.mantissa ? a : b;
	m = expression_widened(a, &exponent_a);
	n = expression_widened(b, &exponent_b);
	if (exponent_a < exponent_b)
		return expression_add(b, a);
	for (; exponent_b < exponent_a; exponent_b++) /* drops zeros, then digits too small to change the rounding */
		n /= 10;
	return expression_rounded(m + n, exponent_a);
}

static struct ompp_decimal expression_multiply(struct ompp_decimal a, struct ompp_decimal b)
{
	return expression_rounded((wide)a.mantissa * b.mantissa, a.exponent + b.exponent);
}

/* Returns a / b.  The integer quotient has at least 19 digits, so its remainder cannot change how it is rounded. */
static struct ompp_decimal expression_divide(struct ompp_decimal a, struct ompp_decimal b)
{
	int32_t exponent;
	wide m;

	if (!b.mantissa)
		return missing;
	if (!a.mantissa)
		return zero;
	m = expression_widened(a, &exponent);
	return expression_rounded(m / b.mantissa, exponent - b.exponent);
}

static struct ompp_decimal expression_computed(enum ompp_expression_step step, struct ompp_decimal a,
                                               struct ompp_decimal b)
{
	if (is_missing(a) || is_missing(b))
		return missing;
	switch (step) {
	case OMPP_STEP_ADD:
		return expression_add(a, b);
	case OMPP_STEP_SUBTRACT:
		b.mantissa = -b.mantissa;
		return expression_add(a, b);
	case OMPP_STEP_MULTIPLY:
		return expression_multiply(a, b);
	default:
		return expression_divide(a, b);
	}
}

static struct ompp_decimal of_count(uint64_t n)
{
	return expression_rounded(n, 0);
}

struct ompp_decimal ompp_expression_value(const struct ompp_expression *expression, const int64_t *values,
                                          int64_t exec_ns, uint64_t n_exec, uint64_t n_threads)
{
	struct ompp_decimal stack[OMPP_EXPRESSION_STEPS];
	size_t n = 0;

	for (size_t i = 0; i < expression->n_steps; i++) {
		enum ompp_expression_step step = expression->steps[i].step;

		switch (step) {
		case OMPP_STEP_NUMBER:
			stack[n++] = expression->steps[i].number;
			break;
		case OMPP_STEP_EXECT:
			stack[n++] = ompp_decimal(exec_ns, -9);
			break;
		case OMPP_STEP_EXECC:
			stack[n++] = of_count(n_exec);
			break;
		case OMPP_STEP_THREADS:
			stack[n++] = of_count(n_threads);
			break;
		case OMPP_STEP_COUNTER:
			stack[n++] = ompp_decimal(values[expression->steps[i].name], 0);
			break;
		case OMPP_STEP_NEGATE:
			if (!is_missing(stack[n - 1]))
				stack[n - 1].mantissa = -stack[n - 1].mantissa;
			break;
		default:
			n--;
			stack[n - 1] = expression_computed(step, stack[n - 1], stack[n]);
			break;
		}
	}
	return n ? stack[0] : missing;
}

/* Operators wait on a stack of fixed size for their right operands.  There is no recursion, so the text cannot
 * exhaust the program's stack. */
enum { MAX_WAITING = 64, OPEN = -1 }; /* OPEN: a '(' among the steps that wait */

struct parser {
	struct ompp_expression *expression;
	const char *text, *at; /* at: the next byte to read */
	const char *const *known;
	size_t n_known;
	int waiting[MAX_WAITING];
	size_t n_waiting;
	struct ompp_text *why;
};

static int expression_fail(struct parser *p, int error, const char *at, const char *what)
{
	size_t column = 1;

	for (const char *s = p->text; s < at; s++)
		column += ((unsigned char)*s & 0xc0) != 0x80;
	ompp_text_str(p->why, "column ");
	ompp_text_u64(p->why, column);
	ompp_text_str(p->why, ": ");
	ompp_text_str(p->why, what);
	return error;
}

static int is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int is_name_char(char c)
{
	int is_letter = ompp_text_lower(c) >= 'a' && ompp_text_lower(c) <= 'z';

	return is_letter || is_digit(c) || c == '_' || c == ':' || c == '.';
}

static int put_step(struct parser *p, enum ompp_expression_step step, uint32_t name, struct ompp_decimal number)
{
	struct ompp_expression *e = p->expression;

	if (e->n_steps == OMPP_EXPRESSION_STEPS)
		return expression_fail(p, -E2BIG, p->at, "it is too long; split it into several");
	e->steps[e->n_steps].step = step;
	e->steps[e->n_steps].name = name;
	e->steps[e->n_steps++].number = number;
	return 0;
}

static int put_counter(struct parser *p, const char *name, size_t n)
{
	struct ompp_expression *e = p->expression;
	uint32_t i = 0;

	while (i < e->n_names && (e->names[i].n != n || memcmp(e->names[i].text, name, n)))
		i++;
	if (i == OMPP_EXPRESSION_NAMES)
		return expression_fail(p, -E2BIG, name, "it has too many different counters; split it into several");
	if (i == e->n_names) {
		e->names[i].text = name;
		e->names[i].n = n;
		e->n_names++;
	}
	return put_step(p, OMPP_STEP_COUNTER, i, zero);
}

/* Reads a number such as 12, 0.5, .5, 1e9 or 2.5e-3.  Digits beyond the thirtieth or so only move the point. */
static int put_number(struct parser *p)
{
	const char *start = p->at;
	wide m = 0;
	int32_t exponent = 0, power = 0, sign = 1;
	int in_fraction = 0, n_digits = 0;
	struct ompp_decimal number;

	for (; is_digit(*p->at) || (*p->at == '.' && !in_fraction); p->at++) {
		if (*p->at == '.') {
			in_fraction = 1;
			continue;
		}
		if (m < WIDE_LIMIT / 1000000)
			m = m * 10 + (*p->at - '0');
		else if (exponent < INT32_MAX / 4)
			exponent++;
		if (exponent > -INT32_MAX / 4)
			exponent -= in_fraction;
		n_digits++;
	}
	if (!n_digits)
		return expression_fail(p, -EINVAL, start, "a '.' is no number");
	if (ompp_text_lower(*p->at) == 'e') {
		const char *e = p->at + 1;

		if (*e == '-' || *e == '+')
			sign = *e++ == '-' ? -1 : 1;
		if (is_digit(*e)) {
			for (p->at = e; is_digit(*p->at); p->at++)
				if (power < INT32_MAX / 40)
					power = power * 10 + (*p->at - '0');
			exponent += sign * power;
		}
	}
	if (is_name_char(*p->at))
		return expression_fail(p, -EINVAL, p->at, "an operator (+ - * /) is missing");
	number = expression_rounded(m, exponent);
	if (is_missing(number))
		return expression_fail(p, -EINVAL, start, "the number is too large");
	return put_step(p, OMPP_STEP_NUMBER, 0, number);
}

static int put_quoted(struct parser *p)
{
	const char *start = p->at, *end = strchr(start + 1, *start);

	if (!end)
		return expression_fail(p, -EINVAL, start, "the quote that begins here has no end");
	if (end == start + 1)
		return expression_fail(p, -EINVAL, start, "the quotes are empty");
	p->at = end + 1;
	return put_counter(p, start + 1, (size_t)(end - start - 1));
}

/* Returns the length of the longest known counter's name that stands here as a whole word; 0 when none does. */
static size_t known_bytes(const struct parser *p)
{
	size_t longest = 0;

	for (size_t i = 0; i < p->n_known; i++) {
		size_t n = strlen(p->known[i]);

		if (n > longest && !strncmp(p->at, p->known[i], n) &&
		    !(is_name_char(p->at[n - 1]) && is_name_char(p->at[n])))
			longest = n;
	}
	return longest;
}

static int put_name(struct parser *p)
{
	static const struct {
		const char *name;
		enum ompp_expression_step step;
	} words[] = { { "EXECT", OMPP_STEP_EXECT }, { "EXECC", OMPP_STEP_EXECC }, { "THREADS", OMPP_STEP_THREADS } };
	const char *start = p->at;
	size_t n = 0, n_known = known_bytes(p);

	while (is_name_char(start[n]))
		n++;
	if (n_known > n)
		n = n_known;
	p->at = start + n;
	for (size_t i = 0; i < OMPP_COUNT_OF(words); i++)
		if (n == strlen(words[i].name) && !memcmp(start, words[i].name, n))
			return put_step(p, words[i].step, 0, zero);
	return put_counter(p, start, n);
}

static int expression_strength(int step)
{
	switch (step) {
	case OPEN:
		return 0;
	case OMPP_STEP_ADD:
	case OMPP_STEP_SUBTRACT:
		return 1;
	case OMPP_STEP_NEGATE:
		return 3;
	default:
		return 2;
	}
}

static int expression_hold(struct parser *p, int step)
{
	if (p->n_waiting == MAX_WAITING)
		return expression_fail(p, -E2BIG, p->at, "too many '(' and signs are open; split it into several");
	p->waiting[p->n_waiting++] = step;
	p->at++;
	return 0;
}

/* Emits the waiting operators that bind at least this strongly: their operands are complete.  Returns 0 or -errno. */
static int expression_release(struct parser *p, int least)
{
	int rc = 0;

	while (!rc && p->n_waiting && expression_strength(p->waiting[p->n_waiting - 1]) >= least)
		rc = put_step(p, (enum ompp_expression_step)p->waiting[--p->n_waiting], 0, zero);
	return rc;
}

/* Reads a name, a number, or one sign or bracket before them.  Returns 1 when an operand is complete, 0 when one
 * must still follow, or -errno. */
static int expression_operand(struct parser *p)
{
	char c = *p->at;
	int rc;

	if (known_bytes(p))
		rc = put_name(p);
	else if (c == '(')
		return expression_hold(p, OPEN);
	else if (c == '-')
		return expression_hold(p, OMPP_STEP_NEGATE);
	else if (c == '+')
		return p->at++, 0;
	else if (c == '\'' || c == '"')
		rc = put_quoted(p);
	else if (is_digit(c) || c == '.')
		rc = put_number(p);
	else if (is_name_char(c))
		rc = put_name(p);
	else
		return expression_fail(p, -EINVAL, p->at, "a number or the name of a counter is missing");
	return rc ? rc : 1;
}

static int close_bracket(struct parser *p)
{
	int rc = expression_release(p, 1);

	if (rc)
		return rc;
	if (!p->n_waiting)
		return expression_fail(p, -EINVAL, p->at, "')' without '('");
	p->n_waiting--;
	p->at++;
	return 1;
}

/* Reads what follows an operand: an operator or a closing bracket.  Returns 1 when an operand is still complete, 0
 * when one must follow, or -errno. */
static int expression_operator(struct parser *p)
{
	static const char signs[] = "+-*/";
	static const enum ompp_expression_step steps[] = { OMPP_STEP_ADD, OMPP_STEP_SUBTRACT, OMPP_STEP_MULTIPLY,
		                                           OMPP_STEP_DIVIDE };
	const char *sign = strchr(signs, *p->at);
	int rc;

	if (*p->at == ')')
		return close_bracket(p);
	if (!sign)
		return expression_fail(p, -EINVAL, p->at,
		                       "an operator (+ - * /) is missing; a name with other characters than "
		                       "letters, digits, '_', ':' and '.' stands in quotes");
	rc = expression_release(p, expression_strength((int)steps[sign - signs]));
	return rc ? rc : expression_hold(p, (int)steps[sign - signs]);
}

int ompp_expression_parse(struct ompp_expression *expression, const char *text, const char *const *known,
                          size_t n_known, struct ompp_text *why)
{
	struct parser p = {
		.expression = expression, .text = text, .at = text, .known = known, .n_known = n_known, .why = why
	};
	int complete = 0;

	expression->n_steps = expression->n_names = 0;
	for (;;) {
		while (*p.at == ' ' || *p.at == '\t')
			p.at++;
		if (!*p.at && complete)
			break;
		complete = complete ? expression_operator(&p) : expression_operand(&p);
		if (complete < 0)
			return complete;
	}
	complete = expression_release(&p, 1);
	if (complete)
		return complete;
	return p.n_waiting ? expression_fail(&p, -EINVAL, p.at, "')' is missing") : 0;
}

/*
 * Postfix: see postfix.h.
 *
 * The formula is evaluated with sums instead of numbers: each entry of the stack has a factor for each event, and a
 * constant.
 */
#include "runtime/helpers/papi/postfix.h"

#include <errno.h>
#include <string.h>

enum { DEEPEST = 16, DIGITS = 9 };

/* A sum of events.  factor[n_terms] is the constant. */
struct sum {
	int64_t factor[OMPP_POSTFIX_TERMS + 1];
};

struct stack {
	struct sum sums[DEEPEST];
	size_t n, n_terms;
};

static int is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int is_constant(const struct sum *s, size_t n_terms)
{
	for (size_t i = 0; i < n_terms; i++)
		if (s->factor[i])
			return 0;
	return 1;
}

/* Multiplies or divides a by the number.  Quotients must be whole. */
static int postfix_scale(struct sum *a, int64_t number, char operation, size_t n_terms)
{
	for (size_t i = 0; i <= n_terms; i++) {
		if (operation == '*' && __builtin_mul_overflow(a->factor[i], number, &a->factor[i]))
			return -ENOTSUP;
		if (operation == '/' && (!number || a->factor[i] % number))
			return -ENOTSUP;
		if (operation == '/')
			a->factor[i] /= number;
	}
	return 0;
}

static int postfix_apply(struct stack *s, char operation)
{
	struct sum *a, *b;

	if (s->n < 2)
		return -EINVAL;
	b = &s->sums[--s->n];
	a = &s->sums[s->n - 1];
	if (operation == '*' && is_constant(a, s->n_terms)) {
		struct sum other = *a;

		*a = *b;
		*b = other;
	}
	if (operation == '*' || operation == '/')
		return is_constant(b, s->n_terms) ? postfix_scale(a, b->factor[s->n_terms], operation, s->n_terms)
		                                  : -ENOTSUP;
	for (size_t i = 0; i <= s->n_terms; i++)
		if (operation == '+' ? __builtin_add_overflow(a->factor[i], b->factor[i], &a->factor[i])
		                     : __builtin_sub_overflow(a->factor[i], b->factor[i], &a->factor[i]))
			return -ENOTSUP;
	return 0;
}

/* Pushes an event ("N3") or a constant ("16"), whose length becomes *n. */
static int postfix_push(struct stack *s, const char *word, size_t *n)
{
	struct sum *top = &s->sums[s->n];
	int is_event = word[0] == 'N';
	int64_t number = 0;
	size_t i = (size_t)is_event;

	for (; is_digit(word[i]) && i < DIGITS + 1; i++)
		number = number * 10 + (word[i] - '0');
	if (s->n == DEEPEST || i == (size_t)is_event || is_digit(word[i]) || (is_event && (size_t)number >= s->n_terms))
		return -EINVAL;
	memset(top, 0, sizeof(*top));
	top->factor[is_event ? (size_t)number : s->n_terms] = is_event ? 1 : number;
	s->n++;
	*n = i;
	return 0;
}

/* Evaluates the next operator or operand, and moves *p behind it. */
static int postfix_step(struct stack *s, const char **p)
{
	size_t n = 1;
	int rc;

	if (**p == '#' || **p == '%')
		return -ENOTSUP;
	if (strchr("+-*/", **p))
		rc = postfix_apply(s, **p);
	else
		rc = postfix_push(s, *p, &n);
	if (rc)
		return rc;
	*p += n;
	if (**p == '|')
		(*p)++;
	else if (**p)
		return -EINVAL;
	return 0;
}

int ompp_postfix_factors(const char *postfix, size_t n_terms, int32_t *factors)
{
	struct stack s;
	int rc = 0;

	s.n = 0;
	s.n_terms = n_terms;
	if (n_terms > OMPP_POSTFIX_TERMS)
		return -ENOTSUP;
	while (*postfix && !rc)
		rc = postfix_step(&s, &postfix);
	if (rc)
		return rc;
	if (s.n != 1)
		return -EINVAL;
	if (s.sums[0].factor[n_terms])
		return -ENOTSUP;
	for (size_t i = 0; i < n_terms; i++) {
		factors[i] = (int32_t)s.sums[0].factor[i];
		if (factors[i] != s.sums[0].factor[i])
			return -ENOTSUP;
	}
	return 0;
}

/*
 * Expression: random expressions are compared with floating point; numbers that are exact, names, and messages.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/base/array.h"
#include "runtime/base/text.h"
#include "runtime/counters/expression.h"

#define MISSING INT64_MIN

static const char *const known[] = { "cycles", "page-faults",      "page-faults-minor",     "msr/tsc/",
	                             "ACC_LD", "ACC_LD(my array)", "L1-dcache-load-misses", "" };
enum { N_KNOWN = OMPP_COUNT_OF(known) };

static struct ompp_expression e;
static char buffer[200];

static int parse(const char *text)
{
	struct ompp_text why;

	ompp_text_init(&why, buffer, sizeof(buffer));
	return ompp_expression_parse(&e, text, known, N_KNOWN, &why);
}

static const char *why_not(const char *text, int rc)
{
	assert_int_equal(parse(text), rc);
	return buffer;
}

/* Returns the value as "12 e -3", where the counters are 7, 3, 11; EXECT is 1.5 s, EXECC 4, THREADS 2. */
static const char *value(const char *text)
{
	static const int64_t values[OMPP_EXPRESSION_NAMES] = { 7, 3, 11 };
	struct ompp_decimal d;

	assert_int_equal(parse(text), 0);
	assert_string_equal(buffer, "");
	d = ompp_expression_value(&e, values, 1500000000, 4, 2);
	if (d.mantissa == MISSING)
		return "-";
	snprintf(buffer, sizeof(buffer), "%lld e %d", (long long)d.mantissa, (int)d.exponent);
	return buffer;
}

static void name_is(size_t i, const char *name)
{
	assert_true(i < e.n_names);
	assert_int_equal(e.names[i].n, strlen(name));
	assert_memory_equal(e.names[i].text, name, strlen(name));
}

static void test_values(void **state)
{
	(void)state;
	assert_string_equal(value("1/3"), "333333333333333333 e -18");
	assert_string_equal(value("2/3"), "666666666666666667 e -18");
	assert_string_equal(value("-2/3"), "-666666666666666667 e -18");
	assert_string_equal(value("0.1 + 0.2"), "3 e -1");
	assert_string_equal(value("2+3*4"), "14 e 0");
	assert_string_equal(value("(2+3)*4"), "2 e 1");
	assert_string_equal(value("20-3-4"), "13 e 0");
	assert_string_equal(value("100/5/2"), "1 e 1");
	assert_string_equal(value("100/(5/2)"), "4 e 1");
	assert_string_equal(value("1--1"), "2 e 0");
	assert_string_equal(value("-(-2)*-3"), "-6 e 0");
	assert_string_equal(value("+.5e1"), "5 e 0");
	assert_string_equal(value("25e-1"), "25 e -1");
	assert_string_equal(value("0.000000000000000000000000000000012"), "12 e -33");
	assert_string_equal(value("1234567890123456785"), "123456789012345679 e 1");
	assert_string_equal(value("12345678901234567849999999999999999999999999999999999"), "123456789012345678 e 35");
	assert_string_equal(value("1e36 - 1e36 + 5"), "5 e 0");
	assert_string_equal(value("1e60 + 1 - 1e60"), "0 e 0");
	assert_string_equal(value("999999999999999999 + 0.5"), "1 e 18");
	assert_string_equal(value("1e18 - 0.4"), "1 e 18");
	assert_string_equal(value("1e18 - 0.6"), "999999999999999999 e 0");
	assert_string_equal(value("1e18 - 0.500000000000000001"), "999999999999999999 e 0");
	assert_string_equal(value("1e40 - 999999999999999999"), "1 e 40");
	assert_string_equal(value("1e20 - 49"), "1 e 20");
	assert_string_equal(value("1e20 - 51"), "999999999999999999 e 2");
	assert_string_equal(value("123456789012345678 + 5e-1"), "123456789012345679 e 0");
	assert_string_equal(value("123456789012345678 + 49999e-5"), "123456789012345678 e 0");
	assert_string_equal(value("123456789012345678e19 - 123456789012345678"), "123456789012345678 e 19");
	assert_string_equal(value("EXECT"), "15 e -1");
	assert_string_equal(value("EXECC/THREADS"), "2 e 0");
	assert_string_equal(value("a*b+c/b"), "246666666666666667 e -16"); /* 24.6666666666666667 */
}

static void test_missing(void **state)
{
	const int64_t values[OMPP_EXPRESSION_NAMES] = { 0, MISSING };

	(void)state;
	assert_string_equal(value("1/0"), "-");
	assert_string_equal(value("0/0"), "-");
	assert_string_equal(value("0*(1/0)"), "-");
	assert_string_equal(value("-(1/(a-7))"), "-");
	assert_string_equal(value("9e98*9"), "81 e 98");
	assert_string_equal(value("9e98*12"), "-");
	assert_string_equal(value("1e-99/10"), "0 e 0");
	assert_string_equal(value("1/(1e-99/10)"), "-");
	assert_int_equal(parse("a*b"), 0);
	assert_true(ompp_expression_value(&e, values, 1, 1, 1).mantissa == MISSING);
	assert_int_equal(parse("a + 0*b - -b"), 0);
	assert_true(ompp_expression_value(&e, values, 1, 1, 1).mantissa == MISSING);
	assert_int_equal(parse("a/EXECT"), 0);
	assert_true(ompp_expression_value(&e, values, MISSING, 1, 1).mantissa == MISSING);
	assert_true(ompp_expression_value(&e, values, 1, 1, 1).mantissa == 0);
	assert_int_equal(parse("EXECC"), 0);
	assert_true(ompp_expression_value(&e, values, 1, UINT64_MAX, 1).mantissa == INT64_C(184467440737095516));
	assert_true(ompp_decimal(MISSING, 3).mantissa == MISSING);
	assert_true(ompp_decimal(INT64_MAX, 0).mantissa == INT64_C(922337203685477581));
	assert_int_equal(ompp_decimal(INT64_MAX, 0).exponent, 1);
	assert_true(ompp_decimal(-120, -1).mantissa == -12);
	assert_int_equal(ompp_decimal(0, 7).exponent, 0);
}

static void test_names(void **state)
{
	(void)state;
	assert_int_equal(parse("page-faults-minor/page-faults-cycles*page-faults"), 0);
	assert_int_equal(e.n_names, 3);
	name_is(0, "page-faults-minor");
	name_is(1, "page-faults");
	name_is(2, "cycles");
	assert_int_equal(parse("page-faults-minority"), 0); /* the longest name that is no part of a longer word */
	name_is(0, "page-faults");
	name_is(1, "minority");
	assert_int_equal(parse("cycles2 - cycles"), 0);
	name_is(0, "cycles2");
	name_is(1, "cycles");
	assert_int_equal(parse("msr/tsc//EXECT"), 0);
	assert_int_equal(e.n_names, 1);
	name_is(0, "msr/tsc/");
	assert_int_equal(parse("ACC_LD(my array)/ACC_LD"), 0);
	name_is(0, "ACC_LD(my array)");
	name_is(1, "ACC_LD");
	assert_int_equal(parse("'a \"b\" - c'/\"EXECT\" - perf::PERF_COUNT_SW_PAGE_FAULTS:u"), 0);
	assert_int_equal(e.n_names, 3);
	name_is(0, "a \"b\" - c");
	name_is(1, "EXECT");
	name_is(2, "perf::PERF_COUNT_SW_PAGE_FAULTS:u");
	assert_int_equal(parse("a+a*'a'"), 0);
	assert_int_equal(e.n_names, 1);
	assert_int_equal(parse("EXECTIME+EXECT"), 0);
	assert_int_equal(e.n_names, 1);
	assert_int_equal(ompp_expression_parse(&e, "page-faults", NULL, 0, NULL), 0);
	assert_int_equal(e.n_names, 2);
}

static void test_messages(void **state)
{
	(void)state;
	assert_string_equal(why_not("", -EINVAL), "column 1: a number or the name of a counter is missing");
	assert_string_equal(why_not("  a +", -EINVAL), "column 6: a number or the name of a counter is missing");
	assert_string_equal(why_not("'ä'*)", -EINVAL), "column 5: a number or the name of a counter is missing");
	assert_string_equal(why_not("a/(b+c", -EINVAL), "column 7: ')' is missing");
	assert_string_equal(why_not("a/(b+c))", -EINVAL), "column 8: ')' without '('");
	assert_string_equal(why_not("'a", -EINVAL), "column 1: the quote that begins here has no end");
	assert_string_equal(why_not("2*''", -EINVAL), "column 3: the quotes are empty");
	assert_string_equal(why_not(".", -EINVAL), "column 1: a '.' is no number");
	assert_string_equal(why_not("1e100", -EINVAL), "column 1: the number is too large");
	assert_string_equal(why_not("1e99999999999999999999999", -EINVAL), "column 1: the number is too large");
	assert_string_equal(why_not("2cycles", -EINVAL), "column 2: an operator (+ - * /) is missing");
	assert_string_equal(why_not("1.2.3", -EINVAL), "column 4: an operator (+ - * /) is missing");
	assert_string_equal(why_not("a,b", -EINVAL),
	                    "column 2: an operator (+ - * /) is missing; a name with other "
	                    "characters than letters, digits, '_', ':' and '.' stands in quotes");
	assert_string_equal(why_not("()", -EINVAL), "column 2: a number or the name of a counter is missing");
}

/* Returns first, n times the piece, and last. */
static const char *many(const char *first, const char *piece, int n, const char *last)
{
	static char text[20000];
	size_t at = (size_t)snprintf(text, sizeof(text), "%s", first);

	while (n--)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s", piece);
	snprintf(text + at, sizeof(text) - at, "%s", last);
	return text;
}

static void test_limits(void **state)
{
	char text[400] = "a0";

	(void)state;
	assert_int_equal(parse(many("", "(", 64, "1")), -EINVAL);
	assert_string_equal(why_not(many("", "(", 5000, "1"), -E2BIG),
	                    "column 65: too many '(' and signs are open; split it into several");
	assert_int_equal(parse(many("", "-", 5000, "1")), -E2BIG);
	assert_string_equal(value(many("", "-", 63, "1")), "-1 e 0");
	assert_string_equal(value(many("", "+", 5000, "1")), "1 e 0");
	assert_string_equal(value(many("1", "+1", 31, "")), "32 e 0"); /* 63 steps */
	assert_int_equal(parse(many("1", "+1", 32, "")), -E2BIG);
	assert_string_equal(buffer, "column 66: it is too long; split it into several");
	assert_string_equal(why_not(many("1", "+1", 40, ""), -E2BIG),
	                    "column 66: it is too long; split it into several");
	assert_string_equal(value(many("0.", "0", 9000, "1")), "0 e 0");
	assert_int_equal(parse(many("1", "0", 9000, "")), -EINVAL);
	for (int i = 1; i < OMPP_EXPRESSION_NAMES; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "+a%d", i);
	assert_int_equal(parse(text), 0);
	assert_int_equal(e.n_names, OMPP_EXPRESSION_NAMES);
	strcat(text, "+b");
	assert_string_equal(why_not(text, -E2BIG),
	                    "column 55: it has too many different counters; split it into several");
}

/* Random trees are written with as few brackets as the rules of arithmetic need, and computed at the same time. */
static uint64_t seed = 88172645463325252u;

static unsigned int pick(unsigned int n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (unsigned int)(seed >> 33) % n;
}

struct number {
	long double value, error;
}; /* error: how far the decimal may be from the value */

static const int64_t counters[] = { 0, 1, -3, 1000003, 123456789012345, 999999999999999999 };
static const char *const names[] = { "zero", "one", "minus", "million", "'L1-x/misses'", "nines" };
enum { N_COUNTERS = 6 };

static char text[4000];
static size_t n_text;
static int ill; /* not 0 after a divisor that may be 0 within its error */

static void put(const char *s)
{
	n_text += (size_t)snprintf(text + n_text, sizeof(text) - n_text, "%s%s", s, pick(4) ? "" : " ");
}

static long double magnitude(long double x)
{
	return x < 0 ? -x : x;
}

static struct number leaf(void)
{
	static const struct {
		const char *text;
		long double value;
	} numbers[] = { { "7", 7 },         { "0.125", 0.125L },       { "64", 64 },    { "1e9", 1e9L },
		        { ".001", 0.001L }, { "EXECT", 2.000000001L }, { "EXECC", 40 }, { "THREADS", 8 } };
	unsigned int i = pick(8), k = pick(N_COUNTERS);

	if (pick(2)) {
		put(numbers[i].text);
		return (struct number){ numbers[i].value, magnitude(numbers[i].value) * 1e-18L };
	}
	put(names[k]);
	return (struct number){ (long double)counters[k], 0 };
}

/* outer: how strongly the operator around the tree binds; right: whether the tree is that operator's right side. */
static struct number tree(int depth, int outer, int right)
{
	static const char *const signs[] = { "+", "-", "*", "/" };
	unsigned int kind = depth ? pick(6) : 5;
	int own = kind == 4 ? 3 : kind < 2 ? 1 : 2, brackets = own < outer || (own == outer && right) || !pick(5);
	struct number a, b, r = { 0, 0 };

	if (kind == 5)
		return leaf();
	if (brackets)
		put("(");
	if (kind == 4) {
		put("-");
		a = tree(depth - 1, 3, 0);
		r = (struct number){ -a.value, a.error };
	} else {
		a = tree(depth - 1, own, 0);
		put(signs[kind]);
		b = tree(depth - 1, own, 1);
		if (kind < 2) {
			r.value = kind ? a.value - b.value : a.value + b.value;
			r.error = a.error + b.error;
		} else if (kind == 2) {
			r.value = a.value * b.value;
			r.error = magnitude(a.value) * b.error + magnitude(b.value) * a.error + a.error * b.error;
		} else if (magnitude(b.value) <= 1e6L * b.error) {
			ill |= 1 + (b.error == 0 && b.value == 0); /* 2: it is 0, so the value must be missing */
		} else {
			r.value = a.value / b.value;
			r.error = (a.error + magnitude(r.value) * b.error) / (magnitude(b.value) - b.error);
		}
		r.error += magnitude(r.value) * 6e-18L;
	}
	if (brackets)
		put(")");
	return r;
}

static long double as_number(struct ompp_decimal d)
{
	long double x = (long double)d.mantissa;

	for (; d.exponent > 0; d.exponent--)
		x *= 10;
	for (; d.exponent < 0; d.exponent++)
		x /= 10;
	return x;
}

static void check_random(void)
{
	struct number wanted;
	struct ompp_decimal d;
	int64_t values[OMPP_EXPRESSION_NAMES] = { 0 };
	int rc;

	n_text = 0;
	ill = 0;
	wanted = tree((int)pick(5), 0, 0);
	rc = parse(text);
	if (rc == -E2BIG)
		return;
	if (rc)
		fail_msg("%s: %s", text, buffer);
	for (size_t i = 0; i < e.n_names; i++)
		for (int k = 0; k < N_COUNTERS; k++) {
			size_t n = e.names[i].n, quote = names[k][0] == '\'';

			if (n == strlen(names[k]) - 2 * quote && !memcmp(e.names[i].text, names[k] + quote, n))
				values[i] = counters[k];
		}
	d = ompp_expression_value(&e, values, 2000000001, 40, 8);
	if (ill & 2 && d.mantissa != MISSING)
		fail_msg("%s: not missing", text);
	if (ill)
		return;
	if (magnitude(wanted.value) > 1e98L || (wanted.value != 0 && magnitude(wanted.value) < 1e-98L))
		return;
	if (d.mantissa == MISSING)
		fail_msg("%s: missing, not %.18Lg", text, wanted.value);
	if (magnitude(as_number(d) - wanted.value) > wanted.error + magnitude(wanted.value) * 1e-18L)
		fail_msg("%s: %lld e %d, not %.18Lg ± %.3Lg", text, (long long)d.mantissa, (int)d.exponent,
		         wanted.value, wanted.error);
}

static void test_random(void **state)
{
	(void)state;
	for (int i = 0; i < 100000; i++)
		check_random();
}

/* Any text: nothing is read or written out of bounds (sanitizers see it), and what can be parsed can be computed. */
static void test_nonsense(void **state)
{
	static const char pieces[] = "()()+-*/ '\".e9aE:_,cycles";
	static const int64_t values[OMPP_EXPRESSION_NAMES] = { 5, MISSING, INT64_MAX, -INT64_MAX };
	size_t n_good = 0;
	char nonsense[80];

	(void)state;
	for (int i = 0; i < 100000; i++) {
		size_t n = pick(sizeof(nonsense));

		for (size_t k = 0; k < n; k++)
			nonsense[k] = pieces[pick(sizeof(pieces) - 1)];
		nonsense[n] = '\0';
		if (parse(nonsense)) {
			assert_memory_equal(buffer, "column ", 7);
			continue;
		}
		n_good++;
		ompp_expression_value(&e, values, -5, 0, 0);
	}
	assert_true(n_good > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),   cmocka_unit_test(test_missing), cmocka_unit_test(test_names),
		cmocka_unit_test(test_messages), cmocka_unit_test(test_limits),  cmocka_unit_test(test_random),
		cmocka_unit_test(test_nonsense),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

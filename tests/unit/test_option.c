/*
 * Option: values are checked by type and range, complaints name the nearest option, and then the default stays.
 */
#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/base/array.h"
#include "runtime/terms/option.h"

static char said[8][256];
static int n_said;

static void say(const char *line)
{
	assert_true(n_said < 8);
	strncpy(said[n_said++], line, 255);
}

static struct ompp_options parse(const char *const *environment)
{
	struct ompp_options options;

	n_said = 0;
	ompp_options_parse(&options, (char *const *)(uintptr_t)environment, say);
	return options;
}

static int value(int id, const char *text, int64_t *v)
{
	*v = -77;
	return ompp_option_value(&ompp_option_table[id], text, v);
}

/* Every default in the table is a valid value of its option's type. */
static void table_is_sound(void **state)
{
	int64_t v;
	int i, j;

	(void)state;
	for (i = 0; i < OMPP_N_OPTIONS; i++) {
		const struct ompp_option_info *info = &ompp_option_table[i];

		assert_true(strlen(info->doc) > 3);
		if (info->fallback[0])
			assert_int_equal(ompp_option_value(info, info->fallback, &v), 0);
		for (j = 0; j < i; j++)
			assert_string_not_equal(info->name, ompp_option_table[j].name);
	}
}

static void values_by_type(void **state)
{
	int64_t v;

	(void)state;
	assert_int_equal(value(OMPP_OPT_QUIET, "yes", &v), 0);
	assert_int_equal(v, 1);
	assert_int_equal(value(OMPP_OPT_QUIET, "Off", &v), 0);
	assert_int_equal(v, 0);
	assert_int_equal(value(OMPP_OPT_QUIET, "2", &v), -EINVAL);
	assert_int_equal(v, -77);
	assert_int_equal(value(OMPP_OPT_SPAN, "auto", &v), 0);
	assert_int_equal(v, 2);
	assert_int_equal(value(OMPP_OPT_SPAN, "on", &v), 0);
	assert_int_equal(v, 1);
	assert_int_equal(value(OMPP_OPT_SPAN, "no", &v), 0);
	assert_int_equal(v, 0);
	assert_int_equal(value(OMPP_OPT_SPAN, "2", &v), -EINVAL);
	assert_int_equal(value(OMPP_OPT_COSTLY, "on", &v), -EINVAL);
	assert_int_equal(value(OMPP_OPT_MAX_DEPTH, "4096", &v), 0);
	assert_int_equal(v, 4096);
	assert_int_equal(value(OMPP_OPT_MAX_DEPTH, "4097", &v), -ERANGE);
	assert_int_equal(value(OMPP_OPT_MAX_DEPTH, "0", &v), -ERANGE);
	assert_int_equal(value(OMPP_OPT_MAX_DEPTH, "12x", &v), -EINVAL);
	assert_int_equal(value(OMPP_OPT_MAX_DEPTH, "-1", &v), -EINVAL);
	assert_int_equal(value(OMPP_OPT_MAX_DEPTH, "99999999999999999999", &v), -EINVAL);
	assert_int_equal(value(OMPP_OPT_MEM, "256K", &v), 0);
	assert_int_equal(v, 262144);
	assert_int_equal(value(OMPP_OPT_MEM, "1MiB", &v), 0);
	assert_int_equal(v, 1048576);
	assert_int_equal(value(OMPP_OPT_MEM, "1g", &v), 0);
	assert_int_equal(v, 1073741824);
	assert_int_equal(value(OMPP_OPT_MEM, "1", &v), -ERANGE);
	assert_int_equal(value(OMPP_OPT_MEM, "64Q", &v), -EINVAL);
	assert_int_equal(value(OMPP_OPT_MEM, "9999999999T", &v), -ERANGE);
	assert_int_equal(value(OMPP_OPT_DUMP_INTERVAL, "1.5", &v), 0);
	assert_int_equal(v, 1500000000);
	assert_int_equal(value(OMPP_OPT_DUMP_INTERVAL, ".25s", &v), 0);
	assert_int_equal(v, 250000000);
	assert_int_equal(value(OMPP_OPT_DUMP_INTERVAL, "1,5", &v), -EINVAL);
	assert_int_equal(value(OMPP_OPT_DUMP_INTERVAL, ".", &v), -EINVAL);
	assert_int_equal(value(OMPP_OPT_DUMP_INTERVAL, "86401", &v), -ERANGE);
	assert_int_equal(value(OMPP_OPT_OUTFORMAT, "plain,csv", &v), 0);
	assert_int_equal(value(OMPP_OPT_OUTFORMAT, "plain,pdf", &v), -EINVAL);
	assert_int_equal(value(OMPP_OPT_OUTFORMAT, ",", &v), -EINVAL);
}

/* Numbers by chance, with up to nine decimals or none, and with or without their unit. */
static void decimals(void **state)
{
	uint64_t random = 88172645463325252u;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		static const struct {
			int id;
			uint64_t one, most; /* what 1 is kept as; the largest number */
			char unit;
		} options[] = { { OMPP_OPT_PROPERTY_MIN, 10000000, 100, '%' },
			        { OMPP_OPT_DUMP_INTERVAL, 1000000000, 86400, 's' } };
		uint64_t whole, part, n_digits, scale = 1, expected;
		char text[64];
		int64_t v;
		int k = i % 2;

		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		n_digits = random % 10;
		whole = (random >> 8) % (options[k].most + 2);
		for (uint64_t d = 0; d < n_digits; d++)
			scale *= 10;
		part = (random >> 24) % scale;
		if (n_digits)
			snprintf(text, sizeof(text), "%" PRIu64 ".%0*" PRIu64 "%.1s", whole, (int)n_digits, part,
			         random >> 60 & 1 ? &options[k].unit : "");
		else
			snprintf(text, sizeof(text), "%" PRIu64 "%.1s", whole,
			         random >> 60 & 1 ? &options[k].unit : "");
		expected = whole * options[k].one + (uint64_t)((unsigned __int128)part * options[k].one / scale);
		assert_int_equal(value(options[k].id, text, &v),
		                 expected > options[k].most * options[k].one ? -ERANGE : 0);
		assert_int_equal(v, expected > options[k].most * options[k].one ? -77 : (int64_t)expected);
	}
	assert_int_equal(value(OMPP_OPT_PROPERTY_MIN, "5s", &(int64_t){ 0 }), -EINVAL);
	assert_int_equal(value(OMPP_OPT_DUMP_INTERVAL, "5%", &(int64_t){ 0 }), -EINVAL);
	assert_int_equal(value(OMPP_OPT_PROPERTY_MIN, "a", &(int64_t){ 0 }), -EINVAL);
	assert_int_equal(value(OMPP_OPT_PROPERTY_MIN, "5%%", &(int64_t){ 0 }), -EINVAL);
}

static void given_values_are_used(void **state)
{
	static const char *const environment[] = { "HOME=/",       "OMPP_QUIET=1", "OMPP_MEM=1M", "OMPP_APPNAME=a b",
		                                   "OMPP_OUTDIR=", "OMPPX=1",      NULL };
	struct ompp_options o = parse(environment);

	(void)state;
	assert_int_equal(n_said, 0);
	assert_int_equal(o.number[OMPP_OPT_QUIET], 1);
	assert_int_equal(o.given[OMPP_OPT_QUIET], 1);
	assert_int_equal(o.number[OMPP_OPT_MEM], 1048576);
	assert_string_equal(o.text[OMPP_OPT_APPNAME], "a b");
	assert_int_equal(o.given[OMPP_OPT_OUTDIR], 0);
	assert_int_equal(o.number[OMPP_OPT_MAX_DEPTH], 64);
	assert_string_equal(o.text[OMPP_OPT_CLOCK], "auto");
}

static void bad_values_keep_the_default(void **state)
{
	static const char *const environment[] = { "OMPP_MAX_DEPTH=many", "OMPP_MEM=1K", "OMPP_CLOCK=sun", NULL };
	struct ompp_options o = parse(environment);

	(void)state;
	assert_int_equal(n_said, 3);
	assert_string_equal(said[0], "OMPP_MAX_DEPTH: 'many': not understood: a number; using 64");
	assert_string_equal(said[1], "OMPP_MEM: '1K': out of range: 262144 to 68719476736 bytes; using 64M");
	assert_string_equal(said[2], "OMPP_CLOCK: 'sun': not understood: one of auto,tsc,monotonic,fake; using auto");
	assert_int_equal(o.number[OMPP_OPT_MAX_DEPTH], 64);
	assert_int_equal(o.number[OMPP_OPT_MEM], 64 << 20);
	assert_string_equal(o.text[OMPP_OPT_CLOCK], "auto");
	assert_int_equal(o.given[OMPP_OPT_MEM], 0);
}

/* Of each thing that is wrong with the variables of sampling there is one line. */
static void bad_samples(void **state)
{
	static const char *const cases[][2] = {
		{ "OMPP_SAMPLE=pbes", "OMPP_SAMPLE: 'pbes': not understood: one of auto,pebs,ibs,spe,hook,touch,off; "
		                      "did you mean pebs? using off" },
		{ "OMPP_SAMPLE=pebs,hook", "OMPP_SAMPLE: 'pebs,hook': several words: one of "
		                           "auto,pebs,ibs,spe,hook,touch,off; using off" },
		{ "OMPP_SAMPLE=,",
		  "OMPP_SAMPLE: ',': not understood: one of auto,pebs,ibs,spe,hook,touch,off; using off" },
		{ "OMPP_SAMPLE=perfmon2",
		  "OMPP_SAMPLE: 'perfmon2': not understood: one of auto,pebs,ibs,spe,hook,touch,off; using off" },
		{ "OMPP_SAMPLE_PERIOD=0",
		  "OMPP_SAMPLE_PERIOD: '0': out of range: 1 to 1000000000000 accesses; using 10007" },
		{ "OMPP_SAMPLE_PERIOD=1000000000001",
		  "OMPP_SAMPLE_PERIOD: '1000000000001': out of range: 1 to 1000000000000 accesses; using 10007" },
		{ "OMPP_SAMPLE_PERIOD=1e3", "OMPP_SAMPLE_PERIOD: '1e3': not understood: a number; using 10007" },
		{ "OMPP_SAMPLE_LATENCY=65536",
		  "OMPP_SAMPLE_LATENCY: '65536': out of range: 0 to 65535 cycles; using 0" },
		{ "OMPP_SAMPLE_KIND=store", "OMPP_SAMPLE_KIND: 'store': not understood: one of loads,stores,both; "
		                            "did you mean stores? using both" },
		{ "OMPP_SAMPLE_KIND=loads,stores",
		  "OMPP_SAMPLE_KIND: 'loads,stores': several words: one of loads,stores,both; using both" },
		{ "OMPP_SMAPLE=hook", "OMPP_SMAPLE: unknown variable: not used; did you mean OMPP_SAMPLE?" },
	};

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(cases); i++) {
		const char *const environment[] = { cases[i][0], NULL };
		struct ompp_options o = parse(environment);

		assert_int_equal(n_said, 1);
		assert_string_equal(said[0], cases[i][1]);
		assert_string_equal(o.text[OMPP_OPT_SAMPLE], "off");
		assert_string_equal(o.text[OMPP_OPT_SAMPLE_KIND], "both");
		assert_int_equal(o.number[OMPP_OPT_SAMPLE_PERIOD], 10007);
	}
}

static void unknown_names_get_the_nearest(void **state)
{
	static const char *const environment[] = { "OMPP_OUTFROMAT=CSV", "OMPP_quiet=1", "OMPP_ZEBRA_CROSSING=1",
		                                   "OMPP_PAGER=less", NULL };

	(void)state;
	parse(environment);
	assert_int_equal(n_said, 3);
	assert_string_equal(said[0], "OMPP_OUTFROMAT: unknown variable: not used; did you mean OMPP_OUTFORMAT?");
	assert_string_equal(said[1], "OMPP_quiet: unknown variable: not used; did you mean OMPP_QUIET?");
	assert_non_null(strstr(said[2], "OMPP_ZEBRA_CROSSING: unknown variable"));
	assert_null(strstr(said[2], "did you mean"));
}

static void lists(void **state)
{
	const char *list = " a , b c,, d", *item;

	(void)state;
	assert_int_equal(ompp_list_next(&list, &item), 1);
	assert_memory_equal(item, "a", 1);
	assert_int_equal(ompp_list_next(&list, &item), 3);
	assert_memory_equal(item, "b c", 3);
	assert_int_equal(ompp_list_next(&list, &item), 1);
	assert_memory_equal(item, "d", 1);
	assert_int_equal(ompp_list_next(&list, &item), 0);
	assert_true(ompp_list_has("Atomic, FOR", "atomic", 6));
	assert_false(ompp_list_has("Atomic, FOR", "atom", 4));
	assert_false(ompp_list_has("", "", 0));
}

/* The list and the variables of older versions say the same, and add up. */
static void disabled(void **state)
{
	static const char *const list[] = { "OMPP_DISABLE=lock, TASK,user_region", NULL };
	static const char *const older[] = { "OMPP_DISABLE_LOCK=1", "OMPP_DISABLE_TASK=on",
		                             "OMPP_DISABLE_USER_REGION=1", "OMPP_DISABLE_ATOMIC=0", NULL };
	static const char *const both[] = { "OMPP_DISABLE_TASK=1", "OMPP_DISABLE=lock", "OMPP_DISABLE_USER_REGION=1",
		                            NULL };
	static const char *const wrong[] = { "OMPP_DISABLE=lock,atomik", "OMPP_DISABLE_LOKC=1",
		                             "OMPP_DISABLE_TASK=never", NULL };
	const uint32_t expected = 1u << OMPP_DISABLE_LOCK | 1u << OMPP_DISABLE_TASK | 1u << OMPP_DISABLE_USER_REGION;

	(void)state;
	assert_int_equal(parse(list).disabled, expected);
	assert_int_equal(n_said, 0);
	assert_int_equal(parse(older).disabled, expected);
	assert_int_equal(n_said, 0);
	assert_int_equal(parse(both).disabled, expected);
	assert_int_equal(parse(wrong).disabled, 0);
	assert_int_equal(n_said, 3);
	assert_non_null(strstr(said[0], "OMPP_DISABLE: 'lock,atomik': not understood: of atomic,barrier,"));
	assert_non_null(strstr(said[0], "; did you mean atomic?"));
	assert_string_equal(said[1], "OMPP_DISABLE_LOKC: unknown variable: not used; did you mean OMPP_DISABLE_LOCK?");
	assert_string_equal(said[2], "OMPP_DISABLE_TASK: 'never': not understood: 0 or 1; using 0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table_is_sound),
		cmocka_unit_test(values_by_type),
		cmocka_unit_test(decimals),
		cmocka_unit_test(given_values_are_used),
		cmocka_unit_test(bad_values_keep_the_default),
		cmocka_unit_test(unknown_names_get_the_nearest),
		cmocka_unit_test(bad_samples),
		cmocka_unit_test(disabled),
		cmocka_unit_test(lists),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Arguments: the words of the command line and of the environment, and complaints about them.
 */
#define _GNU_SOURCE
#include "reports/command/arguments.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "reports/exchange/exchange.h"
#include "reports/report.h"
#include "runtime/base/clean.h"
#include "runtime/base/nearest.h"
#include "runtime/base/text.h"

const char *ompp_shown(const char *s)
{
	static struct ompp_arena arena; /* lives as long as the program */
	const char *copy = ompp_clean_copy(s, 0, &arena);

	return copy ? copy : "(not enough memory)";
}

void ompp_complain(const char *subject, const char *format, ...)
{
	char *line = NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&line, format, args) < 0)
		line = NULL;
	va_end(args);
	fprintf(stderr, "ompp: %s: %s\n", ompp_shown(subject), line ? ompp_shown(line) : "not enough memory");
	free(line);
}

enum { WORDS_BYTES = 1024 };

const char *ompp_nearest_typed(const char *typed, const char *(*name)(size_t i))
{
	size_t n_typed = strcspn(typed, "=,");

	return ompp_nearest(typed, n_typed, name, ompp_nearest_most(n_typed));
}

int ompp_words_known(const char *option, const char *words, const char *(*name)(size_t i))
{
	while (*words) {
		size_t n = strcspn(words, ","), i = 0;
		const char *near;

		while (name(i) && (strlen(name(i)) != n || strncmp(name(i), words, n)))
			i++;
		if (n && !name(i)) {
			char all[WORDS_BYTES];
			struct ompp_text t;

			near = ompp_nearest_typed(words, name);
			ompp_text_init(&t, all, sizeof(all));
			for (i = 0; name(i); i++) {
				ompp_text_str(&t, i ? ", " : "");
				ompp_text_str(&t, name(i));
			}
			ompp_complain(option, "unknown word '%.*s'; %s%s%sthere are: %s", (int)n, words,
			              near ? "did you mean '" : "", near ? near : "", near ? "'? " : "", all);
			return 0;
		}
		words += n + (words[n] == ',');
	}
	return 1;
}

int ompp_take_format(void *to, const char *option, const char *value)
{
	*(const char **)to = value;
	if (value[0] && !strchr(value, ','))
		return ompp_report_has_format(value) || ompp_words_known(option, value, ompp_report_format) ? 0 : -1;
	ompp_complain(option, "'%s' is not a single format; write one, such as %s", value, ompp_report_format(0));
	return -1;
}

const char *ompp_table_format(size_t i)
{
	size_t n = 0;

	while (ompp_report_format(n))
		n++;
	return i < n ? ompp_report_format(i) : i == n ? "json" : i == n + 1 ? "html" : NULL;
}

int ompp_page_fits(void)
{
	if (!isatty(STDOUT_FILENO))
		return 1;
	ompp_complain("--format", "html is a page for a browser, and the output is a terminal; add >FILE.html");
	return 0;
}

int ompp_take_table_format(void *to, const char *option, const char *value)
{
	const char *format = !strcasecmp(value, "json") ? "json" : !strcasecmp(value, "html") ? "html" : value;

	*(const char **)to = format;
	if (!strcmp(format, "html"))
		return ompp_page_fits() ? 0 : -1;
	return ompp_report_has_format(format) || ompp_words_known(option, format, ompp_table_format) ? 0 : -1;
}

int ompp_take_top(void *to, const char *option, const char *value)
{
	char *end;
	unsigned long n;

	errno = 0;
	n = strtoul(value, &end, 10); /* ULONG_MAX when it is too large, which need not be above UINT32_MAX */
	if (value[0] < '0' || value[0] > '9' || *end || errno || n > UINT32_MAX) {
		ompp_complain(option, "'%s' is not a number from 0 to %u; give how many to show", value, UINT32_MAX);
		return -1;
	}
	*(uint32_t *)to = (uint32_t)n;
	return 0;
}

int ompp_print_status(int rc)
{
	if (rc && rc != -EPIPE)
		ompp_complain("standard output", "cannot be written: %s", strerror(-rc));
	return rc ? OMPP_EXIT_FAILED : 0;
}

const char *ompp_show_format(size_t i)
{
	size_t n = 0;

	while (ompp_report_format(n))
		n++;
	if (i < n)
		return ompp_report_format(i);
	i -= n;
	for (n = 0; ompp_exchange_name(n);)
		n++;
	return i < n ? ompp_exchange_name(i) : i == n ? "html" : NULL;
}

int64_t ompp_setting(enum ompp_option_id option)
{
	const struct ompp_option_info *info = &ompp_option_table[option];
	char name[80];
	const char *value;
	int64_t number = 0;

	snprintf(name, sizeof(name), "OMPP_%s", info->name);
	value = getenv(name);
	if (!value || !value[0] || ompp_option_value(info, value, &number))
		ompp_option_value(info, info->fallback, &number);
	return number;
}

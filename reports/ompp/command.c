/*
 * Command: which command was asked for, and what all of them share: complaints, options, loading.
 */
#define _GNU_SOURCE
#include "reports/ompp/ompp.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "reports/profile/merge.h"
#include "reports/profile/profile_file.h"
#include "reports/report.h"
#include "reports/writers/cell.h"
#include "runtime/base/clean.h"
#include "runtime/base/nearest.h"
#include "runtime/base/option.h"

static const struct { const char *name; int (*run)(int argc, char **argv); } commands[] = {
	{ "run", ompp_run }, { "report", ompp_show }, { "regions", ompp_regions },
	{ "objects", ompp_objects }, { "counters", ompp_counters }, { "help", ompp_help },
};

static const char *command_name(size_t i)
{
	return i < sizeof(commands) / sizeof(commands[0]) ? commands[i].name : NULL;
}

const char *ompp_shown(const char *s)
{
	static struct ompp_arena arena;         /* lives as long as the program */
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

	return ompp_nearest(typed, n_typed, name, (unsigned int)n_typed / 3 + 1);
}

const char *ompp_option_argument(int argc, char **argv, int *i, const char *name)
{
	const char *word = argv[*i];
	size_t n = strlen(name);

	if (strncmp(word, "--", 2) || strncmp(word + 2, name, n))
		return NULL;
	if (word[2 + n] == '=')
		return word + 3 + n;
	if (word[2 + n])
		return NULL;
	return *i + 1 < argc ? argv[++*i] : "";
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
			ompp_complain(option, "unknown word '%.*s'; %s%s%sThere are: %s", (int)n, words,
			              near ? "did you mean '" : "", near ? near : "", near ? "'? " : "", all);
			return 0;
		}
		words += n + (words[n] == ',');
	}
	return 1;
}

static const char *format_name(size_t i)
{
	static const char *const names[] = { "text", "csv", "csv-raw" };

	return i < sizeof(names) / sizeof(names[0]) ? names[i] : NULL;
}

static int csv_is_raw;

int ompp_format_known(const char *value, int *is_csv)
{
	if (!value[0] || strchr(value, ',')) {
		ompp_complain("--format", "'%s' is not one format; write text or csv", value);
		return -1;
	}
	if (!ompp_words_known("--format", value, format_name))
		return -1;
	csv_is_raw = !strcmp(value, "csv-raw");
	*is_csv = csv_is_raw || !strcmp(value, "csv");
	return 0;
}

static void put_bytes(void *to, const char *bytes, size_t n_bytes)
{
	fwrite(bytes, 1, n_bytes, to);
}

void ompp_csv_field(const char *s)
{
	ompp_cell(s, csv_is_raw, put_bytes, stdout);
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

int ompp_load(const char *path, struct ompp_arena *arena, struct ompp_profile *profile)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), rc;
	const char *why = "";

	if (fd < 0) {
		ompp_complain(path, "cannot be opened: %s; give a saved profile (.ompp)", strerror(errno));
		return -1;
	}
	rc = ompp_profile_read(fd, arena, profile, &why);
	if (rc == -EINVAL || rc == -EPROTO || rc == -ENOMEM)
		ompp_complain(path, "%s", why);
	else if (rc)
		ompp_complain(path, "cannot be read: %s; give a saved profile (.ompp)", strerror(-rc));
	close(fd);
	return rc ? -1 : 0;
}

/* Was nothing chosen?  Then a terminal gets the summary alone, as the rest would push it out of sight. */
static int is_brief(const struct ompp_report_options *o)
{
	const char *const choices[] = { o->views, o->format, o->region, o->sort, o->object, o->columns };

	for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++)
		if (choices[i] && choices[i][0])
			return 0;
	return !o->top && isatty(STDOUT_FILENO);
}

/* The sections that a terminal did not get, and how to see them. */
static void print_sections(const struct ompp_profile *profile, const char *file)
{
	printf("Sections:");
	for (size_t i = 1; ompp_report_view(i + 1); i++)        /* the first one was shown, the last one is "all" */
		if (profile->n_objects || strcmp(ompp_report_view(i), "data"))
			printf(" %s", ompp_report_view(i));
	printf("\nTo see some, or all: ompp report --view=flat,properties %s\n"
	       "                     ompp report --view=all %s\n", ompp_shown(file), ompp_shown(file));
}

int ompp_print(const struct ompp_profile *profiles, size_t n, const struct ompp_report_options *options,
               const char *file, struct ompp_arena *arena)
{
	struct ompp_profile merged = profiles[0];
	struct ompp_report_options shown = *options;
	int rc = n > 1 ? ompp_profile_merge(profiles, n, arena, &merged) : 0, brief = is_brief(options);

	if (brief)
		shown.views = "summary";
	if (!rc)
		rc = ompp_report_show(&merged, &shown, STDOUT_FILENO, arena);
	if (rc && rc != -EPIPE)
		ompp_complain("standard output", "cannot be written: %s", strerror(-rc));
	if (!rc && brief)
		print_sections(&merged, file);
	return rc ? OMPP_EXIT_FAILED : 0;
}

int ompp_main(int argc, char **argv)
{
	const char *near;

	if (argc < 2) {
		ompp_help(0, NULL);
		return OMPP_EXIT_USAGE;
	}
	for (size_t i = 0; command_name(i); i++)
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].run(argc - 1, argv + 1);
	if (!strcmp(argv[1], "--version")) {
		puts("ompp (" PACKAGE_NAME ") " PACKAGE_VERSION);
		return 0;
	}
	if (ompp_is_help(argv[1]))
		return ompp_help(argc - 1, argv + 1);
	near = ompp_nearest_typed(argv[1], command_name);
	if (near)
		ompp_complain(argv[1], "unknown command; did you mean 'ompp %s'?", near);
	else
		ompp_complain(argv[1], "unknown command; 'ompp help' lists them");
	return OMPP_EXIT_USAGE;
}

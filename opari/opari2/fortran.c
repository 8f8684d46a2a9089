/*
 * Fortran: see fortran.h.  Line by line; the language is opari2's to read.
 */
#include "opari/opari2/fortran.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "opari/base/say.h"
#include "opari/data/data_fortran.h"

/* A sentinel that is a comment to opari2 and as long as $omp. */
#define HIDDEN "$k_p"

/* A line without its newline. */
struct line {
	const char *p;
	size_t      n;
};

static int next_line(const char **p, struct line *line)
{
	const char *eol;

	if (!**p)
		return 0;
	eol = strchrnul(*p, '\n');
	line->p = *p;
	line->n = (size_t)(eol - *p);
	*p = *eol ? eol + 1 : eol;
	return 1;
}

/* Where `$omp` or `$pomp` (`word`) stands when the line is such a directive, else 0. */
static size_t sentinel(const struct line *line, int fixed, const char *word)
{
	size_t i = 0, n = strlen(word);

	if (!fixed)
		while (i < line->n && isspace((unsigned char)line->p[i]))
			i++;
	if (i >= line->n || !(line->p[i] == '!' || (fixed && !i && strchr("cC*", line->p[i]))))
		return 0;
	i++;
	if (line->n - i <= n || strncasecmp(line->p + i, word, n) || isalnum((unsigned char)line->p[i + n]))
		return 0;
	return i;
}

static int has_word(const char *p, const char *end, const char *word)
{
	while (p < end && isspace((unsigned char)*p))
		p++;
	return (size_t)(end - p) >= strlen(word) && !strncasecmp(p, word, strlen(word));
}

static int calls_lock(const struct line *line)
{
	static const char *const locks[] = { "_lock", "_nest_lock" };
	char *copy = kinst_strndup(line->p, line->n);
	const char *omp = strcasestr(copy, "omp_");
	int found = 0;

	for (size_t i = 0; omp && i < sizeof(locks) / sizeof(*locks); i++)
		found |= strcasestr(omp, locks[i]) != NULL && strcasestr(copy, "call") != NULL;
	free(copy);
	return found;
}

/* A line marker with the full name, for opari2 takes names relative to its input; 0 when the line is none. */
static int put_marker(struct kinst_text *out, const struct kinst_fortran_options *options,
		      const struct line *line)
{
	char *copy = kinst_strndup(line->p, line->n);
	const char *name = strchr(copy, '"');
	int found = copy[0] == '#' && copy[1] == ' ' && isdigit((unsigned char)copy[2]) && name++;

	if (found && *name != '/' && *name != '<')
		kinst_text_printf(out, "%.*s%s/%s", (int)(name - copy), copy, options->directory, name);
	else if (found)
		kinst_text_puts(out, copy);
	free(copy);
	return found;
}

/* Lines as opari2 shall see them; 1: some are for it. */
static int prepare_lines(const char *p, const struct kinst_fortran_options *options, struct kinst_text *text)
{
	struct line line;
	int found = 0;

	while (next_line(&p, &line)) {
		size_t omp = sentinel(&line, options->fixed, "$omp");
		size_t pomp = sentinel(&line, options->fixed, "$pomp");
		size_t rest = omp ? omp + 4 : pomp + 5;
		int inst = (omp || pomp) && has_word(line.p + rest, line.p + line.n, "inst");

		if (inst && omp) {
			kinst_text_add(text, line.p, omp);
			kinst_text_puts(text, "$pomp");
			kinst_text_add(text, line.p + omp + 4, line.n - omp - 4);
		} else if (omp && !options->openmp) {
			kinst_text_add(text, line.p, omp);
			kinst_text_puts(text, HIDDEN);
			kinst_text_add(text, line.p + omp + 4, line.n - omp - 4);
		} else if (!put_marker(text, options, &line)) {
			kinst_text_add(text, line.p, line.n);
		}
		found |= pomp || inst || (options->openmp && (omp || calls_lock(&line)));
		kinst_text_puts(text, "\n");
	}
	return found;
}

int kinst_fortran_prepare(const struct kinst_text *source, const struct kinst_fortran_options *options,
			  struct kinst_text *text)
{
	struct kinst_fortran_data_options data = { .fixed = options->fixed, .file = options->file, .std = options->std };
	struct kinst_text called = { 0 }, messages = { 0 };
	size_t n = kinst_data_fortran_rewrite(source->data, source->length, &data, &called, &messages);
	int found;

	kinst_say_lines(messages.data);
	if (source->data[0] != '#') {
		char *first = kinst_format("# 1 \"%s\"", options->file);

		put_marker(text, options, &(struct line){ first, strlen(first) });
		kinst_text_puts(text, "\n");
		free(first);
	}
	found = prepare_lines(n ? called.data : source->data, options, text);
	kinst_text_free(&called);
	kinst_text_free(&messages);
	return found || n;
}

/* The name of a place as the user wrote it: opari2 makes it absolute. */
static void put_place(struct kinst_text *out, const struct kinst_fortran_options *options,
		      const struct line *line)
{
	size_t n = strlen(options->directory);
	char *copy = kinst_strndup(line->p, line->n);
	const char *name = strchr(copy, '"'), *end = strrchr(copy, '"');
	long number = 0;

	if ((sscanf(copy, "#line %ld", &number) == 1 || sscanf(copy, "# %ld", &number) == 1) && name &&
	    end > name) {
		name++;
		if (options->file[0] != '/' && !strncmp(name, options->directory, n) && name[n] == '/')
			name += n + 1;
		kinst_text_printf(out, "# %ld \"%.*s%s\n", number, (int)(end - name), name, end);
	}
	free(copy);
}

/* Does the line end a program unit or procedure: `end`, or `end` and what it ends? */
static int ends_unit(const struct line *line)
{
	static const char *const units[] = { "program",   "subroutine", "function",   "module",
					     "submodule", "procedure",  "block data", "blockdata" };
	const char *p = line->p, *end = line->p + line->n;

	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	if (end - p < 3 || strncasecmp(p, "end", 3))
		return 0;
	for (p += 3; p < end && (*p == ' ' || *p == '\t' || *p == '\r'); p++)
		;
	if (p == end || *p == '!')
		return 1;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		size_t n = strlen(units[i]);

		if ((size_t)(end - p) >= n && !strncasecmp(p, units[i], n) &&
		    ((size_t)(end - p) == n || p[n] == ' ' || p[n] == '!' || p[n] == '\r'))
			return 1;
	}
	return 0;
}

int kinst_fortran_expand(const struct kinst_text *output, const struct kinst_text *include,
			 const struct kinst_fortran_options *options, struct kinst_text *result)
{
	static const char begin[] = "      call POMP2_Parallel_begin(";
	const char *p = output->data;
	struct line line;
	int n_included = 0, n_calls = 0, first = 1, declared = 0;

	while (next_line(&p, &line)) {
		size_t hidden = sentinel(&line, options->fixed, HIDDEN);

		if (kinst_begins(line.p, "      subroutine POMP2_Init_reg_") ||
		    kinst_begins(line.p, "      subroutine POMP2_USER_Init_reg_"))
			break;
		if (first && !line.n)
			continue;
		if (kinst_begins(line.p, "#line ") ||
		    (kinst_begins(line.p, "# ") && isdigit((unsigned char)line.p[2]))) {
			/* the first names opari2's input; the text's own marker follows */
			if (!first)
				put_place(result, options, &line);
			first = 0;
			continue;
		}
		first = 0;
		if (kinst_begins(line.p, "      include '") && memmem(line.p, line.n, ".opari.inc'", 11)) {
			kinst_text_add(result, include->data ? include->data : "", include->length);
			n_included++;
			declared = 1;
			continue;
		}
		if (kinst_begins(line.p, KINST_DATA_HIDDEN)) {
			kinst_text_add(result, line.p + strlen(KINST_DATA_HIDDEN),
				       line.n - strlen(KINST_DATA_HIDDEN));
			kinst_text_puts(result, "\n");
			n_calls++;
			continue;
		}
		if (ends_unit(&line))
			declared = 0;
		/* opari2 declares its names in every unit but a main program without a PROGRAM statement */
		if (!declared && kinst_begins(line.p, "      call POMP2_") &&
		    memmem(line.p, line.n, "(opari2_region_", 15))
			return -1;
		if (kinst_begins(line.p, begin) && line.p[line.n - 1] == ')') {
			kinst_text_puts(result, "      call ompp_parallel_begin(");
			kinst_text_add(result, line.p + strlen(begin), line.n - strlen(begin) - 1);
			kinst_text_puts(result, ", pomp2_old_task)\n");
			continue;
		}
		if (hidden) {
			kinst_text_add(result, line.p, hidden);
			kinst_text_puts(result, "$omp");
			kinst_text_add(result, line.p + hidden + 4, line.n - hidden - 4);
		} else {
			kinst_text_add(result, line.p, line.n);
		}
		kinst_text_puts(result, "\n");
	}
	return n_included + n_calls;
}

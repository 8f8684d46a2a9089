/*
 * Data in Fortran: see data_fortran.h.
 */
#include "opari/data/data_fortran.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "opari/read/statements.h"
#include "runtime/base/array.h"

int kinst_data_is_line(const char *line, size_t length, int fixed)
{
	return kinst_after_data(line, line + length, fixed) != NULL;
}

static const char form[] = "the arguments are missing; write DATA(array, bytes, 'name')";

static int is_string(struct kinst_span span)
{
	const char *end = span.p + span.n, *p = span.p;

	if (span.n < 2 || (*p != '\'' && *p != '"'))
		return 0;
	while (p < end && *p == *span.p) /* a quote within it is written twice */
		p = kinst_after_string(p, end);
	return p == end && end[-1] == *span.p;
}

static const char *read_name(struct kinst_span span, struct kinst_data *data)
{
	if (!is_string(span))
		return "the name is not a string; write it in quotes";
	data->name = span;
	return span.n == 2 ? "the name is empty; leave it out, or write one" : NULL;
}

static const char *read_arguments(struct kinst_data *data, const struct kinst_span *parts, size_t n)
{
	if (data->end)
		return n == 1 ? read_name(parts[0], data) : "the name alone is wanted; write DATA END('name')";
	if (n > 3)
		return "there are more than three arguments; write DATA(array, bytes, 'name')";
	data->address = parts[0];
	if (!data->address.n)
		return form;
	if (n == 2 && is_string(parts[1]))
		return read_name(parts[1], data);
	if (n > 1)
		data->bytes = parts[1];
	if (n == 2 && !data->bytes.n)
		return "the size is missing behind the comma; write DATA(array, bytes, 'name')";
	return n > 2 ? read_name(parts[2], data) : NULL;
}

static const char *read_rest(struct kinst_span rest, struct kinst_data *data)
{
	const char *p = rest.p, *end = p + rest.n, *after = kinst_after_word(p, end, "end"), *stop;
	struct kinst_span parts[3] = { { 0 } };
	size_t n = 0;

	data->end = after != NULL;
	p = kinst_after_word(after ? after : p, end, "(");
	if (!p)
		return data->end ? "the name is missing; write DATA END('name')" : form;
	do {
		stop = kinst_next_stop(p, end);
		if (n < 3)
			parts[n] = kinst_trimmed(p, stop);
		n++;
		p = stop + 1;
	} while (stop < end && *stop == ',');
	if (stop == end)
		return "the closing parenthesis is missing; write DATA(array, bytes, 'name')";
	rest = kinst_trimmed(stop + 1, end);
	if (data->end && rest.n)
		return "more follows the name; write DATA END('name')";
	while (rest.n) {
		const char *problem;

		for (p = rest.p; p < end && !isspace((unsigned char)*p); p++)
			;
		problem = kinst_data_read_clause((struct kinst_span){ rest.p, (size_t)(p - rest.p) }, data);
		if (problem)
			return problem;
		rest = kinst_trimmed(p, end);
	}
	return read_arguments(data, parts, n);
}

int kinst_data_in_fortran(const char *text, size_t length, int fixed)
{
	const char *end = text + length, *eol;

	for (const char *p = text; p < end; p = eol + 1) {
		eol = memchr(p, '\n', (size_t)(end - p));
		eol = eol ? eol : end;
		if (kinst_data_is_line(p, (size_t)(eol - p), fixed))
			return 1;
	}
	return 0;
}

void kinst_data_read_fortran(struct kinst_span rest, struct kinst_data *data)
{
	*data = (struct kinst_data){ 0 };
	data->problem = read_rest(rest, data);
}

/* Returns 1 for a line that may continue a directive. */
static int continues_directive(const char *line, const char *end, int fixed)
{
	const char *p = kinst_after_sentinel(line, end, fixed);

	return p && (!fixed || (p < end && !isspace((unsigned char)*p) && *p != '0'));
}

int kinst_data_consume_fortran(char *text, size_t length, int fixed)
{
	char *end = text + length, *eol, *dollar;
	int found = 0, more = 0;

	for (char *line = text; line < end; line = eol + 1) {
		const char *p = NULL;
		char quote = 0;
		struct kinst_span code;

		eol = memchr(line, '\n', (size_t)(end - line));
		eol = eol ? eol : end;
		if (!kinst_after_sentinel(line, eol, fixed) || strncasecmp(strchr(line, '$'), "$omp", 4)) {
			more = 0;
			continue;
		}
		more = more && continues_directive(line, eol, fixed);
		dollar = strchr(line, '$');
		p = kinst_after_word(dollar + 4, eol, "inst");
		if (!more && (!p || !isspace((unsigned char)dollar[4]) ||
		              (p < eol && (isalnum((unsigned char)*p) || *p == '_'))))
			continue;
		found = 1;
		code = kinst_code_of((struct kinst_span){ dollar + 4, (size_t)(eol - dollar - 4) }, 0, &quote);
		more = fixed || (code.n && code.p[code.n - 1] == '&');
		*dollar = ' ';
	}
	return found;
}

/*
 * Data in Fortran: see data_fortran.h.
 */
#include "opari/data_fortran.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Behind the word when it stands at p, blanks before it skipped; else NULL. */
static const char *after_word(const char *p, const char *end, const char *word)
{
	size_t n = strlen(word);

	while (p < end && isblank((unsigned char)*p))
		p++;
	return (size_t)(end - p) >= n && !strncasecmp(p, word, n) ? p + n : NULL;
}

/* Behind !$OMP or !$POMP; NULL when the line has no such sentinel. */
static const char *after_sentinel(const char *p, const char *end, int fixed)
{
	const char *omp;

	if (!fixed)
		while (p < end && isblank((unsigned char)*p))
			p++;
	if (p == end || !(*p == '!' || (fixed && strchr("cC*", *p))))
		return NULL;
	p++;
	omp = p < end && *p == '$' ? after_word(p, end, "$omp") : NULL;
	return omp ? omp : p < end && *p == '$' ? after_word(p, end, "$pomp") : NULL;
}

/* Behind `inst data`; NULL when the line does not begin one. */
static const char *after_data(const char *p, const char *end, int fixed)
{
	p = after_sentinel(p, end, fixed);
	if (!p || p == end || (!isblank((unsigned char)*p) && !(fixed && *p == '0')))
		return NULL;
	p = after_word(p + 1, end, "inst");
	if (p)
		p = after_word(p, end, "data");
	return p && (p == end || !isalnum((unsigned char)*p)) ? p : NULL;
}

int kinst_data_is_line(const char *line, size_t length, int fixed)
{
	return after_data(line, line + length, fixed) != NULL;
}

static const char form[] = "the arguments are missing; write DATA(array, bytes, 'name')";

/* Behind the string that begins at p. */
static const char *after_string(const char *p, const char *end)
{
	char quote = *p++;

	while (p < end && *p != quote)
		p++;
	return p < end ? p + 1 : end;
}

/* The parenthesis that closes the one at p, or a comma between; `end` when there is none. */
static const char *next_stop(const char *p, const char *end)
{
	int depth = 0;

	while (p < end) {
		if (*p == '\'' || *p == '"') {
			p = after_string(p, end);
			continue;
		}
		if (!depth && (*p == ',' || *p == ')'))
			return p;
		depth += (*p == '(' || *p == '[') - (*p == ')' || *p == ']');
		p++;
	}
	return end;
}

static struct kinst_span trimmed(const char *p, const char *end)
{
	while (p < end && isspace((unsigned char)*p))
		p++;
	while (end > p && isspace((unsigned char)end[-1]))
		end--;
	return (struct kinst_span){ p, (size_t)(end - p) };
}

static int is_string(struct kinst_span span)
{
	const char *end = span.p + span.n, *p = span.p;

	if (span.n < 2 || (*p != '\'' && *p != '"'))
		return 0;
	while (p < end && *p == *span.p)        /* a quote in it is written twice */
		p = after_string(p, end);
	return p == end && end[-1] == *span.p;
}

static const char *read_name(struct kinst_span span, struct kinst_data *data)
{
	if (!is_string(span))
		return "the name is no string; write it in quotes";
	data->name = span;
	return span.n == 2 ? "the name is empty; leave it out, or write one" : NULL;
}

static const char *read_arguments(struct kinst_data *data, const struct kinst_span *parts, size_t n)
{
	if (data->end)
		return n == 1 ? read_name(parts[0], data) :
				"the name alone is wanted; write DATA END('name')";
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
	const char *p = rest.p, *end = p + rest.n, *after = after_word(p, end, "end"), *stop;
	struct kinst_span parts[3] = { { 0 } }, clause;
	size_t n = 0;

	data->end = after != NULL;
	p = after_word(after ? after : p, end, "(");
	if (!p)
		return data->end ? "the name is missing; write DATA END('name')" : form;
	do {
		stop = next_stop(p, end);
		if (n < 3)
			parts[n] = trimmed(p, stop);
		n++;
		p = stop + 1;
	} while (stop < end && *stop == ',');
	if (stop == end)
		return "the closing parenthesis is missing; write DATA(array, bytes, 'name')";
	clause = trimmed(stop + 1, end);
	data->is_private = !data->end && clause.n == 7 && !strncasecmp(clause.p, "private", 7);
	if (clause.n && !data->is_private)
		return data->end ? "more follows the name; write DATA END('name')" :
				   "more follows the arguments; the only clause is PRIVATE";
	return read_arguments(data, parts, n);
}

void kinst_data_read_fortran(struct kinst_span rest, struct kinst_data *data)
{
	data->problem = read_rest(rest, data);
}

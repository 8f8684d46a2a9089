/*
 * Blame: see blame.h.
 */
#include "opari/source/blame.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opari/base/say.h"
#include "opari/data/data.h"

/*
 * Returns the beginning of the line that ends with "FILE:12:3: " at `error`; `error` itself when no such place stands
 * before it.
 */
static const char *with_place(const char *text, const char *error)
{
	const char *p = error, *line = error;

	while (line > text && line[-1] != '\n')
		line--;
	if (p - line < 4 || p[-1] != ' ' || p[-2] != ':')
		return error;
	for (p -= 2; p > line && p[-1] >= '0' && p[-1] <= '9'; p--)
		;
	return p > line && p[-1] == ':' ? line : error;
}

char *kinst_blame_first_error(const char *text)
{
	const char *error = strstr(text, "error: "), *place, *line;

	if (error) {
		error = with_place(text, error);
		return kinst_strndup(error, strcspn(error, "\n"));
	}
	error = strstr(text, "Error: ");
	if (!error)
		return kinst_strndup(text, strcspn(text, "\n"));
	/* gfortran's place stands on a line before, with the source and a mark under it between. */
	for (place = line = text; line < error; line += strcspn(line, "\n") + 1)
		if (*line != ' ' && *line != '\n' && line[strcspn(line, "\n") - 1] == ':')
			place = line;
	return kinst_format("%.*s %.*s", (int)strcspn(place, "\n"), place, (int)strcspn(error, "\n"), error);
}

/* Returns 1 when the line begins with "FILE:LINE:", and the line's number. */
static int names_line(const char *line, const char *file, unsigned long *number)
{
	char *end;

	if (!kinst_begins(line, file) || line[strlen(file)] != ':')
		return 0;
	*number = strtoul(line + strlen(file) + 1, &end, 10);
	return *number && *end == ':';
}

/* Returns 1 when a construct is around the line of a file that a message names, or has its directive there. */
static int is_around(const struct kinst_construct *c, const char *line)
{
	unsigned long number;

	if (names_line(line, c->file, &number) && number >= c->first_line && number <= c->last_line)
		return 1;
	return names_line(line, c->directive_file, &number) && number == c->directive_line;
}

/* Returns the smallest of the measured constructs around a line of a file, or -1. */
static long construct_around(const struct kinst_emitted *emitted, const char *line)
{
	long found = -1;

	for (size_t i = 0; i < emitted->n_constructs; i++) {
		const struct kinst_construct *c = emitted->constructs + i, *best = emitted->constructs + found;

		if (!c->is_measured || !is_around(c, line))
			continue;
		if (found < 0 || c->last_line - c->first_line <= best->last_line - best->first_line)
			found = (long)i;
	}
	return found;
}

/* gfortran names the place on a line before the error. */
long kinst_blame_construct(const struct kinst_emitted *emitted, const char *messages)
{
	const char *line, *eol;
	long around = -1, found = -1;

	for (line = messages; *line && found < 0; line = *eol ? eol + 1 : eol) {
		long here = construct_around(emitted, line);

		eol = strchrnul(line, '\n');
		around = here >= 0 ? here : around;
		if (memmem(line, (size_t)(eol - line), "error:", 6))
			found = here;
		else if (kinst_begins(line, "Error:"))
			found = around;
	}
	return found;
}

/* Returns the directive that stands on a line of a file, or NULL. */
static struct kinst_mark *mark_at(const struct kinst_marks *marks, const char *line)
{
	unsigned long number;

	for (size_t i = 0; i < marks->n; i++) {
		struct kinst_mark *mark = marks->items + i;

		if (!mark->is_given_up && names_line(line, mark->file, &number) && number >= mark->first_line &&
		    number <= mark->last_line)
			return mark;
	}
	return NULL;
}

/* Says why a directive has no effect: the compiler's first error in `messages`, or what that error means. */
static void say_no_effect(const struct kinst_mark *mark, const char *messages)
{
	char *why = kinst_blame_first_error(messages);
	int no_bytes = strstr(why, KINST_DATA_NO_BYTES) || strstr(why, "inst_data_without_bytes");

	kinst_say("kinst: %s:%lu: %s: %s; the directive has no effect\n", mark->file, mark->first_line, mark->what,
	          no_bytes ? KINST_DATA_NO_BYTES : why);
	free(why);
}

size_t kinst_blame_marks(struct kinst_marks *marks, const char *messages)
{
	struct kinst_mark *mark = NULL;
	const char *place = messages;
	size_t n = 0;

	for (const char *line = messages, *eol; *line; line = *eol ? eol + 1 : eol) {
		struct kinst_mark *here = mark_at(marks, line);

		eol = strchrnul(line, '\n');
		if (here || eol[-(eol > line)] == ':') { /* gfortran's errors stand on a line behind their place */
			mark = here;
			place = line;
		}
		if (!mark ||
		    !(kinst_begins(line, "Error:") || (here && memmem(line, (size_t)(eol - line), "error:", 6))))
			continue;
		say_no_effect(mark, place);
		mark->is_given_up = 1;
		mark = NULL;
		n++;
	}
	return n;
}

/*
 * Prepare, in Fortran: see prepare_fortran.h.
 */
#include "opari/emit/prepare_fortran.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "opari/read/extent_fortran.h"
#include "opari/read/shared_end.h"
#include "opari/read/statements.h"

/* Takes IMPLICIT NONE (EXTERNAL) out of a text, as it would require a declaration of each call of ours.  No compiler
 * needs it. */
static void allow_external(char *text)
{
	for (char *p = text; *p; p = *p ? p + 1 : p) {
		char *line = p, *end, *word;
		const char *q;

		p = strchrnul(p, '\n');
		q = kinst_eat(line, "implicit");
		q = q ? kinst_eat(q, "none") : NULL;
		if (!q || *kinst_fortran_blanks(q) != '(')
			continue;
		end = memchr(line, ')', (size_t)(p - line));
		word = strcasestr(line, "external");
		if (!end || !word || word > end)
			continue;
		if (strcasestr(line, "type") && strcasestr(line, "type") < end)
			memset(strchr(line, '('), ' ', (size_t)(end + 1 - strchr(line, '(')));
		else
			memset(line, ' ', (size_t)(end + 1 - line));
	}
}

/* Removes the sentinel !$ of conditional compilation, so that the line belongs to the program, and in free form also
 * that of a line !$& which continues one: flang 19 knows it behind no other line.  For flang a line of fixed form with
 * a tab behind the sentinel is a comment. */
static void uncover_conditional(char *text, int fixed, int is_flang)
{
	int continues = 0; /* the last line that was neither empty nor a comment had the sentinel */

	for (char *p = text; *p; p = *p ? p + 1 : p) {
		char *line = p, *q = p;

		p = strchrnul(p, '\n');
		if (!fixed)
			while (isblank((unsigned char)*q))
				q++;
		if (!(*q == '!' || (fixed && q == line && *q && strchr("cC*", *q))) || q[1] != '$') {
			continues &= *q == '!' || *q == '\n';
			continue;
		}
		if (fixed ? strspn(q + 2, " 0123456789") >= 3 || (q[2] == '\t' && !is_flang)
		          : isblank((unsigned char)q[2]) || (q[2] == '&' && continues)) {
			q[0] = q[1] = ' ';
			continues = !fixed;
		}
	}
}

char *kinst_prepare_fortran(const char *text, size_t length, const struct kinst_emit_options *options,
                            struct kinst_statements *statements, int *is_quieter)
{
	char *copy = kinst_strndup(text, length), *parted;

	if (options->openmp)
		uncover_conditional(copy, options->fixed, options->clang);
	allow_external(copy);
	for (;;) {
		kinst_statements_read(statements, copy, strlen(copy), options->fixed, options->file);
		kinst_fortran_mark_loops(statements);
		parted = options->openmp ? kinst_shared_end_part(statements) : NULL;
		if (!parted)
			return copy;
		*is_quieter = 1; /* gfortran warns of shared labels in the original */
		kinst_statements_free(statements);
		free(copy);
		copy = parted;
	}
}

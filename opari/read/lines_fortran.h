/*
 * Lines, in Fortran: prepares a text for the emitter: INCLUDE lines are replaced by their files, and loops get lines of
 * their own.
 */
#ifndef KINST_LINES_FORTRAN_H
#define KINST_LINES_FORTRAN_H

#include "opari/base/kinst_text.h"

/*
 * How a text is read.
 *
 * fixed:   its form, as for kinst_fortran_columns()
 * folders: where INCLUDE looks besides the folder of `file`
 */
struct kinst_fortran_lines {
	int fixed;
	const char *file;
	const struct kinst_words *folders;
};

/*
 * Writes `text` to `out`.  INCLUDE lines of files with directives, and those directly behind a directive, are
 * replaced by these files.  Statements behind `;`
 * get lines of their own where a DO or END DO is among them or a directive is before them.  Line markers keep the
 * places.
 */
void kinst_fortran_lines(const struct kinst_text *text, const struct kinst_fortran_lines *how, struct kinst_text *out);

#endif

/*
 * Marks: the user's own directives of a text, so that one which does not compile can be left out.
 *
 * The first pass over a text makes the list.  A further pass, after kinst_marks_again(), visits the same directives in
 * the same order, and leaves out those that were given up in between.
 */
#ifndef KINST_MARKS_H
#define KINST_MARKS_H

#include <stddef.h>

struct kinst_mark {
	char *what; /* as in "inst data" or "inst begin(x)" */
	char *file; /* the name as the text's markers have it */
	unsigned long first_line, last_line;
	int is_given_up;
};

struct kinst_marks {
	struct kinst_mark *items;
	size_t n, room;
	size_t next; /* the number of the one that the pass meets next */
};

void kinst_marks_again(struct kinst_marks *marks);
void kinst_marks_free(struct kinst_marks *marks);

/*
 * Tells that the pass meets a directive.  Returns 0 when it is to be left out.
 *
 * marks: may be NULL
 * file:  the name of the file that it stands in, n_file bytes
 */
int kinst_marks_meet(struct kinst_marks *marks, const char *what, const char *file, size_t n_file,
                     unsigned long first_line, unsigned long last_line);

#endif

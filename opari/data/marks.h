/*
 * Marks: the user's own directives of a text, so that one which does not compile can be left out.
 *
 * The first pass over a text makes the list.  A further one, after kinst_marks_again(), meets the same directives in the
 * same order, and leaves out those that were given up in between.
 */
#ifndef KINST_MARKS_H
#define KINST_MARKS_H

#include <stddef.h>

struct kinst_mark {
	char *what;                     /* "inst data", "inst begin(x)" */
	char *file;                     /* as the text's markers have it */
	unsigned long first_line, last_line;
	int is_given_up;
};

struct kinst_marks {
	struct kinst_mark *items;
	size_t n, room;
	size_t next;                    /* the one that the pass meets next */
};

void kinst_marks_again(struct kinst_marks *marks);
void kinst_marks_free(struct kinst_marks *marks);

/* The pass meets a directive, in a file whose name has n_file bytes.  Returns 0 when it is to be left out.  `marks` may be
 * NULL. */
int kinst_marks_meet(struct kinst_marks *marks, const char *what, const char *file, size_t n_file,
		     unsigned long first_line, unsigned long last_line);

#endif

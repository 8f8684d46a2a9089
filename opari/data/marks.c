/*
 * Marks: see marks.h.
 */
#include "opari/data/marks.h"

#include <stdlib.h>

#include "opari/base/kinst_text.h"

void kinst_marks_again(struct kinst_marks *marks)
{
	marks->next = 0;
}

int kinst_marks_meet(struct kinst_marks *marks, const char *what, const char *file, size_t n_file,
                     unsigned long first_line, unsigned long last_line)
{
	if (!marks)
		return 1;
	if (marks->next < marks->n)
		return !marks->items[marks->next++].is_given_up;
	if (marks->n == marks->room) {
		marks->room = marks->room * 2 + 16;
		marks->items = kinst_realloc(marks->items, marks->room * sizeof(*marks->items));
	}
	marks->items[marks->n++] = (struct kinst_mark){ kinst_strdup(what), kinst_strndup(file, n_file), first_line,
		                                        last_line, 0 };
	marks->next = marks->n;
	return 1;
}

void kinst_marks_free(struct kinst_marks *marks)
{
	for (size_t i = 0; i < marks->n; i++) {
		free(marks->items[i].what);
		free(marks->items[i].file);
	}
	free(marks->items);
	*marks = (struct kinst_marks){ 0 };
}

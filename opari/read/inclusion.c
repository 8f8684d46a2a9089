/*
 * Inclusion: see inclusion.h.
 */
#include "opari/read/inclusion.h"

#include <stdlib.h>

static void inclusion_enter(struct kinst_inclusions *all, struct kinst_span file, uint32_t line)
{
	uint32_t depth = all->here ? all->items[all->here - 1].depth + 1 : 1;

	if (all->n == all->room) {
		all->room = all->room * 2 + 32;
		all->items = kinst_realloc(all->items, all->room * sizeof(*all->items));
	}
	all->items[all->n++] = (struct kinst_inclusion){
		.around = all->here, .depth = depth, .line = line, .file = file
	};
	all->here = all->n;
}

/* Leaves an inclusion.  The text goes on behind the line that includes it, which is known better now than before. */
static void inclusion_leave(struct kinst_inclusions *all, uint32_t next)
{
	struct kinst_inclusion *left;

	if (!all->here)
		return;
	left = all->items + all->here - 1;
	if (next > 1)
		left->line = next - 1;
	all->here = left->around;
}

void kinst_inclusions_meet(struct kinst_inclusions *all, struct kinst_span flags, struct kinst_span file, uint32_t line,
                           uint32_t next)
{
	for (size_t i = 0; i < flags.n; i++) {
		if (flags.p[i] == '1')
			inclusion_enter(all, file, line);
		else if (flags.p[i] == '2')
			inclusion_leave(all, next);
		else
			continue;
		return;
	}
}

void kinst_inclusions_free(struct kinst_inclusions *all)
{
	free(all->items);
	*all = (struct kinst_inclusions){ 0 };
}

uint32_t kinst_inclusions_common(const struct kinst_inclusions *all, uint32_t a, uint32_t b)
{
	while (a != b) {
		uint32_t a_depth = a ? all->items[a - 1].depth : 0, b_depth = b ? all->items[b - 1].depth : 0;

		if (a_depth >= b_depth)
			a = all->items[a - 1].around;
		else
			b = all->items[b - 1].around;
	}
	return a;
}

const struct kinst_inclusion *kinst_inclusions_below(const struct kinst_inclusions *all, uint32_t outer, uint32_t i)
{
	while (i && all->items[i - 1].around != outer)
		i = all->items[i - 1].around;
	return i ? all->items + i - 1 : NULL;
}

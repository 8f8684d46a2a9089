/*
 * Draw: a page of ompp tui on the screen.
 */
#ifndef OMPP_TUI_DRAW_H
#define OMPP_TUI_DRAW_H

#include "reports/tui/tui_page.h"

/* What stands around a page. */
struct ompp_draw {
	const struct ompp_book *book;
	size_t section;
	size_t n_above;      /* pages under this one, to which Esc leads back */
	const char *message; /* in place of what the value at the cursor is; "" for none */
	const char *prompt;  /* in place of the keys, with what is typed; NULL for none */
	const char *typed;
};

/* Returns how many lines of a page the screen has. */
size_t ompp_draw_height(void);

/* Draws all.  The page is laid out anew where the screen's width is another one.  Returns 0 or -ENOMEM. */
int ompp_draw(struct ompp_page *page, const struct ompp_draw *draw);

/* Draws the help. */
void ompp_draw_help(size_t from);

#endif

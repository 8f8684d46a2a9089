/*
 * Draw: a page of ompp tui on the screen.
 */
#ifndef OMPP_TUI_DRAW_H
#define OMPP_TUI_DRAW_H

#include "reports/tui/tui_page.h"

/* What is drawn around a page. */
struct ompp_draw {
	const struct ompp_book *book;
	size_t section;
	size_t n_above;      /* pages under this one, to which Esc leads back */
	const char *message; /* shown instead of the description of the value at the cursor; "" for none */
	const char *prompt;  /* shown with the typed text instead of the keys; NULL for none */
	const char *typed;
};

/* Returns how many lines of a page the screen has. */
size_t ompp_draw_height(void);

/* Draws all.  The page is laid out anew if the screen's width has changed.  Returns 0 or -ENOMEM. */
int ompp_draw(struct ompp_page *page, const struct ompp_draw *draw);

/* Draws the help. */
void ompp_draw_help(size_t from);

#endif

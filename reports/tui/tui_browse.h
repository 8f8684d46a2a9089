/*
 * Browse: the keys of ompp tui, and the pages that they lead to.
 */
#ifndef OMPP_TUI_BROWSE_H
#define OMPP_TUI_BROWSE_H

#include "reports/tui/tui_book.h"

/* Shows a book on the terminal until the user quits.  Returns the exit status. */
int ompp_tui_browse(struct ompp_book *book);

#endif

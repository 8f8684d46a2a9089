/*
 * Terminfo: see tui_terminfo.h.
 */
#include "reports/tui/tui_terminfo.h"
#include "config.h"

#ifdef HAVE_NCURSES

#include <unistd.h>

#include <curses.h>
#include <term.h>

int ompp_terminfo_has_cursor(void)
{
	int known, has = setupterm(NULL, STDOUT_FILENO, &known) == OK && cursor_address;

	if (cur_term)
		del_curterm(cur_term);
	return has;
}

#else

int ompp_terminfo_has_cursor(void)
{
	return 0;
}

#endif

/*
 * Screen: the terminal of ompp tui.  Between open and close the terminal is in full-screen mode.  It is restored
 * whatever signal ends the program, if it can be caught (SIGINT, SIGTERM, SIGHUP, SIGQUIT); at SIGTSTP it is restored
 * until SIGCONT.
 */
#ifndef OMPP_TUI_SCREEN_H
#define OMPP_TUI_SCREEN_H

#include <stddef.h>

#include "reports/tables/table.h"

/* Keys other than characters.  Characters are returned as bytes. */
enum ompp_screen_key {
	OMPP_KEY_SIGNAL = 1000, /* a signal asks to quit, see ompp_screen_signal() */
	OMPP_KEY_UP,
	OMPP_KEY_DOWN,
	OMPP_KEY_LEFT,
	OMPP_KEY_RIGHT,
	OMPP_KEY_PAGE_UP,
	OMPP_KEY_PAGE_DOWN,
	OMPP_KEY_HOME,
	OMPP_KEY_END,
	OMPP_KEY_ENTER,
	OMPP_KEY_BACKSPACE,
	OMPP_KEY_TAB_BACK,
	OMPP_KEY_RESIZE,
	OMPP_KEY_OTHER
};

enum { OMPP_KEY_ESCAPE = 27, OMPP_KEY_TAB = 9 };

/* How a text is written: a set of these; and of a tone where the terminal has colours. */
enum { OMPP_SCREEN_BOLD = 1, OMPP_SCREEN_REVERSE = 2, OMPP_SCREEN_UNDERLINE = 4 };

/* Takes the terminal.  Returns 0, or -1 after a complaint. */
int ompp_screen_open(void);
void ompp_screen_close(void);

/* Restores the terminal and ends by the signal that asked for it; does nothing when none did. */
void ompp_screen_end_by_signal(void);

/* Returns the size. */
size_t ompp_screen_rows(void);
size_t ompp_screen_columns(void);

/* Erases all; writes a clean text in at most `width` columns; shows it all, with the terminal's cursor at a place. */
void ompp_screen_erase(void);
size_t ompp_screen_put(size_t y, size_t x, size_t width, const char *s, size_t n_bytes, unsigned int attributes,
                       enum ompp_tone tone);
void ompp_screen_show(size_t y, size_t x);

/* Shows all once more, for a terminal that something else has written to. */
void ompp_screen_repaint(void);

/* Returns how many columns a clean text takes. */
size_t ompp_screen_width(const char *s, size_t n_bytes);

/* Waits for a key. */
int ompp_screen_key(void);

#endif

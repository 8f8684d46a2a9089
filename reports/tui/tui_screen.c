/*
 * Screen: see tui_screen.h.
 *
 * Signals are blocked except while it waits for a key, so that none interrupts output to the terminal.  Their handlers
 * only note them.
 */
#define _GNU_SOURCE
#include "reports/tui/tui_screen.h"
#include "config.h"

#include "reports/command/arguments.h"

#ifdef HAVE_NCURSES

#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include <curses.h>

#include "reports/tui/tui_terminfo.h"
#include "runtime/base/array.h"

enum { ESCAPE_MS = 50 }; /* the rest of a key's escape sequence arrives within this time, also over ssh */

static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
static volatile sig_atomic_t asked, to_stop, was_stopped;
static int is_utf8, has_colors_too, is_open;
static sigset_t waiting; /* signal mask while it waits: the one from before */
static SCREEN *screen;

static void tui_screen_ask(int number)
{
	asked = number;
}

static void tui_screen_stop(int number)
{
	(void)number;
	to_stop = 1;
}

static void go_on(int number)
{
	(void)number;
	was_stopped = 1;
}

/* Must be called before ncurses starts: ncurses' own handler of SIGTSTP would lose a Ctrl-Z that comes while the screen
 * is drawn. */
static void take_signals(void)
{
	struct sigaction action = { .sa_handler = tui_screen_ask }, before;
	sigset_t blocked;

	sigemptyset(&blocked);
	for (size_t i = 0; i < OMPP_COUNT_OF(ends); i++) {
		/* ignored signals stay ignored (nohup) */
		if (!sigaction(ends[i], NULL, &before) && before.sa_handler == SIG_IGN)
			continue;
		sigaction(ends[i], &action, NULL);
		sigaddset(&blocked, ends[i]);
	}
	action.sa_handler = go_on;
	sigaction(SIGCONT, &action, NULL);
	sigaddset(&blocked, SIGCONT);
	action.sa_handler = tui_screen_stop;
	if (sigaction(SIGTSTP, NULL, &before) || before.sa_handler != SIG_IGN)
		sigaction(SIGTSTP, &action, NULL);
	sigaddset(&blocked, SIGTSTP);
	sigaddset(&blocked, SIGWINCH); /* ncurses has a handler for it */
	sigprocmask(SIG_BLOCK, &blocked, &waiting);
}

/* Returns the colour of a tone. */
static short color_of(enum ompp_tone tone)
{
	static const short colors[OMPP_N_TONES] = {
		[OMPP_TONE_WORK] = COLOR_GREEN,     [OMPP_TONE_SYNCH] = COLOR_YELLOW, [OMPP_TONE_IMBAL] = COLOR_RED,
		[OMPP_TONE_LIMPAR] = COLOR_MAGENTA, [OMPP_TONE_MGMT] = COLOR_CYAN,    [OMPP_TONE_SERIAL] = COLOR_BLUE,
		[OMPP_TONE_BAD] = COLOR_RED
	};

	return colors[tone];
}

static void take_colors(void)
{
	const char *none = getenv("NO_COLOR");

	if ((none && none[0]) || !has_colors() || start_color() == ERR)
		return;
	has_colors_too = use_default_colors() == OK;
	for (short tone = 1; tone < OMPP_N_TONES && has_colors_too; tone++)
		init_pair(tone, color_of((enum ompp_tone)tone), -1);
}

int ompp_screen_open(void)
{
	const char *term = getenv("TERM");

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
		ompp_complain("tui", "standard %s is no terminal; 'ompp report' prints to files and pipes",
		              isatty(STDOUT_FILENO) ? "input" : "output");
		return -1;
	}
	setlocale(LC_CTYPE, "");
	is_utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	take_signals();
	if (ompp_terminfo_has_cursor())
		screen = newterm(NULL, stdout, stdin);
	if (!screen) {
		sigprocmask(SIG_SETMASK, &waiting, NULL);
		ompp_complain("tui", "the terminal '%s' (TERM) cannot move the cursor; use 'ompp report'",
		              term && term[0] ? term : "unknown");
		return -1;
	}
	is_open = 1;
	cbreak();
	noecho();
	nonl();
	intrflush(stdscr, FALSE);
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	set_escdelay(ESCAPE_MS);
	take_colors();
	return 0;
}

void ompp_screen_close(void)
{
	if (!is_open)
		return;
	is_open = 0;
	endwin();
	delscreen(screen);
	sigprocmask(SIG_SETMASK, &waiting, NULL);
}

void ompp_screen_end_by_signal(void)
{
	struct sigaction usual = { .sa_handler = SIG_DFL };
	int number = asked;

	if (!number)
		return;
	sigaction(number, &usual, NULL);
	ompp_screen_close();
	raise(number);
}

size_t ompp_screen_rows(void)
{
	return LINES > 0 ? (size_t)LINES : 1;
}

size_t ompp_screen_columns(void)
{
	return COLS > 0 ? (size_t)COLS : 1;
}

void ompp_screen_erase(void)
{
	erase();
}

/* Returns the length of the character at s in bytes, and its columns; a text that is clean is UTF-8. */
static size_t tui_screen_character(const char *s, size_t n_bytes, size_t *columns, int *can_show)
{
	unsigned char c = (unsigned char)s[0];
	size_t n = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
	uint32_t code = n == 1 ? c : c & (0x7fu >> n);
	int width;

	if (n > n_bytes)
		n = n_bytes;
	for (size_t i = 1; i < n; i++)
		code = code << 6 | ((unsigned char)s[i] & 0x3f);
	width = n == 1 ? 1 : is_utf8 ? wcwidth((wchar_t)code) : -1;
	*can_show = width >= 0 && (n > 1 || (c >= 0x20 && c < 0x7f));
	*columns = width >= 0 ? (size_t)width : 1;
	return n;
}

size_t ompp_screen_width(const char *s, size_t n_bytes)
{
	size_t width = 0, columns;
	int can_show;

	for (size_t i = 0; i < n_bytes; width += columns)
		i += tui_screen_character(s + i, n_bytes - i, &columns, &can_show);
	return width;
}

size_t ompp_screen_put(size_t y, size_t x, size_t width, const char *s, size_t n_bytes, unsigned int attributes,
                       enum ompp_tone tone)
{
	size_t used = 0, columns, n;
	int can_show;

	if (y >= ompp_screen_rows() || x >= ompp_screen_columns())
		return 0;
	if (width > ompp_screen_columns() - x)
		width = ompp_screen_columns() - x;
	attrset((attributes & OMPP_SCREEN_BOLD ? A_BOLD : 0) | (attributes & OMPP_SCREEN_REVERSE ? A_REVERSE : 0) |
	        (attributes & OMPP_SCREEN_UNDERLINE ? A_UNDERLINE : 0) |
	        (has_colors_too && tone && tone < OMPP_N_TONES ? COLOR_PAIR(tone) : 0));
	move((int)y, (int)x);
	for (size_t i = 0; i < n_bytes; i += n) {
		n = tui_screen_character(s + i, n_bytes - i, &columns, &can_show);
		if (used + columns > width)
			break;
		if (can_show)
			addnstr(s + i, (int)n);
		else
			addch('?');
		used += columns;
	}
	attrset(A_NORMAL);
	return used;
}

void ompp_screen_show(size_t y, size_t x)
{
	move((int)(y < ompp_screen_rows() ? y : ompp_screen_rows() - 1),
	     (int)(x < ompp_screen_columns() ? x : ompp_screen_columns() - 1));
	refresh();
}

void ompp_screen_repaint(void)
{
	clearok(curscr, TRUE);
}

static int key_of(int c)
{
	static const struct {
		int curses, key;
	} keys[] = { { KEY_UP, OMPP_KEY_UP },         { KEY_DOWN, OMPP_KEY_DOWN },
		     { KEY_LEFT, OMPP_KEY_LEFT },     { KEY_RIGHT, OMPP_KEY_RIGHT },
		     { KEY_PPAGE, OMPP_KEY_PAGE_UP }, { KEY_NPAGE, OMPP_KEY_PAGE_DOWN },
		     { KEY_HOME, OMPP_KEY_HOME },     { KEY_END, OMPP_KEY_END },
		     { KEY_ENTER, OMPP_KEY_ENTER },   { '\r', OMPP_KEY_ENTER },
		     { '\n', OMPP_KEY_ENTER },        { KEY_BACKSPACE, OMPP_KEY_BACKSPACE },
		     { 127, OMPP_KEY_BACKSPACE },     { 8, OMPP_KEY_BACKSPACE },
		     { KEY_BTAB, OMPP_KEY_TAB_BACK }, { KEY_RESIZE, OMPP_KEY_RESIZE } };

	for (size_t i = 0; i < OMPP_COUNT_OF(keys); i++)
		if (c == keys[i].curses)
			return keys[i].key;
	return c < 256 ? c : OMPP_KEY_OTHER;
}

/* Gives the terminal back, stops, and takes it again when a SIGCONT comes. */
static void stop_here(void)
{
	struct sigaction usual = { .sa_handler = SIG_DFL }, ours;
	sigset_t one;

	to_stop = 0;
	endwin();
	sigemptyset(&one);
	sigaddset(&one, SIGTSTP);
	sigaction(SIGTSTP, &usual, &ours);
	raise(SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &one, NULL); /* it stops here */
	sigprocmask(SIG_BLOCK, &one, NULL);
	sigaction(SIGTSTP, &ours, NULL);
	was_stopped = 1;
}

int ompp_screen_key(void)
{
	for (;;) {
		struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
		int c = getch();

		if (c != ERR)
			return key_of(c);
		if (asked)
			return OMPP_KEY_SIGNAL;
		ppoll(&input, 1, NULL, &waiting);
		if (to_stop)
			stop_here();
		if (was_stopped) { /* also by SIGSTOP, which cannot be caught */
			was_stopped = 0;
			reset_prog_mode();
			ompp_screen_repaint();
			return OMPP_KEY_RESIZE;
		}
		if (input.revents & (POLLHUP | POLLERR | POLLNVAL)) { /* the terminal is gone */
			asked = asked ? asked : SIGHUP;
			return OMPP_KEY_SIGNAL;
		}
	}
}

#else

int ompp_screen_open(void)
{
	ompp_complain("tui", "this ompp was built without ncurses; build it where libncurses-dev is installed, or take "
	                     "'ompp report --format=html'");
	return -1;
}

void ompp_screen_close(void)
{
}

void ompp_screen_end_by_signal(void)
{
}

size_t ompp_screen_rows(void)
{
	return 1;
}

size_t ompp_screen_columns(void)
{
	return 1;
}

void ompp_screen_erase(void)
{
}

size_t ompp_screen_put(size_t y, size_t x, size_t width, const char *s, size_t n_bytes, unsigned int attributes,
                       enum ompp_tone tone)
{
	(void)y, (void)x, (void)width, (void)s, (void)n_bytes, (void)attributes, (void)tone;
	return 0;
}

void ompp_screen_show(size_t y, size_t x)
{
	(void)y, (void)x;
}

void ompp_screen_repaint(void)
{
}

size_t ompp_screen_width(const char *s, size_t n_bytes)
{
	(void)s;
	return n_bytes;
}

int ompp_screen_key(void)
{
	return OMPP_KEY_SIGNAL;
}

#endif

/*
 * Browse: see tui_browse.h.
 */
#include "reports/tui/tui_browse.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/command/arguments.h"
#include "reports/tui/tui_draw.h"
#include "reports/tui/tui_screen.h"
#include "runtime/base/clean.h"

enum { MOST_PAGES = 32, CTRL_L = 12, MESSAGE_BYTES = 512 };

struct browser {
	struct ompp_book *book;
	struct ompp_page *sections[OMPP_BOOK_SECTIONS]; /* those that were opened */
	struct ompp_page *above[MOST_PAGES];            /* stack of pages opened from rows; the last one is shown */
	size_t section, n_above;
	char message[MESSAGE_BYTES];
	char words[OMPP_WORDS_BYTES]; /* of the last search */
};

static void free_page(struct ompp_page *page)
{
	if (page)
		ompp_page_fini(page);
	free(page);
}

static void close_all(struct browser *b)
{
	while (b->n_above)
		free_page(b->above[--b->n_above]);
	for (size_t i = 0; i < OMPP_BOOK_SECTIONS; i++) {
		free_page(b->sections[i]);
		b->sections[i] = NULL;
	}
}

static struct ompp_page *tui_browse_current(const struct browser *b)
{
	return b->n_above ? b->above[b->n_above - 1] : b->sections[b->section];
}

static void tui_browse_say(struct browser *b, const char *words)
{
	snprintf(b->message, sizeof(b->message), "%s", words);
}

/* Makes a page of leaves, which it takes over; NULL without memory. */
static struct ompp_page *make_page(const struct ompp_leaves *leaves)
{
	struct ompp_page *page = malloc(sizeof(*page));

	if (page && ompp_page_init(page, leaves)) {
		free_page(page);
		page = NULL;
	}
	return page;
}

static int open_section(struct browser *b, size_t section)
{
	struct ompp_leaves leaves;
	int rc = b->sections[section] ? 0 : ompp_book_open(b->book, section, &leaves);

	if (!rc && !b->sections[section]) {
		b->sections[section] = make_page(&leaves);
		rc = b->sections[section] ? 0 : -ENOMEM;
	}
	if (!rc)
		b->section = section;
	return rc;
}

/* Opens the next section, or the one before, that the profile has. */
static int step_section(struct browser *b, int is_back)
{
	size_t section = b->section;

	do
		section = (section + (is_back ? OMPP_BOOK_SECTIONS - 1 : 1)) % OMPP_BOOK_SECTIONS;
	while (!b->book->has[section]);
	while (b->n_above)
		free_page(b->above[--b->n_above]);
	return open_section(b, section);
}

static int section_number(struct browser *b, size_t number)
{
	for (size_t i = 0; i < OMPP_BOOK_SECTIONS; i++)
		if (b->book->has[i] && !--number) {
			while (b->n_above)
				free_page(b->above[--b->n_above]);
			return open_section(b, i);
		}
	return 0;
}

/* Pushes a page on the stack, and shows it. */
static int tui_browse_push(struct browser *b, const struct ompp_leaves *leaves)
{
	struct ompp_page *page = make_page(leaves);

	if (!page)
		return -ENOMEM;
	b->above[b->n_above++] = page;
	return 0;
}

/* Returns the region that begins at a line of a page of source; OMPP_NONE for none. */
static uint32_t region_at(const struct ompp_page *page, uint32_t line)
{
	const struct ompp_profile *p = page->leaves.analysis.profile;

	for (uint32_t i = 0; i < p->n_regions; i++)
		if (p->regions[i].begin_line == line && !strcmp(p->regions[i].file, page->leaves.title))
			return i;
	return OMPP_NONE;
}

/* Is it a page of source?  Its one table has a column of that name. */
static int is_source(const struct ompp_page *page)
{
	const struct ompp_table *t = page->leaves.n == 1 ? &page->leaves.list[0].table : NULL;

	return t && t->n_columns && !strcmp(t->columns[t->n_columns - 1].title, "source");
}

static int open_row(struct browser *b)
{
	const struct ompp_page *page = tui_browse_current(b);
	const struct ompp_page_line *line = ompp_page_line(page);
	struct ompp_leaves leaves;
	const struct ompp_leaf *leaf = ompp_page_leaf(page);
	uint32_t region, object;
	size_t row;
	int rc;

	if (!line || b->n_above == MOST_PAGES) {
		tui_browse_say(b, line ? "too many pages; Esc leads back" : "nothing is here");
		return 0;
	}
	row = page->tables[line->leaf].order[line->row];
	region = is_source(page) ? region_at(page, (uint32_t)row + 1)
	                         : ompp_leaf_region(leaf, row, page->leaves.analysis.profile);
	object = ompp_leaf_object(leaf, row, &page->leaves);
	if (object != OMPP_NONE && object != page->leaves.of_object) {
		rc = ompp_book_object(b->book, object, &leaves);
	} else if (region != OMPP_NONE && region != page->leaves.of_region) {
		rc = ompp_book_region(b->book, region, &leaves);
	} else {
		tui_browse_say(b, "no more is known of this row");
		return 0;
	}
	return rc ? rc : tui_browse_push(b, &leaves);
}

static int open_source(struct browser *b)
{
	const struct ompp_page *page = tui_browse_current(b);
	const struct ompp_page_line *line = ompp_page_line(page);
	const char *why = "", *path = NULL;
	struct ompp_leaves leaves;
	uint32_t number = 0;
	int rc;

	if (line && !is_source(page) && b->n_above < MOST_PAGES)
		path = ompp_leaf_location(ompp_page_leaf(page), page->tables[line->leaf].order[line->row],
		                          &page->leaves, &number);
	if (!path || !path[0]) {
		tui_browse_say(b,
		               is_source(page) ? "this is the source" : "no place in the source is known of this row");
		return 0;
	}
	rc = ompp_book_source(b->book, path, number, &leaves, &why);
	if (rc == -ENOENT) {
		struct ompp_arena scratch;
		const char *shown;

		ompp_arena_init(&scratch, 0);
		shown = ompp_clean_copy(path, 0, &scratch);
		snprintf(b->message, sizeof(b->message), "%s: %s", shown ? shown : "", why);
		ompp_arena_fini(&scratch);
		return 0;
	}
	return rc ? rc : tui_browse_push(b, &leaves);
}

static int tui_browse_draw(struct browser *b, const char *prompt, const char *typed)
{
	struct ompp_draw around = { b->book, b->section, b->n_above, b->message, prompt, typed };

	return ompp_draw(tui_browse_current(b), &around);
}

/* Lets the user type words.  Returns 1 when they are confirmed, 0 when they are cancelled, or -errno. */
static int tui_browse_ask(struct browser *b, const char *prompt, char words[OMPP_WORDS_BYTES])
{
	char typed[OMPP_WORDS_BYTES] = "";
	size_t n = 0;

	for (;;) {
		int rc = tui_browse_draw(b, prompt, typed), key;

		if (rc)
			return rc;
		key = ompp_screen_key();
		if (key == OMPP_KEY_SIGNAL)
			return -EINTR;
		if (key == OMPP_KEY_ESCAPE || (key == OMPP_KEY_BACKSPACE && !n))
			return 0;
		if (key == OMPP_KEY_ENTER) {
			snprintf(words, OMPP_WORDS_BYTES, "%s", typed);
			return 1;
		}
		if (key == OMPP_KEY_BACKSPACE) {
			while (n && ((unsigned char)typed[n - 1] & 0xc0) == 0x80)
				n--;
			n -= n != 0;
		} else if (key >= ' ' && key < 256 && n + 1 < sizeof(typed)) {
			typed[n++] = (char)key;
		}
		typed[n] = '\0';
	}
}

static int tui_browse_find(struct browser *b, int is_back)
{
	if (!b->words[0]) {
		tui_browse_say(b, "nothing to look for; / asks for words");
	} else if (ompp_page_find(tui_browse_current(b), b->words, is_back)) {
		struct ompp_text t;

		ompp_text_init(&t, b->message, sizeof(b->message));
		ompp_text_str(&t, "no row has: ");
		ompp_clean(&t, b->words, 0);
	}
	return 0;
}

static int toggle_columns(struct browser *b)
{
	b->book->options.columns = b->book->options.columns && !strcmp(b->book->options.columns, "all") ? NULL : "all";
	close_all(b);
	tui_browse_say(b,
	               b->book->options.columns ? "all columns of data objects" : "the usual columns of data objects");
	return open_section(b, b->section);
}

static int show_help(void)
{
	int key;

	do
		ompp_draw_help(0);
	while ((key = ompp_screen_key()) == OMPP_KEY_RESIZE);
	return key == OMPP_KEY_SIGNAL ? -EINTR : 0;
}

static void go_back(struct browser *b)
{
	if (b->n_above)
		free_page(b->above[--b->n_above]);
	else if (tui_browse_current(b)->filter[0])
		ompp_page_filter(tui_browse_current(b), "");
}

/* Moves the cursor by columns; where the table has no more, it stays. */
static void move_column(struct ompp_page *page, int by)
{
	const struct ompp_leaf *leaf = ompp_page_leaf(page);
	size_t n = leaf ? leaf->n_shown : 0;

	if (page->column >= n)
		page->column = n ? n - 1 : 0;
	if (by > 0 ? page->column + 1 < n : page->column > 0)
		page->column += by > 0 ? 1 : (size_t)-1;
}

/* Handles a key that moves the cursor.  Returns 1 when it was one. */
static int move_cursor(struct ompp_page *page, int key)
{
	long height = (long)ompp_draw_height(), screenful = height > 2 ? height - 2 : 1;

	switch (key) {
	case OMPP_KEY_UP:
	case 'k':
		ompp_page_move(page, -1);
		return 1;
	case OMPP_KEY_DOWN:
	case 'j':
		ompp_page_move(page, 1);
		return 1;
	case OMPP_KEY_PAGE_UP:
		ompp_page_move(page, -screenful);
		return 1;
	case OMPP_KEY_PAGE_DOWN:
		ompp_page_move(page, screenful);
		return 1;
	case OMPP_KEY_HOME:
	case 'g':
		ompp_page_move(page, -(long)page->n_lines);
		page->top = 0;
		return 1;
	case OMPP_KEY_END:
	case 'G':
		ompp_page_move(page, (long)page->n_lines);
		return 1;
	case OMPP_KEY_LEFT:
	case 'h':
		move_column(page, -1);
		return 1;
	case OMPP_KEY_RIGHT:
	case 'l':
		move_column(page, 1);
		return 1;
	default:
		return 0;
	}
}

/* Handles a key.  Returns 0, 1 to quit, or -errno. */
static int do_key(struct browser *b, int key)
{
	struct ompp_page *page = tui_browse_current(b);
	char words[OMPP_WORDS_BYTES];
	int rc = 0;

	b->message[0] = '\0';
	if (move_cursor(page, key))
		return 0;
	switch (key) {
	case OMPP_KEY_SIGNAL:
		return -EINTR;
	case 'q':
	case 'Q':
		return 1;
	case OMPP_KEY_TAB:
	case OMPP_KEY_TAB_BACK:
		return step_section(b, key == OMPP_KEY_TAB_BACK);
	case OMPP_KEY_ENTER:
		return open_row(b);
	case 'o':
		return open_source(b);
	case OMPP_KEY_ESCAPE:
	case OMPP_KEY_BACKSPACE:
		go_back(b);
		return 0;
	case 's':
		rc = ompp_page_sort(page);
		if (rc == -ENOENT)
			tui_browse_say(b, "there are no columns here to sort by");
		return rc == -ENOENT ? 0 : rc;
	case '/':
		rc = tui_browse_ask(b, "find: ", b->words);
		return rc > 0 ? tui_browse_find(b, 0) : rc;
	case 'n':
	case 'N':
		return tui_browse_find(b, key == 'N');
	case 'f':
		rc = tui_browse_ask(b, "only rows with: ", words);
		return rc > 0 ? ompp_page_filter(page, words) : rc;
	case ' ':
		rc = ompp_page_fold(page, -1);
		break;
	case '-':
	case '+':
		rc = ompp_page_fold_all(page, key == '-');
		break;
	case 'c':
		return toggle_columns(b);
	case '?':
		return show_help();
	case CTRL_L:
		ompp_screen_repaint();
		return 0;
	default:
		if (key >= '0' && key <= '9')
			return section_number(b, key == '0' ? 10 : (size_t)(key - '0'));
		return 0;
	}
	if (rc == -ENOENT)
		tui_browse_say(b, "nothing is below this row");
	return rc == -ENOENT ? 0 : rc;
}

int ompp_tui_browse(struct ompp_book *book)
{
	struct browser b = { .book = book };
	int rc = 0;

	if (ompp_screen_open())
		return OMPP_EXIT_USAGE;
	rc = open_section(&b, 0);
	while (!rc) {
		rc = tui_browse_draw(&b, NULL, "");
		if (!rc)
			rc = do_key(&b, ompp_screen_key());
	}
	close_all(&b);
	ompp_screen_end_by_signal();
	ompp_screen_close();
	if (rc < 0 && rc != -EINTR)
		ompp_complain("tui", "%s", strerror(-rc));
	return rc == 1 ? 0 : OMPP_EXIT_FAILED;
}

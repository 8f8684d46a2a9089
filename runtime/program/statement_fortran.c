/*
 * Statement: of Fortran, see statement.h.  gfortran gives all calls of one "allocate" the same column, so that arrays
 * are identified by their order.
 */
#include <string.h>

#include "runtime/program/statement.h"
#include "runtime/program/statement_text.h"

enum { MOST_NAME_BYTES = 40, MOST_LINES = 20 };

/* A statement: its text without comments and marks of continuation. */
struct copy {
	char text[OMPP_STATEMENT_BYTES];
	size_t n;
	const char *begin, *end; /* of the statement that is meant, as several may stand on a line */
};

int ompp_statement_is_fortran(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot && (dot[1] | 32) == 'f';
}

static int is_blank(char ch)
{
	return ch == ' ' || ch == '\t' || ch == '\r';
}

static const char *line_end(const char *at)
{
	const char *end = strchr(at, '\n');

	return end ? end : at + strlen(at);
}

/* ---- lines ---- */

/* In fixed form the statement is in columns 7 and up, and a line with a character in column 6 continues the one before
 * it; or a digit does, behind a tab.  In free form '&' at a line's end lets the next one continue it. */
enum { FIXED_MARK = 5, FIXED_CODE = 6 };

static int is_fixed(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot && !strchr("0123456789", dot[2] ? dot[2] : 'x');
}

/* Returns what is before the statement in a line that continues another one in fixed form; 0 for other lines. */
static size_t statement_fortran_continuing(const char *line)
{
	if (line[0] == '\t')
		return line[1] >= '1' && line[1] <= '9' ? 2 : 0;
	return strspn(line, " ") == FIXED_MARK && !strchr(" 0\t\r\n", line[FIXED_MARK]) ? FIXED_CODE : 0;
}

/* Returns where the code of a line begins. */
static const char *code_begin(const char *line, int fixed)
{
	line += fixed ? statement_fortran_continuing(line) : 0;
	return line + strspn(line, fixed ? " \t" : " \t&");
}

/* Returns the end of a line without the comment at its end and the blanks before that. */
static const char *code_end(const char *line, int fixed)
{
	const char *end = line_end(line),
		   *at = fixed && *line && strchr("cCdD*", *line) ? end : code_begin(line, fixed);
	char quote = 0;

	if (at == end)
		return line;
	for (; at < end && (quote || *at != '!'); at++)
		if (*at == '\'' || *at == '"')
			quote = (char)(!quote ? *at : quote == *at ? 0 : quote);
	while (at > line && is_blank(at[-1]))
		at--;
	return at;
}

/* Tells whether a line has no code, but perhaps a comment. */
static int is_comment(const char *line, int fixed)
{
	return code_end(line, fixed) <= code_begin(line, fixed);
}

/* Returns the line before or behind one that has code; NULL where there is none. */
static const char *line_before(const char *text, const char *line, int fixed)
{
	do
		line = ompp_statement_line_before(text, line);
	while (line && is_comment(line, fixed));
	return line;
}

static const char *line_behind(const char *line, int fixed)
{
	do
		line = *line_end(line) ? line_end(line) + 1 : NULL;
	while (line && *line && is_comment(line, fixed));
	return line && *line ? line : NULL;
}

/* Tells whether one line continues the other, which is the one before it. */
static int statement_fortran_continues(const char *line, const char *before, int fixed)
{
	const char *end = code_end(before, fixed);

	return fixed ? statement_fortran_continuing(line) > 0 : end > before && end[-1] == '&';
}

/* ---- statements ---- */

/* Adds a line's code, without '&' at its ends. */
static void add_line(struct copy *c, const char *line, int fixed)
{
	const char *end = code_end(line, fixed);

	line = code_begin(line, fixed);
	while (end > line && ((!fixed && end[-1] == '&') || is_blank(end[-1])))
		end--;
	for (; line < end && c->n + 1 < sizeof(c->text); line++)
		c->text[c->n++] = *line;
	c->text[c->n] = '\0';
}

/* Copies the statement of a line with what continues it.  Of several on a line it is the one that ends at the column or
 * behind it. */
static void copy_statement(struct copy *c, const struct ompp_statement *s, uint32_t column)
{
	const char *own = ompp_statement_line(s->text, s->line), *line = own, *at;
	int fixed = is_fixed(s->path);
	size_t behind = 0;

	for (int n = 0; n < MOST_LINES; n++) {
		const char *before = line_before(s->text, line, fixed);

		if (!before || !statement_fortran_continues(line, before, fixed))
			break;
		line = before;
	}
	*c = (struct copy){ .n = 0 };
	for (int n = 0; n < MOST_LINES; n++) {
		const char *next = line_behind(line, fixed);
		size_t start = c->n;

		add_line(c, line, fixed);
		if (line == own && column) {
			size_t blanks = (size_t)(code_begin(line, fixed) - line);

			behind = start + (column > blanks + 1 ? column - 1 - blanks : 0);
		}
		if (!next || !statement_fortran_continues(next, line, fixed))
			break;
		line = next;
	}
	c->begin = c->text;
	for (at = c->text; *at && (*at != ';' || (size_t)(at - c->text) < behind); at++)
		if (*at == ';')
			c->begin = at + 1;
	c->end = at;
	while (c->begin < c->end && is_blank(*c->begin))
		c->begin++;
}

/* Returns the place behind a word that stands alone, in any case, and not in a text; NULL when the statement has it
 * not.
 */
static const char *behind_word(const struct copy *c, const char *word)
{
	size_t n = strlen(word);
	char quote = '\0';

	for (const char *at = c->begin; at + n <= c->end; at++) {
		char before = (char)(at > c->begin ? at[-1] | 32 : ' ');

		if (quote ? *at == quote : *at == '\'' || *at == '"')
			quote = quote ? '\0' : *at;
		if (!quote && ompp_text_same(at, n, word, n) && !(before >= 'a' && before <= 'z') && before != '_')
			return at + n;
	}
	return NULL;
}

/* An item of a list. */
struct item {
	const char *from, *to;
	int has_sign; /* "stat=i" */
};

/* Returns the next item of a list, which begins at `at`; its `to` is where a comma, the list's end or the statement's
 * is. */
static struct item next_item(const struct copy *c, const char *at)
{
	struct item item = { .from = at };
	int depth = 0;

	for (; at < c->end; at++) {
		depth += *at == '(' || *at == '[' ? 1 : *at == ')' || *at == ']' ? -1 : 0;
		if (depth < 0 || (!depth && *at == ','))
			break;
		if (!depth && at[0] == ':' && at[1] == ':') /* the type of what is allocated */
			item.from = ++at + 1;
		item.has_sign |= !depth && *at == '=';
	}
	item.to = at;
	while (item.from < item.to && is_blank(*item.from))
		item.from++;
	while (item.to > item.from && is_blank(item.to[-1]))
		item.to--;
	return item;
}

static const char *item_end(const struct copy *c, struct item item)
{
	while (item.to < c->end && is_blank(*item.to))
		item.to++;
	return item.to;
}

/* Returns where the list of an "allocate" begins; NULL for other statements. */
static const char *allocate_list(const struct copy *c)
{
	const char *at = behind_word(c, "allocate");

	while (at && is_blank(*at))
		at++;
	return at && *at == '(' ? at + 1 : NULL;
}

/* Returns the array of an "allocate" by its number from 0, and counts all of them; 0 of them where "source=" may take
 * calls for the parts of an array. */
static struct item statement_fortran_array(const struct copy *c, size_t which, size_t *n)
{
	const char *at = allocate_list(c);
	struct item found = { NULL, NULL, 0 };

	*n = 0;
	while (at && at < c->end && *at != ')') {
		struct item item = next_item(c, at);

		if (item.has_sign &&
		    !(ompp_text_same(item.from, 4, "stat", 4) || ompp_text_same(item.from, 6, "errmsg", 6))) {
			*n = 0;
			break;
		}
		if (!item.has_sign && (*n)++ == which)
			found = item;
		at = item_end(c, item);
		at += at < c->end && *at == ',';
	}
	return found;
}

size_t ompp_statement_n_arrays(const struct ompp_statement *s, uint32_t column)
{
	struct copy c;
	size_t n;

	copy_statement(&c, s, column);
	statement_fortran_array(&c, 0, &n);
	return n;
}

void ompp_statement_array(struct ompp_text *t, const struct ompp_statement *s, uint32_t column, size_t which)
{
	struct copy c;
	size_t n;
	struct item item;

	copy_statement(&c, s, column);
	item = statement_fortran_array(&c, which, &n);
	if (!item.from)
		return;
	if ((size_t)(item.to - item.from) > MOST_NAME_BYTES - sizeof("allocate()")) /* its name, without its bounds */
		for (const char *at = item.to; at > item.from && item.to[-1] == ')' && at[-1] != '%'; at--)
			if (at[-1] == '(')
				item.to = at - 1;
	ompp_text_str(t, "allocate(");
	ompp_statement_put(t, item.from, item.to, MOST_NAME_BYTES);
	ompp_text_char(t, ')');
}

static int is_of_name(char ch)
{
	return (ch >= '0' && ch <= '9') || ((ch | 32) >= 'a' && (ch | 32) <= 'z') || ch == '_' || ch == '%';
}

/* Does a function of Fortran that bounds often have have this name? */
static int is_intrinsic(const char *from, const char *to)
{
	static const char *const names[] = { "size", "ubound", "lbound", "max",  "min",     "int",   "nint",  "mod",
		                             "abs",  "len",    "real",   "dble", "ceiling", "floor", "modulo" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (ompp_text_same(from, (size_t)(to - from), names[i], strlen(names[i])))
			return 1;
	return 0;
}

int ompp_statement_called(struct ompp_text *t, const struct ompp_statement *s, uint32_t column, size_t which)
{
	const char *at, *from, *to;
	int depth = 0;
	struct copy c;

	copy_statement(&c, s, column);
	for (at = allocate_list(&c); at && at < c.end && depth >= 0; at++) {
		depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
		if (*at != '(' || depth < 2)
			continue;
		for (to = at; is_blank(to[-1]); to--)
			;
		for (from = to; is_of_name(from[-1]); from--)
			;
		if (from == to || is_intrinsic(from, to) || which--)
			continue;
		ompp_statement_put(t, from, to, (size_t)(to - from));
		return 1;
	}
	return 0;
}

/* Returns where the names of a declaration begin; NULL for other statements. */
static const char *declared_list(const struct copy *c)
{
	int depth = 0;

	for (const char *at = c->begin; at + 1 < c->end; at++) {
		depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
		if (!depth && at[0] == ':' && at[1] == ':')
			return at + 2;
	}
	return NULL;
}

/* Writes the declared array that ends at the column, or around it; all of them where that is not known. */
static void put_declared(struct ompp_text *t, const struct copy *c, const char *list, size_t behind)
{
	const char *at = list;

	while (at < c->end && behind) {
		struct item item = next_item(c, at);

		at = item_end(c, item);
		if ((size_t)(at - c->text) >= behind) {
			ompp_statement_put(t, item.from, item.to, MOST_NAME_BYTES);
			return;
		}
		at++;
	}
	while (is_blank(*list))
		list++;
	ompp_statement_put(t, list, c->end, MOST_NAME_BYTES);
}

void ompp_statement_put_fortran(struct ompp_text *t, const struct ompp_statement *s, uint32_t column)
{
	const char *line = ompp_statement_line(s->text, s->line), *list;
	size_t blanks = strspn(line, " \t");
	struct copy c;

	copy_statement(&c, s, column);
	list = allocate_list(&c) ? NULL : declared_list(&c);
	if (list && s->n > 1 && c.begin == c.text && column > blanks)
		put_declared(t, &c, list, column - blanks);
	else
		ompp_statement_put(t, list ? list + strspn(list, " ") : c.begin, c.end, MOST_NAME_BYTES);
}

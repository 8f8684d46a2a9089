/*
 * Prints the table of options for the documentation: `options roff` makes a section of the manual pages and
 * `options table` the README's table.
 */
#include <stdio.h>
#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/words.h"

static const struct {
	const char *name, *type, *fallback, *unit, *doc;
} rows[] = {
#define OPTION(name, type, def, min, max, unit, doc) { #name, #type, def, unit, doc },
#include "env/options.def"
#undef OPTION
};
enum { N_ROWS = OMPP_COUNT_OF(rows) };

/* Prints a text for a manual page.  In lists of words a blank follows each comma, so that lines can be broken there.
 * Manual pages are in ASCII alone, as man cannot show an ellipsis in the C locale. */
static void roff_text(const char *s, int is_list)
{
	static const char ellipsis[] = "…";

	for (; *s; s++)
		if (!strncmp(s, ellipsis, sizeof(ellipsis) - 1)) {
			printf("...");
			s += sizeof(ellipsis) - 2;
		} else {
			printf(*s == '-' ? "\\-" : *s == '\\' ? "\\e" : *s == ',' && is_list ? ", " : "%c", *s);
		}
}

enum { NAME_COLUMNS = 26, VALUE_COLUMNS = 10, DEFAULT_COLUMNS = 9, LINE_COLUMNS = 120, INDENT = 4 };
enum { TEXT_COLUMN = INDENT + NAME_COLUMNS + VALUE_COLUMNS + DEFAULT_COLUMNS + 3 };

/* Returns how many bytes of the name all rows of its family have.  Rows that differ in a number at the end of their
 * names are a family, which is shown as one row. */
static size_t stem(const char *name)
{
	size_t n = strlen(name);

	while (n && name[n - 1] >= '0' && name[n - 1] <= '9')
		n--;
	return n;
}

static size_t alike(size_t i)
{
	size_t n = 1, bytes = stem(rows[i].name);

	while (rows[i].name[bytes] && i + n < N_ROWS && stem(rows[i + n].name) == bytes && rows[i + n].name[bytes] &&
	       !strncmp(rows[i].name, rows[i + n].name, bytes))
		n++;
	return n;
}

/* Writes the name of a family, as "CTR1 to 8". */
static void family_name(char *to, size_t to_bytes, size_t i, size_t n)
{
	size_t bytes = stem(rows[i].name);

	if (n == 1)
		snprintf(to, to_bytes, "OMPP_%s", rows[i].name);
	else
		snprintf(to, to_bytes, "OMPP_%s to %s", rows[i].name, rows[i + n - 1].name + bytes);
}

/* Returns what users write behind the equals sign. */
static const char *value_of(size_t i)
{
	static const char *const values[][2] = {
		{ "BOOL", "0 or 1" },      { "SIZE", "bytes" },    { "SECONDS", "seconds" },
		{ "PERCENT", "per cent" }, { "TEXT", "text" },     { "PATH", "path" },
		{ "LIST", "list" },        { "CHOICES", "words" }, { "CHOICE", "word" },
	};

	for (size_t k = 0; k < OMPP_COUNT_OF(values); k++)
		if (!strcmp(values[k][0], rows[i].type))
			return values[k][1];
	return rows[i].unit;
}

static size_t columns(const char *s, size_t n_bytes)
{
	size_t n = 0;

	for (size_t i = 0; i < n_bytes; i++)
		n += ((unsigned char)s[i] & 0xc0) != 0x80;
	return n;
}

/* Prints the text, broken at blanks, with its further lines below its beginning. */
static void wrapped(const char *s)
{
	for (;;) {
		size_t n = strlen(s), blank;

		while (columns(s, n) > LINE_COLUMNS - TEXT_COLUMN) {
			for (blank = n - 1; blank && s[blank] != ' '; blank--)
				;
			if (!blank)
				break;
			n = blank;
		}
		printf("%.*s\n", (int)n, s);
		if (!s[n])
			return;
		s += n + 1;
		printf("%*s", TEXT_COLUMN, "");
	}
}

static void table_row(size_t i, size_t n)
{
	char name[64], text[2048];
	int choices = !strncmp(rows[i].type, "CHOICE", strlen("CHOICE"));

	family_name(name, sizeof(name), i, n);
	snprintf(text, sizeof(text), "%s", rows[i].doc);
	if (choices) {
		snprintf(text + strlen(text), sizeof(text) - strlen(text), ": ");
		for (const char *p = rows[i].unit; *p; p++)
			snprintf(text + strlen(text), sizeof(text) - strlen(text), *p == ',' ? ", " : "%c", *p);
	}
	printf("%*s%-*s %-*s %-*s ", INDENT, "", NAME_COLUMNS, name, VALUE_COLUMNS, value_of(i), DEFAULT_COLUMNS,
	       rows[i].fallback[0] ? rows[i].fallback : "-");
	wrapped(text);
}

static void manual_row(size_t i, size_t n)
{
	char name[64];
	int choices = !strncmp(rows[i].type, "CHOICE", strlen("CHOICE"));

	family_name(name, sizeof(name), i, n);
	printf(".TP\n.B %s\n", name);
	roff_text(rows[i].doc, 0);
	if (choices) {
		printf(" (");
		roff_text(rows[i].unit, 1);
		printf(")");
	}
	if (rows[i].fallback[0]) {
		printf("; default ");
		roff_text(rows[i].fallback, 0);
		if (rows[i].unit[0] && !choices)
			printf(" %s", rows[i].unit);
	}
	printf(".\n");
}

int main(int argc, char **argv)
{
	const char *what = argc == 2 ? argv[1] : "";
	int roff = !strcmp(what, "roff"), table = !strcmp(what, "table");

	if (!roff && !table) {
		fprintf(stderr, "options: '%s': unknown form; say roff or table\n", what);
		return 2;
	}
	if (table)
		printf("%*s%-*s %-*s %-*s %s\n", INDENT, "", NAME_COLUMNS, "variable", VALUE_COLUMNS, "value",
		       DEFAULT_COLUMNS, "default", "what it does");
	for (size_t i = 0, n; i < N_ROWS; i += n) {
		n = alike(i);
		if (roff)
			manual_row(i, n);
		else
			table_row(i, n);
	}
	return 0;
}

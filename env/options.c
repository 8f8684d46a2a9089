/*
 * Prints the options table for the documentation: `options roff` (a section of the manual pages), `options table`
 * (the README's), `options words` (names alone, for shell completion).
 */
#include <stdio.h>
#include <string.h>

static const struct { const char *name, *type, *fallback, *unit, *doc; } rows[] = {
#define OPTION(name, type, def, min, max, unit, doc) { #name, #type, def, unit, doc },
#include "env/options.def"
#undef OPTION
};
enum { N_ROWS = sizeof(rows) / sizeof(rows[0]) };

/* In lists of words blanks stand behind the commas, so that lines can be broken there.  Manual pages are ASCII alone, as man
 * has no ellipsis in the C locale. */
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

int main(int argc, char **argv)
{
	const char *what = argc == 2 ? argv[1] : "";
	size_t i;

	for (i = 0; i < N_ROWS; i++) {
		int choices = !strcmp(rows[i].type, "CHOICES");

		if (!strcmp(what, "words")) {
			printf("%s\n", rows[i].name);
		} else if (!strcmp(what, "roff")) {
			printf(".TP\n.B OMPP_%s\n", rows[i].name);
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
		} else if (!strcmp(what, "table")) {
			printf("    OMPP_%-22s %s", rows[i].name, rows[i].doc);
			if (rows[i].fallback[0] && strcmp(rows[i].fallback, "0"))
				printf(" (default %s)", rows[i].fallback);
			printf("\n");
		} else {
			fprintf(stderr, "options: '%s': unknown form; say roff, table, or words\n", what);
			return 2;
		}
	}
	return 0;
}

/*
 * Makes the JSON schema of a profile of its template: `schema <PROFILE.schema.json.in >PROFILE.schema.json`.  These
 * lines of the template stand for parts that are made of the tables of exports (reports/exchange/columns.h):
 *
 *     @NAMES@    the names of all tables
 *     @RUN@      the member `run`
 *     @UNITS@    the member `units`
 *     @TABLES@   the members that are tables
 */
#include <stdio.h>
#include <string.h>

#include "reports/exchange/columns.h"
#include "reports/exchange/quote.h"

enum { LINE_BYTES = 4096 };

static const char table_type[] = "\"type\": \"object\", \"additionalProperties\": false";

static void put_bytes(void *file, const char *bytes, size_t n_bytes)
{
	fwrite(bytes, 1, n_bytes, file);
}

static void print_quoted(const char *s)
{
	ompp_json_quote(s, put_bytes, stdout);
}

/* Prints what the values of a column are. */
static void print_type(const struct ompp_data_column *c)
{
	switch (c->type) {
	case OMPP_COLUMN_INDEX:
		printf("\"$ref\": \"#/$defs/index\"");
		break;
	case OMPP_COLUMN_U32:
	case OMPP_COLUMN_U64:
	case OMPP_COLUMN_INT:
	case OMPP_COLUMN_LEAST:
	case OMPP_COLUMN_MOST:
		printf("\"$ref\": \"#/$defs/%s\"", c->forms || c->gate ? "number" : "count");
		break;
	case OMPP_COLUMN_KNOWN32:
	case OMPP_COLUMN_KNOWN64:
	case OMPP_COLUMN_KNOWN_INT:
	case OMPP_COLUMN_RANK:
	case OMPP_COLUMN_I64:
	case OMPP_COLUMN_ERROR:
		printf("\"$ref\": \"#/$defs/number\"");
		break;
	case OMPP_COLUMN_MILLI:
	case OMPP_COLUMN_SHARE:
		printf("\"type\": [\"number\", \"null\"]");
		break;
	case OMPP_COLUMN_FLAG:
		printf("\"type\": %s", c->gate ? "[\"boolean\", \"null\"]" : "\"boolean\"");
		break;
	case OMPP_COLUMN_CERTAINTY:
		printf("\"$ref\": \"#/$defs/certainty\"");
		break;
	case OMPP_COLUMN_KNOWN_TEXT:
		printf("\"type\": [\"string\", \"null\"]");
		break;
	default:
		printf("\"type\": \"string\"");
		break;
	}
}

/* Prints the names of the columns as a list. */
static void print_names(const struct ompp_data_table *t)
{
	const struct ompp_data_column *c;

	printf("[");
	for (size_t i = 0; (c = ompp_data_column(t, i)); i++) {
		printf("%s", i ? ", " : "");
		print_quoted(c->name);
	}
	printf("]");
}

/* Prints a table as a member of the document: of lists, or of single values.  `more` is a member that has no column. */
static void print_table(const struct ompp_data_table *t, int are_lists, const char *more, const char *what_more)
{
	const struct ompp_data_column *c;

	printf("    \"%s\": {\n      \"description\": ", t->name);
	print_quoted(t->sentence);
	printf(",\n      %s,\n      \"minProperties\": ", table_type);
	printf("%zu,\n      \"properties\": {\n", t->first.n + t->columns.n + (more ? 1 : 0));
	for (size_t i = 0; (c = ompp_data_column(t, i)); i++) {
		printf("%s        \"%s\": {\"description\": ", i ? ",\n" : "", c->name);
		print_quoted(c->sentence);
		printf(are_lists ? ", \"type\": \"array\", \"items\": {" : ", ");
		print_type(c);
		printf(are_lists ? "}}" : "}");
	}
	if (more)
		printf(",\n        \"%s\": {\"description\": \"%s\", \"$ref\": \"#/$defs/count\"}", more, what_more);
	printf("\n      }\n    }");
}

static void print_units(const struct ompp_data_table *tables, int n)
{
	printf("    \"units\": {\n      \"description\": \"unit and certainty of the columns that have one, by "
	       "table\",\n"
	       "      %s,\n      \"minProperties\": %d,\n      \"properties\": {",
	       table_type, n);
	for (int i = 0; i < n; i++) {
		printf("%s\n        \"%s\": {\"type\": \"object\", \"propertyNames\": {\"enum\": ", i ? "," : "",
		       tables[i].name);
		print_names(&tables[i]);
		printf("}, \"additionalProperties\": {\"$ref\": \"#/$defs/unit\"}}");
	}
	printf("\n      }\n    }");
}

/* Returns 0 for a line that stands for no part. */
static int print_part(const char *line, const struct ompp_data_table *tables, int n)
{
	struct ompp_data_table head = ompp_data_head(NULL);

	if (!strcmp(line, "@NAMES@\n")) {
		for (int i = 0; i < n; i++)
			printf("    \"%s\"%s\n", tables[i].name, i + 1 < n ? "," : "");
	} else if (!strcmp(line, "@RUN@\n")) {
		print_table(&head, 0, "threads",
		            "that the program could have at a time, in inner teams and as host threads, too");
		puts(",");
	} else if (!strcmp(line, "@UNITS@\n")) {
		print_units(tables, n);
		puts(",");
	} else if (!strcmp(line, "@TABLES@\n")) {
		for (int i = 0; i < n; i++) {
			print_table(&tables[i], 1, NULL, NULL);
			puts(i + 1 < n ? "," : "");
		}
	} else {
		return 0;
	}
	return 1;
}

int main(void)
{
	struct ompp_data_table tables[OMPP_MAX_DATA_TABLES];
	int n = ompp_data_tables(NULL, tables);
	char line[LINE_BYTES];

	while (fgets(line, sizeof(line), stdin))
		if (!print_part(line, tables, n))
			fputs(line, stdout);
	return fflush(stdout) || ferror(stdout);
}

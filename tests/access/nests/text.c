/*
 * text: chance and output of the generator.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generate.h"

enum { LONGEST = 4000, MOST_DRAFTS = 8 };

static uint64_t state;
static int indentation;
static struct {
	char *lines;
	size_t length;
	FILE *file;
} drafts[MOST_DRAFTS];
static int n_drafts;

/* xorshift64* */
static uint64_t next(void)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return state * UINT64_C(2685821657736338717);
}

void start_choices(uint64_t seed, uint64_t number)
{
	int i;

	state = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15) ^ (number + 1) * UINT64_C(0xc2b2ae3d27d4eb4f);
	if (!state)
		state = 1;
	for (i = 0; i < 8; i++)
		next();
}

size_t below(size_t n)
{
	return n ? (size_t)(next() >> 33) % n : 0;
}

long between(long low, long high)
{
	if (high < low)
		abort();
	return low + (long)below((size_t)(high - low + 1));
}

bool chance(unsigned int percent)
{
	return below(100) < percent;
}

static char *vtext(const char *format, va_list arguments)
{
	char room[LONGEST], *copy;

	if (vsnprintf(room, sizeof(room), format, arguments) >= (int)sizeof(room)) {
		fputs("nests: an expression is too long\n", stderr);
		exit(1);
	}
	copy = strdup(room);
	if (!copy)
		abort();
	return copy;
}

char *text(const char *format, ...)
{
	va_list arguments;
	char *result;

	va_start(arguments, format);
	result = vtext(format, arguments);
	va_end(arguments);
	return result;
}

static void vline(const char *format, va_list arguments)
{
	FILE *file = n_drafts ? drafts[n_drafts - 1].file : stdout;
	char *words = vtext(format, arguments);
	/* directives of Fortran are comments and may be indented, as those of C may */
	int i, columns = indentation;

	for (i = 0; i < columns && *words; i++)
		fputc(language == FORTRAN ? ' ' : '\t', file);
	fprintf(file, "%s\n", words);
	free(words);
}

void line(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vline(format, arguments);
	va_end(arguments);
}

void open_block(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vline(format, arguments);
	va_end(arguments);
	indentation++;
}

void shut(const char *format, ...)
{
	va_list arguments;

	indentation--;
	va_start(arguments, format);
	vline(format, arguments);
	va_end(arguments);
}

void turn(const char *format, ...)
{
	va_list arguments;

	indentation--;
	va_start(arguments, format);
	vline(format, arguments);
	va_end(arguments);
	indentation++;
}

void begin_draft(void)
{
	if (n_drafts == MOST_DRAFTS)
		abort();
	drafts[n_drafts].file = open_memstream(&drafts[n_drafts].lines, &drafts[n_drafts].length);
	if (!drafts[n_drafts].file)
		abort();
	n_drafts++;
}

char *end_draft(void)
{
	n_drafts--;
	fclose(drafts[n_drafts].file);
	return drafts[n_drafts].lines;
}

void print_text(const char *lines)
{
	fputs(lines, n_drafts ? drafts[n_drafts - 1].file : stdout);
}

void know(struct place *place, const char *name, const char *type, long low, long high, bool is_unsigned)
{
	struct variable v = { name, type, low, high, is_unsigned, NULL };

	/* the oldest but the owner makes room */
	if (place->n_variables == MOST_VARIABLES) {
		int first = place->owner == 0;

		memmove(place->variables + first, place->variables + first + 1,
		        (size_t)(MOST_VARIABLES - first - 1) * sizeof(v));
		place->n_variables--;
		if (place->owner > 0)
			place->owner--;
	}
	place->variables[place->n_variables++] = v;
}

struct place within(const struct place *place, long trips)
{
	struct place inner = *place;

	inner.budget = place->budget / (trips > 0 ? trips : 1);
	inner.depth++;
	return inner;
}

long some_trips(const struct place *place)
{
	size_t which = below(100);
	long trips = which < 8  ? 0
	           : which < 15 ? 1
	           : which < 50 ? between(2, 5)
	           : which < 90 ? between(6, 20)
	           : which < 98 ? between(21, 64)
	                        : between(65, 110);

	/* rather shorter than not at all */
	if (trips > place->budget)
		trips = between(0, place->budget < 1 ? 1 : place->budget);
	return trips;
}

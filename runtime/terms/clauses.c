/*
 * Clauses: see clauses.h.
 */
#include "runtime/terms/clauses.h"

#include <string.h>

/* Returns the parenthesis that closes the one at p, or the end of the text. */
static const char *clause_closing(const char *p)
{
	int depth = 0;

	for (; *p; p++) {
		depth += *p == '(';
		depth -= *p == ')';
		if (!depth)
			return p;
	}
	return p;
}

int ompp_clause(const char *clauses, const char *name, const char **args, size_t *n)
{
	for (const char *p = clauses; *p;) {
		size_t n_name = strcspn(p, " ("), n_args = 0;
		const char *end = p + n_name, *inside = end;

		if (*end == '(') {
			inside = end + 1;
			end = clause_closing(end);
			n_args = (size_t)(end - inside);
			end += *end == ')';
		}
		if (n_name == strlen(name) && !memcmp(p, name, n_name)) {
			*args = inside;
			*n = n_args;
			return 1;
		}
		p = end + strspn(end, " ");
	}
	return 0;
}

/* Returns how many bytes of a schedule its modifiers take with their colon: "monotonic, simd:".  Without modifiers a
 * colon is of the chunk's expression. */
static size_t schedule_n_modifiers(const char *args, size_t n)
{
	static const char *const words[] = { "monotonic", "nonmonotonic", "simd" };
	const char *colon = memchr(args, ':', n);
	size_t at = strspn(args, " ");

	for (size_t i = 0; colon && i < sizeof(words) / sizeof(words[0]); i++)
		if (!strncmp(args + at, words[i], strlen(words[i])))
			return (size_t)(colon + 1 - args);
	return 0;
}

int ompp_schedule(const char *clauses, const char **args, size_t *n)
{
	size_t n_before;

	if (!ompp_clause(clauses, "schedule", args, n))
		return 0;
	n_before = schedule_n_modifiers(*args, *n);
	for (; n_before < *n && (*args)[n_before] == ' '; n_before++)
		;
	*args += n_before;
	*n -= n_before;
	return 1;
}

int ompp_schedule_is(const char *clauses, const char *word)
{
	size_t n_word = strlen(word), n;
	const char *args;

	return ompp_schedule(clauses, &args, &n) && n >= n_word && !memcmp(args, word, n_word) &&
	       (n == n_word || args[n_word] == ' ' || args[n_word] == ',');
}

int ompp_schedule_is_in_order(const char *clauses)
{
	const char *args;
	size_t n;

	if (!ompp_schedule(clauses, &args, &n))
		return 1;
	return ompp_schedule_is(clauses, "static") && !memchr(args, ',', n);
}

/* Returns a number in decimal that is all of a text of n bytes, but for blanks; 0 where it is none, or too large. */
static uint64_t number_of(const char *p, size_t n)
{
	uint64_t number = 0;

	for (; n && *p == ' '; n--)
		p++;
	while (n && p[n - 1] == ' ')
		n--;
	if (!n || n > 9 || *p == '0')
		return 0;
	for (; n; n--, p++) {
		if (*p < '0' || *p > '9')
			return 0;
		number = number * 10 + (uint64_t)(*p - '0');
	}
	return number;
}

uint64_t ompp_schedule_chunk(const char *clauses)
{
	const char *args, *comma;
	size_t n;

	if (!ompp_schedule(clauses, &args, &n))
		return 0;
	comma = memchr(args, ',', n);
	return comma ? number_of(comma + 1, n - (size_t)(comma + 1 - args)) : 0;
}

int ompp_schedule_is_on_demand(const char *clauses)
{
	return !ompp_schedule_is(clauses, "static") &&
	       (ompp_schedule_is(clauses, "dynamic") || ompp_schedule_is(clauses, "guided") ||
	        ompp_schedule_is(clauses, "runtime") || ompp_schedule_is(clauses, "auto"));
}

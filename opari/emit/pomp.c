/*
 * Pomp: see pomp.h.
 */
#include "opari/emit/pomp.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "runtime/base/array.h"
#include "runtime/base/nearest.h"

/* The words behind `inst`. */
static const struct {
	const char *word;
	enum kinst_pomp_verb verb;
} verbs[] = {
	{ "init", KINST_POMP_INIT },     { "finalize", KINST_POMP_FINALIZE }, { "on", KINST_POMP_ON },
	{ "off", KINST_POMP_OFF },       { "begin", KINST_POMP_BEGIN },       { "end", KINST_POMP_END },
	{ "altend", KINST_POMP_ALTEND }, { "data", KINST_POMP_DATA },
};

#define N_VERBS OMPP_COUNT_OF(verbs)

static const char *verb_name(size_t i)
{
	return i < N_VERBS ? verbs[i].word : NULL;
}

static const char *first_name(size_t i)
{
	static const char *const names[] = { "inst", "instrument", "noinstrument" };

	return i < OMPP_COUNT_OF(names) ? names[i] : NULL;
}

/* Returns the largest edit distance at which a misspelt word of n bytes is recognised. */
static unsigned int most_edits(size_t n)
{
	return n < 3 ? 0 : n < 5 ? 1 : n < 10 ? 2 : 3;
}

static size_t word_length(const char *p)
{
	size_t n = 0;

	while (isalnum((unsigned char)p[n]) || p[n] == '_')
		n++;
	return n;
}

static int is_word(const char *p, size_t n, const char *word)
{
	return n == strlen(word) && !strncasecmp(p, word, n);
}

static const char *pomp_nearest(const char *word, size_t n, const char *(*name)(size_t i))
{
	return ompp_nearest(word, n, name, most_edits(n));
}

/* Returns how many bytes of a word or name a message shows. */
static int pomp_shown(size_t n)
{
	return n < 60 ? (int)n : 60;
}

/* Copies a directive.  Continued lines become one line, and control characters become blanks. */
static void pomp_copy(struct kinst_pomp *pomp, const char *text, size_t length)
{
	size_t n = length < sizeof(pomp->text) - 1 ? length : sizeof(pomp->text) - 1;

	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)text[i];
		int is_continued = c == '\\' && i + 1 < length && text[i + 1] == '\n';

		pomp->text[i] = is_continued || isspace(c) ? ' ' : c < ' ' || c == 127 ? '?' : (char)c;
	}
	pomp->text[n] = '\0';
}

/* Reads what follows begin, end or altend: (name), with or without quotes. */
static void read_name(struct kinst_pomp *pomp, const char *p, const char *verb)
{
	const char *close = strchr(p, ')');

	if (*p != '(' || !close) {
		snprintf(pomp->problem, sizeof(pomp->problem), "inst %s: the name is missing; write inst %s(name)",
		         verb, verb);
		return;
	}
	p += 1 + strspn(p + 1, " \"'");
	pomp->name = p;
	pomp->n_name = close > p ? (size_t)(close - p) : 0;
	while (pomp->n_name && strchr(" \"'", p[pomp->n_name - 1]))
		pomp->n_name--;
	if (!pomp->n_name)
		snprintf(pomp->problem, sizeof(pomp->problem), "inst %s: the name is empty; write inst %s(name)", verb,
		         verb);
	for (size_t i = 0; i < pomp->n_name; i++)
		if (strchr("\"\\*", p[i]))
			snprintf(pomp->problem, sizeof(pomp->problem),
			         "inst %s(%.*s): a name cannot have a %c in it; leave "
			         "it out",
			         verb, pomp_shown(pomp->n_name), p, p[i]);
}

/* Reads what follows `inst`. */
static void read_verb(struct kinst_pomp *pomp, const char *p)
{
	size_t n = word_length(p);
	const char *right;

	for (size_t i = 0; i < N_VERBS; i++) {
		if (!is_word(p, n, verbs[i].word))
			continue;
		p += n + strspn(p + n, " ");
		if (verbs[i].verb == KINST_POMP_BEGIN || verbs[i].verb == KINST_POMP_END ||
		    verbs[i].verb == KINST_POMP_ALTEND)
			read_name(pomp, p, verbs[i].word);
		pomp->verb = *pomp->problem ? KINST_POMP_NONE : verbs[i].verb;
		return;
	}
	right = pomp_nearest(p, n, verb_name);
	if (right)
		snprintf(pomp->problem, sizeof(pomp->problem), "inst %.*s: unknown directive; did you mean inst %s?",
		         pomp_shown(n), p, right);
	else
		snprintf(pomp->problem, sizeof(pomp->problem),
		         "inst%s%.*s: unknown directive; write inst begin, end, "
		         "altend, data, on, off, init or finalize",
		         n ? " " : "", pomp_shown(n), p);
}

int kinst_pomp_read(struct kinst_pomp *pomp, const char *text, size_t length, int is_pomp)
{
	const char *p = pomp->text, *behind, *right;
	size_t n = 0;

	while (n < length && (isspace((unsigned char)text[n]) || text[n] == '\\'))
		n++;
	if (!is_pomp && (n == length || tolower((unsigned char)text[n]) != 'i'))
		return 0; /* it is none of ours, like most directives of OpenMP */
	pomp->verb = KINST_POMP_NONE;
	pomp->name = "";
	pomp->n_name = 0;
	*pomp->problem = '\0';
	pomp_copy(pomp, text, length);
	p += strspn(p, " ");
	n = word_length(p);
	behind = p + n + strspn(p + n, " ");
	if (is_word(p, n, "inst")) {
		read_verb(pomp, behind);
		return 1;
	}
	if (is_pomp && (is_word(p, n, "instrument") || is_word(p, n, "noinstrument"))) {
		pomp->verb = tolower((unsigned char)*p) == 'n' ? KINST_POMP_NOINSTRUMENT : KINST_POMP_INSTRUMENT;
		return 1;
	}
	/* `omp isnt data` is meant for us; everything else behind omp belongs to OpenMP. */
	right = pomp_nearest(p, n, first_name);
	if (!is_pomp && !(right && !strcmp(right, "inst") && ompp_nearest(behind, word_length(behind), verb_name, 1)))
		return 0;
	if (!right && (right = ompp_nearest(p, n, verb_name, n > 3)))
		snprintf(pomp->problem, sizeof(pomp->problem), "%s %.*s: unknown directive; did you mean %s inst %s?",
		         is_pomp ? "pomp" : "omp", pomp_shown(n), p, is_pomp ? "pomp" : "omp", right);
	else if (right)
		snprintf(pomp->problem, sizeof(pomp->problem), "%s %.*s: unknown directive; did you mean %s %s?",
		         is_pomp ? "pomp" : "omp", pomp_shown(n), p, is_pomp ? "pomp" : "omp", right);
	else
		snprintf(pomp->problem, sizeof(pomp->problem),
		         "pomp%s%.*s: unknown directive; write pomp inst, instrument or noinstrument", n ? " " : "",
		         pomp_shown(n), p);
	return 1;
}

/* Returns what follows the word and the blanks before it, or NULL when something else stands there. */
static const char *pomp_after(const char *p, const char *end, const char *word)
{
	size_t n = strlen(word);

	while (p < end && (isspace((unsigned char)*p) || (*p == '\\' && p + 1 < end && p[1] == '\n')))
		p++;
	if ((size_t)(end - p) < n || strncasecmp(p, word, n))
		return NULL;
	p += n;
	return p < end && (isalnum((unsigned char)*p) || *p == '_') ? NULL : p;
}

int kinst_pomp_read_pragma(struct kinst_pomp *pomp, const char *line, size_t length)
{
	const char *end = line + length, *p = length && *line == '#' ? pomp_after(line + 1, end, "pragma") : NULL;
	const char *omp = p ? pomp_after(p, end, "omp") : NULL;

	p = p && !omp ? pomp_after(p, end, "pomp") : omp;
	return p && kinst_pomp_read(pomp, p, (size_t)(end - p), !omp);
}

int kinst_pomp_is_pragma(const char *line, size_t length)
{
	const char *end = line + length, *p = length && *line == '#' ? pomp_after(line + 1, end, "pragma") : NULL;
	const char *omp = p ? pomp_after(p, end, "omp") : NULL;

	return p && (omp ? pomp_after(omp, end, "inst") : pomp_after(p, end, "pomp")) != NULL;
}

int kinst_pomp_meet(struct kinst_marks *marks, const struct kinst_pomp *pomp, const struct kinst_location *location)
{
	char what[128] = "inst";

	for (size_t i = 0; i < N_VERBS; i++)
		if (verbs[i].verb == pomp->verb)
			snprintf(what, sizeof(what), pomp->n_name ? "inst %s(%.*s)" : "inst %s", verbs[i].word,
			         pomp_shown(pomp->n_name), pomp->name);
	return kinst_marks_meet(marks, what, location->file, location->n_file, location->first_line,
	                        location->last_line);
}

void kinst_pomp_complain(struct kinst_text *messages, const struct kinst_location *location, const char *problem)
{
	kinst_text_printf(messages, "kinst: %.*s:%u: %s\n", (int)location->n_file, location->file, location->first_line,
	                  problem);
}

/* Returns the region of the nearest name, preferably one that has not ended; regions->n when no name is near. */
static size_t nearest_region(const struct kinst_regions *regions, const struct kinst_pomp *end)
{
	size_t found = regions->n;

	for (int ended = 0; ended < 2 && found == regions->n; ended++) {
		unsigned int best = most_edits(end->n_name) + 1, d;

		for (size_t i = 0; i < regions->n; i++) {
			const struct kinst_region *region = regions->items + i;

			if (!region->user || region->is_ended != ended)
				continue;
			d = ompp_distance(end->name, end->n_name, region->user, strlen(region->user));
			if (d < best) {
				best = d;
				found = i;
			}
		}
	}
	return found;
}

void kinst_pomp_complain_unbegun(struct kinst_regions *regions, const struct kinst_pomp *end,
                                 const struct kinst_location *location, struct kinst_text *messages)
{
	size_t near = nearest_region(regions, end);
	int n = pomp_shown(end->n_name);
	char problem[512];

	if (near < regions->n) {
		struct kinst_region *region = regions->items + near;

		snprintf(problem, sizeof(problem),
		         "inst end(%.*s): no region of this name has begun; did you mean %.60s, "
		         "which begins in line %u?",
		         n, end->name, region->user, region->first_line);
		region->is_ended = 1;
	} else {
		snprintf(problem, sizeof(problem),
		         "inst end(%.*s): no region of this name has begun; write inst begin(%.*s) "
		         "before it, in the same file",
		         n, end->name, n, end->name);
	}
	kinst_pomp_complain(messages, location, problem);
}

void kinst_pomp_complain_unended(const struct kinst_regions *regions, struct kinst_text *messages)
{
	for (size_t i = 0; i < regions->n; i++) {
		const struct kinst_region *region = regions->items + i;

		if (region->user && !region->is_ended)
			kinst_text_printf(messages,
			                  "kinst: %s:%u: inst begin(%.60s): the region never ends; write inst "
			                  "end(%.60s) behind it, in the same file\n",
			                  region->file, region->first_line, region->user, region->user);
	}
}

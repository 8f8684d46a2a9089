/*
 * Disable: see disable.h.
 */
#include "opari/command/disable.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "opari/base/say.h"
#include "opari/read/directive.h"
#include "runtime/base/array.h"
#include "runtime/base/nearest.h"

/* What `sync` stands for. */
static const char *const sync_names[] = { "atomic", "critical", "master", "flush", "single", "ordered", "locks" };

/*
 * Returns the i-th of the words that may stand behind `omp:`, or NULL.  They are the first words of directives, and
 * two of opari2's own.
 */
static const char *construct_name(size_t i)
{
	static const char *const more[] = { "sync", "locks" };

	return i < OMPP_COUNT_OF(more) ? more[i] : kinst_directive_word(i - OMPP_COUNT_OF(more));
}

static const char *paradigm_name(size_t i)
{
	static const char *const names[] = { "omp", "pomp" };

	return i < OMPP_COUNT_OF(names) ? names[i] : NULL;
}

static int is_word(const char *word, size_t n, const char *name)
{
	return strlen(name) == n && !strncasecmp(name, word, n);
}

/* Returns the name that the word is, or NULL. */
static const char *find_name(const char *word, size_t n, const char *(*name)(size_t i))
{
	const char *known;

	for (size_t i = 0; (known = name(i)); i++)
		if (is_word(word, n, known))
			return known;
	return NULL;
}

/*
 * Says that a word of the list is none of the names.
 *
 * prefix: what the user writes in front of the names, "" or "omp:"
 */
static void disable_complain(const char *list, const char *word, size_t n, const char *(*name)(size_t i),
                             const char *prefix)
{
	const char *nearest = ompp_nearest(word, n, name, n < 5 ? 1 : 2);

	kinst_say("kinst: --disable=%s: %.*s is unknown; ", list, (int)n, word);
	if (nearest)
		kinst_say("did you mean %s%s?\n", prefix, nearest);
	else if (!*prefix && find_name(word, n, construct_name))
		kinst_say("did you mean omp:%.*s?\n", (int)n, word);
	else if (*prefix)
		fputs("write first words of directives, as omp:critical,atomic\n", stderr);
	else
		fputs("write omp, omp:CONSTRUCT,… or pomp, with + between\n", stderr);
}

static void add_construct(struct kinst_disable *disable, const char *name)
{
	if (strcmp(name, "sync")) {
		kinst_words_add(&disable->constructs, name);
		return;
	}
	for (size_t i = 0; i < OMPP_COUNT_OF(sync_names); i++)
		kinst_words_add(&disable->constructs, sync_names[i]);
}

/* Reads one part of the list, from p to the next +: a paradigm, and its constructs behind a colon. */
static int read_part(struct kinst_disable *disable, const char *list, const char *p)
{
	const char *end = p + strcspn(p, "+"), *name;
	size_t n = strcspn(p, ":+");
	int is_openmp = is_word(p, n, "omp");

	if (!find_name(p, n, paradigm_name)) {
		disable_complain(list, p, n, paradigm_name, "");
		return -1;
	}
	disable->pomp |= !is_openmp;
	disable->openmp |= is_openmp && p + n == end;
	for (p += n; p < end; p += n) {
		n = strcspn(++p, ",+");
		name = find_name(p, n, construct_name);
		if (!name) {
			disable_complain(list, p, n, construct_name, "omp:");
			return -1;
		}
		if (is_openmp)
			add_construct(disable, name);
	}
	return 0;
}

int kinst_disable_read(struct kinst_disable *disable, const char *list)
{
	for (const char *p = list; *p; p += strcspn(p, "+"), p += *p == '+')
		if (read_part(disable, list, p))
			return -1;
	return 0;
}

int kinst_disable_has(const struct kinst_disable *disable, const char *name, size_t n)
{
	for (size_t i = 0; i < disable->constructs.n; i++)
		if (is_word(name, n, disable->constructs.items[i]))
			return 1;
	return disable->openmp;
}

void kinst_disable_free(struct kinst_disable *disable)
{
	kinst_words_free(&disable->constructs);
}

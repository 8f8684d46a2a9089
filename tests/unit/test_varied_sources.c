/*
 * Varied sources: what is made of texts of chance (varied_source.h) is what it was: calls, skeletons for opari2 and the
 * way back, the user's data, questions about macros, messages, and which constructs are measured, and why not.
 *
 * tests/golden/varied_sources.txt has a checksum for each language and each of these over all texts.  Usage:
 *
 *   test_varied_sources                         compares, and says which differ
 *   test_varied_sources record                  prints what varied_sources.txt shall be (make update-golden)
 *   test_varied_sources list LANGUAGE WHAT      prints the checksum of each text
 *   test_varied_sources show LANGUAGE WHAT N    prints text N and what is made of it
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opari/data/data_calls_fortran.h"
#include "opari/data/data_fortran.h"
#include "opari/data/data_macros.h"
#include "opari/emit/emit.h"
#include "opari/emit/emit_fortran.h"
#include "opari/opari2/skeleton.h"
#include "opari/opari2/skeleton_fortran.h"
#include "runtime/base/array.h"
#include "tests/golden/varied_source.h"
#include "tests/golden/varied_sums.h"

enum { TEXTS = 1200 };

struct source {
	enum varied_language language;
	uint32_t number;
	char *text;
	size_t n_bytes;
};

static const char *const languages[VARIED_LANGUAGES] = { "c", "c++", "free", "fixed" };

static int is_fortran(const struct source *s)
{
	return s->language >= VARIED_FREE;
}

static void put_text(FILE *to, const char *what, const struct kinst_text *text)
{
	fprintf(to, "---- %s\n%s\n", what, text->data ? text->data : "");
}

static void put_emitted(FILE *to, const struct kinst_emitted *e)
{
	put_text(to, "text", &e->text);
	put_text(to, "messages", &e->messages);
	fprintf(to, "---- %d calls, quieter %d, %s\n", e->n_calls, e->is_quieter, e->failure ? e->failure : "read");
	for (size_t i = 0; i < e->n_constructs; i++) {
		const struct kinst_construct *c = &e->constructs[i];

		fprintf(to, "%s %s:%u-%u %s:%u %d %s\n", c->name, c->file, c->first_line, c->last_line,
		        c->directive_file, c->directive_line, c->is_measured, c->why ? c->why : "");
	}
}

static void put_marks(FILE *to, const struct kinst_marks *marks)
{
	for (size_t i = 0; i < marks->n; i++)
		fprintf(to, "mark %s %s:%lu-%lu %d\n", marks->items[i].what, marks->items[i].file,
		        marks->items[i].first_line, marks->items[i].last_line, marks->items[i].is_given_up);
}

/* The options that the number of a text chooses. */
static struct kinst_emit_options options_of(const struct source *s)
{
	uint32_t n = s->number;

	return (struct kinst_emit_options){
		.openmp = n % 8 != 7,
		.locks = n & 1,
		.simd = n >> 1 & 1,
		.iterations = n >> 2 & 1,
		.device = n % 5 == 4,
		.no_pomp = n % 9 == 8,
		.fortran = is_fortran(s),
		.fixed = s->language == VARIED_FIXED,
		.cxx = s->language == VARIED_CXX,
		.clang = n % 3 == 2,
		.combined = n % 4 == 3 ? KINST_COMBINED_UNKNOWN
		          : n % 4      ? KINST_COMBINED_KNOWN
		                       : KINST_COMBINED_OTHER,
		.associate = n % 6 != 5,
		.storage_size = n % 7 != 6,
		.variants = n & 1,
		.file = "a.f90",
		.directory = "/x",
	};
}

static void emit(const struct source *s, FILE *to)
{
	struct kinst_emit_options options = options_of(s);
	struct kinst_marks data = { 0 }, pomp = { 0 };
	static const uint32_t second[] = { 1 };
	struct kinst_emitted e = { 0 };
	int rc;

	if (s->number % 10 == 9) {
		options.given_up = second;
		options.n_given_up = 1;
	}
	if (!is_fortran(s))
		options.data = &data;
	options.pomp = &pomp;
	rc = is_fortran(s) ? kinst_emit_fortran(s->text, s->n_bytes, &options, &e)
	                   : kinst_emit(s->text, s->n_bytes, &options, &e);
	fprintf(to, "%d\n", rc);
	put_emitted(to, &e);
	put_marks(to, &data);
	put_marks(to, &pomp);
	kinst_emitted_free(&e);
	kinst_marks_free(&data);
	kinst_marks_free(&pomp);
}

/* The skeleton, and what comes back where opari2 changes nothing. */
static void skeleton(const struct source *s, FILE *to)
{
	struct kinst_emit_options options = options_of(s);
	struct kinst_text include = { 0 }, output = { 0 };
	struct kinst_emitted e = { 0 };

	kinst_text_puts(&include, "");
	if (is_fortran(s)) {
		struct kinst_fortran_skeleton *k = kinst_fortran_skeleton_new(s->text, s->n_bytes, &options, &e);

		put_text(to, "skeleton", kinst_fortran_skeleton_text(k));
		fprintf(to, "sites %d\n", kinst_fortran_skeleton_has_sites(k));
		fprintf(to, "%d\n", kinst_fortran_skeleton_expand(k, kinst_fortran_skeleton_text(k), &include));
		put_emitted(to, &e);
		kinst_fortran_skeleton_free(k);
	} else {
		struct kinst_skeleton *k = kinst_skeleton_new(s->text, s->n_bytes, &options, &e);

		put_text(to, "skeleton", kinst_skeleton_text(k));
		fprintf(to, "sites %d\n", kinst_skeleton_has_sites(k));
		kinst_text_puts(&output, "#include \"x\"");
		kinst_text_puts(&output, kinst_skeleton_text(k)->data + strlen(KINST_SKELETON_MARK));
		fprintf(to, "%d\n", kinst_skeleton_expand(k, &output, &include));
		put_emitted(to, &e);
		kinst_skeleton_free(k);
	}
	kinst_text_free(&include);
	kinst_text_free(&output);
	kinst_emitted_free(&e);
}

/* The user's data: calls in Fortran, and in C the questions about macros, answered as if there were none. */
static void data(const struct source *s, FILE *to)
{
	struct kinst_text made = { 0 }, more = { 0 };

	if (is_fortran(s)) {
		struct kinst_marks marks = { 0 };
		struct kinst_data_calls_fortran options = { .fixed = s->language == VARIED_FIXED,
			                                    .file = "x.f",
			                                    .std = s->number & 1 ? "f2003" : NULL,
			                                    .marks = &marks,
			                                    .is_whole = s->number >> 1 & 1 };
		char *copy = kinst_strndup(s->text, s->n_bytes);

		fprintf(to, "%zu\n", kinst_data_calls_fortran_rewrite(s->text, s->n_bytes, &options, &made, &more));
		put_text(to, "hidden", &made);
		put_text(to, "messages", &more);
		put_marks(to, &marks);
		if (made.data) {
			struct kinst_text shown = { 0 };

			kinst_data_calls_fortran_show(&made, &shown);
			put_text(to, "shown", &shown);
			kinst_text_free(&shown);
		}
		fprintf(to, "%d %d\n", kinst_data_in_fortran(s->text, s->n_bytes, options.fixed),
		        kinst_data_consume_fortran(copy, s->n_bytes, options.fixed));
		fputs(copy, to);
		free(copy);
		kinst_marks_free(&marks);
	} else {
		kinst_text_puts(&made, "");
		fprintf(to, "%zu\n", kinst_data_ask(s->text, s->n_bytes, s->number & 1, &made));
		put_text(to, "questions", &made);
		fprintf(to, "%d\n",
		        kinst_data_expand(s->text, s->n_bytes, s->number & 1, made.data, made.length, &more));
		put_text(to, "expanded", &more);
	}
	kinst_text_free(&made);
	kinst_text_free(&more);
}

static const char *const makers[] = { "emit", "skeleton", "data" };
static void (*const put[])(const struct source *s, FILE *to) = { emit, skeleton, data };

/* Returns what is made of a text, which the caller frees. */
static char *made_of(const struct source *s, size_t maker, size_t *n_bytes)
{
	char *text = NULL;
	FILE *to = open_memstream(&text, n_bytes);

	if (!to)
		abort();
	put[maker](s, to);
	fclose(to);
	return text;
}

static uint64_t sum_of(const struct source *s, size_t maker)
{
	size_t n_bytes;
	char *text = made_of(s, maker, &n_bytes);
	uint64_t sum = varied_sum_add(VARIED_SUM_START, text, n_bytes);

	free(text);
	return sum;
}

static struct source source_of(enum varied_language language, uint32_t number)
{
	struct source s = { .language = language, .number = number };

	s.text = varied_source(language, number, &s.n_bytes);
	return s;
}

static void sum_up(struct varied_sum *sums)
{
	for (uint32_t l = 0; l < VARIED_LANGUAGES; l++)
		for (uint32_t number = 0; number < TEXTS; number++) {
			struct source s = source_of(l, number);

			for (size_t m = 0; m < OMPP_COUNT_OF(makers); m++) {
				struct varied_sum *line = &sums[l * OMPP_COUNT_OF(makers) + m];
				uint64_t sum = sum_of(&s, m);

				if (!number)
					*line = (struct varied_sum){ languages[l], makers[m], VARIED_SUM_START };
				line->sum = varied_sum_add(line->sum, &sum, sizeof(sum));
			}
			free(s.text);
		}
}

static size_t index_of(const char *const *names, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(names[i], name))
			return i;
	fprintf(stderr, "test_varied_sources: %s: unknown\n", name);
	exit(2);
}

int main(int argc, char **argv)
{
	struct varied_sum sums[VARIED_LANGUAGES * OMPP_COUNT_OF(makers)];
	size_t language, maker, n_bytes;

	varied_start();
	if (argc < 4) {
		sum_up(sums);
		if (argc < 2)
			return varied_sums_compare(sums, OMPP_COUNT_OF(sums), "varied_sources");
		varied_sums_print(sums, OMPP_COUNT_OF(sums));
		return 0;
	}
	language = index_of(languages, VARIED_LANGUAGES, argv[2]);
	maker = index_of(makers, OMPP_COUNT_OF(makers), argv[3]);
	for (uint32_t number = 0; number < TEXTS; number++) {
		struct source s = source_of(language, number);

		if (argc < 5)
			printf("%u %016llx\n", number, (unsigned long long)sum_of(&s, maker));
		else if (number == strtoul(argv[4], NULL, 10)) {
			char *text = made_of(&s, maker, &n_bytes);

			printf("%s---- made\n%s", s.text, text);
			free(text);
		}
		free(s.text);
	}
	return 0;
}

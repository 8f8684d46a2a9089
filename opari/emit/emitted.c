/*
 * Emitted: what emit.c and emit_fortran.c keep of the constructs that they meet.  See emit.h.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "opari/emit/emit.h"

size_t kinst_emitted_add(struct kinst_emitted *emitted, const struct kinst_directive *d, struct kinst_place first,
			 uint32_t last_line)
{
	if (emitted->n_constructs == emitted->room) {
		emitted->room = emitted->room * 2 + 32;
		emitted->constructs = kinst_realloc(emitted->constructs, emitted->room * sizeof(*emitted->constructs));
	}
	emitted->constructs[emitted->n_constructs] = (struct kinst_construct){
		.name = kinst_strndup(d->name, d->n_name), .file = kinst_strndup(first.file, first.n_file),
		.first_line = first.first_line, .last_line = last_line, .is_measured = 1
	};
	return emitted->n_constructs++;
}

void kinst_emitted_give_up(struct kinst_emitted *emitted, size_t construct, const char *why)
{
	emitted->constructs[construct].is_measured = 0;
	emitted->constructs[construct].why = why;
}

void kinst_emitted_free(struct kinst_emitted *emitted)
{
	for (size_t i = 0; i < emitted->n_constructs; i++) {
		free(emitted->constructs[i].name);
		free(emitted->constructs[i].file);
	}
	free(emitted->constructs);
	kinst_text_free(&emitted->text);
	kinst_text_free(&emitted->messages);
	*emitted = (struct kinst_emitted){ 0 };
}

int kinst_emit_is_given_up(const struct kinst_emit_options *options, size_t construct)
{
	for (size_t i = 0; i < options->n_given_up; i++)
		if (options->given_up[i] == construct)
			return 1;
	return 0;
}

static int is_one_of(const char *const *words, const char *word, size_t n)
{
	for (; *words; words++)
		if (strlen(*words) == n && !strncasecmp(*words, word, n))
			return 1;
	return 0;
}

/* The list is opari2's: "omp:atomic,sync+pomp", where sync stands for several. */
int kinst_emit_is_disabled(const struct kinst_emit_options *options, const struct kinst_directive *d)
{
	static const char *const sync[] = { "atomic", "critical", "master", "flush", "single", "ordered", NULL };
	const char *list = options->disable ? options->disable : "";
	size_t n = strcspn(d->name, " \t(");

	for (; *list; list += strcspn(list, "+"), list += *list == '+') {
		const char *p = list + 3, *end = list + strcspn(list, "+");

		if (strncmp(list, "omp", 3) || p >= end || *p != ':')
			continue;
		for (p++; p < end; p += strcspn(p, ",+"), p += *p == ',') {
			size_t length = strcspn(p, ",+");

			if ((length == n && !strncasecmp(p, d->name, n)) ||
			    (length == 4 && !strncmp(p, "sync", 4) && is_one_of(sync, d->name, n)))
				return 1;
		}
	}
	return 0;
}

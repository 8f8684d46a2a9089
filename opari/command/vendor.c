/*
 * Vendor: see vendor.h.
 */
#include "opari/command/vendor.h"

#include <string.h>

#include "opari/base/process.h"
#include "opari/command/compiler.h"
#include "runtime/base/array.h"

struct vendor {
	const char *whose;
	const char *names[10]; /* of programs; versions may follow */
	const char *answer;    /* what the answer to --version has */
};

static const struct vendor vendors[] = {
	{ "Intel's", { "icx", "icpx", "ifx", "icc", "icpc", "ifort", "dpcpp" }, "Intel" },
	{ "NVIDIA's", { "nvc", "nvc++", "nvfortran", "pgcc", "pgc++", "pgfortran" }, "NVIDIA" },
	{ "AMD's", { NULL }, "AOCC" }, /* its flang of before LLVM's; its clang is clang */
};

/* Returns 1 when a word is a program's name, alone or with a version behind: "icx", "/opt/bin/icx-2024". */
static int is_named(const char *word, const char *name)
{
	const char *base = kinst_basename(word);
	size_t length = strlen(name);

	return kinst_begins(base, name) && (!base[length] || base[length] == '-');
}

static const char *vendor_by_name(const char *word)
{
	for (size_t i = 0; i < OMPP_COUNT_OF(vendors); i++)
		for (size_t k = 0; k < OMPP_COUNT_OF(vendors[i].names) && vendors[i].names[k]; k++)
			if (is_named(word, vendors[i].names[k]))
				return vendors[i].whose;
	return NULL;
}

/* Asks programs, each of which may start the next one, for their version. */
static const char *vendor_by_answer(const struct kinst_words *programs)
{
	struct kinst_words question = { 0 };
	struct kinst_text out = { 0 }, err = { 0 };
	struct kinst_run run = { .words = &question, .out = &out, .err = &err, .in = -1, .in_english = 1 };
	const char *whose = NULL;

	kinst_words_append(&question, programs);
	kinst_words_add(&question, "--version");
	kinst_text_puts(&out, "");
	kinst_text_puts(&err, "");
	if (kinst_process_run(&run) >= 0)
		for (size_t i = 0; i < OMPP_COUNT_OF(vendors) && !whose; i++)
			if (strstr(out.data, vendors[i].answer) || strstr(err.data, vendors[i].answer))
				whose = vendors[i].whose;
	kinst_words_free(&question);
	kinst_text_free(&out);
	kinst_text_free(&err);
	return whose;
}

const char *kinst_vendor_of(const struct kinst_words *command)
{
	struct kinst_words programs = { 0 };
	const char *whose = NULL;

	for (size_t i = 0; i < command->n && !whose; i++) {
		if (i && !kinst_compiler_may_be_started(command->items[i]))
			break;
		whose = vendor_by_name(command->items[i]);
		kinst_words_add(&programs, command->items[i]);
	}
	whose = whose ? whose : vendor_by_answer(&programs);
	kinst_words_free(&programs);
	return whose;
}

/*
 * Device: see device.h.
 */
#include "opari/source/device.h"

#include <stdlib.h>
#include <string.h>

#include "opari/base/process.h"
#include "opari/base/temp.h"
#include "runtime/program/elf.h"

int kinst_device_is_kept(const struct kinst_context *context)
{
	const struct kinst_command *command = context->command;
	int found = 0;

	for (size_t i = 0; i < command->n_words; i++)
		found |= kinst_begins(command->words[i].text, "-fopenmp-targets=") ||
		         kinst_begins(command->words[i].text, "--offload-arch=");
	return found && context->compiler->clang && command->openmp;
}

/* Writes the images in an object to a file.  Returns its path, or NULL when there are none. */
static char *images_in(const char *object)
{
	struct kinst_text text = { 0 };
	struct ompp_elf_section section;
	struct ompp_elf elf;
	char *path = NULL;

	if (kinst_read_file(object, &text) || ompp_elf_open_memory(&elf, text.data, text.length))
		goto out;
	if (!ompp_elf_section_named(&elf, ".llvm.offloading", &section) && section.n_bytes)
		path = kinst_temp_path("images");
	if (path && kinst_write_file(path, section.data, section.n_bytes)) {
		free(path);
		path = NULL;
	}
	ompp_elf_close(&elf);
out:
	kinst_text_free(&text);
	return path;
}

void kinst_device_compile(struct kinst_source *source, const struct kinst_context *context)
{
	struct kinst_words words = { 0 };
	struct kinst_text err = { 0 };
	struct kinst_run run = { .words = &words, .err = &err, .in = context->in };
	char *object = kinst_temp_path("devices.o");

	if (object) {
		kinst_source_words(&words, context,
		                   KINST_ALL_WORDS & ~(KINST_NOT_IN_STEPS | KINST_BIT(KINST_WORD_LINK)));
		kinst_words_append(&words, &source->as_is.words);
		kinst_words_add(&words, "-w");
		kinst_words_add(&words, "-c");
		kinst_words_pair(&words, "-o", object);
		if (source->input->x)
			kinst_words_pair(&words, "-x", source->input->x);
		kinst_words_add(&words, context->command->words[source->input->word].text);
		if (!kinst_process_run(&run))
			source->images = images_in(object);
	}
	kinst_words_free(&words);
	kinst_text_free(&err);
	free(object);
}

void kinst_device_add(struct kinst_words *words, const struct kinst_source *source)
{
	char *word;

	if (!source->images)
		return;
	word = kinst_format("-fembed-offload-object=%s", source->images);
	kinst_words_pair(words, "-Xclang", word);
	free(word);
}

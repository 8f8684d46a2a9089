/*
 * Command output: see command_output.h.
 */
#include "opari/command/command_output.h"

#include <string.h>

/* Returns the length of a file's name without its last suffix. */
static size_t stem_length(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && dot != name ? (size_t)(dot - name) : strlen(name);
}

/*
 * gcc: `-c -o obj/z.o` gives obj/z.i and obj/z.d; `-c` gives a.i and a.d.  When it links, `-o prog` gives prog-a.i
 *      but prog.d; without -o they are a-b.i and a-b.d, and one source that the program is named after gives just
 *      that name.
 * clang: the .d files are the same, but b.d for a-b.d.  Temporary files are named after the source, in the current
 *        folder.
 */
char *kinst_command_output(const struct kinst_command *command, const struct kinst_input *input, const char *suffix,
                           int clang)
{
	const char *source = kinst_basename(command->words[input->word].text);
	const char *output = command->output ? command->output : "a", *name = kinst_basename(output);
	int stem = (int)stem_length(source), name_stem = (int)stem_length(name), folder = (int)(name - output);
	int depend = !strcmp(suffix, ".d");
	int namesake = command->n_sources == 1 && stem == name_stem && !strncmp(source, name, (size_t)stem);

	if (command->output && depend)
		return kinst_format("%.*s%.*s%s", folder, output, name_stem, name, suffix);
	if (input->dump_stem)
		return kinst_format("%s%s", input->dump_stem, suffix);
	if (!clang && command->save && !strcmp(command->save, "cwd"))
		folder = 0;
	if (clang && command->output && command->save && !strcmp(command->save, "obj"))
		return kinst_format("%.*s%.*s%s", folder, output, stem, source, suffix);
	if (clang || (!command->output && command->mode != KINST_LINK))
		return kinst_format("%.*s%s", stem, source, suffix);
	if (command->mode != KINST_LINK || namesake)
		return kinst_format("%.*s%.*s%s", folder, output, name_stem, name, suffix);
	return kinst_format("%.*s%s-%.*s%s", folder, output, name, stem, source, suffix);
}

char *kinst_command_object(const struct kinst_command *command, const struct kinst_input *input)
{
	const char *source = kinst_basename(command->words[input->word].text);

	if (command->output)
		return kinst_strdup(command->output);
	return kinst_format("%.*s.o", (int)stem_length(source), source);
}

/*
 * Fuzz target: the parser of compilers' command lines.  Whatever the words are, none is lost but clang's "--", each
 * input is one of the words, and a name is always made.
 */
#include <stdlib.h>
#include <string.h>

#include "opari/command/command.h"
#include "opari/command/command_output.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
	char *line = malloc(n_bytes + 1);
	struct kinst_words words = { 0 };
	struct kinst_command command;

	if (!line)
		return 0;
	memcpy(line, data, n_bytes);
	line[n_bytes] = '\0';
	for (char *p = line; *p; p++)
		if (*p == '@') /* without response files, as the input must not choose which files are read */
			*p = '-';
	kinst_words_split(&words, line);
	if (!kinst_command_read(&command, &words, n_bytes & 1, n_bytes >> 1 & 1)) {
		if (command.n_words + (n_bytes >> 1 & 1) < words.n || /* --define-macro=A is -D A */
		    command.n_inputs > words.n || command.n_sources > command.n_inputs)
			abort();
		for (size_t i = 0; i < command.n_inputs; i++) {
			char *path;

			if (command.inputs[i].word >= command.n_words)
				abort();
			path = kinst_command_output(&command, command.inputs + i, ".d", n_bytes & 2);
			if (strlen(path) < 2)
				abort();
			free(path);
		}
	}
	kinst_command_free(&command);
	kinst_words_free(&words);
	free(line);
	return 0;
}

/*
 * Unmeasured: see emit_unmeasured.h.
 */
#include "opari/emit/emit_unmeasured.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/program/unmeasured.h"

int kinst_unmeasured_is(const struct kinst_construct *construct)
{
	return !construct->is_measured && !kinst_begins(construct->why, "--");
}

/* Adds a string of the assembler, without its quotes. */
static void put_string(struct kinst_text *out, const char *string)
{
	for (; *string; string++) {
		if (isalnum((unsigned char)*string) || strchr(" /._+-:,;()'<>", *string))
			kinst_text_add(out, string, 1);
		else
			kinst_text_printf(out, "\\%03o", (unsigned char)*string);
	}
}

void kinst_note_add(struct kinst_text *assembler, int type, const char *file, uint32_t line, const char *directory,
                    const char *name, const char *why)
{
	struct kinst_location place = { file, strlen(file), 0, 0 };
	char *path = kinst_location_path(&place, directory);

	kinst_text_printf(assembler,
	                  ".pushsection .note.kinst, \"a\", %%note\n"
	                  ".balign 4\n"
	                  ".long %zu, 2f - 1f, %d\n"
	                  ".asciz \"" OMPP_UNMEASURED_OWNER "\"\n"
	                  ".balign 4\n"
	                  "1: .asciz \"",
	                  sizeof(OMPP_UNMEASURED_OWNER), type);
	put_string(assembler, path);
	kinst_text_printf(assembler, ":%u: ", line);
	put_string(assembler, name);
	kinst_text_puts(assembler, ": ");
	put_string(assembler, why);
	kinst_text_puts(assembler, "\"\n"
	                           "2: .balign 4\n"
	                           ".popsection\n");
	free(path);
}

void kinst_unmeasured_add(struct kinst_text *assembler, const struct kinst_construct *construct, const char *directory,
                          const char *why)
{
	kinst_note_add(assembler, OMPP_UNMEASURED_TYPE, construct->file, construct->first_line, directory,
	               construct->name, why);
}

void kinst_unmeasured_show(struct kinst_text *text, const struct kinst_text *assembler)
{
	kinst_text_puts(text, "\n__asm__(\"");
	for (const char *p = assembler->data; *p; p++) {
		if (*p == '\n') {
			kinst_text_puts(text, "\\n");
			continue;
		}
		if (*p == '"' || *p == '\\')
			kinst_text_puts(text, "\\");
		kinst_text_add(text, p, 1);
	}
	kinst_text_puts(text, "\");\n");
}

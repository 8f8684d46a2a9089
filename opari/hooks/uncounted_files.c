/*
 * Uncounted: see uncounted_files.h.
 */
#include "opari/hooks/uncounted_files.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "opari/base/process.h"
#include "runtime/base/array.h"

/* The largest block of a constant size that gcc copies or sets in place. */
#define MAX_IN_PLACE 256

static void uncounted_add(struct kinst_text *list, const char *kind)
{
	if (list->length && strstr(list->data, kind))
		return;
	kinst_text_puts(list, list->length ? ", " : "");
	kinst_text_puts(list, kind);
}

static int begins_with_any(const char *text, const char *const *words)
{
	for (; *words; words++)
		if (kinst_begins(text, *words))
			return 1;
	return 0;
}

/*
 * Returns the kind of an instruction without a hook, or NULL.  Accesses relative to the stack pointer or the
 * instruction pointer are the compiler's own, and do not count.
 *
 * line: its mnemonic and operands
 */
static const char *kind_of(const char *line, int clang)
{
	static const char *const elements[] = { "vmaskmov", "vpmaskmov", "vgather", "vpgather",
		                                "vscatter", "vpscatter", NULL };
	static const char *const streams[] = { "movnt", "vmovnt", NULL };
	static const char *const extended[] = { "fldt", "fstpt", NULL };

	if (!strchr(line, '('))
		return NULL;
	if (begins_with_any(line, elements) || strstr(line, "{%k"))
		return "masked or gathering vector instructions";
	if (begins_with_any(line, streams) && !clang)
		return "streaming stores";
	if (strstr(line, "(%rsp") || strstr(line, "(%rip)"))
		return NULL;
	if (clang && begins_with_any(line, extended))
		return "long double";
	if (clang && (strstr(line, "%ymm") || strstr(line, "%zmm")))
		return "vectors of more than 16 bytes";
	return NULL;
}

void kinst_uncounted_in_object(struct kinst_text *list, const char *object, const struct kinst_compiler *compiler)
{
	static const char *const command[] = { "objdump", "-d", "--no-show-raw-insn", NULL };
	struct kinst_words words = { 0 };
	struct kinst_text out = { 0 }, err = { 0 };
	struct kinst_run run = { .words = &words, .out = &out, .err = &err, .in = -1 };
	char *line, *next;

	if (!compiler->x86)
		return;
	for (const char *const *word = command; *word; word++)
		kinst_words_add(&words, *word);
	kinst_words_add(&words, object);
	kinst_text_puts(&out, "");
	if (!kinst_process_run(&run))
		for (line = out.data; line; line = next) {
			char *instruction;
			const char *kind;

			next = strchr(line, '\n');
			if (next)
				*next++ = '\0';
			instruction = strstr(line, ":\t");
			kind = instruction ? kind_of(instruction + 2, compiler->clang) : NULL;
			if (kind)
				uncounted_add(list, kind);
		}
	kinst_words_free(&words);
	kinst_text_free(&out);
	kinst_text_free(&err);
}

void kinst_uncounted_by_plugin(struct kinst_text *list, const char *path)
{
	struct kinst_text kinds = { 0 };
	char *line, *rest;

	if (path && !kinst_read_file(path, &kinds))
		for (line = strtok_r(kinds.data, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
			uncounted_add(list, line);
	kinst_text_free(&kinds);
}

/*
 * Returns 1 when an asm accesses memory: its template is not empty, and it has a memory operand or clobbers memory.
 *
 * p: what follows the word asm
 */
static int accesses_memory(const char *p)
{
	const char *open, *end;
	int depth = 0;

	while (isspace((unsigned char)*p) || *p == '_' || isalpha((unsigned char)*p))
		p++;
	if (*p != '(')
		return 0;
	for (open = end = p; *end; end++) {
		depth += (*end == '(') - (*end == ')');
		if (*end == '"')
			for (end++; *end && *end != '"'; end++)
				end += *end == '\\' && end[1];
		if (!depth || !*end)
			break;
	}
	p = open + 1 + strspn(open + 1, " \t\n");
	if (!strncmp(p, "\"\"", 2))
		return 0;
	p = memmem(open, (size_t)(end - open), ":", 1);
	if (!p)
		return 0;
	for (; p < end; p++)
		if (*p == '"' && (!strncmp(p, "\"memory\"", 8) || (p[strcspn(p + 1, "\"")] == 'm' && p[-1] != '_')))
			return 1;
	return 0;
}

static int is_word_char(char c)
{
	return c == '_' || isalnum((unsigned char)c);
}

/* Adds the kind of access that a word of the program stands for, if any. */
static void look_at_word(struct kinst_text *list, const char *word, size_t length, int clang)
{
	static const char *const assembler[] = { "asm", "__asm", "__asm__" };
	static const char *const sized[] = { "vector_size", "__vector_size__" };
	const char *rest = word + length + strspn(word + length, " \t(");

	for (size_t i = 0; i < OMPP_COUNT_OF(assembler); i++)
		if (length == strlen(assembler[i]) && !strncmp(word, assembler[i], length) &&
		    accesses_memory(word + length))
			uncounted_add(list, "inline assembler");
	for (size_t i = 0; clang && i < OMPP_COUNT_OF(sized); i++)
		if (length == strlen(sized[i]) && !strncmp(word, sized[i], length) &&
		    (!isdigit((unsigned char)*rest) || atol(rest) > 16))
			uncounted_add(list, "vectors of more than 16 bytes");
}

void kinst_uncounted_in_text(struct kinst_text *list, const struct kinst_text *text,
                             const struct kinst_compiler *compiler)
{
	int system = 0;

	for (const char *line = text->data, *next; line; line = next) {
		next = strchr(line, '\n');
		if (line[0] == '#' && line[1] == ' ') {
			const char *name_end = memrchr(line, '"', next ? (size_t)(next - line) : strlen(line));

			system = name_end &&
			         memmem(name_end, next ? (size_t)(next - name_end) : strlen(name_end), " 3", 2);
		} else if (!system) {
			for (const char *p = line; *p && p != next; p++) {
				size_t length = 0;

				while (is_word_char(p[length]))
					length++;
				if (!length)
					continue;
				look_at_word(list, p, length, compiler->clang);
				p += length - 1;
			}
		}
		if (next)
			next++;
	}
}

void kinst_uncounted_in_dump(struct kinst_text *list, const struct kinst_text *dump)
{
	static const char *const names[] = { "__builtin_memcpy (", "__builtin_memmove (", "__builtin_memset (" };

	for (size_t i = 0; i < OMPP_COUNT_OF(names); i++)
		for (const char *p = dump->data; p && (p = strstr(p, names[i])); p++) {
			const char *end = strchr(p, ';'), *size = end ? memrchr(p, ',', (size_t)(end - p)) : NULL;
			char *digits_end;
			unsigned long n_bytes = size ? strtoul(size + 1, &digits_end, 10) : 0;

			if (size && *digits_end == ')' && n_bytes <= MAX_IN_PLACE)
				uncounted_add(list, "small blocks copied or set in place");
		}
}

/*
 * Text: a string that grows, a list of words, and reading and writing whole files.
 *
 * These are for the program kinst, which ends with a message when memory is short, and never part of the runtime.
 */
#ifndef KINST_KINST_TEXT_H
#define KINST_KINST_TEXT_H

#include <ctype.h>
#include <stdarg.h>
#include <stddef.h>

struct kinst_text {
	char *data;    /* always terminated once something was added; NULL before */
	size_t length; /* bytes without the terminator */
	size_t room;
};

/* A part of a text that somebody else owns. */
struct kinst_span {
	const char *p;
	size_t n; /* bytes; 0 when the part is left out */
};

struct kinst_words {
	char **items; /* NULL-terminated, as execvp(3) wants it */
	size_t n;
	size_t room;
};

/* These are malloc(3) and its like, but they never return NULL. */
void *kinst_alloc(size_t n_bytes);
void *kinst_realloc(void *old, size_t n_bytes);
char *kinst_strdup(const char *text);
char *kinst_strndup(const char *text, size_t n_bytes);
char *kinst_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

void kinst_text_add(struct kinst_text *text, const char *data, size_t n_bytes);
void kinst_text_puts(struct kinst_text *text, const char *string);
void kinst_text_number(struct kinst_text *text, unsigned long number);
void kinst_text_printf(struct kinst_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void kinst_text_free(struct kinst_text *text);

/* These add copies of words: one, an option and its value, all of another list. */
void kinst_words_add(struct kinst_words *words, const char *word);
void kinst_words_pair(struct kinst_words *words, const char *option, const char *value);
void kinst_words_append(struct kinst_words *words, const struct kinst_words *more);
void kinst_words_free(struct kinst_words *words);

/* Adds the words of a string as the shell would split it, by blanks, quotes and backslashes. */
void kinst_words_split(struct kinst_words *words, const char *text);

/* Return 1 when `text` begins, or ends, with `part`. */
int kinst_begins(const char *text, const char *part);
int kinst_ends(const char *text, const char *part);

/* Returns 1 when the character may be a part of a name or number. */
static inline int kinst_is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Returns what follows the name or number that begins at p. */
static inline const char *kinst_word_end(const char *p)
{
	while (kinst_is_word(*p))
		p++;
	return p;
}

/* Returns the part of a path behind its last slash. */
const char *kinst_basename(const char *path);

/* Append a whole file, or all that a descriptor gives; the third writes a file.  All return 0 or -errno. */
int kinst_read_file(const char *path, struct kinst_text *text);
int kinst_read_fd(int fd, struct kinst_text *text);
int kinst_write_file(const char *path, const char *data, size_t n_bytes);

#endif

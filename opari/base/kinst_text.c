/*
 * Text: see kinst_text.h.  Only here does running out of memory end the program.
 */
#include "opari/base/kinst_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *kinst_realloc(void *old, size_t n_bytes)
{
	void *p = realloc(old, n_bytes ? n_bytes : 1);

	if (!p) {
		fputs("kinst: out of memory\n", stderr);
		exit(1);
	}
	return p;
}

void *kinst_alloc(size_t n_bytes)
{
	return memset(kinst_realloc(NULL, n_bytes), 0, n_bytes);
}

char *kinst_strndup(const char *text, size_t n_bytes)
{
	char *copy = kinst_alloc(n_bytes + 1);

	memcpy(copy, text, n_bytes);
	return copy;
}

char *kinst_strdup(const char *text)
{
	return kinst_strndup(text, strlen(text));
}

static void text_reserve(struct kinst_text *text, size_t n_bytes)
{
	if (text->room - text->length > n_bytes)
		return;
	text->room = (text->length + n_bytes + 32) * 2;
	text->data = kinst_realloc(text->data, text->room);
}

void kinst_text_add(struct kinst_text *text, const char *data, size_t n_bytes)
{
	text_reserve(text, n_bytes);
	if (n_bytes)
		memcpy(text->data + text->length, data, n_bytes);
	text->length += n_bytes;
	text->data[text->length] = '\0';
}

void kinst_text_puts(struct kinst_text *text, const char *string)
{
	kinst_text_add(text, string, strlen(string));
}

void kinst_text_number(struct kinst_text *text, unsigned long number)
{
	char digits[24], *p = digits + sizeof(digits);

	do {
		*--p = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	kinst_text_add(text, p, (size_t)(digits + sizeof(digits) - p));
}

static void text_vprintf(struct kinst_text *text, const char *format, va_list args)
{
	size_t free_bytes = text->room - text->length;
	va_list again;
	int n;

	va_copy(again, args);
	n = vsnprintf(free_bytes ? text->data + text->length : NULL, free_bytes, format, args);
	if (n >= 0 && (size_t)n >= free_bytes) {
		text_reserve(text, (size_t)n);
		vsnprintf(text->data + text->length, (size_t)n + 1, format, again);
	}
	va_end(again);
	if (n > 0)
		text->length += (size_t)n;
}

void kinst_text_printf(struct kinst_text *text, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	text_vprintf(text, format, args);
	va_end(args);
}

char *kinst_format(const char *format, ...)
{
	struct kinst_text text = { 0 };
	va_list args;

	kinst_text_puts(&text, "");
	va_start(args, format);
	text_vprintf(&text, format, args);
	va_end(args);
	return text.data;
}

void kinst_text_free(struct kinst_text *text)
{
	free(text->data);
	*text = (struct kinst_text){ 0 };
}

void kinst_words_add(struct kinst_words *words, const char *word)
{
	if (words->n + 2 > words->room) {
		words->room = (words->n + 8) * 2;
		words->items = kinst_realloc(words->items, words->room * sizeof(*words->items));
	}
	words->items[words->n++] = kinst_strdup(word);
	words->items[words->n] = NULL;
}

void kinst_words_pair(struct kinst_words *words, const char *option, const char *value)
{
	kinst_words_add(words, option);
	kinst_words_add(words, value);
}

void kinst_words_append(struct kinst_words *words, const struct kinst_words *more)
{
	for (size_t i = 0; i < more->n; i++)
		kinst_words_add(words, more->items[i]);
}

void kinst_words_free(struct kinst_words *words)
{
	for (size_t i = 0; i < words->n; i++)
		free(words->items[i]);
	free(words->items);
	*words = (struct kinst_words){ 0 };
}

void kinst_words_split(struct kinst_words *words, const char *p)
{
	struct kinst_text word = { 0 };
	char quote = 0;
	int in_word = 0;

	for (; *p; p++) {
		if (!quote && isspace((unsigned char)*p)) {
			if (in_word)
				kinst_words_add(words, word.data);
			in_word = 0;
			continue;
		}
		if (!in_word) {
			word.length = 0;
			kinst_text_puts(&word, "");
			in_word = 1;
		}
		if (quote ? *p == quote : *p == '"' || *p == '\'') {
			quote = quote ? 0 : *p;
			continue;
		}
		if (*p == '\\' && p[1] && quote != '\'')
			p++;
		kinst_text_add(&word, p, 1);
	}
	if (in_word)
		kinst_words_add(words, word.data);
	kinst_text_free(&word);
}

int kinst_begins(const char *text, const char *part)
{
	return !strncmp(text, part, strlen(part));
}

int kinst_ends(const char *text, const char *part)
{
	size_t a = strlen(text), b = strlen(part);

	return a >= b && !strcmp(text + a - b, part);
}

const char *kinst_basename(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

int kinst_read_fd(int fd, struct kinst_text *text)
{
	ssize_t n;

	kinst_text_puts(text, "");
	do {
		text_reserve(text, 65536);
		n = read(fd, text->data + text->length, text->room - text->length - 1);
		if (n > 0)
			text->length += (size_t)n;
	} while (n > 0 || (n < 0 && errno == EINTR));
	text->data[text->length] = '\0';
	return n < 0 ? -errno : 0;
}

int kinst_read_file(const char *path, struct kinst_text *text)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), error;

	if (fd < 0)
		return -errno;
	error = kinst_read_fd(fd, text);
	close(fd);
	return error;
}

int kinst_write_file(const char *path, const char *data, size_t n_bytes)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), error = 0;

	if (fd < 0)
		return -errno;
	while (n_bytes && !error) {
		ssize_t n = write(fd, data, n_bytes);

		if (n >= 0) {
			data += n;
			n_bytes -= (size_t)n;
		} else if (errno != EINTR) {
			error = -errno;
		}
	}
	if (close(fd) && !error)
		error = -errno;
	return error;
}

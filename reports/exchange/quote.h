/*
 * Quote: texts as JSON has them.
 */
#ifndef OMPP_QUOTE_H
#define OMPP_QUOTE_H

#include <stddef.h>

/* Hands the text with quotes around it to put(): control characters, < > &, line ends and characters that change the
 * direction of writing as \u…, and each byte that is not valid UTF-8 as U+FFFD. */
void ompp_json_quote(const char *text, void (*put)(void *to, const char *bytes, size_t n_bytes), void *to);

#endif

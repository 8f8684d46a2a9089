/*
 * Lexer: the tokens of preprocessed C and C++, as far as brackets, statements and pragmas need them.
 *
 * Line markers (# 12 "file" 3) are not tokens: each token knows its line, and the marker that it follows.  Comments,
 * which occur in texts that the user preprocessed, are skipped.  Each bracket knows its partner.
 */
#ifndef KINST_LEXER_H
#define KINST_LEXER_H

#include <stddef.h>
#include <stdint.h>

#include "opari/base/kinst_text.h"
#include "opari/read/inclusion.h"

#define KINST_NONE UINT32_MAX

enum kinst_token_kind {
	KINST_NAME,       /* identifiers and keywords */
	KINST_LITERAL,    /* numbers, characters, strings, raw strings */
	KINST_PUNCTUATOR, /* one character; `::` is one token; digraphs are what they stand for */
	KINST_PRAGMA,     /* the whole line with those that continue it, without the newline */
	KINST_DIRECTIVE   /* any other line with a # that is not a line marker */
};

struct kinst_token {
	uint32_t at, length; /* offset and length in the text, in bytes */
	uint32_t line;       /* as the marker counts lines */
	uint32_t marker;     /* its index in `markers` */
	uint32_t match;      /* the index of a bracket's partner, else KINST_NONE */
	uint8_t kind;        /* an enum kinst_token_kind */
	char sign;           /* the character of a punctuator; ':' + 128 for `::` */
};

#define KINST_SCOPE ((char)(':' + 128))

struct kinst_marker {
	uint32_t file_at, file_length; /* the name as it is written between the quotes, escapes and all */
	uint32_t inclusion;            /* the number of the inclusion that it stands in */
	uint8_t system;                /* it is in a system header (flag 3) */
};

struct kinst_tokens {
	const char *text;
	size_t length;
	struct kinst_token *tokens;
	uint32_t n_tokens;
	struct kinst_marker *markers; /* markers[0] stands for a text without markers */
	uint32_t n_markers;
	struct kinst_inclusions inclusions;
	int has_cancel; /* a pragma has the word `cancel` in it */
};

/* Reads a text of any bytes, which must outlive the tokens.  Returns 0, or -EFBIG for 4 GiB and more. */
int kinst_lexer_read(struct kinst_tokens *tokens, const char *text, size_t length);
void kinst_lexer_free(struct kinst_tokens *tokens);

/*
 * Returns the length of the markers at the beginning of a text, in bytes.  They name the main file and the folder,
 * and stay first for the debug information.
 */
size_t kinst_lexer_head(const char *text, size_t length);

/* Return 1 when token i, which may be out of range, is this name or this punctuator. */
int kinst_is_name(const struct kinst_tokens *tokens, uint32_t i, const char *name);
int kinst_is_sign(const struct kinst_tokens *tokens, uint32_t i, char sign);

/* Returns the line in which a token ends. */
uint32_t kinst_token_last_line(const struct kinst_tokens *tokens, uint32_t i);

/* Returns the text of tokens from..to, `to` not included. */
struct kinst_span kinst_tokens_span(const struct kinst_tokens *tokens, uint32_t from, uint32_t to);

/*
 * Adds the line marker that gives the next line of the text this place.
 *
 * system: 1 to make it part of a system header, so that no compiler warns of it
 */
void kinst_lexer_put_marker(const struct kinst_tokens *tokens, uint32_t marker, uint32_t line, int system,
                            struct kinst_text *out);

#endif

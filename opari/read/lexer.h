/*
 * Lexer: the tokens of preprocessed C and C++, as far as brackets, statements and pragmas need them.
 *
 * Line markers (# 12 "file" 3) are not tokens; each token knows the marker that is in force and its line.
 * Comments (in text that the user preprocessed) are skipped.  Brackets are matched: token.match is the
 * partner.
 */
#ifndef KINST_LEXER_H
#define KINST_LEXER_H

#include <stddef.h>
#include <stdint.h>

#include "opari/base/text.h"

#define KINST_NONE UINT32_MAX

enum kinst_token_kind {
	KINST_NAME,             /* identifiers and keywords */
	KINST_LITERAL,          /* numbers, characters, strings, raw strings */
	KINST_PUNCTUATOR,       /* one character; `::` is one token; digraphs as what they stand for */
	KINST_PRAGMA,           /* the whole line, continued lines included, without the newline */
	KINST_DIRECTIVE         /* any other # line that is not a line marker */
};

struct kinst_token {
	uint32_t at, length;    /* bytes in the text */
	uint32_t line;          /* as the marker counts */
	uint32_t marker;        /* index into markers */
	uint32_t match;         /* of a bracket: its partner's index, else KINST_NONE */
	uint8_t  kind;          /* enum kinst_token_kind */
	char     sign;          /* of a punctuator: the character, ':' + 128 for `::` */
};

#define KINST_SCOPE ((char)(':' + 128))

struct kinst_marker {
	uint32_t file_at, file_length;  /* the name as written between the quotes, escapes and all */
	uint8_t  system;                /* in a system header (flag 3) */
};

struct kinst_tokens {
	const char          *text;
	size_t               length;
	struct kinst_token  *tokens;
	uint32_t             n_tokens;
	struct kinst_marker *markers;   /* markers[0] stands for a text without markers */
	uint32_t             n_markers;
	int                  has_cancel;        /* a pragma has the word `cancel` in it */
};

/* Read a text, which must outlive the tokens; 0, or -EFBIG for 4 GiB and more.  Any bytes are allowed. */
int kinst_lexer_read(struct kinst_tokens *tokens, const char *text, size_t length);
void kinst_lexer_free(struct kinst_tokens *tokens);

/* Bytes of the markers in front, which name the main file and the folder: they stay first, for the debug
 * information. */
size_t kinst_lexer_head(const char *text, size_t length);

/* Is token i this name, this punctuator?  i may be out of range. */
int kinst_is_name(const struct kinst_tokens *tokens, uint32_t i, const char *name);
int kinst_is_sign(const struct kinst_tokens *tokens, uint32_t i, char sign);

/* Add the line marker that puts the next line there; `system`: no compiler shall warn of what follows. */
void kinst_lexer_put_marker(const struct kinst_tokens *tokens, uint32_t marker, uint32_t line, int system,
			    struct kinst_text *out);

#endif

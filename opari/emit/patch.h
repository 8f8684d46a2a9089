/*
 * Patch: a text of C or C++ copied, with lines of ours put in between its tokens and pragmas taken out.
 *
 * What is put in counts as text of a system header on the original's line; behind it a line marker leads back.
 * Places come in ascending order.
 */
#ifndef KINST_PATCH_H
#define KINST_PATCH_H

#include "opari/read/lexer.h"

struct kinst_patch {
	struct kinst_tokens tokens;     /* the caller's to read and free */
	int locks;                      /* rewrite the calls of lock functions */
	/* put what such a call at a token says of itself; its caller's context */
	void (*put_site)(void *context, uint32_t token, struct kinst_text *out);
	void *context;
	struct kinst_text out;
	size_t at;                      /* all bytes before are copied */
	uint32_t next;                  /* the first token at or behind `at` */
	int is_ours;                    /* what was written last is ours: the text goes on with a marker of … */
	uint32_t marker, line;
	int n_calls;
};

/* The line in which a token ends. */
uint32_t kinst_patch_last_line(const struct kinst_patch *patch, uint32_t token);

/* Start behind the first n bytes, which are not copied; and copy up to a byte. */
void kinst_patch_skip(struct kinst_patch *patch, size_t n);
void kinst_patch_copy(struct kinst_patch *patch, size_t end);

/* Lines of ours before or behind a token. */
void kinst_patch_before(struct kinst_patch *patch, uint32_t token, const char *lines);
void kinst_patch_behind(struct kinst_patch *patch, uint32_t token, const char *lines);

/* One more pragma before this one, a line as if the user had written it: compilers warn of its clauses. */
void kinst_patch_pragma(struct kinst_patch *patch, uint32_t pragma, const char *line);

/* Tokens from to `to` in one line, to be freed. */
char *kinst_patch_text(const struct kinst_patch *patch, uint32_t from, uint32_t to);

/* Before a token, tokens from to `to` of the text once more, as if the user had written them there.  And in their own
 * place another text. */
void kinst_patch_again(struct kinst_patch *patch, uint32_t token, uint32_t from, uint32_t to);
void kinst_patch_exchange(struct kinst_patch *patch, uint32_t from, uint32_t to, const char *text);

/* Another pragma in this one's place; NULL: none. */
void kinst_patch_replace(struct kinst_patch *patch, uint32_t pragma, const char *line);

#endif

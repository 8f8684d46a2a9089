/*
 * Patch: copies a text of C or C++, inserts lines of ours between its tokens, and removes pragmas.
 *
 * By line markers, inserted text belongs to a system header and to the original's line; another marker after it leads
 * back to the text's own line.  The caller names places in ascending order.
 */
#ifndef KINST_PATCH_H
#define KINST_PATCH_H

#include "opari/read/lexer.h"

struct kinst_patch {
	struct kinst_tokens tokens; /* the caller's to read and to free */
	int locks;                  /* rewrite the calls of lock functions */
	/* writes what the call at a token tells about itself, as a C string */
	void (*put_site)(void *context, uint32_t token, struct kinst_text *out);
	void *context; /* what put_site gets */
	struct kinst_text out;
	size_t at;             /* all bytes before this one are copied */
	uint32_t next;         /* the first token at or behind `at` */
	int is_ours;           /* what was written last is ours, so the text goes on with a line marker */
	uint32_t marker, line; /* what that line marker says */
	int n_calls;           /* how often something was put in */
};

/* Continues after the first n bytes without copying them. */
void kinst_patch_skip(struct kinst_patch *patch, size_t n);

/* Copies the text up to a byte. */
void kinst_patch_copy(struct kinst_patch *patch, size_t end);

/* Puts lines of ours before a token, or behind it. */
void kinst_patch_before(struct kinst_patch *patch, uint32_t token, const char *lines);
void kinst_patch_behind(struct kinst_patch *patch, uint32_t token, const char *lines);

/* Puts one more pragma before this one, as if the user had written it: compilers may warn of its clauses. */
void kinst_patch_pragma(struct kinst_patch *patch, uint32_t pragma, const char *line);

/* Returns the text of the tokens from `from` to `to` in one line, for the caller to free. */
char *kinst_patch_text(const struct kinst_patch *patch, uint32_t from, uint32_t to);

/* Puts a copy of the tokens from `from` to `to` before a token, as if the user had written them there. */
void kinst_patch_again(struct kinst_patch *patch, uint32_t token, uint32_t from, uint32_t to);

/* Copies the text up to token `from`, and puts another text in the place of the tokens from there to `to`. */
void kinst_patch_exchange(struct kinst_patch *patch, uint32_t from, uint32_t to, const char *text);

/* Puts another pragma in the place of this one, or nothing when `line` is NULL. */
void kinst_patch_replace(struct kinst_patch *patch, uint32_t pragma, const char *line);

#endif

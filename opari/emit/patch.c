/*
 * Patch: see patch.h.
 */
#include "opari/emit/patch.h"

#include <stdlib.h>
#include <string.h>

#include "opari/read/lock_sites.h"

static size_t token_end(const struct kinst_patch *patch, uint32_t i)
{
	return patch->tokens.tokens[i].at + patch->tokens.tokens[i].length;
}

void kinst_patch_skip(struct kinst_patch *patch, size_t n)
{
	patch->at = n;
	while (patch->next < patch->tokens.n_tokens && patch->tokens.tokens[patch->next].at < n)
		patch->next++;
}

/* Writes the beginning of a lock function's call in its new form: its name alone, or its name, the parenthesis and
 * what stands before the lock. */
static void put_lock_call(struct kinst_patch *patch, uint32_t i, const char *call)
{
	const char *at = kinst_lock_call_at(&patch->tokens, i);
	const struct kinst_token *name = patch->tokens.tokens + i;

	if (!at || name[1].line != name->line || name[1].marker != name->marker) {
		kinst_text_puts(&patch->out, call);
		patch->at = token_end(patch, i);
		return;
	}
	kinst_text_puts(&patch->out, at);
	kinst_text_puts(&patch->out, "(");
	patch->put_site(patch->context, i, &patch->out);
	kinst_text_puts(&patch->out, ", ");
	patch->at = token_end(patch, i + 1);
}

void kinst_patch_copy(struct kinst_patch *patch, size_t end)
{
	const struct kinst_tokens *tokens = &patch->tokens;

	if (patch->is_ours && patch->at < end)
		kinst_lexer_put_marker(tokens, patch->marker, patch->line, 0, &patch->out);
	patch->is_ours &= patch->at >= end;
	for (; patch->next < tokens->n_tokens && tokens->tokens[patch->next].at < end; patch->next++) {
		const char *call = patch->locks ? kinst_lock_call(tokens, patch->next) : NULL;
		const struct kinst_token *token = tokens->tokens + patch->next;

		if (!call || token->at < patch->at)
			continue;
		kinst_text_add(&patch->out, tokens->text + patch->at, token->at - patch->at);
		put_lock_call(patch, patch->next, call);
		patch->n_calls++;
	}
	if (patch->at < end)
		kinst_text_add(&patch->out, tokens->text + patch->at, end - patch->at);
	patch->at = end > patch->at ? end : patch->at;
}

static void new_line(struct kinst_patch *patch)
{
	if (patch->out.length && patch->out.data[patch->out.length - 1] != '\n')
		kinst_text_puts(&patch->out, "\n");
}

/* Writes the marker of the line on which the text goes on. */
static void resume_at(struct kinst_patch *patch, uint32_t marker, uint32_t line)
{
	patch->is_ours = 1;
	patch->marker = marker;
	patch->line = line;
}

/* Puts lines of ours, which count as being at a line of the text.
 * system: 1 to keep compilers from warning of them */
static void patch_put(struct kinst_patch *patch, uint32_t marker, uint32_t line, const char *lines, int system)
{
	const char *eol;

	new_line(patch);
	for (; *lines; lines = *eol ? eol + 1 : eol) {
		eol = strchrnul(lines, '\n');
		kinst_lexer_put_marker(&patch->tokens, marker, line, system, &patch->out);
		kinst_text_add(&patch->out, lines, (size_t)(eol - lines));
		kinst_text_puts(&patch->out, "\n");
	}
	resume_at(patch, marker, line);
	patch->n_calls++;
}

void kinst_patch_before(struct kinst_patch *patch, uint32_t token, const char *lines)
{
	const struct kinst_token *t = patch->tokens.tokens + token;

	kinst_patch_copy(patch, t->at);
	patch_put(patch, t->marker, t->line, lines, 1);
}

void kinst_patch_pragma(struct kinst_patch *patch, uint32_t pragma, const char *line)
{
	const struct kinst_token *t = patch->tokens.tokens + pragma;

	kinst_patch_copy(patch, t->at);
	patch_put(patch, t->marker, t->line, line, 0);
}

char *kinst_patch_text(const struct kinst_patch *patch, uint32_t from, uint32_t to)
{
	const struct kinst_tokens *tokens = &patch->tokens;
	struct kinst_text text = { 0 };

	/* Markers stand between tokens as well. */
	for (uint32_t i = from; i <= to; i++) {
		kinst_text_puts(&text, i > from && token_end(patch, i - 1) < tokens->tokens[i].at ? " " : "");
		kinst_text_add(&text, tokens->text + tokens->tokens[i].at, tokens->tokens[i].length);
	}
	return text.data;
}

void kinst_patch_again(struct kinst_patch *patch, uint32_t token, uint32_t from, uint32_t to)
{
	const struct kinst_token *t = patch->tokens.tokens + from;
	char *copy = kinst_patch_text(patch, from, to);

	kinst_patch_copy(patch, patch->tokens.tokens[token].at);
	patch_put(patch, t->marker, t->line, copy, 0);
	free(copy);
}

void kinst_patch_exchange(struct kinst_patch *patch, uint32_t from, uint32_t to, const char *text)
{
	kinst_patch_copy(patch, patch->tokens.tokens[from].at);
	kinst_text_puts(&patch->out, text);
	kinst_text_puts(&patch->out, "\n");
	kinst_patch_skip(patch, token_end(patch, to));
	resume_at(patch, patch->tokens.tokens[to].marker, kinst_token_last_line(&patch->tokens, to));
}

void kinst_patch_behind(struct kinst_patch *patch, uint32_t token, const char *lines)
{
	kinst_patch_copy(patch, token_end(patch, token));
	patch_put(patch, patch->tokens.tokens[token].marker, kinst_token_last_line(&patch->tokens, token), lines, 1);
}

void kinst_patch_replace(struct kinst_patch *patch, uint32_t pragma, const char *line)
{
	const struct kinst_token *t = patch->tokens.tokens + pragma;
	uint32_t last_line = kinst_token_last_line(&patch->tokens, pragma);

	kinst_patch_copy(patch, t->at);
	if (line) {
		new_line(patch);
		kinst_lexer_put_marker(&patch->tokens, t->marker, t->line, 0, &patch->out);
		kinst_text_puts(&patch->out, line);
		new_line(patch);
	}
	if (line || patch->is_ours || last_line != t->line) /* the lines of the pragma itself are gone */
		resume_at(patch, t->marker, last_line);
	patch->at = token_end(patch, pragma);
	patch->next = pragma + 1;
}

/*
 * Clause: see clause.h.
 */
#include "opari/read/clause.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "opari/base/kinst_text.h"

const char *kinst_skip_blanks(const char *p)
{
	while (*p && (isspace((unsigned char)*p) || *p == '\\'))
		p++;
	return p;
}

const char *kinst_skip_words(const char *p, const char *words)
{
	p = kinst_skip_blanks(p);
	if (tolower((unsigned char)*p) != *words)
		return NULL;
	for (; *words; words++) {
		if (*words == ' ') {
			if (!isspace((unsigned char)*p))
				return NULL;
			p = kinst_skip_blanks(p);
		} else if (tolower((unsigned char)*p++) != *words) {
			return NULL;
		}
	}
	return kinst_is_word(*p) ? NULL : p;
}

const char *kinst_skip_bracket(const char *p)
{
	int depth = 0;

	for (; *p; p++) {
		if (*p == '"' || *p == '\'') {
			char quote = *p;

			for (p++; *p && *p != quote; p++)
				if (*p == '\\' && p[1])
					p++;
			if (!*p)
				return NULL;
		} else if (*p == '(' || *p == '[' || *p == '{') {
			depth++;
		} else if ((*p == ')' || *p == ']' || *p == '}') && !--depth) {
			return p + 1;
		}
	}
	return NULL;
}

void kinst_lower_case(char *p)
{
	char quote = 0;

	for (; *p; p++) {
		if (quote ? *p == quote : *p == '"' || *p == '\'')
			quote = quote ? 0 : *p;
		else if (!quote)
			*p = (char)tolower((unsigned char)*p);
	}
}

int kinst_clause_read(struct kinst_clause *clause, const char **p)
{
	const char *at = *p;

	*clause = (struct kinst_clause){ .name = at, .text = at };
	at = kinst_word_end(at);
	clause->n_name = (size_t)(at - clause->name);
	if (*kinst_skip_blanks(at) == '(') {
		clause->args = kinst_skip_blanks(at) + 1;
		at = kinst_skip_bracket(kinst_skip_blanks(at));
		if (!at)
			return -EINVAL;
		clause->n_args = (size_t)(at - 1 - clause->args);
	}
	clause->n_text = (size_t)(at - clause->text);
	*p = at;
	return clause->n_text ? 0 : -EINVAL;
}

int kinst_clause_is(const struct kinst_clause *clause, const char *name)
{
	return clause->n_name == strlen(name) && !strncasecmp(clause->name, name, clause->n_name);
}

size_t kinst_clause_modifier(const struct kinst_clause *clause)
{
	int depth = 0;

	for (size_t i = 0; i < clause->n_args; i++) {
		char c = clause->args[i];

		depth += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
		if (c == ':' && !depth) {
			if (i + 1 < clause->n_args && clause->args[i + 1] == ':')
				i++;
			else
				return i;
		}
		if (c == '?' && !depth)
			return 0;
	}
	return 0;
}

int kinst_clause_modifier_is(const struct kinst_clause *clause, const char *word)
{
	size_t n = kinst_clause_modifier(clause);
	const char *after = n ? kinst_skip_words(clause->args, word) : NULL;

	return after && kinst_skip_blanks(after) == clause->args + n;
}

int kinst_clause_reduces(const struct kinst_clause *clause, const char *modifier)
{
	const char *after = kinst_clause_is(clause, "reduction") && clause->args
	                          ? kinst_skip_words(clause->args, modifier)
	                          : NULL;

	return after && *kinst_skip_blanks(after) == ',';
}

/*
 * Lock calls: see lock_sites.h.
 */
#include "opari/read/lock_sites.h"

#include <string.h>
#include <strings.h>

#include "opari/read/statements.h"
#include "runtime/base/array.h"

enum { MOST_BYTES = 100 };

/* A function, its POMP2 form, and kinst's form with a site. */
static const struct lock {
	const char *name, *pomp2, *at;
} locks[] = {
	{ "omp_init_lock", "POMP2_Init_lock", "ompp_init_lock" },
	{ "omp_destroy_lock", "POMP2_Destroy_lock", NULL },
	{ "omp_set_lock", "POMP2_Set_lock", "ompp_set_lock" },
	{ "omp_unset_lock", "POMP2_Unset_lock", NULL },
	{ "omp_test_lock", "POMP2_Test_lock", "ompp_test_lock" },
	{ "omp_init_nest_lock", "POMP2_Init_nest_lock", "ompp_init_nest_lock" },
	{ "omp_destroy_nest_lock", "POMP2_Destroy_nest_lock", NULL },
	{ "omp_set_nest_lock", "POMP2_Set_nest_lock", "ompp_set_nest_lock" },
	{ "omp_unset_nest_lock", "POMP2_Unset_nest_lock", NULL },
	{ "omp_test_nest_lock", "POMP2_Test_nest_lock", "ompp_test_nest_lock" },
};
enum { N_LOCKS = OMPP_COUNT_OF(locks) };

/* Returns the function that token i calls, or NULL. */
static const struct lock *lock_calls_find(const struct kinst_tokens *tokens, uint32_t i)
{
	static const char *const before[] = { "return", "else", "do",  "case", "co_return", "co_yield",     "co_await",
		                              "throw",  "not",  "and", "or",   "compl",     "__extension__" };
	const struct kinst_token *token = tokens->tokens + i;
	const struct lock *name = NULL;

	if (token->kind != KINST_NAME || token->length < 12 || memcmp(tokens->text + token->at, "omp_", 4))
		return NULL;
	for (size_t n = 0; n < N_LOCKS; n++)
		if (kinst_is_name(tokens, i, locks[n].name))
			name = &locks[n];
	if (!name || !kinst_is_sign(tokens, i + 1, '(') || tokens->markers[token->marker].system)
		return NULL;
	if (!i || kinst_is_sign(tokens, i - 1, '.'))
		return NULL;
	/* `int *omp_test_lock(…` declares it, but a number or a bracket before the star makes a product. */
	if (kinst_is_sign(tokens, i - 1, '*') &&
	    !(i > 1 && (tokens->tokens[i - 2].kind == KINST_LITERAL || kinst_is_sign(tokens, i - 2, ')') ||
	                kinst_is_sign(tokens, i - 2, ']'))))
		return NULL;
	if (kinst_is_sign(tokens, i - 1, '>') && kinst_is_sign(tokens, i - 2, '-'))
		return NULL;
	if (kinst_is_sign(tokens, i - 1, KINST_SCOPE))
		return i > 1 && tokens->tokens[i - 2].kind == KINST_NAME ? NULL : name;
	if (tokens->tokens[i - 1].kind != KINST_NAME)
		return name;
	for (size_t n = 0; n < OMPP_COUNT_OF(before); n++)
		if (kinst_is_name(tokens, i - 1, before[n]))
			return name;
	return NULL; /* it is `void omp_set_lock(…` */
}

const char *kinst_lock_call(const struct kinst_tokens *tokens, uint32_t i)
{
	const struct lock *lock = lock_calls_find(tokens, i);

	return lock ? lock->pomp2 : NULL;
}

const char *kinst_lock_call_at(const struct kinst_tokens *tokens, uint32_t i)
{
	const struct lock *lock = lock_calls_find(tokens, i);

	return lock ? lock->at : NULL;
}

static int is_wordy(const struct kinst_token *token)
{
	return token->kind == KINST_NAME || token->kind == KINST_LITERAL;
}

void kinst_lock_argument(const struct kinst_tokens *tokens, uint32_t open, struct kinst_text *out)
{
	const struct kinst_token *t = tokens->tokens;
	uint32_t i = open + 1, end = t[open].match, start = (uint32_t)out->length;

	if (end == KINST_NONE)
		return;
	while (i < end && ((kinst_is_sign(tokens, i, '(') && t[i].match == end - 1) || kinst_is_sign(tokens, i, '&'))) {
		end -= kinst_is_sign(tokens, i, '(');
		i++;
	}
	for (uint32_t first = i; i < end && out->length - start + t[i].length < MOST_BYTES; i++) {
		if (t[i].kind == KINST_PRAGMA || t[i].kind == KINST_DIRECTIVE)
			continue;
		if (i > first && is_wordy(&t[i]) && is_wordy(&t[i - 1]))
			kinst_text_puts(out, " ");
		for (const char *p = tokens->text + t[i].at, *q = p + t[i].length; p < q; p++)
			kinst_text_add(out, (unsigned char)*p < ' ' ? " " : p, 1);
	}
}

struct kinst_span kinst_lock_fortran(const char *statement)
{
	const char *p, *end, *q;

	if (strcasestr(statement, "function") || strcasestr(statement, "subroutine"))
		return (struct kinst_span){ NULL, 0 };
	for (p = statement; (p = strcasestr(p, "omp_")); p += 4)
		for (size_t n = 0; n < N_LOCKS && (p == statement || !kinst_is_word(p[-1])); n++) {
			size_t n_name = strlen(locks[n].name);

			if (!locks[n].at || strncasecmp(p, locks[n].name, n_name) || kinst_is_word(p[n_name]))
				continue;
			q = p + n_name + strspn(p + n_name, " \t");
			end = *q == '(' ? kinst_next_stop(q + 1, q + strlen(q)) : q;
			if (*end == ')') {
				struct kinst_span span = kinst_trimmed(q + 1, end);

				return (struct kinst_span){ span.p, span.n < MOST_BYTES ? span.n : MOST_BYTES };
			}
		}
	return (struct kinst_span){ NULL, 0 };
}

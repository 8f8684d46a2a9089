/*
 * Lock calls: see lock_calls.h.
 */
#include "opari/lock_calls.h"

#include <string.h>

static const char *const locks[][2] = {
	{ "omp_init_lock", "POMP2_Init_lock" },
	{ "omp_destroy_lock", "POMP2_Destroy_lock" },
	{ "omp_set_lock", "POMP2_Set_lock" },
	{ "omp_unset_lock", "POMP2_Unset_lock" },
	{ "omp_test_lock", "POMP2_Test_lock" },
	{ "omp_init_nest_lock", "POMP2_Init_nest_lock" },
	{ "omp_destroy_nest_lock", "POMP2_Destroy_nest_lock" },
	{ "omp_set_nest_lock", "POMP2_Set_nest_lock" },
	{ "omp_unset_nest_lock", "POMP2_Unset_nest_lock" },
	{ "omp_test_nest_lock", "POMP2_Test_nest_lock" },
};

const char *kinst_lock_call(const struct kinst_tokens *tokens, uint32_t i)
{
	static const char *const before[] = {
		"return", "else", "do", "case", "co_return", "co_yield", "co_await", "throw", "not", "and", "or", "compl", "__extension__"
	};
	const struct kinst_token *token = tokens->tokens + i;
	const char *name = NULL;

	if (token->kind != KINST_NAME || token->length < 12 || memcmp(tokens->text + token->at, "omp_", 4))
		return NULL;
	for (size_t n = 0; n < sizeof(locks) / sizeof(*locks); n++)
		if (kinst_is_name(tokens, i, locks[n][0]))
			name = locks[n][1];
	if (!name || !kinst_is_sign(tokens, i + 1, '(') || tokens->markers[token->marker].system)
		return NULL;
	if (!i || kinst_is_sign(tokens, i - 1, '.'))
		return NULL;
	/* `int *omp_test_lock(…`; but a number or a bracket before the star makes a product */
	if (kinst_is_sign(tokens, i - 1, '*') && !(i > 1 && (tokens->tokens[i - 2].kind == KINST_LITERAL ||
							     kinst_is_sign(tokens, i - 2, ')') || kinst_is_sign(tokens, i - 2, ']'))))
		return NULL;
	if (kinst_is_sign(tokens, i - 1, '>') && kinst_is_sign(tokens, i - 2, '-'))
		return NULL;
	if (kinst_is_sign(tokens, i - 1, KINST_SCOPE))
		return i > 1 && tokens->tokens[i - 2].kind == KINST_NAME ? NULL : name;
	if (tokens->tokens[i - 1].kind != KINST_NAME)
		return name;
	for (size_t n = 0; n < sizeof(before) / sizeof(*before); n++)
		if (kinst_is_name(tokens, i - 1, before[n]))
			return name;
	return NULL;                            /* `void omp_set_lock(…` */
}

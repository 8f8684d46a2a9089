/*
 * The helper ompp-symbols: questions about debug information, on stdin; see runtime/base/debuginfo.h.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/base/answer.h"
#include "runtime/base/debuginfo.h"
#include "runtime/base/helper.h"
#include "runtime/symbols/place.h"

static struct ompp_message m;

static void give(void *context, const struct ompp_debug_variable *variable)
{
	(void)context;
	ompp_message_begin(&m, OMPP_HELPER_ITEM);
	ompp_debuginfo_put(&m, variable);
	if (ompp_answer_item(&m))
		exit(1);                        /* nobody asks any more */
}

/* The question's texts lie in the message, which the answer overwrites. */
static void answer_variables(void)
{
	char *path = strdup(ompp_message_get_text(&m)), *source = strdup(ompp_message_get_text(&m));
	char *name = strdup(ompp_message_get_text(&m));
	int rc = ompp_symbols_variables(path, source[0] ? source : NULL, name[0] ? name : NULL, give, NULL);

	ompp_message_begin(&m, OMPP_HELPER_END);
	ompp_message_put_i64(&m, rc);
	free(path);
	free(source);
	free(name);
}

static void answer_place(void)
{
	char *path = strdup(ompp_message_get_text(&m));
	uintptr_t address = (uintptr_t)ompp_message_get_i64(&m);
	const char *file;
	int line = ompp_symbols_place(path, address, &file);

	ompp_message_begin(&m, OMPP_HELPER_END);
	ompp_message_put_i64(&m, line);
	ompp_message_put_text(&m, file);
	free(path);
}

static void answer(void)
{
	if (ompp_message_get_i64(&m) == OMPP_DEBUGINFO_PLACE)
		answer_place();
	else
		answer_variables();
}

int main(void)
{
	return ompp_answer(OMPP_DEBUGINFO_VERSION, &m, answer);
}

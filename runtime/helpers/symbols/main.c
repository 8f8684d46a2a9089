/*
 * The helper ompp-symbols: answers questions about debug information, which come on stdin; see
 * runtime/program/debuginfo.h.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/helpers/symbols/symbols_location.h"
#include "runtime/helpers/symbols/symbols_resolve.h"
#include "runtime/host/answer.h"
#include "runtime/host/helper.h"
#include "runtime/program/debuginfo.h"

static struct ompp_message m;

static void main_give(void *context, const struct ompp_debug_variable *variable)
{
	(void)context;
	ompp_message_begin(&m, OMPP_HELPER_ITEM);
	ompp_debuginfo_put(&m, variable);
	if (ompp_answer_item(&m))
		exit(1); /* nobody asks any more */
}

/* Answers a question about variables.  Its texts lie in the message, which the answer overwrites. */
static void answer_variables(void)
{
	char *path = strdup(ompp_message_get_text(&m)), *source = strdup(ompp_message_get_text(&m));
	char *name = strdup(ompp_message_get_text(&m));
	int rc = ompp_symbols_variables(path, source[0] ? source : NULL, name[0] ? name : NULL, main_give, NULL);

	ompp_message_begin(&m, OMPP_HELPER_END);
	ompp_message_put_i64(&m, rc);
	free(path);
	free(source);
	free(name);
}

static void answer_location(int question)
{
	char *path = strdup(ompp_message_get_text(&m));
	uintptr_t address = (uintptr_t)ompp_message_get_i64(&m);
	const char *file, *function = "";
	int line = question == OMPP_DEBUGINFO_LINE ? ompp_symbols_line(path, address, &file, &function)
	                                           : ompp_symbols_location(path, address, &file);

	ompp_message_begin(&m, OMPP_HELPER_END);
	ompp_message_put_i64(&m, line);
	ompp_message_put_text(&m, file);
	if (question != OMPP_DEBUGINFO_LOCATION)
		ompp_message_put_text(&m, function);
	free(path);
}

static void answer_call(void)
{
	char *path = strdup(ompp_message_get_text(&m));
	struct ompp_debug_call call;

	ompp_symbols_call(path, (uintptr_t)ompp_message_get_i64(&m), &call);
	for (size_t i = 0; i < call.n_frames; i++) {
		ompp_message_begin(&m, OMPP_HELPER_ITEM);
		ompp_debuginfo_put_frame(&m, &call.frames[i]);
		if (ompp_answer_item(&m))
			exit(1); /* nobody asks any more */
	}
	ompp_message_begin(&m, OMPP_HELPER_END);
	ompp_message_put_text(&m, call.symbol);
	ompp_message_put_i64(&m, (int64_t)call.offset);
	ompp_message_put_i64(&m, call.is_of_system);
	ompp_message_put_i64(&m, call.is_own);
	free(path);
}

static void answer_element(void)
{
	char *path = strdup(ompp_message_get_text(&m));
	struct ompp_element_question question = { .by = (enum ompp_element_by)ompp_message_get_i64(&m) };
	const struct ompp_symbols_element *e;
	char *name;

	question.address = (uintptr_t)ompp_message_get_i64(&m);
	question.name = name = strdup(ompp_message_get_text(&m));
	question.n_earlier = (size_t)ompp_message_get_i64(&m);
	if (question.n_earlier > OMPP_ELEMENT_MOST_EARLIER)
		question.n_earlier = 0;
	ompp_message_get(&m, question.earlier, question.n_earlier * sizeof(question.earlier[0]));
	e = ompp_symbols_resolve(path, &question);
	for (size_t i = 0; e && i < e->n; i++) {
		ompp_message_begin(&m, OMPP_HELPER_ITEM);
		ompp_message_put(&m, &e->members[i], sizeof(e->members[i]));
		ompp_message_put_text(&m, e->members[i].name);
		ompp_message_put_text(&m, e->members[i].type);
		if (ompp_answer_item(&m))
			exit(1); /* nobody asks any more */
	}
	ompp_message_begin(&m, OMPP_HELPER_END);
	ompp_message_put_i64(&m, e ? (int64_t)e->n_bytes : 0);
	ompp_message_put_i64(&m, e ? e->flags : 0);
	ompp_message_put_text(&m, e ? e->type : "");
	free(path);
	free(name);
}

static void main_answer(void)
{
	int question = (int)ompp_message_get_i64(&m);

	if (question == OMPP_DEBUGINFO_VARIABLES)
		answer_variables();
	else if (question == OMPP_DEBUGINFO_CALL)
		answer_call();
	else if (question == OMPP_DEBUGINFO_ELEMENT)
		answer_element();
	else
		answer_location(question);
}

int main(void)
{
	return ompp_answer(OMPP_DEBUGINFO_VERSION, &m, main_answer);
}

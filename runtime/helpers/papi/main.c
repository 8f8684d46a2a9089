/*
 * The helper ompp-papi: answers questions about the names of counters, which come on stdin; see
 * runtime/counters/counter_helper.h.
 */
#include <string.h>

#include "runtime/base/text.h"
#include "runtime/counters/counter_helper.h"
#include "runtime/helpers/papi/papi.h"
#include "runtime/host/answer.h"
#include "runtime/host/helper.h"

static struct ompp_message m;

static int main_give(void *context, const struct ompp_counter *counter)
{
	(void)context;
	ompp_message_begin(&m, OMPP_HELPER_ITEM);
	ompp_counter_put(&m, counter);
	return ompp_answer_item(&m);
}

static int main_ask(int64_t question, const char *name, struct ompp_counter *counter, struct ompp_text *why)
{
	switch (question) {
	case OMPP_PAPI_PRESET:
		return ompp_papi_functions.papi(name, counter, why);
	case OMPP_PAPI_NATIVE:
		return ompp_papi_functions.pfm(name, counter, why);
	case OMPP_PAPI_RESTRICT:
		return ompp_papi_functions.restrict_range(name, why);
	default:
		return ompp_papi_functions.each(main_give, NULL);
	}
}

/* Answers one question.  Its texts lie in the message, which the answer overwrites. */
static void main_answer(void)
{
	struct ompp_counter counter;
	char name[OMPP_COUNTER_NAME], reason[256];
	struct ompp_text t, why;
	int64_t question = ompp_message_get_i64(&m), rc;
	int has_counter = question == OMPP_PAPI_PRESET || question == OMPP_PAPI_NATIVE;

	ompp_text_init(&t, name, sizeof(name));
	ompp_text_str(&t, ompp_message_get_text(&m));
	memset(&counter, 0, sizeof(counter));
	if (has_counter)
		ompp_counter_get(&m, &counter);
	counter.what = counter.unit = counter.source = ""; /* an empty text leaves the asker's as it is */
	ompp_text_init(&why, reason, sizeof(reason));
	rc = main_ask(question, name, &counter, &why);
	ompp_message_begin(&m, OMPP_HELPER_END);
	ompp_message_put_i64(&m, rc);
	ompp_message_put_text(&m, reason);
	if (has_counter)
		ompp_counter_put(&m, &counter);
}

int main(void)
{
	return ompp_answer(OMPP_PAPI_VERSION, &m, main_answer);
}

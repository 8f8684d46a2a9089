/*
 * Bundle: see bundle.h.
 */
#include "opari/source/bundle.h"

#include <string.h>

#define MARK "// __CLANG_OFFLOAD_BUNDLE__"

/* Returns the first line of a text that begins so, or NULL. */
static const char *bundle_line(const char *text, const char *word)
{
	while (text && strncmp(text, word, strlen(word)) != 0) {
		text = strchr(text, '\n');
		text = text ? text + 1 : NULL;
	}
	return text;
}

void kinst_bundle_take(struct kinst_bundle *bundle, struct kinst_text *text)
{
	const char *host = bundle_line(text->data, MARK "__START__ host-"), *begin = host ? strchr(host, '\n') : NULL;
	const char *end = begin ? bundle_line(++begin, MARK "__END__ host-") : NULL;
	struct kinst_text part = { 0 };

	if (!end)
		return;
	kinst_text_add(&bundle->before, text->data, (size_t)(begin - text->data));
	kinst_text_puts(&bundle->behind, end);
	kinst_text_puts(&part, "");
	kinst_text_add(&part, begin, (size_t)(end - begin));
	kinst_text_free(text);
	*text = part;
}

int kinst_bundle_is(const struct kinst_bundle *bundle)
{
	return bundle->before.length != 0;
}

void kinst_bundle_put(const struct kinst_bundle *bundle, const struct kinst_text *text, struct kinst_text *result)
{
	kinst_text_add(result, bundle->before.data, bundle->before.length);
	kinst_text_add(result, text->data, text->length);
	if (text->length && text->data[text->length - 1] != '\n')
		kinst_text_puts(result, "\n");
	kinst_text_add(result, bundle->behind.data, bundle->behind.length);
}

void kinst_bundle_free(struct kinst_bundle *bundle)
{
	kinst_text_free(&bundle->before);
	kinst_text_free(&bundle->behind);
}

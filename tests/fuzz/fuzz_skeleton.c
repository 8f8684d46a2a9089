/*
 * Fuzz target: the way of a C text to opari2 and back.  Whatever the bytes, the blocks found are disjoint or
 * nested, and an opari2 that changes nothing gives every piece of the text back.
 */
#include <stdlib.h>
#include <string.h>

#include "opari/skeleton.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
	static const char mark[] = "___POMP2_INCLUDE___";
	struct kinst_skeleton_options options = { .scope.openmp = !(n_bytes & 1),
						  .locks = 1,
						  .directory = "/x" };
	struct kinst_text output = { 0 }, include = { 0 }, result = { 0 };
	struct kinst_skeleton *skeleton;
	char *text = malloc(n_bytes ? n_bytes : 1); /* exactly as long, so that ASan sees each byte beyond */

	if (!text)
		return 0;
	memcpy(text, data, n_bytes);
	/* our own words, and zero bytes, never come from a preprocessor */
	skeleton = memchr(text, 0, n_bytes) || memmem(text, n_bytes, "__kinst_", 8) ? NULL :
		   kinst_skeleton_new(text, n_bytes, &options);
	if (skeleton) {
		kinst_text_puts(&include, "");
		kinst_text_puts(&output, "#include \"x\"");
		kinst_text_puts(&output, kinst_skeleton_text(skeleton)->data + strlen(mark));
		if (kinst_skeleton_expand(skeleton, &output, &include, &result))
			abort();
	}
	kinst_skeleton_free(skeleton);
	kinst_text_free(&output);
	kinst_text_free(&include);
	kinst_text_free(&result);
	free(text);
	return 0;
}

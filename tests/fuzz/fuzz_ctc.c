/*
 * Fuzz target: the parser of context strings.  Whatever the bytes are, pointers stay inside the text, and the answer
 * fits it.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/terms/ctc.h"
#include "tests/fuzz/fuzz.h"

static void check_inside(const char *p, size_t n_bytes, const char *text, size_t text_bytes)
{
	if (n_bytes && (p < text || p > text + text_bytes || n_bytes > (size_t)(text + text_bytes - p)))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
	char *text = malloc(n_bytes ? n_bytes
	                            : 1); /* exactly as long as the data, so that ASan sees each byte beyond */
	struct ompp_ctc ctc;
	int rc;

	if (!text)
		return 0;
	memcpy(text, data, n_bytes);
	rc = ompp_ctc_parse(text, n_bytes, &ctc);
	check_inside(ctc.file, ctc.file_bytes, text, n_bytes);
	check_inside(ctc.name, ctc.name_bytes, text, n_bytes);
	if (ctc.text_bytes > n_bytes || (!rc && ctc.construct >= OMPP_N_CONSTRUCTS))
		abort();
	free(text);
	return 0;
}

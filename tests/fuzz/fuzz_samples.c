/*
 * Fuzz target: the readers of samples.  The first 8 bytes say which fields the event has; the rest is read as a record
 * of the kernel's ring, and also as packets of Arm's extension.  Whatever the bytes are, nothing is read beyond them,
 * and each packet that is taken brings the reader forward.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/samples/sample_record.h"
#include "runtime/samples/spe.h"
#include "tests/fuzz/fuzz.h"

static void check(const struct ompp_mem_sample *s)
{
	if (s->kind > OMPP_MEM_STORES || s->level >= OMPP_MEM_N_LEVELS || s->snoop > OMPP_MEM_SNOOP_PEER ||
	    s->translation > OMPP_MEM_TRANSLATION_FAULT || s->lock > OMPP_MEM_LOCK_YES)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
	struct ompp_mem_sample sample;
	struct ompp_record_aux aux;
	const unsigned char *at;
	unsigned char *bytes;
	uint64_t fields;
	size_t n;

	if (n_bytes < sizeof(fields))
		return 0;
	memcpy(&fields, data, sizeof(fields));
	n = n_bytes - sizeof(fields);
	bytes = malloc(n ? n : 1); /* exactly as long as the data, so that ASan sees each byte beyond */
	if (!bytes)
		return 0;
	memcpy(bytes, data + sizeof(fields), n);
	if (!ompp_record_sample(fields & ompp_record_known(), bytes, n, &sample))
		check(&sample);
	ompp_record_lost(bytes, n);
	ompp_record_aux(bytes, n, &aux);
	at = bytes;
	while (n) {
		size_t left = n;
		int rc = ompp_spe_next(&at, &n, (int)(fields & 1), &sample);

		if (n >= left)
			abort();
		if (rc == 1)
			check(&sample);
	}
	free(bytes);
	return 0;
}

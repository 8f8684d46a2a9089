/*
 * Fuzz target: the reader of saved profiles, and the views and writers on whatever it lets through.
 *
 * The checksums of the sections are corrected first, as otherwise no changed byte would get past them.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reports/profile/merge.h"
#include "reports/profile/profile_file.h"
#include "reports/profile/schema.h"
#include "reports/report.h"
#include "tests/fuzz/fuzz.h"

enum { MEMORY_BYTES = 256 * 1024 * 1024 };

static void mend(uint8_t *data, size_t n_bytes)
{
	size_t at = OMPP_FILE_HEADER_BYTES;

	while (at < n_bytes && n_bytes - at >= OMPP_SECTION_HEADER_BYTES) {
		uint8_t *p = data + at;
		size_t rest = n_bytes - at - OMPP_SECTION_HEADER_BYTES;
		uint64_t n_words = ompp_get32(p + 4), n_records = ompp_get64(p + 8), n_blob = ompp_get64(p + 16),
			 n_payload;

		if (__builtin_mul_overflow(n_words * 8, n_records, &n_payload) ||
		    __builtin_add_overflow(n_payload, n_blob, &n_payload) || n_payload > rest)
			return;
		ompp_put64(p + 24, ompp_checksum(ompp_checksum(OMPP_CHECKSUM_START, p, 24),
		                                 p + OMPP_SECTION_HEADER_BYTES, n_payload));
		at += OMPP_SECTION_HEADER_BYTES + n_payload;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
	static int null = -1;
	struct ompp_profile profiles[2], merged;
	struct ompp_report_options by_time = { .format = "csv", .sort = "time", .top = 3, .region = "R00001,a.c:5" };
	struct ompp_report_options two = { .views = "flat,callpath,data,memory,lines,touch",
		                           .object = "a,moved",
		                           .columns = "all" };
	struct ompp_arena arena;
	uint8_t *copy = malloc(n_bytes ? n_bytes : 1);
	const char *why = NULL;

	if (null < 0)
		null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (!copy)
		return 0;
	memcpy(copy, data, n_bytes);
	ompp_arena_init(&arena, MEMORY_BYTES);
	if (ompp_profile_parse(copy, n_bytes, &arena, &profiles[0], &why) && !why)
		abort();
	mend(copy, n_bytes);
	if (!ompp_profile_parse(copy, n_bytes, &arena, &profiles[0], &why)) {
		ompp_report_write(&profiles[0], "", "text", null, &arena);
		ompp_report_show(&profiles[0], &by_time, null, &arena);
		ompp_report_show(&profiles[0], &two, null, &arena);
		ompp_profile_write(&profiles[0], null, &arena);
		profiles[1] = profiles[0];
		if (!ompp_profile_merge(profiles, 2, &arena, &merged))
			ompp_report_write(&merged, "", "csv", null, &arena);
	}
	ompp_arena_fini(&arena);
	free(copy);
	return 0;
}

/*
 * Fuzz target: the reader of saved profiles, and the views and writers on whatever it lets through.
 *
 * The checksums of the sections are corrected first, as otherwise no changed byte would get past them.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reports/exchange/exchange.h"
#include "reports/profile/merge.h"
#include "reports/profile/profile_file.h"
#include "reports/profile/schema.h"
#include "reports/report.h"
#include "reports/web/report_page.h"
#include "runtime/base/array.h"
#include "runtime/base/checksum.h"
#include "tests/fuzz/fuzz.h"

enum { MEMORY_BYTES = 256 * 1024 * 1024, PLANTINGS = 16 };

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

/* Puts hostile numbers into columns that chance chooses, in all records of a section: sums of what is allowed there
 * must not overflow. */
static void plant(uint8_t *data, size_t n_bytes, uint64_t seed)
{
	static const uint64_t hostile[] = { INT64_MAX,         INT64_MAX - 1,       INT64_MAX / 2,
		                            INT64_MAX / 2 - 1, (uint64_t)INT64_MIN, 1,
		                            UINT64_MAX,        UINT64_MAX / 2,      (uint64_t)INT64_MIN + 1,
		                            UINT32_MAX };
	size_t at = OMPP_FILE_HEADER_BYTES;

	while (at < n_bytes && n_bytes - at >= OMPP_SECTION_HEADER_BYTES) {
		uint8_t *p = data + at, *words = p + OMPP_SECTION_HEADER_BYTES;
		uint64_t n_words = ompp_get32(p + 4), n_records = ompp_get64(p + 8), n_bytes_of_words;

		if (__builtin_mul_overflow(n_words * 8, n_records, &n_bytes_of_words) ||
		    n_bytes_of_words > n_bytes - at - OMPP_SECTION_HEADER_BYTES)
			return;
		for (uint64_t w = 0; w < n_words; w++) {
			seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
			for (uint64_t r = 0; r < n_records && seed >> 59 == 0; r++)
				ompp_put64(words + (r * n_words + w) * 8,
				           hostile[(seed >> 40) % OMPP_COUNT_OF(hostile)]);
		}
		at += OMPP_SECTION_HEADER_BYTES + n_bytes_of_words + ompp_get64(p + 16);
	}
}

/* Shows what the profile makes with itself as that of four processes, whose sums are the largest, in each format. */
static void show_merged(const struct ompp_profile *profile, int null, struct ompp_arena *arena)
{
	struct ompp_profile four[4] = { *profile, *profile, *profile, *profile }, merged;
	struct ompp_report_options options = { .format = "" };
	struct ompp_page_extra extra = { 0 };

	if (ompp_profile_merge(four, OMPP_COUNT_OF(four), arena, &merged))
		return;
	ompp_report_write(&merged, "", "text", null, arena);
	ompp_report_write(&merged, "", "csv", null, arena);
	ompp_report_page(&merged, &options, &extra, null, arena);
	for (size_t i = 0; (options.format = ompp_exchange_name(i)); i++)
		ompp_exchange_write(&merged, &options, null, arena);
}

/* Shows profiles with hostile numbers in place of those of the input, which is valid. */
static void show_hostile(const uint8_t *data, size_t n_bytes, int null)
{
	struct ompp_profile profile;
	struct ompp_arena arena;
	uint8_t *copy = malloc(n_bytes);
	uint64_t seed = ompp_checksum(OMPP_CHECKSUM_START, data, n_bytes);
	const char *why;

	for (int i = 0; copy && i < PLANTINGS; i++) {
		memcpy(copy, data, n_bytes);
		plant(copy, n_bytes, seed + (uint64_t)i);
		mend(copy, n_bytes);
		ompp_arena_init(&arena, MEMORY_BYTES);
		if (!ompp_profile_parse(copy, n_bytes, &arena, &profile, &why)) {
			ompp_report_write(&profile, "", "text", null, &arena);
			show_merged(&profile, null, &arena);
		}
		ompp_arena_fini(&arena);
	}
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
	static int null = -1;
	struct ompp_profile profile;
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
	if (ompp_profile_parse(copy, n_bytes, &arena, &profile, &why) && !why)
		abort();
	mend(copy, n_bytes);
	if (!ompp_profile_parse(copy, n_bytes, &arena, &profile, &why)) {
		ompp_report_write(&profile, "", "text", null, &arena);
		ompp_report_show(&profile, &by_time, null, &arena);
		ompp_report_show(&profile, &two, null, &arena);
		ompp_profile_write(&profile, null, &arena);
		show_merged(&profile, null, &arena);
		show_hostile(copy, n_bytes, null);
	}
	ompp_arena_fini(&arena);
	free(copy);
	return 0;
}

/*
 * Profile write: a profile to a file.  It runs in the measured process, under the rules of reports/report.h.
 */
#include "reports/profile/profile_file.h"

#include <errno.h>
#include <string.h>

#include "reports/profile/record.h"
#include "runtime/base/checksum.h"
#include "runtime/host/write.h"

/* Most records of a section: damage loses up to so many, and they determine the working memory. */
enum { RECORDS_PER_SECTION = 1024, MAX_BLOB_BYTES = 1024 * 1024 };

struct section {
	int fd, rc;
	struct ompp_arena *arena;
	unsigned char *words; /* header, then records */
	size_t n_words_bytes, have_words;
	unsigned char *blob;
	size_t n_blob_bytes, have_blob;
};

static unsigned char *profile_write_append(struct section *s, unsigned char **array, size_t *n, size_t *have,
                                           size_t n_bytes)
{
	void *grown = s->rc ? NULL : ompp_arena_grow(s->arena, *array, have, *n + n_bytes, 1);

	if (!grown) {
		s->rc = s->rc ? s->rc : -ENOMEM;
		return NULL;
	}
	*array = grown;
	*n += n_bytes;
	return *array + *n - n_bytes;
}

static void profile_write_start(struct section *s)
{
	s->n_words_bytes = s->n_blob_bytes = 0;
	profile_write_append(s, &s->words, &s->n_words_bytes, &s->have_words, OMPP_SECTION_HEADER_BYTES);
}

static void put_text(struct section *s, unsigned char *word, const char *text)
{
	size_t n = text ? strlen(text) + 1 : 1;
	unsigned char *p = profile_write_append(s, &s->blob, &s->n_blob_bytes, &s->have_blob, n);

	if (p)
		memcpy(p, text ? text : "", n);
	ompp_put64(word, s->n_blob_bytes - n);
}

static void put_record(struct section *s, const struct ompp_schema *schema, const char *record)
{
	struct ompp_words all = schema->words();
	unsigned char *words = profile_write_append(s, &s->words, &s->n_words_bytes, &s->have_words, 8 * all.n);

	for (size_t i = 0; i < all.n && words; i++, words += 8) {
		const char *at = record + all.list[i].offset;
		const char *text;
		uint32_t u32;
		int32_t i32;
		uint64_t u64;

		switch ((enum ompp_word_type)all.list[i].type) {
		case OMPP_WORD_U32:
			memcpy(&u32, at, sizeof(u32));
			ompp_put64(words, u32);
			break;
		case OMPP_WORD_I32:
			memcpy(&i32, at, sizeof(i32));
			ompp_put64(words, (uint64_t)(int64_t)i32);
			break;
		case OMPP_WORD_64:
			memcpy(&u64, at, sizeof(u64));
			ompp_put64(words, u64);
			break;
		case OMPP_WORD_TEXT:
			memcpy(&text, at, sizeof(text));
			put_text(s, words, text);
			break;
		}
	}
}

/* Leaves out the last words of the records where they are what a reader takes for absent ones in all of them: most
 * records have nothing of what only some constructs or ways of measuring have.  Returns how many words a record has. */
static size_t profile_write_shorten(struct section *s, const struct ompp_schema *schema, size_t n_records)
{
	struct ompp_words all = schema->words();
	unsigned char *records = s->words + OMPP_SECTION_HEADER_BYTES;
	size_t n = n_records ? 1 : all.n;

	for (size_t r = 0; r < n_records; r++)
		for (size_t i = all.n; i > n; i--)
			if (all.list[i - 1].type == OMPP_WORD_TEXT ||
			    ompp_get64(records + 8 * (r * all.n + i - 1)) != ompp_word_absent(&all.list[i - 1]))
				n = i;
	for (size_t r = 1; r < n_records && n < all.n; r++)
		memmove(records + 8 * r * n, records + 8 * r * all.n, 8 * n);
	s->n_words_bytes = OMPP_SECTION_HEADER_BYTES + 8 * n_records * n;
	return n;
}

static void profile_write_finish(struct section *s, const struct ompp_schema *schema, size_t n_records)
{
	uint64_t sum;

	if (s->rc)
		return;
	memcpy(s->words, schema->tag, 4);
	ompp_put32(s->words + 4, schema->words ? (uint32_t)profile_write_shorten(s, schema, n_records) : 0);
	ompp_put64(s->words + 8, n_records);
	ompp_put64(s->words + 16, s->n_blob_bytes);
	sum = ompp_checksum(OMPP_CHECKSUM_START, s->words, 24);
	sum = ompp_checksum(sum, s->words + OMPP_SECTION_HEADER_BYTES, s->n_words_bytes - OMPP_SECTION_HEADER_BYTES);
	ompp_put64(s->words + 24, ompp_checksum(sum, s->blob, s->n_blob_bytes));
	s->rc = ompp_write_all(s->fd, s->words, s->n_words_bytes);
	if (!s->rc)
		s->rc = ompp_write_all(s->fd, s->blob, s->n_blob_bytes);
}

/* Writes the records from number `from` to the one before `to` of an array, in as many sections as they need. */
static void put_records(struct section *s, enum ompp_section which, const void *array, size_t from, size_t to)
{
	const struct ompp_schema *schema = &ompp_schemas[which];

	while (from < to && !s->rc) {
		size_t n = 0;

		profile_write_start(s);
		while (from < to && n < RECORDS_PER_SECTION && s->n_blob_bytes < MAX_BLOB_BYTES) {
			put_record(s, schema, (const char *)array + from++ * schema->record_bytes);
			n++;
		}
		profile_write_finish(s, schema, n);
	}
}

/* Writes the cells, each section followed by the one of their values, so that damage loses both or none. */
static void put_cells(struct section *s, const struct ompp_profile *p)
{
	for (size_t i = 0; i < p->n_cells; i += RECORDS_PER_SECTION) {
		size_t end = i + RECORDS_PER_SECTION < p->n_cells ? i + RECORDS_PER_SECTION : p->n_cells;

		put_records(s, OMPP_SECTION_CELLS, p->cells, i, end);
		put_records(s, OMPP_SECTION_VALUES, p->values, i * p->n_metrics, end * p->n_metrics);
	}
}

static void put_section(struct section *s, const struct ompp_profile *p, enum ompp_section which)
{
	const void *list;
	size_t n = ompp_records(which, p, &list);

	put_records(s, which, list, 0, n);
}

int ompp_profile_write(const struct ompp_profile *p, int fd, struct ompp_arena *scratch)
{
	unsigned char header[OMPP_FILE_HEADER_BYTES] = { 0 };
	struct section s = { .fd = fd, .arena = scratch };

	memcpy(header, ompp_profile_magic, OMPP_PROFILE_MAGIC_BYTES);
	ompp_put32(header + 8, OMPP_PROFILE_VERSION);
	s.rc = ompp_write_all(fd, header, sizeof(header));
	put_records(&s, OMPP_SECTION_HEAD, p, 0, 1);
	for (int i = OMPP_SECTION_HEAD + 1; i < OMPP_SECTION_VALUES; i++)
		if (i == OMPP_SECTION_CELLS)
			put_cells(&s, p);
		else
			put_section(&s, p, i);
	profile_write_start(&s);
	profile_write_finish(&s, &ompp_schemas[OMPP_SECTION_END], 0);
	return s.rc;
}

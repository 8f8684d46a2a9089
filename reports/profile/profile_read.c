/*
 * Profile read: a profile from a file.  Every number in it is checked (profile_check.h).
 */
#include "reports/profile/profile_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "reports/profile/profile_check.h"
#include "reports/profile/schema.h"
#include "runtime/base/check.h"
#include "runtime/base/checksum.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"

enum { BATCH_SECTIONS = 32, BATCH_BYTES = 4 * 1024 * 1024, RECORDS_AT_ONCE = 32 };

struct reader {
	struct ompp_arena *arena;
	void *arrays[OMPP_N_SECTIONS];
	size_t n[OMPP_N_SECTIONS], have[OMPP_N_SECTIONS];
	size_t promised[OMPP_N_SECTIONS]; /* how many records the headers of the sections promise */
	int complete;                     /* 1 when the END section was reached */
	int repaired;                     /* 1 when what was read was inconsistent and was repaired */
};

int ompp_profile_is(const void *data, size_t n_bytes)
{
	return n_bytes >= OMPP_PROFILE_MAGIC_BYTES && !memcmp(data, ompp_profile_magic, OMPP_PROFILE_MAGIC_BYTES);
}

/* Words of one kind, in successive records. */
struct column {
	const unsigned char *from; /* the first record's word in the file; NULL: records of this section lack it */
	size_t from_bytes;         /* to the next record's */
	char *to;
	size_t to_bytes;
	const char *blob;
	size_t n_blob_bytes;
};

/* Fills in a word that the records of the section lack. */
static void column_absent(const struct column *c, const struct ompp_word *word, size_t n)
{
	uint64_t u64 = ompp_word_absent(word);
	uint32_t u32 = (uint32_t)u64;
	const char *text = "";

	for (size_t i = 0; i < n; i++) {
		char *at = c->to + i * c->to_bytes;

		if (word->type == OMPP_WORD_TEXT)
			memcpy(at, &text, sizeof(text));
		else if (word->type == OMPP_WORD_64)
			memcpy(at, &u64, sizeof(u64));
		else
			memcpy(at, &u32, sizeof(u32));
	}
}

/* Fills in a word of n records.  Returns the number of records before the first invalid one: a number that is too
 * large, or a text outside the blob, which ends with a NUL. */
static size_t column_get(const struct column *c, const struct ompp_word *word, size_t n)
{
	uint64_t most = word->type == OMPP_WORD_U32 ? UINT32_MAX : UINT64_MAX;

	for (size_t i = 0; i < n; i++) {
		uint64_t u64 = ompp_get64(c->from + i * c->from_bytes);
		char *at = c->to + i * c->to_bytes;
		uint32_t u32 = (uint32_t)u64;
		const char *text;

		if (word->type == OMPP_WORD_64) {
			memcpy(at, &u64, sizeof(u64));
		} else if (word->type == OMPP_WORD_TEXT) {
			if (u64 >= c->n_blob_bytes)
				return i;
			text = c->blob + u64;
			memcpy(at, &text, sizeof(text));
		} else {
			if (u64 > most)
				return i;
			memcpy(at, &u32, sizeof(u32));
		}
	}
	return n;
}

/* What the header of a section says. */
struct section_size {
	uint64_t n_words, n_records, n_blob_bytes;
	uint64_t n_word_bytes, n_payload;
	int which;
};

/* Reads the header of the section at p, with n_bytes left in the file.  Returns 0 when there is no section whose
 * payload is complete. */
static int read_header(const unsigned char *p, size_t n_bytes, struct section_size *size)
{
	if (n_bytes < OMPP_SECTION_HEADER_BYTES)
		return 0;
	n_bytes -= OMPP_SECTION_HEADER_BYTES;
	size->n_words = ompp_get32(p + 4);
	size->n_records = ompp_get64(p + 8);
	size->n_blob_bytes = ompp_get64(p + 16);
	if ((size->n_records && !size->n_words) ||
	    __builtin_mul_overflow(size->n_records, size->n_words * 8, &size->n_word_bytes) ||
	    size->n_word_bytes > n_bytes || size->n_blob_bytes > n_bytes - size->n_word_bytes)
		return 0;
	ompp_assert(size->n_word_bytes + size->n_blob_bytes <= n_bytes);
	size->n_payload = size->n_word_bytes + size->n_blob_bytes;
	for (size->which = 0; size->which < OMPP_N_SECTIONS; size->which++)
		if (!memcmp(p, ompp_schemas[size->which].tag, 4))
			break;
	return 1;
}

/* Fills in records from their words, some at a time, so that these stay in the cache while each kind of word is read
 * at one go.  Returns the number of records before the first invalid one. */
static size_t get_records(const struct ompp_schema *schema, char *records, const unsigned char *words,
                          const struct section_size *size, const char *blob)
{
	struct ompp_words all = schema->words();
	size_t done = 0;
	int are_good = 1;

	while (done < size->n_records && are_good) {
		size_t n = size->n_records - done < RECORDS_AT_ONCE ? size->n_records - done : RECORDS_AT_ONCE;
		size_t n_good = n;

		for (size_t i = 0; i < all.n; i++) {
			struct column c = { .from = i < size->n_words ? words + 8 * (done * size->n_words + i) : NULL,
				            .from_bytes = 8 * size->n_words,
				            .to = records + done * schema->record_bytes + all.list[i].offset,
				            .to_bytes = schema->record_bytes,
				            .blob = blob,
				            .n_blob_bytes = size->n_blob_bytes };

			if (c.from)
				n_good = column_get(&c, &all.list[i], n_good);
			else
				column_absent(&c, &all.list[i], n_good);
		}
		done += n_good;
		are_good = n_good == n;
	}
	return done;
}

/* Returns the array of a section with room for n_records more.  The first call makes room for all records that the
 * headers promise, so that the array need not be copied. */
static void *make_room(struct reader *r, int which, size_t n_records)
{
	size_t n = r->n[which] + n_records, n_bytes = ompp_schemas[which].record_bytes;

	if (!r->arrays[which] && r->promised[which] > n) {
		r->arrays[which] = ompp_arena_alloc(r->arena, r->promised[which] * n_bytes);
		r->have[which] = r->arrays[which] ? r->promised[which] : 0;
	}
	return ompp_arena_grow(r->arena, r->arrays[which], &r->have[which], n, n_bytes);
}

/* Reads the section at p, whose checksum was verified.  Returns its length; 0 if nothing more can be read; or -ENOMEM.
 */
static int64_t read_section(struct reader *r, const unsigned char *p, size_t n_bytes)
{
	struct section_size size;
	size_t n_good;
	char *blob = NULL;

	if (!read_header(p, n_bytes, &size))
		return 0;
	if (size.which == OMPP_SECTION_END)
		r->complete = 1;
	if (size.which < OMPP_SECTION_END) {
		const struct ompp_schema *schema = &ompp_schemas[size.which];
		const unsigned char *words = p + OMPP_SECTION_HEADER_BYTES;
		void *array = make_room(r, size.which, size.n_records);

		blob = ompp_arena_alloc(r->arena, size.n_blob_bytes + 1);
		if ((!array && size.n_records) || !blob)
			return -ENOMEM;
		memcpy(blob, words + size.n_word_bytes, size.n_blob_bytes);
		r->arrays[size.which] = array;
		n_good = size.n_records ? get_records(schema, (char *)array + r->n[size.which] * schema->record_bytes,
		                                      words, &size, blob)
		                        : 0;
		r->n[size.which] += n_good;
		if (n_good < size.n_records)
			return 0;
	}
	return (int64_t)(OMPP_SECTION_HEADER_BYTES + size.n_payload);
}

/* Puts those records of a section that are valid into the profile. */
static void assemble_section(struct reader *r, struct ompp_profile *p, enum ompp_section section)
{
	size_t n = ompp_valid_records(section, p, r->arrays[section], r->n[section]);

	ompp_assert(n <= r->n[section]);
	ompp_records_set(section, p, r->arrays[section], n);
	if (n < r->n[section])
		r->repaired = 1;
}

/* Discards all data measurements: elements that are not listed count as 0, so an incomplete list would be wrong. */
static void forget_data(struct reader *r, struct ompp_profile *p)
{
	struct ompp_object *objects = r->arrays[OMPP_SECTION_OBJECTS];

	for (size_t i = 0; i < p->n_objects; i++)
		objects[i].measured = 0;
	for (int i = OMPP_SECTION_ACCESSES; i < OMPP_SECTION_VALUES; i++)
		if (i != OMPP_SECTION_WAITS && i != OMPP_SECTION_CHUNKS && i != OMPP_SECTION_DURATIONS &&
		    i != OMPP_SECTION_DURATION_BUCKETS && i != OMPP_SECTION_DURATION_SLICES)
			ompp_records_set(i, p, r->arrays[i], 0);
	p->sample_source = p->sample_latencies = p->pages_method = "";
	p->touched = 0;
}

/* Adds a note about what is missing. */
static int add_note(struct reader *r, struct ompp_profile *p, size_t at_byte, size_t n_bytes)
{
	char buffer[200];
	struct ompp_text t;
	struct ompp_profile_note *notes = ompp_arena_grow(r->arena, r->arrays[OMPP_SECTION_NOTES],
	                                                  &r->have[OMPP_SECTION_NOTES], p->n_notes + 1, sizeof(*notes));
	const char *text;

	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_str(&t, "the profile file is damaged from byte ");
	ompp_text_u64(&t, at_byte);
	ompp_text_str(&t, " of ");
	ompp_text_u64(&t, n_bytes);
	ompp_text_str(&t, " on; this report shows what stands before that");
	text = ompp_arena_strdup(r->arena, buffer);
	if (!notes || !text)
		return -ENOMEM;
	notes[p->n_notes++] = (struct ompp_profile_note){ .text = text };
	p->is_damaged = 1;
	p->notes = notes;
	return 0;
}

/* Puts the cells with their values, and then the nodes that have them, into the profile.  The root is always there. */
static int assemble_nodes(struct reader *r, struct ompp_profile *p)
{
	struct ompp_node *nodes = r->arrays[OMPP_SECTION_NODES];

	assemble_section(r, p, OMPP_SECTION_CELLS);
	p->values = r->arrays[OMPP_SECTION_VALUES];
	if (p->n_metrics && r->n[OMPP_SECTION_VALUES] / p->n_metrics < p->n_cells) {
		p->n_cells = r->n[OMPP_SECTION_VALUES] / p->n_metrics;
		r->repaired = 1;
	}
	if (!r->n[OMPP_SECTION_NODES]) {
		nodes = ompp_arena_alloc(r->arena, sizeof(*nodes));
		if (!nodes)
			return -ENOMEM;
		*nodes = (struct ompp_node){ .parent = OMPP_NONE, .region = OMPP_NONE };
		r->n[OMPP_SECTION_NODES] = 1;
		r->repaired = 1;
	}
	p->nodes = nodes;
	p->n_nodes = ompp_valid_nodes(p, nodes, r->n[OMPP_SECTION_NODES], &r->repaired);
	if (p->n_nodes < r->n[OMPP_SECTION_NODES])
		r->repaired = 1;
	return p->n_nodes ? 0 : -EINVAL;
}

/* Assembles the profile from what was read, and drops what is inconsistent. */
static int profile_read_assemble(struct reader *r, struct ompp_profile *p, size_t at_byte, size_t n_bytes)
{
	int rc;

	memcpy(p, r->arrays[OMPP_SECTION_HEAD], sizeof(*p));
	ompp_check_head(p);
	for (int i = OMPP_SECTION_HEAD + 1; i < OMPP_SECTION_NODES; i++)
		assemble_section(r, p, i);
	rc = assemble_nodes(r, p);
	if (rc)
		return rc;
	for (int i = OMPP_SECTION_CELLS + 1; i < OMPP_SECTION_VALUES; i++)
		assemble_section(r, p, i);
	p->n_merged = (uint32_t)p->n_processes;
	if (!r->repaired && r->complete)
		return 0;
	forget_data(r, p);
	return add_note(r, p, at_byte, n_bytes);
}

/* ---- where the bytes come from ---- */

/* Bytes in memory or, when data is NULL, a file that is read one section at a time. */
struct input {
	const unsigned char *data;
	size_t n_bytes;
	size_t n_sound; /* sections that end here or before have the right checksum, as is known already */
	int fd;
	struct ompp_arena arena; /* the window's */
	unsigned char *window;
	size_t have_bytes;
};

/* Returns n bytes at `at`, which are valid until the next call; NULL when they cannot be read. */
static const unsigned char *profile_read_take(struct input *in, size_t at, size_t n)
{
	size_t n_read = 0;

	if (n > in->n_bytes || at > in->n_bytes - n)
		return NULL;
	if (in->data)
		return in->data + at;
	if (n > in->have_bytes) {
		ompp_arena_fini(&in->arena);
		in->window = ompp_arena_alloc(&in->arena, n);
		in->have_bytes = in->window ? n : 0;
	}
	while (in->window && n_read < n) {
		ssize_t more = ompp_sys_pread(in->fd, in->window + n_read, n - n_read, (off_t)(at + n_read));

		if (more == -EINTR)
			continue;
		if (more <= 0)
			return NULL;
		n_read += (size_t)more;
	}
	return in->window;
}

/* Adds up the numbers of records in the headers, up to the first invalid header. */
static void count_records(struct reader *r, struct input *in)
{
	size_t at = OMPP_FILE_HEADER_BYTES;
	const unsigned char *p;
	struct section_size size;

	while ((p = profile_read_take(in, at, OMPP_SECTION_HEADER_BYTES)) && read_header(p, in->n_bytes - at, &size) &&
	       size.which != OMPP_SECTION_END) {
		if (size.which < OMPP_SECTION_END)
			r->promised[size.which] += size.n_records;
		at += OMPP_SECTION_HEADER_BYTES + size.n_payload;
	}
}

/* Adjacent sections of the file that are read at once. */
struct batch {
	size_t n;
	size_t at[BATCH_SECTIONS + 1]; /* where each begins, and where the last ends */
	struct ompp_summed sums[BATCH_SECTIONS];
};

/* Finds the next sections to read, from `at` on; none at the end of the valid part. */
static void find_batch(struct input *in, size_t at, struct batch *b)
{
	struct section_size size = { .which = OMPP_N_SECTIONS };
	size_t start = at;
	const unsigned char *p;

	for (b->n = 0; b->n < BATCH_SECTIONS && at - start < BATCH_BYTES && size.which != OMPP_SECTION_END; b->n++) {
		b->at[b->n] = at;
		p = profile_read_take(in, at, OMPP_SECTION_HEADER_BYTES);
		if (!p || !read_header(p, in->n_bytes - at, &size))
			break;
		at += OMPP_SECTION_HEADER_BYTES + size.n_payload;
	}
	b->at[b->n] = at;
}

/* Computes the checksums of a batch that begins at p, but those that are known to be right.  Returns how many of its
 * first sections have the right one. */
static size_t batch_sum(struct batch *b, const unsigned char *p, size_t n_sound)
{
	size_t n = 0;

	while (n < b->n && b->at[n + 1] <= n_sound)
		n++;
	for (size_t i = n; i < b->n; i++) {
		const unsigned char *section = p + (b->at[i] - b->at[0]);

		b->sums[i].sum = ompp_checksum(OMPP_CHECKSUM_START, section, 24);
		b->sums[i].data = section + OMPP_SECTION_HEADER_BYTES;
		b->sums[i].n_bytes = b->at[i + 1] - b->at[i] - OMPP_SECTION_HEADER_BYTES;
	}
	ompp_checksums(b->sums + n, b->n - n);
	while (n < b->n && b->sums[n].sum == ompp_get64(p + (b->at[n] - b->at[0]) + 24))
		n++;
	return n;
}

/* Reads section after section.  Returns where it ended, or -ENOMEM. */
static int64_t read_sections(struct reader *r, struct input *in)
{
	struct batch batch;
	size_t at = OMPP_FILE_HEADER_BYTES;

	while (!r->complete) {
		const unsigned char *p = NULL;
		size_t n_right;

		find_batch(in, at, &batch);
		if (batch.n)
			p = profile_read_take(in, at, batch.at[batch.n] - at);
		if (!p)
			break;
		n_right = batch_sum(&batch, p, in->n_sound);
		for (size_t i = 0; i < batch.n; i++) {
			int64_t n = 0;

			if (i < n_right)
				n = read_section(r, p + (batch.at[i] - batch.at[0]), batch.at[i + 1] - batch.at[i]);
			if (n < 0)
				return n;
			if (!n)
				return (int64_t)at;
			at += (size_t)n;
		}
	}
	return (int64_t)at;
}

static int profile_read_parse(struct input *in, struct ompp_arena *arena, struct ompp_profile *profile,
                              const char **why)
{
	const unsigned char *p = profile_read_take(in, 0,
	                                           in->n_bytes < OMPP_FILE_HEADER_BYTES ? in->n_bytes
	                                                                                : OMPP_FILE_HEADER_BYTES);
	struct reader r = { .arena = arena };
	int64_t at;
	int rc;

	memset(profile, 0, sizeof(*profile));
	if (!p || !ompp_profile_is(p, in->n_bytes)) {
		*why = "not a saved profile; give a file whose name ends in .ompp";
		return -EINVAL;
	}
	if (in->n_bytes < OMPP_FILE_HEADER_BYTES) {
		*why = "the file ends within its header, nothing can be read; measure again";
		return -EINVAL;
	}
	if (ompp_get32(p + 8) > OMPP_PROFILE_VERSION) {
		*why = "written by a newer version of kinst; use that version's ompp";
		return -EPROTO;
	}
	if (ompp_get32(p + 8) < OMPP_PROFILE_VERSION) {
		*why = "written by an older version of kinst than this ompp can read; use that version's ompp";
		return -EPROTO;
	}
	count_records(&r, in);
	at = read_sections(&r, in);
	if (at < 0) {
		*why = "not enough memory";
		return (int)at;
	}
	if (!r.n[OMPP_SECTION_HEAD]) {
		*why = "damaged at its beginning, nothing can be read; measure again";
		return -EINVAL;
	}
	rc = profile_read_assemble(&r, profile, (size_t)at, in->n_bytes);
	if (rc)
		*why = rc == -ENOMEM ? "not enough memory"
		                     : "its call tree has no root, nothing can be read; measure again";
	return rc;
}

int ompp_profile_parse(const void *data, size_t n_bytes, struct ompp_arena *arena, struct ompp_profile *profile,
                       const char **why)
{
	struct input in = { .data = data, .n_bytes = n_bytes };

	return profile_read_parse(&in, arena, profile, why);
}

/* ---- several files ---- */

int ompp_profile_parse_image(const struct ompp_profile_image *image, struct ompp_arena *arena,
                             struct ompp_profile *profile, const char **why)
{
	struct input in = { .data = image->data, .n_bytes = image->n_bytes, .n_sound = image->n_sound };

	return profile_read_parse(&in, arena, profile, why);
}

void ompp_profile_sum(struct ompp_profile_image *images, size_t n)
{
	struct batch batches[OMPP_PROFILE_IMAGES];
	struct ompp_summed sums[OMPP_PROFILE_IMAGES * BATCH_SECTIONS];
	size_t n_sums = 0;

	ompp_assert(n <= OMPP_PROFILE_IMAGES);
	for (size_t i = 0; i < n; i++) {
		struct input in = { .data = images[i].data, .n_bytes = images[i].n_bytes };

		find_batch(&in, OMPP_FILE_HEADER_BYTES, &batches[i]);
		for (size_t k = 0; k < batches[i].n; k++) {
			const unsigned char *section = images[i].data + batches[i].at[k];

			sums[n_sums++] = (struct ompp_summed){ ompp_checksum(OMPP_CHECKSUM_START, section, 24),
				                               section + OMPP_SECTION_HEADER_BYTES,
				                               batches[i].at[k + 1] - batches[i].at[k] -
				                                       OMPP_SECTION_HEADER_BYTES };
		}
	}
	ompp_checksums(sums, n_sums);
	n_sums = 0;
	for (size_t i = 0; i < n; i++) {
		size_t k = 0;

		while (k < batches[i].n && sums[n_sums + k].sum == ompp_get64(images[i].data + batches[i].at[k] + 24))
			k++;
		images[i].n_sound = batches[i].at[k];
		n_sums += batches[i].n;
	}
}

/* ---- files ---- */

/* Reads a file without a known size, such as a pipe. */
static int read_stream(int fd, struct ompp_arena *arena, struct ompp_profile *profile, const char **why)
{
	char *data = NULL;
	size_t n_bytes = 0, have_bytes = 0;

	for (;;) {
		ssize_t n;
		char *grown = ompp_arena_grow(arena, data, &have_bytes, n_bytes + 65536, 1);

		if (!grown) {
			*why = "not enough memory";
			return -ENOMEM;
		}
		data = grown;
		n = ompp_sys_read(fd, data + n_bytes, have_bytes - n_bytes);
		if (n == -EINTR)
			continue;
		if (n < 0) {
			*why = "cannot be read";
			return (int)n;
		}
		if (!n)
			break;
		n_bytes += (size_t)n;
	}
	return ompp_profile_parse(data, n_bytes, arena, profile, why);
}

int ompp_profile_read(int fd, struct ompp_arena *arena, struct ompp_profile *profile, const char **why)
{
	struct input in = { .fd = fd };
	struct stat st;
	int rc;

	if (ompp_sys_fstat(fd, &st) || !S_ISREG(st.st_mode))
		return read_stream(fd, arena, profile, why);
	in.n_bytes = (size_t)st.st_size;
	ompp_arena_init(&in.arena, 0);
	rc = profile_read_parse(&in, arena, profile, why);
	ompp_arena_fini(&in.arena);
	return rc;
}

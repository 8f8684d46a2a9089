/*
 * Schema: see schema.h.
 */
#include "reports/profile/schema.h"

#include "reports/profile/profile.h"
#include "runtime/base/array.h"
#include "runtime/base/checksum.h"

/* It begins with a byte above 127 and has line ends of each kind, so that a transfer in text mode would damage it
 * visibly. */
const unsigned char ompp_profile_magic[8] = { 0x8f, 'o', 'm', 'p', 'p', '\r', '\n', '\n' };

/* The word type of each field type. */
enum {
	U32 = OMPP_WORD_U32,
	KNOWN32 = OMPP_WORD_U32,
	INDEX = OMPP_WORD_U32,
	LEAST = OMPP_WORD_U32,
	CONSTRUCT = OMPP_WORD_U32,
	ORIGIN = OMPP_WORD_U32,
	PARTS = OMPP_WORD_U32,
	PATTERN = OMPP_WORD_U32,
	SCOPE = OMPP_WORD_U32,
	KIND = OMPP_WORD_U32,
	LEVEL = OMPP_WORD_U32,
	CERTAINTY = OMPP_WORD_U32,
	INT = OMPP_WORD_I32,
	FLAG = OMPP_WORD_I32,
	RANK = OMPP_WORD_I32,
	KNOWN_INT = OMPP_WORD_I32,
	U64 = OMPP_WORD_64,
	KNOWN64 = OMPP_WORD_64,
	I64 = OMPP_WORD_64,
	ERROR = OMPP_WORD_64,
	MILLI = OMPP_WORD_64,
	TEXT = OMPP_WORD_TEXT,
	KNOWN_TEXT = OMPP_WORD_TEXT
};

/* clang-format off */
/* ---- the words of each section, in a function, where `record` is its struct ---- */

#define BEGIN(id, s) static struct ompp_words words_of_##id(void) { typedef s record; static const struct ompp_word list[] = {
#define FIELD(type, member, name, unit, sure, bound, join, sentence) \
	{ type, OMPP_BOUND_##bound, OMPP_JOIN_##join, offsetof(record, member) },
#define END(id) }; return (struct ompp_words){ list, OMPP_COUNT_OF(list) }; }

#define HIDDEN(type, member, bound, join, sentence) FIELD(type, member, "", "", EXACT, bound, join, sentence)
#define GATED(text, ...) FIELD(__VA_ARGS__)
#define MEMBER(...)
#define ALSO(...)
BEGIN(HEAD, struct ompp_profile)
#include "reports/profile/head.def"
END(HEAD)
BEGIN(VALUES, struct { int64_t value; })
FIELD(I64, value, "", "", BY_ROW, ANY, OWN, "")
END(VALUES)

#define SECTION(id, tag, s, list, n_list, table, sentence) BEGIN(id, struct s)
#include "reports/profile/fields.def"
#undef BEGIN
#undef GATED

/* ---- the order of each section ---- */

#define KEY(s, m)                                                                                                \
	{ _Generic(((const struct s *)NULL)->m, uint32_t: OMPP_WORD_U32, int64_t: OMPP_WORD_64, uint64_t: OMPP_WORD_64, \
	           const char *: OMPP_WORD_TEXT), offsetof(struct s, m) },
#define KEYS1(s, m)       KEY(s, m)
#define KEYS2(s, m, ...)  KEY(s, m) KEYS1(s, __VA_ARGS__)
#define KEYS3(s, m, ...)  KEY(s, m) KEYS2(s, __VA_ARGS__)
#define KEYS4(s, m, ...)  KEY(s, m) KEYS3(s, __VA_ARGS__)
#define KEYS5(s, m, ...)  KEY(s, m) KEYS4(s, __VA_ARGS__)
#define KEYS6(s, m, ...)  KEY(s, m) KEYS5(s, __VA_ARGS__)
#define KEYS7(s, m, ...)  KEY(s, m) KEYS6(s, __VA_ARGS__)
#define KEYS8(s, m, ...)  KEY(s, m) KEYS7(s, __VA_ARGS__)
#define KEYS9(s, m, ...)  KEY(s, m) KEYS8(s, __VA_ARGS__)
#define KEYS10(s, m, ...) KEY(s, m) KEYS9(s, __VA_ARGS__)
#define TENTH(a, b, c, d, e, f, g, h, i, j, k, ...) k
#define KEYS(s, ...) \
	TENTH(__VA_ARGS__, KEYS10, KEYS9, KEYS8, KEYS7, KEYS6, KEYS5, KEYS4, KEYS3, KEYS2, KEYS1, )(s, __VA_ARGS__)

#define SORTED(id, s, ...) static const struct ompp_key keys_of_##id[] = { KEYS(s, __VA_ARGS__) };
#define SORTED_APART SORTED
#include "reports/profile/fields.def"

const struct ompp_order ompp_orders[OMPP_N_SECTIONS] = {
#define SORTED(id, s, ...) [OMPP_SECTION_##id] = { keys_of_##id, OMPP_COUNT_OF(keys_of_##id), 0 },
#define SORTED_APART(id, s, ...) [OMPP_SECTION_##id] = { keys_of_##id, OMPP_COUNT_OF(keys_of_##id), 1 },
#define SORTED_BY_CODE(id) [OMPP_SECTION_##id] = { .are_apart = 1 },
#include "reports/profile/fields.def"
};

/* ---- the sections ---- */

const struct ompp_schema ompp_schemas[OMPP_N_SECTIONS] = {
	[OMPP_SECTION_HEAD] = { "HEAD", sizeof(struct ompp_profile), 0, 0, words_of_HEAD },
	[OMPP_SECTION_VALUES] = { "VALU", sizeof(int64_t), 0, 0, words_of_VALUES },
	[OMPP_SECTION_END] = { .tag = "END " },
#define SECTION(id, tag, s, list, n_list, table, sentence)                                                          \
	[OMPP_SECTION_##id] = { tag, sizeof(struct s), offsetof(struct ompp_profile, list),                         \
		                offsetof(struct ompp_profile, n_list), words_of_##id },
#include "reports/profile/fields.def"
};
/* clang-format on */

/* Multiplications that a processor has in flight: one starts in each cycle, and its latency is three or four cycles. */
enum { LANES = 4 };

/* Sums up n_bytes of each lane; unused lanes, from n_lanes on, repeat the first one. */
static void sum_lanes(struct ompp_summed *const *lanes, size_t n_lanes, size_t n_bytes)
{
	const struct ompp_summed *of[LANES];
	const unsigned char *p0, *p1, *p2, *p3;
	uint64_t s0, s1, s2, s3;

	for (size_t k = 0; k < LANES; k++)
		of[k] = lanes[k < n_lanes ? k : 0];
	p0 = of[0]->data, p1 = of[1]->data, p2 = of[2]->data, p3 = of[3]->data;
	s0 = of[0]->sum, s1 = of[1]->sum, s2 = of[2]->sum, s3 = of[3]->sum;
	for (size_t i = 0; i < n_bytes; i++) { /* unrolled, so that the sums stay in registers */
		s0 = (s0 ^ p0[i]) * OMPP_CHECKSUM_PRIME;
		s1 = (s1 ^ p1[i]) * OMPP_CHECKSUM_PRIME;
		s2 = (s2 ^ p2[i]) * OMPP_CHECKSUM_PRIME;
		s3 = (s3 ^ p3[i]) * OMPP_CHECKSUM_PRIME;
	}
	for (size_t k = 0; k < n_lanes; k++) {
		lanes[k]->sum = k == 0 ? s0 : k == 1 ? s1 : k == 2 ? s2 : s3;
		lanes[k]->data += n_bytes;
		lanes[k]->n_bytes -= n_bytes;
	}
}

void ompp_checksums(struct ompp_summed *pieces, size_t n)
{
	struct ompp_summed *lanes[LANES];
	size_t n_lanes = 0, next = 0;

	for (;;) {
		size_t n_bytes, n_left = 0;

		for (; n_lanes < LANES && next < n; next++)
			if (pieces[next].n_bytes)
				lanes[n_lanes++] = &pieces[next];
		if (!n_lanes)
			return;
		n_bytes = lanes[0]->n_bytes;
		for (size_t k = 1; k < n_lanes; k++)
			n_bytes = lanes[k]->n_bytes < n_bytes ? lanes[k]->n_bytes : n_bytes;
		sum_lanes(lanes, n_lanes, n_bytes);
		for (size_t k = 0; k < n_lanes; k++)
			if (lanes[k]->n_bytes)
				lanes[n_left++] = lanes[k];
		n_lanes = n_left;
	}
}

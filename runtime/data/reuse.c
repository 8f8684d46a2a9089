/*
 * Reuse: see reuse.h.
 *
 * A rung has a clock that each access moves on.  At each time there is the line whose latest access was then, or none;
 * a bit for each time says whether there is one, and a byte how many of 64 have one.  The distance is the number of
 * bits behind the line's time.  A line's time is found by a table with open addressing.  When the clock has come to its
 * end, the times are made consecutive again.
 */
#include "runtime/data/reuse.h"

#include <string.h>

#include "runtime/base/check.h"
#include "runtime/base/relaxed.h"
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum {
	MOST_LINES = 4096,
	N_TIMES = 4 * MOST_LINES,
	TABLE_BITS = 14,
	TABLE = 1 << TABLE_BITS,
	WORD_TIMES = 64,
	N_WORDS = N_TIMES / WORD_TIMES,
	N_RUNGS = 4,
	NOT_FOUND = -1
};

_Static_assert(N_WORDS % 16 == 0, "counts are added up 16 at a time");
_Static_assert(N_TIMES < UINT16_MAX && TABLE >= 2 * MOST_LINES, "times are 16 bits, and the table is half empty");

struct rung {
	uint32_t now, n_live;
	uint32_t oldest;        /* no time before it has a line */
	uint32_t has_lost;      /* 1 when a line had to make room for another */
	uint64_t line[N_TIMES]; /* by time; only where it is live */
	uint64_t live[N_WORDS]; /* a bit a time */
	uint8_t n_live_in[N_WORDS];
	uint16_t table[TABLE]; /* time + 1, or 0 */
};

struct ompp_reuse {
	uint64_t latest; /* the line that was used last + 1 */
	uint32_t is_busy;
	struct rung rungs[N_RUNGS];
};

size_t ompp_reuse_bytes(void)
{
	return sizeof(struct ompp_reuse);
}

static uint32_t reuse_hash(uint64_t line)
{
	return (uint32_t)(line * UINT64_C(0xD6E8FEB86659FD93) >> (64 - TABLE_BITS));
}

/* Returns where in the table a line is, or the free entry where it would be. */
static uint32_t reuse_entry(const struct rung *r, uint64_t line)
{
	uint32_t i = reuse_hash(line);

	while (r->table[i] && r->line[r->table[i] - 1] != line)
		i = (i + 1) & (TABLE - 1);
	return i;
}

/* Takes an entry out of the table; those behind it that would not be found any more move up. */
static void free_entry(struct rung *r, uint32_t hole)
{
	uint32_t i = hole;

	for (;;) {
		i = (i + 1) & (TABLE - 1);
		if (!r->table[i])
			break;
		if (((i - reuse_hash(r->line[r->table[i] - 1])) & (TABLE - 1)) >= ((i - hole) & (TABLE - 1))) {
			r->table[hole] = r->table[i];
			hole = i;
		}
	}
	r->table[hole] = 0;
}

static int is_live(const struct rung *r, uint32_t time)
{
	return r->live[time / WORD_TIMES] >> time % WORD_TIMES & 1;
}

static void set_live(struct rung *r, uint32_t time)
{
	r->live[time / WORD_TIMES] |= UINT64_C(1) << time % WORD_TIMES;
	r->n_live_in[time / WORD_TIMES]++;
	r->n_live++;
}

static void end_live(struct rung *r, uint32_t time)
{
	r->live[time / WORD_TIMES] &= ~(UINT64_C(1) << time % WORD_TIMES);
	r->n_live_in[time / WORD_TIMES]--;
	r->n_live--;
}

/* Makes the times of the lines consecutive, from 0 on. */
static void renumber(struct rung *r)
{
	uint32_t n = 0;

	for (uint32_t word = r->oldest / WORD_TIMES; word < N_WORDS; word++)
		for (uint64_t left = r->live[word]; left; left &= left - 1)
			r->line[n++] = r->line[word * WORD_TIMES + (uint32_t)__builtin_ctzll(left)];
	ompp_assert(n == r->n_live);
	memset(r->live, 0, sizeof(r->live));
	memset(r->n_live_in, 0, sizeof(r->n_live_in));
	memset(r->table, 0, sizeof(r->table));
	r->n_live = r->oldest = 0;
	r->now = n;
	for (uint32_t time = 0; time < n; time++) {
		set_live(r, time);
		r->table[reuse_entry(r, r->line[time])] = (uint16_t)(time + 1);
	}
}

/* Takes out the line that was used longest ago. */
static void lose_oldest(struct rung *r)
{
	while (!is_live(r, r->oldest))
		r->oldest++;
	free_entry(r, reuse_entry(r, r->line[r->oldest]));
	end_live(r, r->oldest);
	r->has_lost = 1;
}

/* Returns the sum of the bytes from index `from` to `end`; behind that there may be zeros up to N_WORDS. */
static uint32_t sum_between(const uint8_t *bytes, uint32_t from, uint32_t end)
{
#if defined(__SSE2__)
	static const uint8_t is_wanted[32] = { [16] = 255, 255, 255, 255, 255, 255, 255, 255,
		                               255,        255, 255, 255, 255, 255, 255, 255 };
	uint32_t i = from / 16 * 16;
	__m128i sum = _mm_setzero_si128(), block, wanted;

	if (from >= end)
		return 0;
	wanted = _mm_loadu_si128((const __m128i *)(const void *)(is_wanted + 16 - from % 16));
	block = _mm_and_si128(_mm_loadu_si128((const __m128i *)(const void *)(bytes + i)), wanted);
	for (;;) {
		sum = _mm_add_epi64(sum, _mm_sad_epu8(block, _mm_setzero_si128()));
		i += 16;
		if (i >= end)
			break;
		block = _mm_loadu_si128((const __m128i *)(const void *)(bytes + i));
	}
	return (uint32_t)_mm_extract_epi16(sum, 0) + (uint32_t)_mm_extract_epi16(sum, 4);
#else
	uint32_t sum = 0;

	for (uint32_t i = from; i < end; i++)
		sum += bytes[i];
	return sum;
#endif
}

/* Returns how many bits are set: what the compiler calls for that, where the processor may have no such instruction,
 * takes longer. */
static uint32_t n_bits(uint64_t word)
{
	word -= word >> 1 & UINT64_C(0x5555555555555555);
	word = (word & UINT64_C(0x3333333333333333)) + (word >> 2 & UINT64_C(0x3333333333333333));
	word = (word + (word >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
	return (uint32_t)(word * UINT64_C(0x0101010101010101) >> 56);
}

/* Returns how many lines have later times. */
static uint32_t n_behind(const struct rung *r, uint32_t time)
{
	uint32_t word = time / WORD_TIMES;

	return n_bits(r->live[word] >> time % WORD_TIMES) - 1 +
	       sum_between(r->n_live_in, word + 1, (r->now + WORD_TIMES - 1) / WORD_TIMES);
}

/* Makes a line the one used last.  Returns how many others were used since its last access, or NOT_FOUND.
 * is_asked: 0 when nobody wants to know, and 0 will do */
static inline __attribute__((always_inline)) int64_t use_line(struct rung *r, uint64_t line, int is_asked)
{
	int64_t distance = NOT_FOUND;
	uint32_t at;

	if (r->now && is_live(r, r->now - 1) && r->line[r->now - 1] == line)
		return 0;
	if (r->now == N_TIMES)
		renumber(r);
	at = reuse_entry(r, line);
	if (r->table[at]) {
		uint32_t time = r->table[at] - 1u;

		distance = is_asked ? n_behind(r, time) : 0;
		end_live(r, time);
	} else if (r->n_live == MOST_LINES) {
		lose_oldest(r);
		at = reuse_entry(r, line);
	}
	ompp_assert(r->now < N_TIMES && !is_live(r, r->now));
	r->line[r->now] = line;
	r->table[at] = (uint16_t)(r->now + 1);
	set_live(r, r->now++);
	return distance;
}

unsigned int ompp_reuse_bucket(uint64_t distance)
{
	unsigned int octave;

	ompp_assert(distance >= OMPP_REUSE_LEAST);
	octave = 63 - (unsigned int)__builtin_clzll(distance);
	if (octave >= OMPP_REUSE_LEAST_BITS + OMPP_REUSE_OCTAVES)
		return OMPP_REUSE_FAR;
	return (octave - OMPP_REUSE_LEAST_BITS) * OMPP_REUSE_PARTS + (distance >> (octave - 2) & 3);
}

uint64_t ompp_reuse_least(unsigned int bucket)
{
	return (uint64_t)(OMPP_REUSE_PARTS + bucket % OMPP_REUSE_PARTS)
	    << (bucket / OMPP_REUSE_PARTS + OMPP_REUSE_LEAST_BITS - 2);
}

/* Returns which half of the sample a line is in.  Neighbours are in different halves, in an order by chance. */
static unsigned int half_of(uint64_t group)
{
	return (unsigned int)((group >> 1) * UINT64_C(0x9E3779B97F4A7C15) >> 63 ^ group) & 1;
}

static void reuse_count(uint64_t *slots, uint64_t group, unsigned int bucket, unsigned int weight_bits)
{
	uint64_t *slot = slots + half_of(group) * OMPP_REUSE_BUCKETS + bucket;

	OMPP_STORE(slot, *slot + (UINT64_C(1) << weight_bits));
}

uint64_t ompp_reuse_latest(const struct ompp_reuse *reuse)
{
	return reuse->latest - 1;
}

/* A rung answers for a line that it has, and for each one when it never lost any.  Else those that are in the next rung
 * answer for all. */
void ompp_reuse_access(struct ompp_reuse *reuse, uint64_t line, uint64_t *slots)
{
	uint64_t group = line;

	if (ompp_reuse_is_latest(reuse, line) || reuse->is_busy)
		return; /* a signal handler's access, while the thread itself is here, is not seen */
	reuse->is_busy = 1;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	reuse->latest = line + 1;
	for (unsigned int i = 0, bits = OMPP_REUSE_GROUP_BITS; i < N_RUNGS; i++, bits += OMPP_REUSE_GROUP_BITS) {
		int was_complete = !reuse->rungs[i].has_lost;
		int64_t n;
		uint64_t distance;

		if (!ompp_reuse_is_sampled(group))
			break;
		group >>= OMPP_REUSE_GROUP_BITS;
		n = use_line(&reuse->rungs[i], line, slots != NULL);
		if (!slots || (n == NOT_FOUND && !was_complete && i < N_RUNGS - 1))
			continue;
		distance = n == NOT_FOUND ? 0 : ((uint64_t)n << bits) + (n ? UINT64_C(1) << (bits - 1) : 0);
		if (n == NOT_FOUND)
			reuse_count(slots, group, was_complete ? OMPP_REUSE_COLD : OMPP_REUSE_FAR, bits);
		else if (distance >= OMPP_REUSE_LEAST)
			reuse_count(slots, group, ompp_reuse_bucket(distance), bits);
		slots = NULL;
	}
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	reuse->is_busy = 0;
}

/*
 * Reuse: see reuse.h.
 *
 * A rung has a clock that each access moves on.  At each time there is a line whose latest access was then, until the
 * line is used again or lost: the time is dead then, of which there is a bit, and counts of these by word and by block
 * of words.  The distance is the number of later times that are not dead.  When the clock has come to its end, the
 * times of the lines are made consecutive again.
 *
 * A line has a node as long as it is in the rung, which is found by a hash of the line.  But loops use lines in the
 * order in which they used them before: so the first guess is the line that is due, which was used just after the one
 * before was.  Its distance is the same: instead of itself the one before is behind it now.
 */
#include "runtime/data/reuse.h"

#include <signal.h>
#include <string.h>

#include "runtime/base/check.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/sys.h"
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum {
	MOST_LINES = 4096,
	N_TIMES = 4 * MOST_LINES,
	TABLE_BITS = 13,
	TABLE = 1 << TABLE_BITS,
	WORD_TIMES = 64,
	N_WORDS = N_TIMES / WORD_TIMES,
	BLOCK_WORDS = 16,
	N_BLOCKS = N_WORDS / BLOCK_WORDS,
	N_RUNGS = 4,
	NOT_FOUND = -1
};

_Static_assert(BLOCK_WORDS == 16 && N_BLOCKS == 16, "counts are added up 16 at a time");
_Static_assert(N_TIMES < UINT16_MAX, "times and nodes are 16 bits");

struct rung {
	uint32_t now;               /* less than N_TIMES */
	uint32_t n_lines, has_lost; /* has_lost: 1 when a line had to make room for another */
	uint32_t oldest;            /* all times of the words before it are dead */
	uint32_t due, n_due;        /* if this time is not dead, so many lines have later ones */
	uint64_t dead[N_WORDS];     /* a bit a time */
	uint8_t n_in_word[N_WORDS]; /* how many bits it has */
	uint16_t n_in_block[N_BLOCKS];
	uint16_t node[N_TIMES];    /* by time; only where it is not dead */
	uint64_t line[MOST_LINES]; /* by node */
	uint16_t time[MOST_LINES];
	uint16_t next[MOST_LINES]; /* node + 1 of the next line with this hash, or 0 */
	uint16_t table[TABLE];     /* by hash: node + 1 of the first line, or 0 */
};

struct ompp_reuse {
	uint64_t latest; /* the line that was used last + 1 */
	uint32_t is_busy;
	uintptr_t held_at; /* the frame of who has it held; 0 for nobody */
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

/* ---- times ---- */

static inline void end_time(struct rung *r, uint32_t time)
{
	uint32_t word = time / WORD_TIMES;

	r->dead[word] |= UINT64_C(1) << time % WORD_TIMES;
	r->n_in_word[word]++;
	r->n_in_block[word / BLOCK_WORDS]++;
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

/* Returns how many bits later words of a word's block and later blocks have. */
static inline uint32_t n_in_later(const struct rung *r, uint32_t word)
{
	uint32_t block = word / BLOCK_WORDS;
#if defined(__SSE2__)
	static const uint8_t later_words[2 * BLOCK_WORDS] = {
		[BLOCK_WORDS] = 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255
	};
	static const uint16_t later_blocks[2 * N_BLOCKS] = {
		[N_BLOCKS] = 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1
	};
	const uint8_t *words = later_words + BLOCK_WORDS - 1 - word % BLOCK_WORDS;
	const uint16_t *blocks = later_blocks + N_BLOCKS - 1 - block;
	const __m128i *n = (const __m128i *)(const void *)r->n_in_block;
	__m128i sum = _mm_and_si128(_mm_loadu_si128((const __m128i *)(const void *)words),
	                            _mm_loadu_si128(
					    (const __m128i *)(const void *)(r->n_in_word + block * BLOCK_WORDS)));

	sum = _mm_sad_epu8(sum, _mm_setzero_si128());
	for (uint32_t i = 0; i < N_BLOCKS / 8; i++)
		sum = _mm_add_epi32(sum, _mm_madd_epi16(_mm_loadu_si128(n + i),
		                                        _mm_loadu_si128((const __m128i *)(const void *)blocks + i)));
	sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4E));
	return (uint32_t)_mm_cvtsi128_si32(sum) + (uint32_t)_mm_cvtsi128_si32(_mm_shuffle_epi32(sum, 0xB1));
#else
	uint32_t sum = 0;

	for (uint32_t i = word + 1; i < (block + 1) * BLOCK_WORDS; i++)
		sum += r->n_in_word[i];
	for (uint32_t i = block + 1; i < N_BLOCKS; i++)
		sum += r->n_in_block[i];
	return sum;
#endif
}

/* Returns how many lines have later times than that of a line. */
static inline uint32_t n_behind(const struct rung *r, uint32_t time)
{
	return r->now - 1 - time - n_bits(r->dead[time / WORD_TIMES] >> time % WORD_TIMES) -
	       n_in_later(r, time / WORD_TIMES);
}

/* Makes the times of the lines consecutive, from 0 on. */
static __attribute__((noinline)) void renumber(struct rung *r)
{
	uint32_t n = 0;

	for (uint32_t word = r->oldest; word < N_WORDS; word++)
		for (uint64_t left = ~r->dead[word]; left; left &= left - 1) {
			uint16_t node = r->node[word * WORD_TIMES + (uint32_t)__builtin_ctzll(left)];

			r->node[n] = node;
			r->time[node] = (uint16_t)n++;
		}
	ompp_assert(n == r->n_lines);
	memset(r->dead, 0, sizeof(r->dead));
	memset(r->n_in_word, 0, sizeof(r->n_in_word));
	memset(r->n_in_block, 0, sizeof(r->n_in_block));
	r->oldest = 0;
	r->due = N_TIMES;
	r->now = n;
}

/* ---- lines ---- */

/* Returns the node of a line, or NOT_FOUND. */
static inline int32_t find_node(const struct rung *r, uint64_t line)
{
	int32_t node = r->table[reuse_hash(line)] - 1;

	while (node >= 0 && r->line[node] != line)
		node = r->next[node] - 1;
	return node;
}

/* Takes out the line that was used longest ago.  Returns its node. */
static uint32_t lose_oldest(struct rung *r)
{
	uint32_t time, node;
	uint16_t *to;

	while (!~r->dead[r->oldest])
		r->oldest++;
	time = r->oldest * WORD_TIMES + (uint32_t)__builtin_ctzll(~r->dead[r->oldest]);
	node = r->node[time];
	to = &r->table[reuse_hash(r->line[node])];
	while (*to != node + 1)
		to = &r->next[*to - 1];
	*to = r->next[node];
	end_time(r, time);
	r->has_lost = 1;
	return node;
}

/* Returns a node for a line that has none. */
static uint32_t new_node(struct rung *r, uint64_t line)
{
	uint32_t node = r->n_lines < MOST_LINES ? r->n_lines++ : lose_oldest(r);
	uint16_t *first = &r->table[reuse_hash(line)];

	r->line[node] = line;
	r->next[node] = *first;
	*first = (uint16_t)(node + 1);
	return node;
}

/* Makes a line the one used last.  Returns how many others were used since its last access, or NOT_FOUND.
 * least: a distance below it need not be exact, but less, too */
static inline __attribute__((always_inline)) int32_t use_line(struct rung *r, uint64_t line, uint32_t least)
{
	uint32_t now = r->now, time = r->due, node;
	int32_t distance, found;

	if (time < now && (node = r->node[time], r->line[node] == line) && r->time[node] == time) {
		distance = (int32_t)r->n_due;
		r->due = time + 1;
		end_time(r, time);
	} else if ((found = find_node(r, line)) >= 0) {
		node = (uint32_t)found;
		time = r->time[node];
		distance = 0;
		if (now - time == 1)
			return 0;
		if (now - time <= least) {
			r->n_due += time < r->due;
		} else {
			distance = (int32_t)n_behind(r, time);
			r->n_due = (uint32_t)distance;
			r->due = time + 1;
		}
		end_time(r, time);
	} else {
		node = new_node(r, line);
		r->n_due += now > r->due; /* the first line is due itself */
		distance = NOT_FOUND;
	}
	ompp_assert(now < N_TIMES);
	r->node[now] = (uint16_t)node;
	r->time[node] = (uint16_t)now;
	r->now = ++now;
	if (__builtin_expect(now == N_TIMES, 0))
		renumber(r);
	return distance;
}

unsigned int ompp_reuse_bucket(uint64_t distance)
{
	unsigned int octave;

	ompp_assert(distance >= OMPP_REUSE_LEAST);
	octave = (unsigned int)__builtin_clzll(distance) ^ 63;
	if (octave >= OMPP_REUSE_LEAST_BITS + OMPP_REUSE_OCTAVES)
		return OMPP_REUSE_FAR;
	return (octave - OMPP_REUSE_LEAST_BITS - 1) * OMPP_REUSE_PARTS + (unsigned int)(distance >> (octave - 2));
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

/* Makes an access to a line of a rung, whose distances stand for 1 << bits lines.  Returns 0 if those that are in the
 * next rung have to answer for it.
 * group: the line's among the rung's
 * least: distances below it are in no bucket; N_TIMES when nothing is to be counted */
static inline __attribute__((always_inline)) int use_rung(struct rung *r, uint64_t line, uint64_t group,
                                                          unsigned int bits, uint32_t least, uint64_t *slots)
{
	int was_complete = !r->has_lost;
	int32_t n = use_line(r, line, least);

	if (__builtin_expect(n == NOT_FOUND, 0)) {
		if (!was_complete && bits < N_RUNGS * OMPP_REUSE_GROUP_BITS)
			return 0;
		if (least < N_TIMES)
			reuse_count(slots, group, was_complete ? OMPP_REUSE_COLD : OMPP_REUSE_FAR, bits);
	} else if ((uint32_t)n >= least) {
		reuse_count(slots, group, ompp_reuse_bucket((((uint64_t)n << 1) + 1) << (bits - 1)), bits);
	}
	return 1;
}

/* Makes the access in the further rungs.
 * group: the line's in the first rung */
static __attribute__((noinline)) void use_further(struct rung *r, uint64_t line, uint64_t group, uint32_t least,
                                                  uint64_t *slots)
{
	for (unsigned int i = 2; i <= N_RUNGS && ompp_reuse_is_sampled(group); i++) {
		group >>= OMPP_REUSE_GROUP_BITS;
		if (use_rung(++r, line, group, i * OMPP_REUSE_GROUP_BITS, least, slots))
			least = N_TIMES;
	}
}

/* Has a jump left the frame that holds reuse, now that another one at this address wants to?  Where that is not
 * certain, it has not: accesses that are let in twice would be wrong, those of a handler that are not seen are few.
 * COLD. */
static __attribute__((noinline, cold)) int hold_is_left(uintptr_t held_at, uintptr_t stack)
{
	stack_t other;
	uintptr_t lo, n_bytes;
	int is_there, was_there;

	if (ompp_sys_sigaltstack(NULL, &other) < 0 || other.ss_flags & SS_DISABLE)
		return stack >= held_at;
	lo = (uintptr_t)other.ss_sp;
	n_bytes = other.ss_size;
	is_there = stack - lo < n_bytes;
	was_there = held_at - lo < n_bytes;
	return is_there == was_there ? stack >= held_at : was_there;
}

int ompp_reuse_hold(struct ompp_reuse *reuse, uintptr_t stack)
{
	int before = (int)reuse->is_busy;

	if (before && reuse->held_at && hold_is_left(reuse->held_at, stack))
		before = 0;
	reuse->held_at = stack;
	reuse->is_busy = 1;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	return before;
}

void ompp_reuse_go_on(struct ompp_reuse *reuse, int before)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	reuse->is_busy = (uint32_t)before;
	reuse->held_at = before ? reuse->held_at : 0;
}

/* A rung answers for a line that it has, and for each one when it never lost any.  Else those that are in the next rung
 * answer for all. */
void ompp_reuse_access(struct ompp_reuse *reuse, uint64_t line, uint64_t *slots)
{
	uint64_t group = line >> OMPP_REUSE_GROUP_BITS;
	uint32_t least = slots ? OMPP_REUSE_LEAST >> OMPP_REUSE_GROUP_BITS : N_TIMES;
	int is_answered;

	if (ompp_reuse_is_latest(reuse, line) || reuse->is_busy)
		return; /* a signal handler's access, while the thread itself is here, is not seen */
	reuse->is_busy = 1;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	reuse->latest = line + 1;
	is_answered = use_rung(reuse->rungs, line, group, OMPP_REUSE_GROUP_BITS, least, slots);
	if (__builtin_expect(ompp_reuse_is_sampled(group), 0))
		use_further(reuse->rungs, line, group, is_answered || !slots ? N_TIMES : 1, slots);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	reuse->is_busy = 0;
}

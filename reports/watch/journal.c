/*
 * Journal: see journal.h.
 */
#include "reports/watch/journal.h"

#include "config.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "reports/watch/recording.h"

enum {
	BLOCK_BYTES = 32 * 1024, /* of lines, before compression; a longer line has a block of its own */
	LEVEL = 3                /* of the compression */
};

/* Lines that are kept as long as later lines depend on them, or until they are replaced. */
struct text {
	size_t n_users, n_bytes;
	uint64_t version;
	char bytes[];
};

/* A sequence of lines that depend on the same header and head. */
struct block {
	struct block *next;
	struct text *header, *head;
	uint64_t first; /* number of the first line */
	size_t n_lines, n_plain, n_kept;
	int64_t time_ns; /* of its first sample; -1: it has none */
	char *bytes;     /* n_kept bytes, compressed if that is less than n_plain; NULL in the newest block */
};

struct store {
	struct text *header, *head;    /* for the next line */
	struct block *oldest, *newest; /* the newest is still being written, into open */
	char *open;
	uint64_t first, next; /* numbers: those from first to next - 1 are kept */
	size_t n_bytes, most_bytes, room;
	int has_times;     /* sample times ascend, so a reader has had all before the last one that it got */
	int is_head_whole; /* the head has its columns, so the next sensor line begins a new head */
	/* cache: the block that was read last, decompressed, and the place of the next line in it */
	const struct block *read; /* where plain_first is not 0 */
	uint64_t plain_first, at_number;
	char *plain;
	size_t plain_room, at;
};

struct ompp_journal {
	pthread_mutex_t lock;
	struct store lines, older;
	struct text *state, *catalog;
	uint64_t version; /* of the text that was made last */
#ifdef HAVE_ZSTD
	ZSTD_CCtx *packer;
	ZSTD_DCtx *unpacker;
	char *packed;
	size_t packed_room;
#endif
};

static struct text *journal_make(struct ompp_journal *j, const struct text *before, const char *bytes, size_t n_bytes)
{
	size_t n = before ? before->n_bytes : 0;
	struct text *t = malloc(sizeof(*t) + n + n_bytes);

	if (!t)
		return NULL;
	*t = (struct text){ .n_users = 1, .n_bytes = n + n_bytes, .version = ++j->version };
	if (n)
		memcpy(t->bytes, before->bytes, n);
	memcpy(t->bytes + n, bytes, n_bytes);
	return t;
}

static void journal_drop(struct text *t)
{
	if (t && !--t->n_users)
		free(t);
}

static struct text *journal_share(struct text *t)
{
	if (t)
		t->n_users++;
	return t;
}

static void journal_put(struct text **place, struct text *t)
{
	if (!t)
		return; /* without memory the previous text is kept */
	journal_drop(*place);
	*place = t;
}

struct ompp_journal *ompp_journal_open(size_t most_bytes, size_t most_older)
{
	struct ompp_journal *j = calloc(1, sizeof(*j));

	if (!j)
		return NULL;
	pthread_mutex_init(&j->lock, NULL);
	j->lines = (struct store){ .first = 1, .next = 1, .most_bytes = most_bytes, .has_times = most_older != 0 };
	j->older = (struct store){ .first = 1, .next = 1, .most_bytes = most_older, .has_times = 1 };
#ifdef HAVE_ZSTD
	j->packer = ZSTD_createCCtx();
	j->unpacker = ZSTD_createDCtx();
#endif
	return j;
}

static size_t size_of(const struct block *b)
{
	return sizeof(*b) + b->n_kept;
}

static void drop_oldest(struct store *s)
{
	struct block *b = s->oldest;

	s->first = b->first + b->n_lines;
	s->oldest = b->next;
	if (!b->next)
		s->newest = NULL;
	s->n_bytes -= size_of(b);
	if (s->plain_first == b->first)
		s->plain_first = 0;
	journal_drop(b->header), journal_drop(b->head);
	free(b->bytes);
	free(b);
}

static void close_store(struct store *s)
{
	while (s->oldest)
		drop_oldest(s);
	journal_drop(s->header), journal_drop(s->head);
	free(s->plain);
	free(s->open);
}

void ompp_journal_close(struct ompp_journal *j)
{
	close_store(&j->lines);
	close_store(&j->older);
	journal_drop(j->state), journal_drop(j->catalog);
#ifdef HAVE_ZSTD
	ZSTD_freeCCtx(j->packer);
	ZSTD_freeDCtx(j->unpacker);
	free(j->packed);
#endif
	pthread_mutex_destroy(&j->lock);
	free(j);
}

/* Makes sure that a buffer has at least n_bytes.  Returns 0, or -1 without memory. */
static int journal_widen(char **buffer, size_t *room, size_t n_bytes)
{
	char *more = n_bytes > *room ? realloc(*buffer, n_bytes) : *buffer;

	if (!more)
		return -1;
	*buffer = more;
	*room = n_bytes > *room ? n_bytes : *room;
	return 0;
}

/* Closes the newest block: moves it, compressed if possible, to memory of its own.  Without memory its lines are
 * lost. */
static void journal_pack(struct ompp_journal *j, struct store *s, struct block *b)
{
	const char *from = s->open;
	size_t n = b->n_plain;

#ifdef HAVE_ZSTD
	if (j->packer && !journal_widen(&j->packed, &j->packed_room, ZSTD_compressBound(b->n_plain))) {
		size_t n_packed = ZSTD_compressCCtx(j->packer, j->packed, j->packed_room, s->open, b->n_plain, LEVEL);

		if (!ZSTD_isError(n_packed) && n_packed < n) {
			from = j->packed;
			n = n_packed;
		}
	}
#else
	(void)j;
#endif
	s->n_bytes -= size_of(b);
	b->bytes = malloc(n);
	if (b->bytes)
		memcpy(b->bytes, from, n);
	b->n_kept = n;
	s->n_bytes += size_of(b);
	if (s->plain_first == b->first)
		s->plain_first = 0;
}

/* Returns the block for a line of so many bytes, or NULL without memory. */
static struct block *block_for(struct ompp_journal *j, struct store *s, size_t n_bytes)
{
	struct block *b = s->newest;

	if (b && b->header == s->header && b->head == s->head && b->n_plain + n_bytes <= BLOCK_BYTES)
		return b;
	if (b)
		journal_pack(j, s, b);
	b = calloc(1, sizeof(*b));
	if (!b || journal_widen(&s->open, &s->room, n_bytes > BLOCK_BYTES ? n_bytes : BLOCK_BYTES)) {
		free(b);
		return NULL;
	}
	b->header = journal_share(s->header);
	b->head = journal_share(s->head);
	b->first = s->next;
	b->time_ns = -1;
	if (s->newest)
		s->newest->next = b;
	else
		s->oldest = b;
	s->newest = b;
	s->n_bytes += size_of(b);
	return b;
}

static int journal_begins(const char *line, size_t n, const char *with)
{
	return n >= strlen(with) && !memcmp(line, with, strlen(with));
}

/* Returns the time of a line's sample, or -1 for other lines, such as those of threads, which repeat the time of their
 * sample. */
static int64_t time_of(const char *line, size_t n)
{
	char *end;
	int64_t time_ns;

	/* a line includes its newline, so the number ends within it */
	if (n < 16 || !journal_begins(line, n, "{\"t\":"))
		return -1;
	time_ns = strtoll(line + 5, &end, 10);
	return journal_begins(end, n - (size_t)(end - line), ",\"dt\":") ? time_ns : -1;
}

static void add_line(struct ompp_journal *j, struct store *s, const char *bytes, size_t n_bytes)
{
	struct block *b = block_for(j, s, n_bytes);

	if (!b) { /* all readers miss the line and those before it */
		s->next++;
		while (s->oldest)
			drop_oldest(s);
		s->first = s->next;
		return;
	}
	memcpy(s->open + b->n_plain, bytes, n_bytes);
	b->n_plain += n_bytes;
	b->n_kept += n_bytes;
	s->n_bytes += n_bytes;
	b->n_lines++;
	s->next++;
	if (b->time_ns < 0)
		b->time_ns = time_of(bytes, n_bytes);
	while (s->n_bytes > s->most_bytes && s->oldest != s->newest)
		drop_oldest(s);
}

static void journal_add(struct ompp_journal *j, struct store *s, const char *lines, size_t n_bytes)
{
	pthread_mutex_lock(&j->lock);
	while (n_bytes) {
		const char *end = memchr(lines, '\n', n_bytes);
		size_t n = end ? (size_t)(end - lines) + 1 : n_bytes;

		if (journal_begins(lines, n, OMPP_RECORDING_START)) {
			journal_put(&s->header, journal_make(j, NULL, lines, n));
			journal_drop(s->head);
			s->head = NULL;
			s->is_head_whole = 0;
		} else if (journal_begins(lines, n, "{\"sensor\":") || journal_begins(lines, n, "{\"columns\":")) {
			journal_put(&s->head, journal_make(j, s->is_head_whole ? NULL : s->head, lines, n));
			s->is_head_whole = lines[2] == 'c';
		} else {
			add_line(j, s, lines, n);
		}
		lines += n;
		n_bytes -= n;
	}
	pthread_mutex_unlock(&j->lock);
}

void ompp_journal_add(void *to, const char *lines, size_t n_bytes)
{
	struct ompp_journal *j = to;

	journal_add(j, &j->lines, lines, n_bytes);
}

void ompp_journal_add_older(void *to, const char *lines, size_t n_bytes)
{
	struct ompp_journal *j = to;

	journal_add(j, &j->older, lines, n_bytes);
}

void ompp_journal_set(struct ompp_journal *j, enum ompp_journal_kind kind, const char *text, size_t n_bytes)
{
	struct text **place = kind == OMPP_JOURNAL_STATE ? &j->state : &j->catalog;

	pthread_mutex_lock(&j->lock);
	journal_put(place, journal_make(j, NULL, text, n_bytes));
	pthread_mutex_unlock(&j->lock);
}

/* Returns the decompressed bytes of a block; NULL when that fails. */
static const char *plain_of(struct ompp_journal *j, struct store *s, const struct block *b)
{
	if (b != s->newest && !b->bytes)
		return NULL;
	if (s->plain_first != b->first) {
#ifdef HAVE_ZSTD
		s->plain_first = 0;
		if (b->n_kept != b->n_plain &&
		    (!j->unpacker || journal_widen(&s->plain, &s->plain_room, b->n_plain) ||
		     ZSTD_decompressDCtx(j->unpacker, s->plain, s->plain_room, b->bytes, b->n_kept) != b->n_plain))
			return NULL;
#else
		(void)j;
#endif
		s->read = b;
		s->plain_first = b->first;
		s->at_number = b->first;
		s->at = 0;
	}
	return b == s->newest ? s->open : b->n_kept == b->n_plain ? b->bytes : s->plain;
}

/* Finds the line of a number that is kept.  Returns its block, or NULL when it cannot be read. */
static const struct block *journal_find(struct ompp_journal *j, struct store *s, uint64_t number, const char **line,
                                        size_t *n_bytes)
{
	const struct block *b = s->plain_first && number >= s->plain_first ? s->read : s->oldest;
	const char *bytes, *end;

	b = number >= s->newest->first ? s->newest : b;
	while (number >= b->first + b->n_lines)
		b = b->next;
	bytes = plain_of(j, s, b);
	if (!bytes)
		return NULL;
	if (number < s->at_number) {
		s->at_number = b->first;
		s->at = 0;
	}
	for (;;) {
		end = memchr(bytes + s->at, '\n', b->n_plain - s->at);
		*n_bytes = end ? (size_t)(end - bytes) + 1 - s->at : b->n_plain - s->at;
		if (s->at_number == number)
			break;
		s->at += *n_bytes;
		s->at_number++;
	}
	*line = bytes + s->at;
	return b;
}

typedef void taker(void *to, const struct ompp_journal_piece *piece);

/* Hands a text to the reader if its version is new to it.  Returns whether it did. */
static int journal_hand(const struct text *t, enum ompp_journal_kind kind, uint64_t *seen, taker *take, void *to)
{
	struct ompp_journal_piece piece;

	if (!t || t->version == *seen)
		return 0;
	*seen = t->version;
	piece = (struct ompp_journal_piece){ kind, 0, t->bytes, t->n_bytes };
	take(to, &piece);
	return 1;
}

/* Hands a line, or first the header or head on which it depends.  Returns 1 when the line itself was handed, or is no
 * longer kept. */
static int hand_line(struct ompp_journal *j, struct store *s, uint64_t number, int is_numbered,
                     struct ompp_journal_cursor *c, taker *take, void *to)
{
	struct ompp_journal_piece piece = { OMPP_JOURNAL_LINE, is_numbered ? number : 0, NULL, 0 };
	const struct block *b = journal_find(j, s, number, &piece.text, &piece.n_bytes);
	int64_t time_ns;

	if (!b)
		return 1;
	time_ns = time_of(piece.text, piece.n_bytes);
	if (s->has_times && time_ns >= 0 && time_ns < c->after_ns)
		return 1; /* the reader already had this sample, in finer steps */
	if (b->header && b->header->version != c->header)
		c->head = 0;
	if (journal_hand(b->header, OMPP_JOURNAL_LINE, &c->header, take, to) ||
	    journal_hand(b->head, OMPP_JOURNAL_LINE, &c->head, take, to))
		return 0;
	c->after_ns = time_ns >= c->after_ns ? time_ns + 1 : c->after_ns;
	take(to, &piece);
	return 1;
}

/* Hands older (combined) lines up to the time of the first full sample that is kept.  Returns whether there are
 * more. */
static int hand_older(struct ompp_journal *j, struct ompp_journal_cursor *c, taker *take, void *to)
{
	struct store *s = &j->older;
	int64_t until = j->lines.oldest ? j->lines.oldest->time_ns : -1;

	c->older = c->older > s->first ? c->older : s->first;
	if (j->lines.first == 1 || until < 0 || c->after_ns > until || c->older >= s->next)
		return 0;
	if (hand_line(j, s, c->older, 0, c, take, to))
		c->older++;
	return 1;
}

int ompp_journal_read(struct ompp_journal *j, struct ompp_journal_cursor *c, taker *take, void *to)
{
	struct store *s = &j->lines;
	int is_new = 1;

	pthread_mutex_lock(&j->lock);
	if (c->next > s->next) /* the cursor is from an earlier journal */
		*c = (struct ompp_journal_cursor){ 0 };
	if (journal_hand(j->state, OMPP_JOURNAL_STATE, &c->state, take, to) ||
	    journal_hand(j->catalog, OMPP_JOURNAL_CATALOG, &c->catalog, take, to)) {
		;
	} else if (c->next && c->next < s->first) {
		char text[32];
		struct ompp_journal_piece piece = { OMPP_JOURNAL_MISSED, 0, text, 0 };

		piece.n_bytes = (size_t)snprintf(text, sizeof(text), "%llu", (unsigned long long)(s->first - c->next));
		c->next = j->older.oldest ? 0 : s->first;
		take(to, &piece);
	} else if (!c->next && hand_older(j, c, take, to)) {
		;
	} else if ((c->next ? c->next : s->first) < s->next) {
		c->next = c->next ? c->next : s->first;
		c->older = 0;
		if (hand_line(j, s, c->next, 1, c, take, to))
			c->next++;
	} else {
		is_new = 0;
	}
	pthread_mutex_unlock(&j->lock);
	return is_new;
}

uint64_t ompp_journal_n_gone(struct ompp_journal *j)
{
	uint64_t n;

	pthread_mutex_lock(&j->lock);
	n = j->lines.first - 1;
	pthread_mutex_unlock(&j->lock);
	return n;
}

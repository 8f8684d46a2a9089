/*
 * Journal: see journal.h.
 */
#include "reports/ompp/journal.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/ompp/recording.h"

/* A line, or lines that stay for those behind them. */
struct text {
	size_t n_users, n_bytes;
	uint64_t version;
	char bytes[];
};

struct line {
	struct text *header, *head; /* what it needs; shared with its neighbours */
	struct text *text;
};

struct journal_texts {
	struct text *header, *head, *state, *catalog;
};

struct ompp_journal {
	pthread_mutex_t lock;
	struct journal_texts now;
	struct line *lines; /* a ring: line number n, from 1, is in place n % room */
	size_t room;
	uint64_t first, next; /* numbers: those from first to next - 1 are kept */
	size_t n_bytes, most_bytes;
	uint64_t version;  /* of the text that was made last */
	int is_head_whole; /* the columns are there, so the next sensor begins another head */
};

static struct text *make(struct ompp_journal *j, const struct text *before, const char *bytes, size_t n_bytes)
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

static void drop(struct text *t)
{
	if (t && !--t->n_users)
		free(t);
}

static struct text *share(struct text *t)
{
	if (t)
		t->n_users++;
	return t;
}

static void put(struct text **place, struct text *t)
{
	if (!t)
		return; /* without memory the last one stays */
	drop(*place);
	*place = t;
}

struct ompp_journal *ompp_journal_open(size_t most_bytes)
{
	struct ompp_journal *j = calloc(1, sizeof(*j));

	if (!j)
		return NULL;
	pthread_mutex_init(&j->lock, NULL);
	j->first = j->next = 1;
	j->most_bytes = most_bytes;
	return j;
}

static struct line *line_at(const struct ompp_journal *j, uint64_t number)
{
	return &j->lines[number % j->room];
}

static void drop_first(struct ompp_journal *j)
{
	struct line *l = line_at(j, j->first++);

	j->n_bytes -= sizeof(*l) + sizeof(*l->text) + l->text->n_bytes;
	drop(l->header), drop(l->head), drop(l->text);
}

void ompp_journal_close(struct ompp_journal *j)
{
	while (j->first < j->next)
		drop_first(j);
	drop(j->now.header), drop(j->now.head), drop(j->now.state), drop(j->now.catalog);
	pthread_mutex_destroy(&j->lock);
	free(j->lines);
	free(j);
}

/* Makes room for one more line.  Returns 0, or -1 without memory. */
static int grow(struct ompp_journal *j)
{
	size_t room = j->room ? 2 * j->room : 1024;
	struct line *lines;

	if (j->next - j->first < j->room)
		return 0;
	lines = malloc(room * sizeof(*lines));
	if (!lines)
		return -1;
	for (uint64_t n = j->first; n < j->next; n++)
		lines[n % room] = *line_at(j, n);
	free(j->lines);
	j->lines = lines;
	j->room = room;
	return 0;
}

static void add_line(struct ompp_journal *j, const char *bytes, size_t n_bytes)
{
	struct line l = { .text = make(j, NULL, bytes, n_bytes) };

	if (!l.text || grow(j)) {
		free(l.text);
		j->next++; /* it is missed by all */
		while (j->first < j->next - 1)
			drop_first(j);
		j->first = j->next;
		return;
	}
	l.header = share(j->now.header);
	l.head = share(j->now.head);
	*line_at(j, j->next++) = l;
	j->n_bytes += sizeof(l) + sizeof(*l.text) + n_bytes;
	while (j->n_bytes > j->most_bytes && j->first + 1 < j->next)
		drop_first(j);
}

static int begins(const char *line, size_t n, const char *with)
{
	return n >= strlen(with) && !memcmp(line, with, strlen(with));
}

void ompp_journal_add(void *to, const char *lines, size_t n_bytes)
{
	struct ompp_journal *j = to;

	pthread_mutex_lock(&j->lock);
	while (n_bytes) {
		const char *end = memchr(lines, '\n', n_bytes);
		size_t n = end ? (size_t)(end - lines) + 1 : n_bytes;

		if (begins(lines, n, OMPP_RECORDING_START)) {
			put(&j->now.header, make(j, NULL, lines, n));
			drop(j->now.head);
			j->now.head = NULL;
			j->is_head_whole = 0;
		} else if (begins(lines, n, "{\"sensor\":") || begins(lines, n, "{\"columns\":")) {
			put(&j->now.head, make(j, j->is_head_whole ? NULL : j->now.head, lines, n));
			j->is_head_whole = lines[2] == 'c';
		} else {
			add_line(j, lines, n);
		}
		lines += n;
		n_bytes -= n;
	}
	pthread_mutex_unlock(&j->lock);
}

void ompp_journal_set(struct ompp_journal *j, enum ompp_journal_kind kind, const char *text, size_t n_bytes)
{
	struct text **place = kind == OMPP_JOURNAL_STATE ? &j->now.state : &j->now.catalog;

	pthread_mutex_lock(&j->lock);
	put(place, make(j, NULL, text, n_bytes));
	pthread_mutex_unlock(&j->lock);
}

/* Hands a text to the reader that it does not have yet.  Returns whether it did. */
static int hand(const struct text *t, enum ompp_journal_kind kind, uint64_t *seen,
                void (*take)(void *to, const struct ompp_journal_piece *piece), void *to)
{
	struct ompp_journal_piece piece;

	if (!t || t->version == *seen)
		return 0;
	*seen = t->version;
	piece = (struct ompp_journal_piece){ kind, 0, t->bytes, t->n_bytes };
	take(to, &piece);
	return 1;
}

int ompp_journal_read(struct ompp_journal *j, struct ompp_journal_cursor *c,
                      void (*take)(void *to, const struct ompp_journal_piece *piece), void *to)
{
	int is_new = 1;

	pthread_mutex_lock(&j->lock);
	if (c->next > j->next) /* of another journal, before this one */
		*c = (struct ompp_journal_cursor){ 0 };
	if (hand(j->now.state, OMPP_JOURNAL_STATE, &c->state, take, to) ||
	    hand(j->now.catalog, OMPP_JOURNAL_CATALOG, &c->catalog, take, to)) {
		;
	} else if (c->next && c->next < j->first) {
		char text[32];
		struct ompp_journal_piece piece = { OMPP_JOURNAL_MISSED, 0, text, 0 };

		piece.n_bytes = (size_t)snprintf(text, sizeof(text), "%llu", (unsigned long long)(j->first - c->next));
		c->next = j->first;
		take(to, &piece);
	} else if ((c->next ? c->next : j->first) < j->next) {
		struct line *l;

		c->next = c->next ? c->next : j->first;
		l = line_at(j, c->next);
		if (l->header && l->header->version != c->header)
			c->head = 0;
		if (!hand(l->header, OMPP_JOURNAL_LINE, &c->header, take, to) &&
		    !hand(l->head, OMPP_JOURNAL_LINE, &c->head, take, to)) {
			struct ompp_journal_piece piece = { OMPP_JOURNAL_LINE, c->next++, l->text->bytes,
				                            l->text->n_bytes };

			take(to, &piece);
		}
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
	n = j->first - 1;
	pthread_mutex_unlock(&j->lock);
	return n;
}

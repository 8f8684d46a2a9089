/*
 * Feed: see feed.h.
 */
#define _GNU_SOURCE
#include "reports/sensors/feed.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_BYTES = 4096, MOST_BYTES = 1 << 28 };

/* Reads all of an open file.  Returns 0 or -errno. */
static int read_all(struct ompp_feed *feed, int fd)
{
	size_t n = 0;

	for (;;) {
		ssize_t got;

		if (n + 1 >= feed->room) {
			size_t room = feed->room ? 2 * feed->room : FIRST_BYTES;
			char *text = room > MOST_BYTES ? NULL : realloc(feed->text, room);

			if (!text)
				return -ENOMEM;
			feed->text = text;
			feed->room = room;
		}
		got = pread(fd, feed->text + n, feed->room - n - 1, (off_t)n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			feed->text[n] = '\0';
			return got < 0 ? -errno : 0;
		}
		n += (size_t)got;
	}
}

static int open_file(const char *root, const char *path)
{
	char whole[PATH_MAX];

	snprintf(whole, sizeof(whole), "%s/%s", root, path);
	return open(whole, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

const char *ompp_feed_read(struct ompp_feed *feed, const char *root, const char *path)
{
	int rc;

	if (feed->fd < 0)
		feed->fd = open_file(root, path);
	if (feed->fd < 0)
		return NULL;
	rc = read_all(feed, feed->fd);
	if (!rc)
		return feed->text;
	close(feed->fd); /* its device has gone; when it comes back, it is another file */
	feed->fd = -1;
	errno = -rc;
	return NULL;
}

const char *ompp_feed_once(struct ompp_feed *feed, const char *root, const char *path)
{
	int fd = open_file(root, path), rc;

	if (fd < 0)
		return NULL;
	rc = read_all(feed, fd);
	close(fd);
	errno = -rc;
	return rc ? NULL : feed->text;
}

void ompp_feed_close(struct ompp_feed *feed)
{
	if (feed->fd >= 0)
		close(feed->fd);
	free(feed->text);
	*feed = OMPP_FEED;
}

int ompp_feed_begin(struct ompp_sensor_host *host, void **state, size_t bytes, const char *path, const char *advice)
{
	struct ompp_feed *feed = calloc(1, bytes);
	int rc;

	if (!feed)
		return host->lacks(host, "not enough memory");
	*feed = OMPP_FEED;
	if (ompp_feed_read(feed, host->proc, path)) {
		*state = feed;
		return 0;
	}
	rc = host->lacks(host, "%s/%s cannot be read: %s; %s", host->proc, path, strerror(errno), advice);
	ompp_feed_end(feed);
	return rc;
}

void ompp_feed_end(void *state)
{
	ompp_feed_close(state);
	free(state);
}

void ompp_feed_events(struct ompp_sensor_host *host, const struct ompp_sensor_event *events, int n, int *numbers)
{
	for (int i = 0; i < n; i++)
		numbers[i] = events[i].name ? host->event(host, &events[i]) : -1;
}

int ompp_feed_number(const char *root, const char *path, int64_t *number)
{
	char text[64], *end;
	int fd = open_file(root, path), error;
	ssize_t n;

	if (fd < 0)
		return -errno;
	n = read(fd, text, sizeof(text) - 1);
	error = errno;
	close(fd);
	if (n < 0)
		return -error;
	text[n] = '\0';
	errno = 0;
	*number = strtoll(text, &end, 10);
	return end == text || errno ? -EINVAL : 0;
}

int ompp_feed_skip(const char **at)
{
	const char *s = *at;
	const char *begin;

	while (*s == ' ' || *s == '\t')
		s++;
	begin = s;
	while (*s && *s != ' ' && *s != '\t' && *s != '\n')
		s++;
	*at = s;
	return s > begin;
}

int ompp_feed_take(const char **at, uint64_t *number)
{
	const char *s = *at;
	uint64_t n = 0;

	while (*s == ' ' || *s == '\t')
		s++;
	if (*s < '0' || *s > '9') {
		ompp_feed_skip(at);
		return 0;
	}
	while (*s >= '0' && *s <= '9')
		n = n * 10 + (uint64_t)(*s++ - '0');
	*at = s;
	*number = n;
	return 1;
}

const char *ompp_feed_line(const char *at)
{
	at = strchrnul(at, '\n');
	return *at ? at + 1 : at;
}

/* ---- folders ---- */

struct entry {
	char *name;
	int number;
};

static int by_number(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return x->number != y->number ? x->number < y->number ? -1 : 1 : strcmp(x->name, y->name);
}

/* Returns the number after the prefix, or -1 if the name does not match; 0 for an empty prefix. */
static int number_of(const char *name, const char *prefix)
{
	size_t n = strlen(prefix);
	int number = 0;

	if (!n)
		return name[0] == '.' ? -1 : 0;
	if (strncmp(name, prefix, n) || !name[n])
		return -1;
	for (name += n; *name; name++) {
		if (*name < '0' || *name > '9' || number > INT_MAX / 10 - 1)
			return -1;
		number = number * 10 + (*name - '0');
	}
	return number;
}

int ompp_feed_each(const char *root, const char *folder, const char *prefix,
                   void (*found)(void *context, const char *name, int number), void *context)
{
	char path[PATH_MAX];
	struct entry *entries = NULL;
	size_t n = 0, room = 0;
	struct dirent *entry;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/%s", root, folder);
	dir = opendir(path);
	if (!dir)
		return -errno;
	while ((entry = readdir(dir))) {
		int number = number_of(entry->d_name, prefix);

		if (number < 0)
			continue;
		if (n == room) {
			struct entry *more = realloc(entries, (room ? 2 * room : 64) * sizeof(*more));

			if (!more)
				break;
			entries = more;
			room = room ? 2 * room : 64;
		}
		entries[n].name = strdup(entry->d_name);
		entries[n].number = number;
		n += entries[n].name != NULL;
	}
	closedir(dir);
	if (n)
		qsort(entries, n, sizeof(*entries), by_number);
	for (size_t i = 0; i < n; i++) {
		found(context, entries[i].name, entries[i].number);
		free(entries[i].name);
	}
	free(entries);
	return (int)n;
}

/* ---- lines "name value" ---- */

/* Returns row i if it has this name, as in the previous reading; else the row with the name, added if it is new; NULL
 * without memory. */
static struct ompp_feed_row *row_of(struct ompp_feed_rows *r, struct ompp_sensor_host *host, size_t i, const char *name,
                                    size_t n_name)
{
	struct ompp_sensor_event event = { .together = OMPP_SENSOR_SUM };
	struct ompp_feed_row *row;
	int is_meant;

	if (i < r->n && r->rows[i].n_name == n_name && !memcmp(r->rows[i].name, name, n_name))
		return &r->rows[i];
	for (size_t k = 0; k < r->n; k++)
		if (r->rows[k].n_name == n_name && !memcmp(r->rows[k].name, name, n_name))
			return &r->rows[k];
	if (r->n == r->room) {
		row = realloc(r->rows, (r->room ? 2 * r->room : 64) * sizeof(*row));
		if (!row)
			return NULL;
		r->rows = row;
		r->room = r->room ? 2 * r->room : 64;
	}
	row = &r->rows[r->n];
	row->name = strndup(name, n_name);
	if (!row->name)
		return NULL;
	row->n_name = n_name;
	event.name = row->name;
	is_meant = r->describe(row->name, &event);
	row->event = is_meant ? host->event(host, &event) : -1;
	r->n++;
	return row;
}

void ompp_feed_rows(struct ompp_feed_rows *r, struct ompp_sensor_host *host, int source, const char *text)
{
	for (size_t i = 0; *text; text = ompp_feed_line(text), i++) {
		const char *at = text, *name;
		struct ompp_feed_row *row;
		uint64_t number;

		for (int k = 0; k < r->n_skipped; k++)
			ompp_feed_skip(&at);
		at += strspn(at, " \t");
		name = at;
		at += strcspn(at, ": \t\n");
		if (at == name)
			continue;
		row = row_of(r, host, i, name, (size_t)(at - name));
		at += *at == ':';
		if (!row || row->event < 0 || !host->wants(host, row->event) || !ompp_feed_take(&at, &number))
			continue;
		host->set(host, row->event, source, strncmp(at, " kB", 3) ? number : number * r->kilo);
	}
}

int ompp_feed_rows_wanted(const struct ompp_feed_rows *r, struct ompp_sensor_host *host)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->rows[i].event >= 0 && host->wants(host, r->rows[i].event))
			return 1;
	return !r->n;
}

void ompp_feed_rows_free(struct ompp_feed_rows *r)
{
	for (size_t i = 0; i < r->n; i++)
		free(r->rows[i].name);
	free(r->rows);
	r->rows = NULL;
	r->n = r->room = 0;
}

void ompp_feed_set(struct ompp_sensor_host *host, const char *at, const int *events, int n, int source)
{
	uint64_t number;

	for (int i = 0; i < n; i++)
		if (ompp_feed_take(&at, &number))
			host->set(host, events[i], source, number);
}

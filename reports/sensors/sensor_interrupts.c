/*
 * Interrupts: by kind and CPU, from /proc/interrupts and /proc/softirqs.
 *
 * A device has an interrupt for each of its queues, so those of one driver are one kind: nvme0q1, nvme0q2 and nvme1q1
 * are "nvme".  The kernel counts them by CPU in 32 bits.  Sums of such counters, if kept in 32 bits, also wrap at 2^32;
 * so the count of a kind is the sum of its interrupts.
 */
#include "reports/sensors/feed.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct kind {
	char name[48];
	int event;
	uint32_t *sums; /* by CPU */
};

struct state {
	struct ompp_feed feed;
	const char *file;
	struct kind *kinds;
	size_t n_kinds, room_kinds, n_cpus;
	int *sources; /* by column */
	size_t *rows; /* by line: its kind; SIZE_MAX: none */
	uint32_t *keys;
	size_t n_rows, room_rows;
};

/* Reads the heading "CPU0 CPU1 …".  Returns how many columns there are. */
static size_t read_columns(struct ompp_sensor_host *host, struct state *s, const char *text)
{
	const char *end = text + strcspn(text, "\n");
	size_t n = 0;

	for (const char *at = text; (at = strstr(at, "CPU")) && at < end; at += 3)
		n++;
	if (n > s->n_cpus) {
		s->sources = realloc(s->sources, n * sizeof(*s->sources));
		for (size_t i = 0; i < s->n_kinds && s->sources; i++)
			s->kinds[i].sums = realloc(s->kinds[i].sums, n * sizeof(*s->kinds[i].sums));
	}
	s->n_cpus = n;
	n = 0;
	for (const char *at = text; s->sources && (at = strstr(at, "CPU")) && at < end; at += 3) {
		char name[24];

		snprintf(name, sizeof(name), "cpu%.*s", (int)strspn(at + 3, "0123456789"), at + 3);
		s->sources[n++] = host->source(host, name);
	}
	return s->sources ? n : 0;
}

/* Writes the kind of a line: its own name, such as "LOC", or, if that is a number, the leading letters of its last
 * word. */
static void kind_of(const char *line, char *name, size_t n_name, char *what, size_t n_what)
{
	const char *begin = line + strspn(line, " "), *end = strchr(line, '\n'), *last;
	size_t n = strcspn(begin, ":"), k = 0;

	if (!end)
		end = line + strlen(line);
	for (last = end; last > line && last[-1] != ' '; last--)
		;
	what[0] = '\0';
	if (!isdigit((unsigned char)begin[0])) {
		snprintf(name, n_name, "%.*s", (int)n, begin);
		/* the text after the numbers */
		for (begin += n + 1; *begin == ' ' || isdigit((unsigned char)*begin); begin++)
			;
		if (begin < end)
			snprintf(what, n_what, "%.*s", (int)(end - begin), begin);
		return;
	}
	while (last + k < end && isalpha((unsigned char)last[k]))
		k++;
	if (k)
		snprintf(name, n_name, "%.*s", (int)k, last);
	else
		snprintf(name, n_name, "other");
}

static const char *interrupts_describe(const char *name, const char *what, int is_driver)
{
	/* clang-format off */
	static const struct { const char *name, *what; } words[] = {
		{ "HI", "urgent tasklets" }, { "TIMER", "timers" }, { "NET_TX", "sending to networks" },
		{ "NET_RX", "receiving from networks" }, { "BLOCK", "ends of disk requests" }, { "IRQ_POLL", "polling of disks" },
		{ "TASKLET", "tasklets" }, { "SCHED", "balancing of CPUs" }, { "HRTIMER", "precise timers" }, { "RCU", "read-copy-update" },
	};
	/* clang-format on */
	for (size_t i = 0; !what[0] && i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(words[i].name, name))
			return words[i].what;
	return what[0] ? what : is_driver ? "interrupts of this driver" : "as the kernel calls them";
}

static size_t find_kind(struct ompp_sensor_host *host, struct state *s, const char *line)
{
	struct ompp_sensor_event event = { .unit = "times", .wrap = UINT64_C(1) << 32 };
	char name[48], what[96];
	struct kind *kind;

	kind_of(line, name, sizeof(name), what, sizeof(what));
	for (size_t i = 0; i < s->n_kinds; i++)
		if (!strcmp(s->kinds[i].name, name))
			return i;
	if (s->n_kinds == s->room_kinds) {
		kind = realloc(s->kinds, (s->room_kinds + 32) * sizeof(*kind));
		if (!kind)
			return SIZE_MAX;
		s->kinds = kind;
		s->room_kinds += 32;
	}
	kind = &s->kinds[s->n_kinds];
	memcpy(kind->name, name, sizeof(name));
	kind->sums = calloc(s->n_cpus, sizeof(*kind->sums));
	event.name = kind->name;
	event.what = interrupts_describe(name, what, isdigit((unsigned char)line[strspn(line, " ")]) != 0);
	kind->event = host->event(host, &event);
	return s->n_kinds++;
}

/* Returns the kind of line i, which is cached with the word before its numbers; a line whose interrupt number has
 * changed is parsed anew. */
static size_t kind_at(struct ompp_sensor_host *host, struct state *s, size_t i, const char *line)
{
	uint32_t key = 5381;

	for (const char *p = line; *p && *p != ':'; p++)
		key = key * 33 + (unsigned char)*p;
	if (i < s->n_rows && s->keys[i] == key)
		return s->rows[i];
	if (i >= s->room_rows) {
		size_t room = 2 * i + 64;
		size_t *rows = realloc(s->rows, room * sizeof(*rows));
		uint32_t *keys = rows ? realloc(s->keys, room * sizeof(*keys)) : NULL;

		s->rows = rows ? rows : s->rows;
		if (!keys)
			return SIZE_MAX;
		s->keys = keys;
		s->room_rows = room;
	}
	s->rows[i] = find_kind(host, s, line);
	s->keys[i] = key;
	s->n_rows = i + 1 > s->n_rows ? i + 1 : s->n_rows;
	return s->rows[i];
}

static void interrupts_sample(struct ompp_sensor_host *host, void *state)
{
	struct state *s = state;
	const char *line = ompp_feed_read(&s->feed, host->proc, s->file);
	size_t n = line ? read_columns(host, s, line) : 0, i = 0;

	if (!n)
		return;
	for (size_t k = 0; k < s->n_kinds; k++)
		memset(s->kinds[k].sums, 0, s->n_cpus * sizeof(*s->kinds[k].sums));
	for (line = ompp_feed_line(line); *line; line = ompp_feed_line(line), i++) {
		const char *at = strchr(line, ':');
		size_t k = kind_at(host, s, i, line);
		uint64_t number;

		if (!at || k == SIZE_MAX || !host->wants(host, s->kinds[k].event))
			continue;
		at++;
		for (size_t c = 0; c < n && ompp_feed_take(&at, &number); c++)
			s->kinds[k].sums[c] += (uint32_t)number;
	}
	for (size_t k = 0; k < s->n_kinds; k++)
		for (size_t c = 0; c < n && host->wants(host, s->kinds[k].event); c++)
			host->set(host, s->kinds[k].event, s->sources[c], s->kinds[k].sums[c]);
}

static void end(void *state)
{
	struct state *s = state;

	for (size_t i = 0; i < s->n_kinds; i++)
		free(s->kinds[i].sums);
	free(s->kinds), free(s->sources), free(s->rows), free(s->keys);
	ompp_feed_end(s);
}

static int begin(struct ompp_sensor_host *host, void **state, const char *file)
{
	struct state *s;
	int rc = ompp_feed_begin(host, state, sizeof(*s), file, "mount proc");

	if (rc)
		return rc;
	s = *state;
	s->file = file;
	interrupts_sample(host, s);
	return 0;
}

static int begin_interrupts(struct ompp_sensor_host *host, void **state)
{
	return begin(host, state, "interrupts");
}

static int begin_softirqs(struct ompp_sensor_host *host, void **state)
{
	return begin(host, state, "softirqs");
}

const struct ompp_sensor ompp_sensor_interrupts = {
	OMPP_SENSOR_VERSION, "interrupts", "interrupts by kind", "CPU", begin_interrupts, interrupts_sample, end, NULL
};
const struct ompp_sensor ompp_sensor_softirqs = { OMPP_SENSOR_VERSION,
	                                          "softirqs",
	                                          "work that interrupts put off, by kind",
	                                          "CPU",
	                                          begin_softirqs,
	                                          interrupts_sample,
	                                          end,
	                                          NULL };

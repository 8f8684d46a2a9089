/*
 * Fuzz target: the reader of recordings.  Whatever stands behind a header, what is read of it is written as a recording
 * again, which is whole lines of JSON; and reading that, and what that gives, leads to the same lines.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "reports/watch/recorder.h"
#include "reports/watch/recording.h"
#include "reports/watch/watch_json.h"
#include "tests/fuzz/fuzz.h"

struct text {
	char *bytes;
	size_t n;
};

static const char header[] = OMPP_RECORDING_START
	"\"version\":1,\"start_unix_ns\":5,\"interval_ns\":7,\"program\":null}\n";

static void add(void *to, const char *bytes, size_t n_bytes)
{
	struct text *t = to;
	char *more = realloc(t->bytes, t->n + n_bytes + 1);

	if (!more)
		abort();
	memcpy(more + t->n, bytes, n_bytes);
	t->n += n_bytes;
	more[t->n] = '\0';
	t->bytes = more;
}

/* Reads a recording, and writes what was read of it. */
static struct text pass(const char *bytes, size_t n_bytes, struct ompp_recording_info *info)
{
	struct text out = { NULL, 0 };
	struct ompp_recorder *r = ompp_recorder_to(add, &out, NULL, 7, 5);
	struct ompp_sink sink;
	char path[64];
	int fd = memfd_create("recording", 0);

	if (!r || fd < 0 || write(fd, bytes, n_bytes) != (ssize_t)n_bytes)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	sink = ompp_recorder_sink(r);
	if (ompp_recording_replay(path, &sink, info))
		abort(); /* it has a header, so it is a recording */
	if (info->n_damaged > info->n_bytes || info->n_bytes != n_bytes)
		abort();
	ompp_recorder_close(r);
	close(fd);
	return out;
}

static void check_lines(const struct text *t)
{
	struct ompp_arena arena;
	char *copy = strdup(t->bytes);

	for (char *line = copy, *end; line && *line; line = end) {
		end = strchr(line, '\n');
		if (!end)
			abort();
		*end++ = '\0';
		if (strpbrk(line, "<>&\x1b"))
			abort();
		ompp_arena_init(&arena, 0);
		if (!ompp_json_read(line, &arena))
			abort();
		ompp_arena_fini(&arena);
	}
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
	struct ompp_recording_info info;
	struct text all = { NULL, 0 }, first, second, third;

	add(&all, header, sizeof(header) - 1);
	add(&all, (const char *)data, n_bytes);
	first = pass(all.bytes, all.n, &info);
	check_lines(&first);
	second = pass(first.bytes, first.n, &info);
	if (info.n_damaged)
		abort();
	third = pass(second.bytes, second.n, &info); /* U+FFFD for a byte that is no UTF-8 is written as itself then */
	if (info.n_damaged || second.n != third.n || memcmp(second.bytes, third.bytes, third.n))
		abort();
	free(all.bytes);
	free(first.bytes);
	free(second.bytes);
	free(third.bytes);
	return 0;
}

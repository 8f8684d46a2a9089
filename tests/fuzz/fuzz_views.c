/*
 * Fuzz target: the views of traces, `ompp flow` and `ompp pages`.  The first byte chooses the view, the rest is a
 * trace; as a fuzzer does not guess checksums, it is the content of a block when it is none.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "reports/command/arguments.h"
#include "reports/flow/code.h"
#include "runtime/base/array.h"
#include "tests/fuzz/fuzz.h"

static char *const views[][3] = {
	{ "pages", "--view=objects" },
	{ "pages", "--view=regions" },
	{ "pages", "--view=pages" },
	{ "pages", "--view=history" },
	{ "pages", "--view=time" },
	{ "pages", "--view=heat" },
	{ "pages", "--view=threads" },
	{ "pages", "--view=sharing" },
	{ "pages", "--view=nodes" },
	{ "pages", "--producers" },
	{ "pages", "--csv" },
	{ "pages", "--framesoc" },
	{ "pages", "--view=heat", "--svg=/dev/null" },
	{ "flow", "--view=objects" },
	{ "flow", "--view=object" },
	{ "flow", "--view=pages" },
	{ "flow", "--view=functions" },
	{ "flow", "--view=overlap" },
	{ "flow", "--view=private" },
	{ "flow", "--view=migrations" },
	{ "flow", "--view=latency" },
	{ "flow", "--view=events" },
	{ "pages", "--view=sharing", "--svg=/dev/null" },
};

/* Writes the input as a trace into a file in memory.  Returns its descriptor. */
static int file_of(const uint8_t *data, size_t n_bytes)
{
	unsigned char heads[OMPP_FLOW_HEAD_BYTES + OMPP_FLOW_BLOCK_HEAD_BYTES];
	struct ompp_flow_head head = { .version = OMPP_FLOW_VERSION, .page_bytes = 4096, .latencies = 1 };
	struct ompp_flow_block block = { .n_bytes = (uint32_t)n_bytes, .n_plain_bytes = (uint32_t)n_bytes };
	int fd = memfd_create("trace", MFD_CLOEXEC), is_whole;

	is_whole = n_bytes >= strlen(OMPP_FLOW_MAGIC) && !memcmp(data, OMPP_FLOW_MAGIC, strlen(OMPP_FLOW_MAGIC));
	ompp_flow_head_put(&head, heads);
	ompp_flow_block_put(&block, data, heads + OMPP_FLOW_HEAD_BYTES);
	if (fd < 0 || (!is_whole && write(fd, heads, sizeof(heads)) != (ssize_t)sizeof(heads)) ||
	    write(fd, data, n_bytes) != (ssize_t)n_bytes)
		abort();
	return fd;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
	static int is_quiet;
	char path[40];
	char *const *view;
	int fd;

	if (!is_quiet) {
		if (!freopen("/dev/null", "w", stdout))
			abort();
		is_quiet = 1;
	}
	if (n_bytes < 1 || n_bytes > OMPP_FLOW_MOST_BLOCK_BYTES)
		return 0;
	view = views[data[0] % OMPP_COUNT_OF(views)];
	fd = file_of(data + 1, n_bytes - 1);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	{
		char *arguments[] = { view[0], view[1], "--top=100", path, view[2], NULL };
		int n = view[2] ? 5 : 4;

		if (!strcmp(view[0], "pages"))
			ompp_pages_command.run(n, arguments);
		else
			ompp_flow_command.run(n, arguments);
	}
	close(fd);
	return 0;
}

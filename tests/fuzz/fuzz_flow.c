/*
 * Fuzz target: the reader of traces.  Whatever the bytes are, all that it tells of them can be looked at.  As a fuzzer
 * does not guess checksums, the bytes are also read as the content of a block.
 */
#include <stdlib.h>
#include <string.h>

#include "reports/flow/code.h"
#include "reports/ompp_flow.h"
#include "tests/fuzz/fuzz.h"

static void look(const struct ompp_flow *flow)
{
	struct ompp_flow_filter filter = ompp_flow_all();
	struct ompp_flow_event e;
	struct ompp_flow_line line;
	uint64_t last = 0;

	for (size_t at = 0; ompp_flow_next(flow, &filter, &at, &e);) {
		if (e.time_ns < last || e.kind >= OMPP_FLOW_N_KINDS || e.level >= OMPP_MEM_N_LEVELS)
			abort();
		last = e.time_ns;
		for (uint32_t k = 0; k < e.n_objects; k++)
			if (!ompp_flow_object(flow, ompp_flow_nth_object(flow, &e, k)))
				abort();
		if ((e.region != OMPP_FLOW_NONE && !ompp_flow_region(flow, e.region)) ||
		    (e.site != OMPP_FLOW_NONE && !ompp_flow_site(flow, e.site)) ||
		    (e.thread != OMPP_FLOW_NONE && !ompp_flow_thread(flow, e.thread)))
			abort();
		if (!ompp_flow_line(flow, e.ip, &line) && (!line.function || !line.file))
			abort();
		ompp_flow_is_within(flow, e.region, 0);
	}
	filter.function = "a";
	filter.region = filter.object = 0;
	for (size_t at = 0; ompp_flow_next(flow, &filter, &at, &e);)
		;
}

static void read_bytes(const unsigned char *bytes, size_t n_bytes)
{
	struct ompp_flow *flow;
	int rc = ompp_flow_open_bytes(&flow, bytes, n_bytes);

	if (!rc != !!flow || (rc && !ompp_flow_message()[0]))
		abort();
	if (flow)
		look(flow);
	if (flow && !ompp_flow_emulate(flow, 4))
		look(flow);
	ompp_flow_close(flow);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
	enum { HEADS = OMPP_FLOW_HEAD_BYTES + OMPP_FLOW_BLOCK_HEAD_BYTES };
	struct ompp_flow_head head = { .version = OMPP_FLOW_VERSION, .page_bytes = 4096, .latencies = 1 };
	struct ompp_flow_block block = { .n_bytes = (uint32_t)n_bytes, .n_plain_bytes = (uint32_t)n_bytes };
	unsigned char *bytes = malloc(HEADS + n_bytes);

	if (!bytes || n_bytes > OMPP_FLOW_MOST_BLOCK_BYTES) {
		free(bytes);
		return 0;
	}
	memcpy(bytes + HEADS, data, n_bytes);
	read_bytes(bytes + HEADS, n_bytes);
	ompp_flow_head_put(&head, bytes);
	ompp_flow_block_put(&block, bytes + HEADS, bytes + OMPP_FLOW_HEAD_BYTES);
	read_bytes(bytes, HEADS + n_bytes);
	free(bytes);
	return 0;
}

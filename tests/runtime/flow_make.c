/*
 * Flow make: writes a trace of n events of four threads on two NUMA nodes, as the runtime writes it: blocks of 64
 * events of a thread each.  Its numbers are random, but the same each time.
 *
 *   shared   accessed by all threads
 *   far      by thread 1 alone, which is on node 1, while it lies on node 0
 *   near     by thread 2 alone, on its own node
 *   block    allocated by thread 0, and accessed by thread 0 and then by thread 1
 *
 * Thread 3 is on node 1 for the first three quarters of the run, and then on node 0.
 *
 * Arguments: the file, n, and what the trace says of the process: its pid, when it started by CLOCK_MONOTONIC and since
 * 1970 in ns, and how many events were left out and lost.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/flow/code.h"
#include "runtime/ompp_mem.h"

enum { N_TOGETHER = 64, CONTENT = 65536, SHARED = 1, FAR, NEAR, BLOCK, GIB = 30 };

#define FIELD(name) (1u << OMPP_FLOW_##name)

static unsigned char content[CONTENT];
static size_t n_bytes;
static uint32_t n_events;
static struct ompp_flow_state state;
static uint64_t v[OMPP_FLOW_N_FIELDS], seed = 1;
static FILE *file;
static uint64_t pid = 1, start_ns = 1000, start_unix_ns, n_left_out, n_lost;

static uint64_t below(uint64_t n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (seed >> 33) % n;
}

static void put_bytes(const void *bytes, size_t n)
{
	if (fwrite(bytes, 1, n, file) != n)
		exit(1);
}

static void flush(void)
{
	struct ompp_flow_block block = { OMPP_FLOW_BLOCK_EVENTS, (uint32_t)n_bytes, (uint32_t)n_bytes, n_events, 0 };
	unsigned char head[OMPP_FLOW_BLOCK_HEAD_BYTES];

	ompp_flow_block_put(&block, content, head);
	put_bytes(head, sizeof(head));
	put_bytes(content, n_bytes);
	n_bytes = n_events = 0;
	memset(&state, 0, sizeof(state));
}

static void define(enum ompp_flow_define what, uint64_t a, uint64_t b, const char *text, const char *more)
{
	struct ompp_flow_definition d = { .what = what,
		                          .n_numbers = 2,
		                          .n_texts = text ? 2 : 0,
		                          .numbers = { a, b },
		                          .texts = { { text, text ? strlen(text) : 0 }, { more, text ? strlen(more) : 0 } } };

	n_bytes += ompp_flow_define(&d, content + n_bytes, CONTENT - n_bytes);
}

static void begin(void)
{
	struct ompp_flow_head head = {
		OMPP_FLOW_VERSION, (uint32_t)pid, 4096, 1, start_ns, start_unix_ns, 10007
	};
	struct ompp_flow_definition place = { .what = OMPP_FLOW_DEFINE_PLACE,
		                              .n_numbers = 5,
		                              .n_texts = 3,
		                              .numbers = { 1, 0, 5, 10, 20 },
		                              .texts = { { "PARALLEL", 8 }, { "", 0 }, { "/src/a.c", 8 } } };
	static const char *const names[] = { "", "shared", "far", "near", "(block 1)" };
	unsigned char bytes[OMPP_FLOW_HEAD_BYTES];

	ompp_flow_head_put(&head, bytes);
	put_bytes(bytes, sizeof(bytes));
	n_bytes += ompp_flow_define(&place, content, CONTENT);
	for (uint64_t i = SHARED; i <= BLOCK; i++) {
		define(OMPP_FLOW_DEFINE_OBJECT, i, i == BLOCK, names[i], "");
		define(OMPP_FLOW_DEFINE_COVER, i, i, NULL, NULL);
	}
	define(OMPP_FLOW_DEFINE_SITE, 1, 1, NULL, NULL);
	v[OMPP_FLOW_THREAD] = 1;
	v[OMPP_FLOW_TIME] = start_ns + 1000;
	v[OMPP_FLOW_SITE] = 1;
	v[OMPP_FLOW_ADDRESS] = (uint64_t)BLOCK << GIB;
	v[OMPP_FLOW_BYTES] = 1 << 20;
	v[OMPP_FLOW_PLACE] = 1;
	n_bytes += ompp_flow_put(&state, OMPP_FLOW_CODE_BEGIN, v,
	                         FIELD(THREAD) | FIELD(TIME) | FIELD(SITE) | FIELD(ADDRESS) | FIELD(BYTES),
	                         content + n_bytes);
	n_events++;
	flush();
}

static void access_object(uint64_t thread, uint64_t i, uint64_t n, uint64_t *time)
{
	uint64_t object = below(4) + SHARED, node = thread == 3 && i >= n / 4 * 3 ? 0 : thread % 2;

	if ((object == FAR && thread != 1) || (object == NEAR && thread != 2) ||
	    (object == BLOCK && thread != (i >= n / 2)))
		object = SHARED;
	v[OMPP_FLOW_THREAD] = thread + 1;
	v[OMPP_FLOW_COVER] = object;
	v[OMPP_FLOW_TIME] = *time += 50000 + below(100000);
	v[OMPP_FLOW_IP] = 0x401000 + 16 * object + 4 * below(4);
	v[OMPP_FLOW_ADDRESS] = (object << GIB) + 8 * below(1 << 17);
	v[OMPP_FLOW_LATENCY] = 4 + below(300);
	v[OMPP_FLOW_LEVEL] = (node ? OMPP_MEM_LEVEL_REMOTE_MEMORY : OMPP_MEM_LEVEL_LOCAL_MEMORY) * 4 +
	                     (below(4) ? OMPP_MEM_LOADS : OMPP_MEM_STORES);
	v[OMPP_FLOW_HOME] = 1;
	v[OMPP_FLOW_CPU] = 1 + node * 8 + thread;
	v[OMPP_FLOW_NODE] = 1 + node;
	v[OMPP_FLOW_PERIOD] = 10007;
	v[OMPP_FLOW_PAGE_BYTES] = 4096;
	v[OMPP_FLOW_TID] = 100 + thread;
	v[OMPP_FLOW_DATA_SOURCE] = below(16) * 0x1234567;
	n_bytes += ompp_flow_put(&state, OMPP_FLOW_CODE_ACCESS, v, (FIELD(N_FIELDS) - 1) & ~(FIELD(SITE) | FIELD(BYTES)),
	                         content + n_bytes);
	n_events++;
}

static void end(void)
{
	for (uint64_t object = SHARED; object <= BLOCK; object++)
		for (uint64_t k = 0; k < 4; k++)
			define(OMPP_FLOW_DEFINE_LINE, 0x401000 + 16 * object + 4 * k, 10 + object,
			       object == FAR ? "use_far" : "use", "/src/a.c");
	define(OMPP_FLOW_DEFINE_NAME, 1, 0, "a.c:5 p = malloc(…)", "a.c:5 main");
	define(OMPP_FLOW_DEFINE_APP, 0, 0, "made", "");
	define(OMPP_FLOW_DEFINE_END, n_left_out, n_lost, NULL, NULL);
	flush();
}

int main(int argc, char **argv)
{
	uint64_t *const numbers[] = { &pid, &start_ns, &start_unix_ns, &n_left_out, &n_lost };
	uint64_t n = argc > 2 ? strtoull(argv[2], NULL, 10) : 0, times[4];

	for (int i = 3; i < argc && i < 8; i++)
		*numbers[i - 3] = strtoull(argv[i], NULL, 10);
	for (int i = 0; i < 4; i++)
		times[i] = start_ns + 2000;
	file = argc > 1 ? fopen(argv[1], "wb") : NULL;
	if (!file || !n)
		return 2;
	begin();
	for (uint64_t i = 1; i < n;) {
		uint64_t thread = i / N_TOGETHER % 4;

		for (int k = 0; k < N_TOGETHER && i < n; k++, i++)
			access_object(thread, i, n, &times[thread]);
		flush();
	}
	end();
	return fclose(file) != 0;
}

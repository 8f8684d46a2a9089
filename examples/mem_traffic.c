/*
 * mem_traffic: the bytes that the memory controllers of each NUMA node read and write during a loop (ompp_mem.h).
 *
 *      cc mem_traffic.c $(pkg-config --cflags --libs ompp-mem)
 *
 * It prints a line for each node.  Where the bytes cannot be counted, it prints why, and ends with 0 as well.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ompp_mem.h"

enum { BYTES = 256 << 20 };

int main(void)
{
	struct ompp_mem_traffic *traffic;
	struct ompp_mem_node node;
	char *block;

	if (ompp_mem_traffic_new(&traffic)) {
		printf("no counts of memory controllers: %s\n", ompp_mem_message());
		return 0;
	}
	block = malloc(BYTES);
	if (!block || ompp_mem_traffic_start(traffic))
		return 1;
	memset(block, 1, BYTES);
	ompp_mem_traffic_stop(traffic);
	printf("%d bytes were written\n", BYTES);
	for (size_t i = 0; i < ompp_mem_n_nodes(traffic); i++) {
		if (ompp_mem_node(traffic, i, &node))
			continue;
		printf("node %" PRIu32 ": ", node.node);
		if (node.bytes_read == UINT64_MAX || node.bytes_written == UINT64_MAX)
			printf("-\n");
		else
			printf("%" PRIu64 " bytes read, %" PRIu64 " bytes written\n", node.bytes_read,
			       node.bytes_written);
	}
	ompp_mem_traffic_free(traffic);
	free(block);
	return 0;
}

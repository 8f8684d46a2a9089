/*
 * Traffic: counts the traffic of memory controllers while it plants some by the module mem_traffic, and ends with 0 when
 * the bytes of each NUMA node are those that it planted.  `traffic supported` prints what the library says.  With
 * `traffic split` the first unit counts for the nodes 0 and 1 alone, and the second for 2 and 3.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "planted.h"
#include "runtime/ompp_mem.h"

enum { UNITS = 2, NODES = 4, LINE_BYTES = 64 };

#define CHECK(true)                                                                      \
	do {                                                                             \
		if (!(true)) {                                                           \
			printf("%s:%d: %s\n%s\n", __FILE__, __LINE__, #true, ompp_mem_message()); \
			exit(1);                                                         \
		}                                                                        \
	} while (0)

static int device, is_split;

static void plant(uint32_t unit, uint32_t cpu, int is_write, uint64_t lines)
{
	struct planted_traffic traffic = { unit, cpu, (uint32_t)is_write, 0, lines };

	CHECK(!ioctl(device, PLANT_TRAFFIC, &traffic));
}

/* Plants another number for each unit, node, and direction. */
static void plant_all(uint64_t times)
{
	for (uint32_t unit = 0; unit < UNITS; unit++)
		for (uint32_t cpu = 0; cpu < NODES; cpu++) {
			plant(unit, cpu, 0, times * (1000 * (cpu + 1) + unit));
			plant(unit, cpu, 1, times * (7 * (cpu + 1) + 3 * unit));
		}
}

/* The bytes of each node are those of plant_all(times), of all units that count for it. */
static void check(struct ompp_mem_traffic *traffic, uint64_t times)
{
	int seen[NODES] = { 0 };

	CHECK(ompp_mem_n_nodes(traffic) == NODES);
	for (size_t i = 0; i < NODES; i++) {
		struct ompp_mem_node node;

		CHECK(!ompp_mem_node(traffic, i, &node));
		CHECK(node.node < NODES && !seen[node.node]++);
		if (is_split) {
			CHECK(node.bytes_read == LINE_BYTES * times * (1000 * (node.node + 1) + node.node / 2));
			CHECK(node.bytes_written == LINE_BYTES * times * (7 * (node.node + 1) + 3 * (node.node / 2)));
			continue;
		}
		if (node.bytes_read != LINE_BYTES * times * (2000 * (node.node + 1) + 1))
			printf("node %u: %llu bytes read, %llu planted\n", node.node, (unsigned long long)node.bytes_read,
			       (unsigned long long)(LINE_BYTES * times * (2000 * (node.node + 1) + 1)));
		CHECK(node.bytes_read == LINE_BYTES * times * (2000 * (node.node + 1) + 1));
		CHECK(node.bytes_written == LINE_BYTES * times * (14 * (node.node + 1) + 3));
	}
}

int main(int argc, char **argv)
{
	struct ompp_mem_traffic *traffic, *other;
	struct ompp_mem_node node;
	int rc;

	if (argc > 1 && !strcmp(argv[1], "supported")) {
		rc = ompp_mem_traffic_new(&traffic);
		printf("%d%s%s\n", rc, rc ? " " : "", rc ? ompp_mem_message() : "");
		return 0;
	}
	is_split = argc > 1 && !strcmp(argv[1], "split");
	device = open("/dev/mem_traffic", O_RDWR);
	CHECK(device >= 0);
	plant_all(5); /* before: not counted */
	CHECK(!ompp_mem_traffic_new(&traffic) && !ompp_mem_traffic_new(&other));
	plant_all(3);
	CHECK(ompp_mem_traffic_stop(traffic) == OMPP_MEM_ERROR_STATE);
	CHECK(!ompp_mem_traffic_start(traffic));
	CHECK(ompp_mem_traffic_start(traffic) == OMPP_MEM_ERROR_STATE);
	check(traffic, 0);
	plant_all(1);
	check(traffic, 1); /* while it runs */
	CHECK(!ompp_mem_traffic_start(other));
	plant_all(1000000);
	CHECK(!ompp_mem_traffic_stop(traffic));
	plant_all(11);
	check(traffic, 1000001);
	CHECK(!ompp_mem_traffic_stop(other));
	check(other, 1000011);
	CHECK(!ompp_mem_traffic_start(traffic)); /* once more, from 0 */
	plant_all(2);
	CHECK(!ompp_mem_traffic_stop(traffic));
	check(traffic, 2);
	CHECK(ompp_mem_node(traffic, NODES, &node) == OMPP_MEM_ERROR_ARGUMENT);
	ompp_mem_traffic_free(other);
	ompp_mem_traffic_free(traffic);
	ompp_mem_traffic_free(NULL);
	return 0;
}

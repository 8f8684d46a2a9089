/*
 * NUMA nodes: reads the machine's nodes from the kernel.  See uses.h.
 */
#include "runtime/data_sums/uses.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/sort.h"
#include "runtime/base/text.h"
#include "runtime/host/file.h"
#include "runtime/host/folder.h"

enum { LINE_BYTES = 4096, PATH_BYTES = 512 };

struct reading {
	const char *root;
	struct ompp_arena *arena;
	struct ompp_numa_node *nodes;
	size_t n, have;
};

/* Reads the first line of a file of a node.  Returns it in the arena; "" when there is none, NULL without memory. */
static const char *line_of(const struct reading *r, const char *name, const char *file)
{
	char path[PATH_BYTES], line[LINE_BYTES];
	struct ompp_text t;
	size_t n;

	ompp_text_init(&t, path, sizeof(path));
	ompp_text_str(&t, r->root);
	ompp_text_char(&t, '/');
	ompp_text_str(&t, name);
	ompp_text_char(&t, '/');
	ompp_text_str(&t, file);
	ompp_file_line(path, line, sizeof(line));
	for (n = strlen(line); n && line[n - 1] == ' ';)
		line[--n] = 0;
	return ompp_arena_strdup(r->arena, line);
}

/* Returns the bytes of "Node 0 MemTotal:  131072 kB"; OMPP_MISSING of another line. */
static int64_t bytes_of(const char *line)
{
	const char *p = line ? strstr(line, "MemTotal:") : NULL;
	uint64_t n;

	if (!p)
		return OMPP_MISSING;
	p += strlen("MemTotal:");
	p += strspn(p, " ");
	n = ompp_text_digits(&p);
	return n < INT64_MAX / 1024 && !strcmp(p, " kB") ? (int64_t)n * 1024 : OMPP_MISSING;
}

/* Returns what the firmware says of a node's memory from the nearest processors; OMPP_MISSING when it does not.  The
 * kernel has two answers: of access class 1, where only processors are looked at, and of 0, where devices are, too;
 * older kernels have the second one alone. */
static int64_t firmware_says(const struct reading *r, const char *node, const char *what)
{
	static const char *const classes[] = { "access1/initiators/", "access0/initiators/" };

	for (size_t i = 0; i < OMPP_COUNT_OF(classes); i++) {
		char file[64];
		struct ompp_text t;
		const char *line;
		uint64_t n;

		ompp_text_init(&t, file, sizeof(file));
		ompp_text_str(&t, classes[i]);
		ompp_text_str(&t, what);
		line = line_of(r, node, file);
		if (!line || *line < '0' || *line > '9')
			continue;
		n = ompp_text_digits(&line);
		if (n && n < UINT32_MAX && !*line)
			return (int64_t)n;
	}
	return OMPP_MISSING;
}

static int numa_nodes_found(void *context, const char *name)
{
	struct reading *r = context;
	const char *digits = name + strlen("node");
	struct ompp_numa_node *all, node;

	if (strncmp(name, "node", strlen("node")) || *digits < '0' || *digits > '9')
		return 0;
	node.number = (uint32_t)ompp_text_digits(&digits);
	node.cpus = line_of(r, name, "cpulist");
	node.bytes = bytes_of(line_of(r, name, "meminfo"));
	node.distances = line_of(r, name, "distance");
	node.read_bandwidth = firmware_says(r, name, "read_bandwidth");
	node.write_bandwidth = firmware_says(r, name, "write_bandwidth");
	node.read_latency = firmware_says(r, name, "read_latency");
	node.write_latency = firmware_says(r, name, "write_latency");
	all = ompp_arena_grow(r->arena, r->nodes, &r->have, r->n + 1, sizeof(*all));
	if (!all || !node.cpus || !node.distances)
		return -ENOMEM;
	r->nodes = all;
	if (!*digits)
		all[r->n++] = node;
	return 0;
}

static int is_after(const void *nodes, uint32_t x, uint32_t y)
{
	const struct ompp_numa_node *node = nodes;

	return node[x].number > node[y].number;
}

int ompp_collect_numa_nodes(struct ompp_profile *p, const char *root, struct ompp_arena *arena)
{
	struct reading r = { .root = root, .arena = arena };
	int rc = ompp_folder_each(root, numa_nodes_found, &r);
	struct ompp_numa_node *out = ompp_arena_alloc(arena, (r.n + 1) * sizeof(*out));
	uint32_t *order = ompp_sorted(arena, r.n, is_after, r.nodes);

	if (rc == -ENOMEM || !out || !order)
		return -ENOMEM;
	for (size_t i = 0; i < r.n; i++)
		out[i] = r.nodes[order[i]];
	p->numa_nodes = out;
	p->n_numa_list = r.n;
	return 0;
}

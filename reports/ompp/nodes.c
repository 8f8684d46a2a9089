/*
 * Nodes: see nodes.h.
 */
#include "config.h"

#include "reports/ompp/nodes.h"

#include "reports/command/arguments.h"

#ifdef HAVE_NUMA
#include <errno.h>
#include <numa.h>
#include <numaif.h>
#include <string.h>

#include "runtime/base/text.h"

enum { LIST_BYTES = 400 };

/* A rule of a placement: the text after its last "=". */
struct rule {
	const char *how;
	size_t n_bytes;
};

/* Takes the next rule.  Returns 0 at the end. */
static int next_rule(const char **place, struct rule *rule)
{
	size_t n = strcspn(*place, ",");
	const char *end = *place + n;

	if (!**place)
		return 0;
	rule->how = end;
	while (rule->how > *place && rule->how[-1] != '=')
		rule->how--;
	rule->n_bytes = (size_t)(end - rule->how);
	*place = end + (*end == ',');
	return 1;
}

static int nodes_begins(const struct rule *rule, const char *word)
{
	size_t n = strlen(word);

	return rule->n_bytes > n && !memcmp(rule->how, word, n);
}

/* Returns the nodes that have memory and are allowed for this process; NULL without NUMA support in the kernel. */
static struct bitmask *nodes_usable(void)
{
	struct bitmask *nodes = numa_available() < 0 ? NULL : numa_get_mems_allowed();

	for (unsigned int i = 0; nodes && i < nodes->size; i++)
		if (numa_bitmask_isbitset(nodes, i) && numa_node_size64((int)i, NULL) <= 0)
			numa_bitmask_clearbit(nodes, i);
	return nodes;
}

static const char *nodes_listed(const struct bitmask *nodes, char buffer[LIST_BYTES])
{
	struct ompp_text t;

	ompp_text_init(&t, buffer, LIST_BYTES);
	for (unsigned int i = 0; i < nodes->size; i++)
		if (numa_bitmask_isbitset(nodes, i)) {
			ompp_text_str(&t, t.n_bytes ? ", " : "");
			ompp_text_u64(&t, i);
		}
	return buffer;
}

/* Are the nodes of a rule, "node:1", "parts:0+3*2" (the second one gets two parts) or "blocks:3+2*4", among the usable
 * ones? */
static int is_here(const struct rule *rule, const struct bitmask *nodes)
{
	const char *p = rule->how, *end = p + rule->n_bytes;
	char buffer[LIST_BYTES];

	if (!nodes_begins(rule, "node:") && !nodes_begins(rule, "parts:") && !nodes_begins(rule, "blocks:"))
		return 1;
	while (p < end) {
		uint64_t node;

		if (*p < '0' || *p > '9') {
			p++;
			continue;
		}
		node = ompp_text_digits(&p);
		if (p < end && *p == '*') {
			p++;
			ompp_text_digits(&p);
		}
		if (node >= nodes->size || !numa_bitmask_isbitset(nodes, (unsigned int)node)) {
			ompp_complain("place",
			              "the placement needs memory of NUMA node %llu, and here only these nodes have "
			              "memory and are allowed: %s; run it on the machine of the profile",
			              (unsigned long long)node, nodes_listed(nodes, buffer));
			return 0;
		}
	}
	return 1;
}

int ompp_nodes_check(const char *place)
{
	struct bitmask *nodes = nodes_usable();
	struct rule rule;
	int are_here = 1;

	while (nodes && are_here && next_rule(&place, &rule))
		are_here = is_here(&rule, nodes);
	if (nodes)
		numa_bitmask_free(nodes);
	return are_here ? 0 : -1;
}

/* Finds the one rule that all objects have.  Returns 0, or -1 when they differ. */
static int common_rule(const char *place, struct rule *common)
{
	struct rule rule;

	if (!next_rule(&place, common))
		return -1;
	while (next_rule(&place, &rule))
		if (rule.n_bytes != common->n_bytes || memcmp(rule.how, common->how, rule.n_bytes))
			return -1;
	return 0;
}

/* Sets the policy of a rule.  Returns 0, or -1 for a rule that is not possible as the policy of a process. */
static int set_policy(const struct rule *rule, struct bitmask *nodes)
{
	const char *p = rule->how + strlen("node:");

	if (nodes_begins(rule, "node:")) {
		numa_set_preferred((int)ompp_text_digits(&p));
		return 0;
	}
	if (rule->n_bytes == strlen("interleave") && !memcmp(rule->how, "interleave", rule->n_bytes)) {
		numa_set_interleave_mask(nodes);
		return 0;
	}
	return -1;
}

int ompp_nodes_bind(const char *place)
{
	struct bitmask *nodes = nodes_usable();
	struct rule rule;
	int rc, mode = MPOL_DEFAULT;

	if (!nodes) {
		ompp_complain("--plain", "the kernel has no NUMA policies; use one with CONFIG_NUMA");
		return -1;
	}
	rc = common_rule(place, &rule) ? -1 : set_policy(&rule, nodes);
	numa_bitmask_free(nodes);
	if (rc) {
		ompp_complain("--plain",
		              "a single policy for the whole process cannot place objects, or their parts, separately; "
		              "build the program by kinst, and run it without --plain");
		return -1;
	}
	if (get_mempolicy(&mode, NULL, 0, NULL, 0) || mode == MPOL_DEFAULT) {
		ompp_complain("--plain", "the kernel does not take the policy: %s", strerror(errno));
		return -1;
	}
	return 0;
}
#else
int ompp_nodes_check(const char *place)
{
	(void)place;
	return 0;
}

int ompp_nodes_bind(const char *place)
{
	(void)place;
	ompp_complain("--plain",
	              "kinst was built without libnuma; install libnuma-dev and build it anew, or use numactl");
	return -1;
}
#endif

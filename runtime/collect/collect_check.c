/*
 * Check: see collect_check.h.
 */
#include "runtime/collect/collect_check.h"

#include <string.h>

#include "reports/profile/profile_check.h"
#include "runtime/base/check.h"

/* The reader repairs what it checks, so it gets copies. */
static void *check_copy(struct ompp_arena *arena, const void *array, size_t n, size_t n_bytes)
{
	void *out = ompp_arena_alloc(arena, (n + 1) * n_bytes);

	if (out && n)
		memcpy(out, array, n * n_bytes);
	return out;
}

static int64_t check_known(int64_t ns)
{
	return ns == OMPP_MISSING ? 0 : ns;
}

/* Checks that the parts of a cell's time add up to it, as profile.h says. */
static void check_parts(enum ompp_construct construct, const struct ompp_cell *c)
{
	int64_t waits = check_known(c->exit_bar_ns) + check_known(c->task_ns), mgmt = check_known(c->mgmt_ns);
	int64_t parts = c->exec_ns, body = check_known(c->body_ns);

	ompp_check(c->exec_ns >= 0 && body >= 0 && c->enter_ns >= 0 && c->exit_ns >= 0 &&
	           check_known(c->exit_bar_ns) >= 0 && c->startup_ns >= 0 && c->shutdown_ns >= 0 && mgmt >= 0 &&
	           check_known(c->task_ns) >= 0 && c->incl_ns >= 0 && c->cost_ns >= 0);
	switch (ompp_constructs[construct].form) {
	case OMPP_FORM_LOOP:
		parts = body + waits;
		break;
	case OMPP_FORM_CRITICAL:
	case OMPP_FORM_LOCK:
		parts = c->enter_ns + body + c->exit_ns;
		break;
	case OMPP_FORM_TEAM:
	case OMPP_FORM_TEAM_SECTIONS:
	case OMPP_FORM_SINGLE:
	case OMPP_FORM_SECTIONS:
		parts = c->startup_ns + body + mgmt + waits + c->shutdown_ns;
		break;
	case OMPP_FORM_TASKS:
	case OMPP_FORM_WAIT:
		ompp_check(waits <= c->exec_ns);
		break;
	default:
		break;
	}
	ompp_check(c->mgmt_ns == OMPP_MISSING ? parts <= c->exec_ns : parts == c->exec_ns);
}

/* Checks that all records of a section are valid, and in their order. */
static void check_section(const struct ompp_profile *p, enum ompp_section section, struct ompp_arena *arena)
{
	const void *list;
	size_t n = ompp_records(section, p, &list);
	void *copy = check_copy(arena, list, n, ompp_schemas[section].record_bytes);

	if (copy)
		ompp_check(ompp_valid_records(section, p, copy, n) == n);
}

void ompp_collect_check(const struct ompp_profile *p, struct ompp_arena *arena)
{
	struct ompp_node *nodes = check_copy(arena, p->nodes, p->n_nodes, sizeof(*nodes));
	struct ompp_profile whole = *p;
	int repaired = 0;

	if (!nodes)
		return;
	for (int i = OMPP_SECTION_HEAD + 1; i < OMPP_SECTION_VALUES; i++)
		if (i != OMPP_SECTION_NODES)
			check_section(p, i, arena);
	ompp_check(ompp_valid_nodes(&whole, nodes, p->n_nodes, &repaired) == p->n_nodes);
	ompp_check(!repaired);
	for (size_t i = 1; i < p->n_nodes; i++)
		for (size_t k = 0; k < p->nodes[i].n_cells; k++)
			check_parts(p->nodes[i].construct, &p->cells[p->nodes[i].first_cell + k]);
}

/*
 * Callgrind: the file format of valgrind's tool of that name, for KCachegrind and callgrind_annotate.
 *
 * A function is a region, and a call is an entry into it.  Costs are nanoseconds of all threads and, where known, the
 * counters.  The work of a region stands at its first line, waiting and management at its last line.
 *
 * The format has no missing values.  So a counter that is missing in any construct that counters cover is left out,
 * with a comment that says so; constructs that counters do not cover (ATOMIC) are part of the construct around them.
 */
#include "reports/exchange/exchange.h"

#include <errno.h>
#include <string.h>

#include "config.h"
#include "reports/analysis/untimed.h"
#include "reports/exchange/path_counts.h"
#include "reports/exchange/stacks.h"
#include "runtime/base/clean.h"

struct costs {
	const struct ompp_analysis *a;
	struct ompp_stacks s;
	struct ompp_out *out;
	uint8_t *has;     /* by metric: 1 when it is written */
	size_t n_columns; /* time and these metrics */
	/* by path and column, of all threads */
	int64_t *own, *below; /* at the path itself; with the paths below */
	int64_t *late_ns;     /* by path: the part of its own time that is waiting and management */
};

/* Returns the nearest path above that has counters; 0, the program, when there is none. */
static uint32_t counted_above(const struct ompp_profile *p, uint32_t node)
{
	for (node = p->nodes[node].parent; node && !ompp_path_counts_cover(p, node); node = p->nodes[node].parent)
		;
	return node;
}

/* Adds the counts of a path, and subtracts them from the path around it, which includes them.  Counts of tasks are at
 * their own paths only. */
static void add_counters(struct costs *c, uint32_t node)
{
	const struct ompp_profile *p = c->a->profile;
	uint32_t above = counted_above(p, node);
	int64_t *own = c->own + node * c->n_columns + 1, *from = c->own + above * c->n_columns + 1;

	for (size_t m = 0; m < p->n_metrics; m++) {
		int64_t sum = 0;

		if (!c->has[m])
			continue;
		for (uint32_t k = 0; k < p->nodes[node].n_cells; k++) {
			uint32_t cell = p->nodes[node].first_cell + k;
			int64_t value = p->values[cell * p->n_metrics + m];

			sum = ompp_add(sum, value);
			if (above && p->nodes[node].construct != OMPP_TASKEXEC &&
			    (!ompp_construct_is_parallel(p->nodes[node].construct) ||
			     !p->rows[p->cells[cell].row].rank))
				*from = ompp_subtract(*from, value);
		}
		*own = ompp_add(*own, sum);
		own++, from++;
	}
}

static int sum_up(struct costs *c)
{
	const struct ompp_profile *p = c->a->profile;

	c->own = ompp_arena_alloc(c->a->arena, (p->n_nodes + 1) * c->n_columns * sizeof(*c->own));
	c->below = ompp_arena_alloc(c->a->arena, (p->n_nodes + 1) * c->n_columns * sizeof(*c->below));
	c->late_ns = ompp_arena_alloc(c->a->arena, (p->n_nodes + 1) * sizeof(*c->late_ns));
	if (!c->own || !c->below || !c->late_ns)
		return -ENOMEM;
	c->own[0] = c->s.serial_ns;
	for (uint32_t i = 1; i < p->n_nodes; i++) {
		for (uint32_t k = 0; k < p->nodes[i].n_cells; k++) {
			const int64_t *parts = c->s.parts[p->nodes[i].first_cell + k];

			c->late_ns[i] = ompp_add(c->late_ns[i], ompp_add(parts[1], parts[2]));
			c->own[i * c->n_columns] = ompp_add(c->own[i * c->n_columns],
			                                    ompp_add(parts[0], ompp_add(parts[1], parts[2])));
		}
		if (ompp_path_counts_cover(p, i))
			add_counters(c, i);
	}
	for (size_t i = 0; i < p->n_nodes * c->n_columns; i++)
		c->below[i] = c->own[i] = c->own[i] < 0 ? 0 : c->own[i];
	for (uint32_t i = (uint32_t)p->n_nodes; i-- > 1;) /* children come after their parents */
		for (size_t k = 0; k < c->n_columns; k++)
			c->below[p->nodes[i].parent * c->n_columns + k] =
				ompp_add(c->below[p->nodes[i].parent * c->n_columns + k],
			                 c->below[i * c->n_columns + k]);
	return 0;
}

/* Writes a name.  It may not begin like "(1)", which the format reads as the number of a name. */
static void put_name(struct ompp_out *out, const char *key, const char *name)
{
	ompp_out_str(out, key);
	ompp_out_str(out, name[0] == '(' ? "./" : "");
	ompp_out_str(out, name);
	ompp_out_char(out, '\n');
}

/* Writes the file and the name of a function. */
static int put_function(struct costs *c, const char *file_key, const char *name_key, uint32_t node)
{
	const struct ompp_profile *p = c->a->profile;
	const char *file = node ? p->regions[p->nodes[node].region].file : "";
	const char *clean = ompp_clean_copy(file[0] ? file : "???", 0, c->a->arena);

	if (!clean)
		return -ENOMEM;
	put_name(c->out, file_key, clean);
	put_name(c->out, name_key, c->s.names[node]);
	return 0;
}

static uint32_t line_of(const struct ompp_profile *p, uint32_t node, int is_last)
{
	const struct ompp_region *region = node ? &p->regions[p->nodes[node].region] : NULL;

	return !region ? 0 : is_last && region->end_line ? region->end_line : region->begin_line;
}

static int is_same_file(const struct ompp_profile *p, uint32_t x, uint32_t y)
{
	return x && y && !strcmp(p->regions[p->nodes[x].region].file, p->regions[p->nodes[y].region].file);
}

/* Writes a line of costs; its time is a separate argument. */
static void put_costs(struct costs *c, uint32_t line, int64_t ns, const int64_t *costs)
{
	ompp_out_number(c->out, line);
	ompp_out_char(c->out, ' ');
	ompp_out_number(c->out, ns);
	for (size_t k = 1; costs && k < c->n_columns; k++) {
		ompp_out_char(c->out, ' ');
		ompp_out_number(c->out, costs[k]);
	}
	ompp_out_char(c->out, '\n');
}

static int put_path(struct costs *c, uint32_t node)
{
	const struct ompp_profile *p = c->a->profile;
	const int64_t *own = &c->own[node * c->n_columns];
	int rc;

	ompp_out_char(c->out, '\n');
	rc = put_function(c, "fl=", "fn=", node);
	put_costs(c, line_of(p, node, 0), ompp_subtract(own[0], c->late_ns[node]), own);
	if (c->late_ns[node])
		put_costs(c, line_of(p, node, 1), c->late_ns[node], NULL);
	for (uint32_t i = c->a->first_child[node]; i != OMPP_NONE && !rc; i = c->a->next_sibling[i]) {
		uint64_t n = 0;

		for (uint32_t k = 0; k < p->nodes[i].n_cells; k++)
			n += p->cells[p->nodes[i].first_cell + k].n_exec;
		rc = put_function(c, "cfi=", "cfn=", i);
		ompp_out_str(c->out, "calls=");
		ompp_out_number(c->out, ompp_count(n));
		ompp_out_char(c->out, ' ');
		ompp_out_number(c->out, line_of(p, i, 0));
		ompp_out_char(c->out, '\n');
		put_costs(c, line_of(p, is_same_file(p, node, i) ? i : node, 0), c->below[i * c->n_columns],
		          &c->below[i * c->n_columns]);
	}
	return rc;
}

/* Writes the name of a counter as one word, with only the characters that event names may have. */
static void put_event(struct ompp_out *out, const char *name)
{
	ompp_out_char(out, ' ');
	if (*name >= '0' && *name <= '9')
		ompp_out_char(out, '_');
	for (; *name; name++)
		ompp_out_char(out, (*name >= '0' && *name <= '9') || (*name >= 'A' && *name <= 'Z') ||
		                                   (*name >= 'a' && *name <= 'z')
		                           ? *name
		                           : '_');
}

/* Writes the standard errors of estimated times as comments, as the format has no errors of costs. */
static void put_errors(struct costs *c)
{
	const struct ompp_profile *p = c->a->profile;

	for (uint32_t i = 1; i < p->n_nodes; i++) {
		int64_t error_ns = ompp_stack_error_ns(c->a, i);

		if (!ompp_untimed_at(p, i))
			continue;
		ompp_out_str(c->out, "# an estimate, as not all visits were timed: ");
		ompp_out_str(c->out, c->s.names[i]);
		ompp_out_str(c->out, " below ");
		ompp_out_str(c->out, c->s.names[p->nodes[i].parent]);
		ompp_out_str(c->out, ", standard error ");
		if (error_ns == OMPP_MISSING)
			ompp_out_char(c->out, '-');
		else
			ompp_out_number(c->out, error_ns);
		ompp_out_str(c->out, " ns\n");
	}
}

static int put_head(struct costs *c)
{
	const struct ompp_profile *p = c->a->profile;

	ompp_out_str(c->out, "# callgrind format\nversion: 1\ncreator: ompp " PACKAGE_VERSION "\npid: ");
	ompp_out_number(c->out, p->pid);
	ompp_out_str(c->out, "\ncmd: ");
	ompp_out_str(c->out, c->s.names[0]);
	ompp_out_str(c->out, "\ndesc: Trigger: the end of the run; time of all threads\n");
	for (size_t m = 0; m < p->n_metrics; m++) {
		const char *name = ompp_clean_copy(p->metrics[m].name, 0, c->a->arena);

		if (!name)
			return -ENOMEM;
		if (c->has[m])
			continue;
		ompp_out_str(c->out, "# left out, as ");
		ompp_out_str(c->out, ompp_path_counts_why(p, m));
		ompp_out_str(c->out, ": ");
		ompp_out_str(c->out, name);
		ompp_out_char(c->out, '\n');
	}
	put_errors(c);
	ompp_out_str(c->out, "positions: line\nevents: ns");
	for (size_t m = 0; m < p->n_metrics; m++)
		if (c->has[m])
			put_event(c->out, p->metrics[m].name);
	ompp_out_str(c->out, "\nsummary:");
	for (size_t k = 0; k < c->n_columns; k++) {
		ompp_out_char(c->out, ' ');
		ompp_out_number(c->out, c->below[k]);
	}
	ompp_out_char(c->out, '\n');
	return 0;
}

static int write_callgrind(const struct ompp_analysis *a, struct ompp_out *out)
{
	const struct ompp_profile *p = a->profile;
	struct costs c = { .a = a, .out = out, .n_columns = 1 };
	int rc = ompp_stacks(a, &c.s);

	c.has = ompp_arena_alloc(a->arena, p->n_metrics + 1);
	if (rc || !c.has)
		return -ENOMEM;
	for (size_t m = 0; m < p->n_metrics; m++) {
		c.has[m] = (uint8_t)ompp_path_counts_known(p, m);
		c.n_columns += c.has[m];
	}
	rc = sum_up(&c);
	if (!rc)
		rc = put_head(&c);
	for (uint32_t i = 0; i < p->n_nodes && !rc; i++)
		rc = put_path(&c, i);
	return rc;
}

const struct ompp_exchange ompp_exchange_callgrind = { .write = write_callgrind };

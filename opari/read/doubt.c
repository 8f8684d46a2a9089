/*
 * Doubt: see doubt.h.
 */
#include "opari/read/doubt.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "runtime/base/array.h"

#define LEAF(name) (UINT64_C(1) << KINST_OMP_##name)
#define TASKS      (LEAF(TASK) | LEAF(TASKLOOP))
#define LOOPS      (LEAF(FOR) | LEAF(SIMD) | LEAF(GENERIC_LOOP) | LEAF(DISTRIBUTE))
#define WORK       (LEAF(FOR) | LEAF(SECTIONS) | LEAF(SCOPE))
#define TRANSFERS  (LEAF(TARGET_ENTER_DATA) | LEAF(TARGET_EXIT_DATA) | LEAF(TARGET_UPDATE))
#define TARGETS    (LEAF(TARGET) | LEAF(TARGET_DATA) | TRANSFERS)
#define CANCELS    (LEAF(CANCEL) | LEAF(CANCELLATION_POINT))

enum arguments { NONE, SOME, ANY };
enum times { ONCE, OFTEN };

/* The clauses: whether parentheses follow, whether they may stand several times, and where they may stand. */
static const struct {
	const char *name;
	enum arguments arguments;
	enum times times;
	uint64_t leaves;
} known[] = {
	/* clang-format off */
	{ "private", SOME, OFTEN, LEAF(PARALLEL) | LOOPS | WORK | LEAF(SINGLE) | TASKS | LEAF(TEAMS) | LEAF(TARGET) },
	{ "firstprivate", SOME, OFTEN, LEAF(PARALLEL) | LEAF(FOR) | LEAF(SECTIONS) | LEAF(SINGLE) | TASKS | LEAF(TEAMS) | LEAF(DISTRIBUTE) | LEAF(TARGET) },
	{ "lastprivate", SOME, OFTEN, LOOPS | LEAF(SECTIONS) | LEAF(TASKLOOP) },
	{ "shared", SOME, OFTEN, LEAF(PARALLEL) | TASKS | LEAF(TEAMS) },
	{ "default", SOME, ONCE, LEAF(PARALLEL) | TASKS | LEAF(TEAMS) },
	{ "reduction", SOME, OFTEN, LEAF(PARALLEL) | WORK | LEAF(SIMD) | LEAF(GENERIC_LOOP) | LEAF(TASKLOOP) | LEAF(TEAMS) },
	{ "in_reduction", SOME, OFTEN, TASKS },
	{ "task_reduction", SOME, OFTEN, LEAF(TASKGROUP) },
	{ "copyin", SOME, OFTEN, LEAF(PARALLEL) },
	{ "copyprivate", SOME, OFTEN, LEAF(SINGLE) },
	{ "linear", SOME, OFTEN, LEAF(FOR) | LEAF(SIMD) },
	{ "if", SOME, ONCE, LEAF(PARALLEL) | TASKS | TARGETS | LEAF(CANCEL) },
	{ "num_threads", SOME, ONCE, LEAF(PARALLEL) },
	{ "proc_bind", SOME, ONCE, LEAF(PARALLEL) },
	{ "schedule", SOME, ONCE, LEAF(FOR) },
	{ "collapse", SOME, ONCE, LOOPS | LEAF(TASKLOOP) },
	{ "ordered", ANY, ONCE, LEAF(FOR) },
	{ "order", SOME, ONCE, LOOPS },
	{ "nowait", NONE, ONCE, WORK | LEAF(SINGLE) | LEAF(WORKSHARE) | LEAF(TARGET) | TRANSFERS },
	{ "simdlen", SOME, ONCE, LEAF(SIMD) },
	{ "safelen", SOME, ONCE, LEAF(SIMD) },
	{ "aligned", SOME, OFTEN, LEAF(SIMD) },
	{ "nontemporal", SOME, OFTEN, LEAF(SIMD) },
	{ "bind", SOME, ONCE, LEAF(GENERIC_LOOP) },
	{ "filter", SOME, ONCE, LEAF(MASKED) },
	{ "hint", SOME, ONCE, LEAF(CRITICAL) | LEAF(ATOMIC) },
	{ "threads", NONE, ONCE, LEAF(ORDERED) },
	{ "depend", SOME, OFTEN, LEAF(ORDERED) | LEAF(TASK) | LEAF(TASKWAIT) | LEAF(DEPOBJ) | LEAF(TARGET) | TRANSFERS },
	{ "final", SOME, ONCE, TASKS },
	{ "untied", NONE, ONCE, TASKS },
	{ "mergeable", NONE, ONCE, TASKS },
	{ "priority", SOME, ONCE, TASKS },
	{ "detach", SOME, ONCE, LEAF(TASK) },
	{ "grainsize", SOME, ONCE, LEAF(TASKLOOP) },
	{ "num_tasks", SOME, ONCE, LEAF(TASKLOOP) },
	{ "nogroup", NONE, ONCE, LEAF(TASKLOOP) },
	{ "num_teams", SOME, ONCE, LEAF(TEAMS) },
	{ "thread_limit", SOME, ONCE, LEAF(TEAMS) },
	{ "dist_schedule", SOME, ONCE, LEAF(DISTRIBUTE) },
	{ "map", SOME, OFTEN, LEAF(TARGET) | LEAF(TARGET_DATA) | LEAF(TARGET_ENTER_DATA) | LEAF(TARGET_EXIT_DATA) },
	{ "device", SOME, ONCE, TARGETS },
	{ "defaultmap", SOME, ONCE, LEAF(TARGET) },
	{ "is_device_ptr", SOME, OFTEN, LEAF(TARGET) },
	{ "use_device_ptr", SOME, OFTEN, LEAF(TARGET_DATA) },
	{ "use_device_addr", SOME, OFTEN, LEAF(TARGET_DATA) },
	{ "to", SOME, OFTEN, LEAF(TARGET_UPDATE) },
	{ "from", SOME, OFTEN, LEAF(TARGET_UPDATE) },
	{ "update", ANY, ONCE, LEAF(ATOMIC) | LEAF(DEPOBJ) },
	{ "destroy", NONE, ONCE, LEAF(DEPOBJ) },
	{ "read", NONE, ONCE, LEAF(ATOMIC) },
	{ "write", NONE, ONCE, LEAF(ATOMIC) },
	{ "capture", NONE, ONCE, LEAF(ATOMIC) },
	{ "compare", NONE, ONCE, LEAF(ATOMIC) },
	{ "seq_cst", NONE, ONCE, LEAF(ATOMIC) | LEAF(FLUSH) },
	{ "acq_rel", NONE, ONCE, LEAF(ATOMIC) | LEAF(FLUSH) },
	{ "acquire", NONE, ONCE, LEAF(ATOMIC) | LEAF(FLUSH) },
	{ "release", NONE, ONCE, LEAF(ATOMIC) | LEAF(FLUSH) },
	{ "relaxed", NONE, ONCE, LEAF(ATOMIC) },
	{ "parallel", NONE, ONCE, CANCELS },
	{ "for", NONE, ONCE, CANCELS },
	{ "do", NONE, ONCE, CANCELS },
	{ "sections", NONE, ONCE, CANCELS },
	{ "taskgroup", NONE, ONCE, CANCELS },
	/* clang-format on */
};

/* Which constructs may stand behind another one in a name. */
static const struct {
	enum kinst_leaf leaf;
	uint64_t next;
} combined[] = {
	{ KINST_OMP_TARGET, LEAF(TEAMS) | LEAF(PARALLEL) | LEAF(SIMD) },
	{ KINST_OMP_TEAMS, LEAF(DISTRIBUTE) | LEAF(GENERIC_LOOP) },
	{ KINST_OMP_DISTRIBUTE, LEAF(PARALLEL) | LEAF(SIMD) },
	{ KINST_OMP_PARALLEL,
	  LEAF(FOR) | LEAF(SECTIONS) | LEAF(WORKSHARE) | LEAF(MASTER) | LEAF(MASKED) | LEAF(GENERIC_LOOP) },
	{ KINST_OMP_FOR, LEAF(SIMD) },
	{ KINST_OMP_MASTER, LEAF(TASKLOOP) },
	{ KINST_OMP_MASKED, LEAF(TASKLOOP) },
	{ KINST_OMP_TASKLOOP, LEAF(SIMD) },
};

static int may_follow(enum kinst_leaf leaf, enum kinst_leaf next)
{
	for (size_t i = 0; i < OMPP_COUNT_OF(combined); i++)
		if (combined[i].leaf == leaf)
			return (combined[i].next >> next & 1) != 0;
	return 0;
}

/* Returns 1 when the name is not one of OpenMP's, or it has parentheses that do not belong to it. */
static int is_name_odd(const struct kinst_directive *d)
{
	for (size_t i = 0; i < d->n_name; i++)
		if (isupper((unsigned char)d->name[i]))
			return 1;
	for (size_t i = 1; i < d->n_leaves; i++)
		if (!may_follow(d->leaves[i - 1], d->leaves[i]))
			return 1;
	return d->arg.text && d->leaves[0] != KINST_OMP_CRITICAL && d->leaves[0] != KINST_OMP_FLUSH &&
	       d->leaves[0] != KINST_OMP_DEPOBJ;
}

/* Returns 1 when something else than blanks, or one comma between clauses, stands between p and end.
 * between: 1 when clauses stand on both sides */
static int is_gap_odd(const char *p, const char *end, int between)
{
	p = kinst_skip_blanks(p);
	if (between && *p == ',')
		p = kinst_skip_blanks(p + 1);
	return end ? p != end : *p && *p != '!';
}

/* Returns the row of a clause in `known`; OMPP_COUNT_OF(known) when it is in none. */
static size_t row_of(const struct kinst_clause *c)
{
	size_t i = 0;

	while (i < OMPP_COUNT_OF(known) &&
	       (strlen(known[i].name) != c->n_name || memcmp(known[i].name, c->name, c->n_name) != 0))
		i++;
	return i;
}

/* Returns 1 when a clause may not stand at a directive of these constructs. */
static int is_clause_odd(size_t row, const struct kinst_clause *c, uint64_t leaves)
{
	if (row == OMPP_COUNT_OF(known) || !(known[row].leaves & leaves))
		return 1;
	return (known[row].arguments == NONE && c->args) || (known[row].arguments == SOME && !c->args);
}

/* Returns 1 when a clause that belongs to one construct may not stand at the combination that it is in. */
static int is_combined_odd(const char *name, const struct kinst_directive *d)
{
	if (d->n_leaves < 2)
		return 0;
	if (!strcmp(name, "nowait"))
		return d->leaves[0] != KINST_OMP_TARGET && d->leaves[0] != KINST_OMP_FOR;
	return !strcmp(name, "copyin") && d->leaves[0] != KINST_OMP_PARALLEL;
}

/* Returns 1 when the directive becomes two. */
static int is_divided(const struct kinst_directive *d)
{
	return d->n_leaves > 1 && (d->leaves[0] == KINST_OMP_PARALLEL || d->leaves[0] == KINST_OMP_MASTER ||
	                           d->leaves[0] == KINST_OMP_MASKED);
}

/* Returns 1 when the list of a clause has this name. */
static int has_name(const struct kinst_clause *c, const char *name, size_t n)
{
	for (const char *p = c->args; p && p < c->args + c->n_args; p++)
		if (!kinst_is_word(p[-1]) && !memcmp(p, name, n) && !kinst_is_word(p[n]))
			return 1;
	return 0;
}

/* Returns 1 when a variable of a list stands in one before it, too.  Each half of a directive may get one of both. */
static int is_named_twice(const struct kinst_directive *d, size_t clause)
{
	const struct kinst_clause *c = d->clauses + clause;
	const char *end = c->args + c->n_args;
	size_t modifier = kinst_clause_modifier(c);

	for (const char *p = c->args + modifier; p < end;) {
		const char *name = p;

		while (p < end && kinst_is_word(*p))
			p++;
		for (size_t i = 0; p > name && !isdigit((unsigned char)*name) && i < clause; i++)
			if (known[row_of(d->clauses + i)].times == OFTEN &&
			    has_name(d->clauses + i, name, (size_t)(p - name)))
				return 1;
		p += p == name;
	}
	return 0;
}

static int are_clauses_odd(const struct kinst_directive *d)
{
	const char *p = d->arg.text ? d->arg.text + d->arg.n_text : d->name + d->n_name;
	unsigned char times[OMPP_COUNT_OF(known)] = { 0 };
	uint64_t leaves = 0;
	int divided = is_divided(d);

	for (size_t i = 0; i < d->n_leaves; i++)
		leaves |= UINT64_C(1) << d->leaves[i];
	for (size_t i = 0; i < d->n_clauses; i++) {
		const struct kinst_clause *c = d->clauses + i;
		size_t row = row_of(c);

		if (is_gap_odd(p, c->text, i > 0) || is_clause_odd(row, c, leaves) ||
		    is_combined_odd(known[row].name, d) || (times[row]++ && known[row].times == ONCE) ||
		    (divided && c->args && known[row].times == OFTEN && is_named_twice(d, i)))
			return 1;
		p = c->text + c->n_text;
	}
	return is_gap_odd(p, NULL, 0);
}

int kinst_doubt_directive(const struct kinst_directive *d)
{
	if (d->leaves[0] == KINST_OMP_OTHER)
		return 0;
	/* g++ 12 has a scope in an expression's statements not implemented, but takes its text with calls in it. */
	return d->is_end || d->leaves[0] == KINST_OMP_SCOPE || is_name_odd(d) || are_clauses_odd(d);
}

int kinst_doubt_end(const struct kinst_directive *end)
{
	const struct kinst_clause *c = end->clauses;

	if (end->leaves[0] == KINST_OMP_OTHER)
		return 0;
	if (end->n_clauses && !kinst_clause_is(c, "nowait") && !kinst_clause_is(c, "copyprivate"))
		return 1;
	return end->n_clauses > 1 || is_name_odd(end) || are_clauses_odd(end);
}

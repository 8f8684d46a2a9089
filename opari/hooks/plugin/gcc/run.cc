/*
 * Run: see run.h.
 */
#include "run.h"

#include "nest.h"

/* Returns 1 when a block is executed once in each iteration of the loop, or in none, depending on a loop-invariant
 * guard. */
static bool is_in_each(class loop *loop, basic_block block, struct guard *guard)
{
	basic_block before;

	*guard = {};
	if (dominated_by_p(CDI_DOMINATORS, loop->latch, block))
		return true;
	if (!single_pred_p(block))
		return false;
	before = single_pred(block);
	if (before->loop_father != loop || !dominated_by_p(CDI_DOMINATORS, loop->latch, before) ||
	    EDGE_COUNT(before->succs) != 2)
		return false;
	guard->condition = safe_dyn_cast<gcond *>(last_stmt(before));
	/* a comparison of floating-point numbers may raise an exception */
	if (!guard->condition || FLOAT_TYPE_P(TREE_TYPE(gimple_cond_lhs(guard->condition))) ||
	    !expr_invariant_in_loop_p(loop, gimple_cond_lhs(guard->condition)) ||
	    !expr_invariant_in_loop_p(loop, gimple_cond_rhs(guard->condition)))
		return false;
	guard->inverse = (single_pred_edge(block)->flags & EDGE_FALSE_VALUE) != 0;
	return true;
}

/* Returns n when the guard holds, else 0. */
static tree guarded(gimple_seq *sequence, const struct guard *guard, tree n)
{
	tree result = make_ssa_name(size_type_node);
	tree holds = make_ssa_name(boolean_type_node);
	enum tree_code code = gimple_cond_code(guard->condition);

	if (guard->inverse)
		code = invert_tree_comparison(code, false);
	gimple_seq_add_stmt(sequence, gimple_build_assign(holds, code, gimple_cond_lhs(guard->condition),
	                                                  gimple_cond_rhs(guard->condition)));
	gimple_seq_add_stmt(sequence, gimple_build_assign(result, COND_EXPR,
	                                                  build2(NE_EXPR, boolean_type_node, holds, boolean_false_node),
	                                                  n, size_zero_node));
	return result;
}

tree latches(class loop *loop)
{
	tree n = single_exit(loop) ? number_of_latch_executions(loop) : chrec_dont_know;

	if (n == chrec_dont_know || chrec_contains_undetermined(n) || generic_expr_could_trap_p(n) ||
	    !expr_invariant_in_loop_p(loop, n))
		return NULL_TREE;
	return n;
}

bool consider(class loop *loop, struct candidate *c)
{
	affine_iv part;

	if (c->dimensions == MOST_DIMENSIONS || !is_in_each(loop, gimple_bb(c->statement), &c->guard) ||
	    !simple_iv(loop, loop, gimple_call_arg(c->statement, RUN_BASE), &c->address, true) ||
	    generic_expr_could_trap_p(c->address.base) || generic_expr_could_trap_p(c->address.step))
		return false;
	for (int i = 0; i < 2 * c->dimensions; i++) {
		if (!simple_iv(loop, loop, gimple_call_arg(c->statement, run_step(0) + i), &part, false) ||
		    !integer_zerop(part.step) || !expr_invariant_in_loop_p(loop, part.base) ||
		    generic_expr_could_trap_p(part.base))
			return false;
		c->rest.safe_push(part.base);
	}
	return true;
}

/* Adds the call that counts the candidate n times.
 * behind: HOW_BEHIND after the loop, else 0 */
static void add_run(gimple_seq *sequence, const struct candidate *c, tree base, tree step, tree n, unsigned int behind)
{
	auto_vec<tree, 2 + 2 * MOST_DIMENSIONS> arguments;
	unsigned int how = c->dimensions ? tree_to_uhwi(gimple_call_arg(c->statement, run_how(c->dimensions)))
	                                 : hook_how(c->statement);
	gcall *call;

	arguments.safe_push(base);
	arguments.safe_push(step);
	arguments.safe_push(n);
	for (unsigned int i = 0; i < c->rest.length(); i++)
		arguments.safe_push(as_size(sequence, c->rest[i]));
	arguments.safe_push(build_int_cst(unsigned_type_node, how | behind));
	call = gimple_build_call_vec(run_function(c->dimensions + 1), arguments);
	gimple_set_location(call, gimple_location(c->statement));
	gimple_seq_add_stmt(sequence, call);
}

/* Returns n + 1. */
static tree add_one(gimple_seq *sequence, tree n)
{
	tree result = make_ssa_name(size_type_node);

	gimple_seq_add_stmt(sequence, gimple_build_assign(result, PLUS_EXPR, n, size_one_node));
	return result;
}

tree executions(gimple_seq *sequence, class loop *loop, const struct candidate *c, tree n)
{
	basic_block source = single_exit(loop)->src, block = gimple_bb(c->statement);

	n = as_size(sequence, n);
	/* a block before the exit is executed once more often than the latch */
	if (dominated_by_p(CDI_DOMINATORS, source, c->guard.condition ? single_pred(block) : block))
		n = add_one(sequence, n);
	return c->guard.condition ? guarded(sequence, &c->guard, n) : n;
}

/* Counts the candidate before the loop, whose latch is executed n times. */
static void count_before(class loop *loop, const struct candidate *c, tree n)
{
	gimple_seq sequence = NULL;
	tree base, step;

	n = executions(&sequence, loop, c, n);
	base = as_pointer(&sequence, c->address.base);
	step = as_size(&sequence, c->address.step);
	add_run(&sequence, c, base, step, n, 0);
	gsi_insert_seq_on_edge_immediate(loop_preheader_edge(loop), sequence);
}

/* Counts the blocks, each of n_bytes, of a block hook. */
static void count_blocks(class loop *loop, const struct candidate *c, tree n, unsigned HOST_WIDE_INT n_bytes,
                         unsigned int slot)
{
	gimple_seq sequence = NULL;
	tree base, step;
	gcall *call;

	n = executions(&sequence, loop, c, n);
	base = as_pointer(&sequence, c->address.base);
	step = as_size(&sequence, c->address.step);
	call = gimple_build_call(blocks_function(), 5, base, step, n, size_int(n_bytes),
	                         build_int_cst(unsigned_type_node, slot));
	gimple_set_location(call, gimple_location(c->statement));
	gimple_seq_add_stmt(&sequence, call);
	gsi_insert_seq_on_edge_immediate(loop_preheader_edge(loop), sequence);
}

/* Returns the number of iterations that are complete. */
static tree iterations(class loop *loop)
{
	tree now = make_ssa_name(size_type_node), next = make_ssa_name(size_type_node);
	gphi *phi = create_phi_node(now, loop->header);
	gimple_stmt_iterator end = gsi_last_bb(loop->latch);

	add_phi_arg(phi, size_zero_node, loop_preheader_edge(loop), UNKNOWN_LOCATION);
	add_phi_arg(phi, next, loop_latch_edge(loop), UNKNOWN_LOCATION);
	gsi_insert_after(&end, gimple_build_assign(next, PLUS_EXPR, now, size_one_node), GSI_NEW_STMT);
	return now;
}

/* Counts on the exits of the loop. */
static void count_behind(class loop *loop, const struct candidate *c, tree n_complete)
{
	auto_vec<edge> exits = get_loop_exit_edges(loop);
	basic_block block = gimple_bb(c->statement);
	gimple_seq sequence = NULL;
	tree base = as_pointer(&sequence, c->address.base), step = as_size(&sequence, c->address.step);
	unsigned int i;
	edge e;

	if (sequence)
		gsi_insert_seq_on_edge_immediate(loop_preheader_edge(loop), sequence);
	FOR_EACH_VEC_ELT (exits, i, e) {
		gimple_seq last = NULL;
		tree n = n_complete;

		if (dominated_by_p(CDI_DOMINATORS, e->src, block))
			n = add_one(&last, n);
		add_run(&last, c, base, step, n, HOW_BEHIND);
		gsi_insert_seq_on_edge_immediate(e, last);
	}
}

static void make_runs_in(class loop *loop, struct plugin_counts *counts)
{
	auto_vec<gimple *, 32> calls;
	basic_block *body = get_loop_body(loop);
	tree n_latches = latches(loop), n_complete = NULL_TREE;
	bool has_exits = !get_loop_exit_edges(loop).is_empty();
	gimple *statement;
	unsigned int i, slot = 0;

	for (i = 0; i < loop->num_nodes; i++)
		for (gimple_stmt_iterator s = gsi_start_bb(body[i]); body[i]->loop_father == loop && !gsi_end_p(s);
		     gsi_next(&s))
			if (hook_how(gsi_stmt(s)) >= 0 || run_dimensions(gsi_stmt(s)) ||
			    block_bytes(gsi_stmt(s), &slot))
				calls.safe_push(gsi_stmt(s));
	free(body);
	FOR_EACH_VEC_ELT (calls, i, statement) {
		struct candidate c = { statement, run_dimensions(statement), {}, {}, {} };
		unsigned HOST_WIDE_INT n_bytes = block_bytes(statement, &slot);

		if (!consider(loop, &c) || (n_bytes && !n_latches))
			continue;
		if (n_bytes) {
			count_blocks(loop, &c, n_latches, n_bytes, slot);
			counts->runs++;
		} else if (n_latches) {
			count_before(loop, &c, n_latches);
			*(c.dimensions ? &counts->hoisted : &counts->runs) += 1;
		} else if (!c.dimensions && !c.guard.condition && has_exits) {
			if (!n_complete)
				n_complete = iterations(loop);
			count_behind(loop, &c, n_complete);
			counts->counted++;
		} else {
			continue;
		}
		remove_statement(statement);
	}
}

void make_runs(class loop *nest, struct plugin_counts *counts)
{
	for (class loop *inner = nest->inner; inner; inner = inner->next)
		make_runs(inner, counts);
	if (is_quiet(nest))
		make_runs_in(nest, counts);
}

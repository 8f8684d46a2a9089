/*
 * Order: see order.h.
 */
#include "order.h"

#include "nest.h"

enum { MOST_ACCESSES = 32, N_FIELDS = 4 }; /* those of struct ompp_ordered_access (runtime/access/access.h) */

/* A loop, and its accesses in the order in which an iteration makes them. */
struct ordered {
	class loop *loop;
	tree n_latches;
	auto_delete_vec<struct candidate> accesses;
};

/* Returns 1 when a statement may make accesses without a hook before it. */
static bool is_opaque(gimple *statement)
{
	return is_gimple_call(statement) && !gimple_call_internal_p(statement) && !is_math_call(statement) &&
	       hook_how(statement) < 0;
}

/* Collects the accesses of a block.  Returns false when one of them is not known before the loop. */
static bool collect(struct ordered *o, basic_block block)
{
	for (gimple_stmt_iterator s = gsi_start_bb(block); !gsi_end_p(s); gsi_next(&s)) {
		struct candidate *c;

		if (is_opaque(gsi_stmt(s)))
			return false;
		if (hook_how(gsi_stmt(s)) < 0)
			continue;
		if (o->accesses.length() == MOST_ACCESSES)
			return false;
		c = new struct candidate();
		c->statement = gsi_stmt(s);
		o->accesses.safe_push(c);
		if (!consider(o->loop, c))
			return false;
	}
	return true;
}

/* Looks at an innermost loop.
 * order: the blocks of the function in reverse postorder
 * Returns NULL when it has no accesses, or not all are known before it. */
static struct ordered *look_at(class loop *loop, const int *order, int n_order)
{
	struct ordered *o = new struct ordered();
	bool is_known;

	o->loop = loop;
	o->n_latches = latches(loop);
	is_known = o->n_latches && can_duplicate_loop_p(loop);
	for (int i = 0; i < n_order && is_known; i++) {
		basic_block block = BASIC_BLOCK_FOR_FN(cfun, order[i]);

		is_known = block->loop_father != loop || collect(o, block);
	}
	if (is_known && !o->accesses.is_empty())
		return o;
	delete o;
	return NULL;
}

static void look_in(class loop *loop, const int *order, int n_order, vec<struct ordered *> *all)
{
	struct ordered *o;

	for (class loop *inner = loop->inner; inner; inner = inner->next)
		look_in(inner, order, n_order, all);
	if (loop->inner)
		return;
	o = look_at(loop, order, n_order);
	if (o)
		all->safe_push(o);
}

/* Makes the version that hands its accesses over. */
static void double_loop(struct ordered *o, tree words)
{
	profile_probability even = profile_probability::even();
	gimple_seq sequence = NULL;
	basic_block condition;
	struct candidate *c;
	unsigned int i;
	tree flag = flag_of(&sequence, by_order_variable());

	gsi_insert_seq_on_edge_immediate(loop_preheader_edge(o->loop), sequence);
	initialize_original_copy_tables();
	if (!loop_version(o->loop, build2(NE_EXPR, boolean_type_node, flag, integer_zero_node), &condition, even, even,
	                  even, even, true)) {
		free_original_copy_tables();
		return;
	}
	free_original_copy_tables();
	sequence = NULL;
	FOR_EACH_VEC_ELT (o->accesses, i, c) {
		tree fields[N_FIELDS];

		fields[0] = as_size(&sequence, c->address.base);
		fields[1] = as_size(&sequence, c->address.step);
		fields[2] = executions(&sequence, o->loop, c, o->n_latches);
		fields[3] = size_int(hook_how(c->statement));
		for (unsigned int k = 0; k < N_FIELDS; k++)
			gimple_seq_add_stmt(&sequence,
			                    gimple_build_assign(word_of(words, i * N_FIELDS + k), fields[k]));
	}
	gimple_seq_add_stmt(&sequence, gimple_build_call(order_function(), 2, build_fold_addr_expr(words),
	                                                 size_int(o->accesses.length())));
	gsi_insert_seq_on_edge_immediate(loop_preheader_edge(o->loop), sequence);
	FOR_EACH_VEC_ELT (o->accesses, i, c)
		remove_statement(c->statement);
}

void make_ordered(const vec<class loop *> &by_hooks, struct plugin_counts *counts)
{
	int *order = XNEWVEC(int, n_basic_blocks_for_fn(cfun)), n_order;
	auto_vec<struct ordered *> all;
	unsigned int i, n_most = 0;
	struct ordered *o;
	class loop *nest;
	tree words;

	n_order = pre_and_rev_post_order_compute(NULL, order, false);
	FOR_EACH_VEC_ELT (by_hooks, i, nest)
		look_in(nest, order, n_order, &all);
	free(order);
	FOR_EACH_VEC_ELT (all, i, o)
		n_most = MAX(n_most, o->accesses.length());
	words = n_most ? make_words(n_most * N_FIELDS, "ompp_accesses") : NULL_TREE;
	FOR_EACH_VEC_ELT (all, i, o) {
		double_loop(o, words);
		counts->ordered++;
		delete o;
	}
	if (words)
		update_ssa(TODO_update_ssa);
}

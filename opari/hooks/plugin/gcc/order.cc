/*
 * Order: see order.h.
 */
#include "order.h"

#include "nest.h"

enum { MOST_ACCESSES = 32, N_FIELDS = 4 }; /* those of struct ompp_ordered_access (runtime/access/access.h) */

/* A loop, and its accesses in the order in which an iteration makes them. */
struct ordered {
	class loop *loop;
	class loop *counted; /* the same loop in the first version, if nothing in it counts; else NULL */
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
static struct ordered *look_at(class loop *loop, class loop *counted, const int *order, int n_order)
{
	struct ordered *o = new struct ordered();
	bool is_known;

	o->loop = loop;
	o->counted = counted;
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

static void look_in(class loop *loop, class loop *counted, const int *order, int n_order, vec<struct ordered *> *all)
{
	struct ordered *o;

	for (class loop *inner = loop->inner; inner; inner = inner->next)
		look_in(inner, NULL, order, n_order, all);
	if (loop->inner)
		return;
	o = look_at(loop, counted, order, n_order);
	if (o)
		all->safe_push(o);
}

/* Returns the code that hands the accesses over before their loop. */
static gimple_seq hand_over(const struct ordered *o, tree words)
{
	gimple_seq sequence = NULL;
	struct candidate *c;
	unsigned int i;

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
	return sequence;
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
	gsi_insert_seq_on_edge_immediate(loop_preheader_edge(o->loop), hand_over(o, words));
	FOR_EACH_VEC_ELT (o->accesses, i, c)
		remove_statement(c->statement);
}

/* Lets the first version execute the loop whose accesses are handed over: by a branch from before the loop with hooks
 * to behind what counts the runs of the first version. */
static void share_loop(struct ordered *o, tree words)
{
	edge into = loop_preheader_edge(o->loop), e;
	basic_block chooser, block, join;
	gimple_seq sequence = NULL;
	gimple_stmt_iterator at;
	tree flag = flag_of(&sequence, by_order_variable());

	gimple_seq_add_stmt(&sequence, gimple_build_cond(NE_EXPR, flag, integer_zero_node, NULL_TREE, NULL_TREE));
	chooser = split_edge(into);
	split_edge(single_succ_edge(chooser));
	at = gsi_start_bb(chooser);
	gsi_insert_seq_after(&at, sequence, GSI_NEW_STMT);
	e = single_succ_edge(chooser);
	e->flags = (e->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
	e->probability = profile_probability::even();
	block = create_empty_bb(chooser);
	add_bb_to_loop(block, chooser->loop_father);
	make_edge(chooser, block, EDGE_TRUE_VALUE)->probability = profile_probability::even();
	block->count = e->count();
	sequence = NULL;
	keep_in_nest(&sequence);
	gimple_seq_add_seq(&sequence, hand_over(o, words));
	at = gsi_start_bb(block);
	gsi_insert_seq_after(&at, sequence, GSI_NEW_STMT);
	set_immediate_dominator(CDI_DOMINATORS, block, chooser);
	join = split_edge(loop_preheader_edge(o->counted));
	chooser = nearest_common_dominator(CDI_DOMINATORS, block, join);
	make_single_succ_edge(block, join, EDGE_FALLTHRU);
	join->count += block->count;
	set_immediate_dominator(CDI_DOMINATORS, join, chooser);
}

/* Returns 1 when a loop of a first version has no loops inside, and all its accesses are counted before it. */
static bool is_counted(class loop *loop)
{
	basic_block *body = get_loop_body(loop);
	bool is_bare = !loop->inner;

	for (unsigned int i = 0; i < loop->num_nodes && is_bare; i++)
		for (gimple_stmt_iterator s = gsi_start_bb(body[i]); is_bare && !gsi_end_p(s); gsi_next(&s))
			is_bare = !is_tsan_call(gsi_stmt(s)) && !is_own_call(gsi_stmt(s));
	free(body);
	return is_bare;
}

void make_ordered(const vec<class loop *> &nests, const vec<class loop *> &by_hooks, struct plugin_counts *counts)
{
	int *order = XNEWVEC(int, n_basic_blocks_for_fn(cfun)), n_order;
	auto_vec<struct ordered *> all;
	unsigned int i, n_most = 0;
	struct ordered *o;
	tree words;

	n_order = pre_and_rev_post_order_compute(NULL, order, false);
	for (i = 0; i < nests.length(); i++)
		look_in(by_hooks[i], is_counted(nests[i]) ? nests[i] : NULL, order, n_order, &all);
	free(order);
	FOR_EACH_VEC_ELT (all, i, o)
		n_most = MAX(n_most, o->accesses.length());
	words = n_most ? make_words(n_most * N_FIELDS, "ompp_accesses") : NULL_TREE;
	FOR_EACH_VEC_ELT (all, i, o) {
		if (o->counted)
			share_loop(o, words);
		else
			double_loop(o, words);
		counts->ordered++;
		delete o;
	}
	if (words) {
		mark_virtual_operands_for_renaming(cfun);
		update_ssa(TODO_update_ssa);
	}
}

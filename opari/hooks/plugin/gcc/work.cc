/*
 * Work: see work.h.
 */
#include "work.h"

#include "nest.h"
#include "operations.h"

/* ---- what is an operation ---- */

static struct value_type type_of(tree type)
{
	struct value_type is = { -1, 1, VECTOR_TYPE_P(type) };

	if (TREE_CODE(type) == COMPLEX_TYPE)
		is.lanes = 2;
	else if (is.is_vector && TYPE_VECTOR_SUBPARTS(type).is_constant())
		is.lanes = TYPE_VECTOR_SUBPARTS(type).to_constant();
	if (!FLOAT_TYPE_P(type))
		return is;
	if (TREE_CODE(type) == COMPLEX_TYPE || is.is_vector)
		type = TREE_TYPE(type);
	is.precision = TYPE_MODE(type) == TYPE_MODE(float_type_node)  ? WORK_SINGLE
	             : TYPE_MODE(type) == TYPE_MODE(double_type_node) ? WORK_DOUBLE
	                                                              : WORK_OTHER;
	return is;
}

static void add_float_code(struct work *work, tree_code code, const struct value_type &type)
{
	switch (code) {
	case PLUS_EXPR:
	case MINUS_EXPR:
		add_float(work, type, WORK_ADD);
		break;
	case MULT_EXPR:
		add_float(work, type, WORK_MUL);
		break;
	case RDIV_EXPR:
		add_float(work, type, WORK_DIV);
		break;
	case MIN_EXPR:
	case MAX_EXPR:
		work->n[WORK_COMPARE]++;
		break;
	default:
		break;
	}
}

static void add_integer_code(struct work *work, tree_code code, uint64_t lanes)
{
	switch (code) {
	case PLUS_EXPR:
	case MINUS_EXPR:
	case NEGATE_EXPR:
	case ABS_EXPR:
	case MIN_EXPR:
	case MAX_EXPR:
	case BIT_AND_EXPR:
	case BIT_IOR_EXPR:
	case BIT_XOR_EXPR:
	case BIT_NOT_EXPR:
	case LSHIFT_EXPR:
	case RSHIFT_EXPR:
	case LROTATE_EXPR:
	case RROTATE_EXPR:
		work->n[WORK_INT] += lanes;
		break;
	case MULT_EXPR:
	case MULT_HIGHPART_EXPR:
	case WIDEN_MULT_EXPR:
		work->n[WORK_INT_MUL] += lanes;
		break;
	case TRUNC_DIV_EXPR:
	case CEIL_DIV_EXPR:
	case FLOOR_DIV_EXPR:
	case ROUND_DIV_EXPR:
	case EXACT_DIV_EXPR:
	case TRUNC_MOD_EXPR:
	case CEIL_MOD_EXPR:
	case FLOOR_MOD_EXPR:
	case ROUND_MOD_EXPR:
		work->n[WORK_INT_DIV] += lanes;
		break;
	default:
		break;
	}
}

/* Returns 1 for a conversion that changes a floating-point number, or makes one. */
static bool is_conversion(tree_code code, tree to, tree from)
{
	if (code == FLOAT_EXPR || code == FIX_TRUNC_EXPR)
		return true;
	return CONVERT_EXPR_CODE_P(code) && FLOAT_TYPE_P(to) && FLOAT_TYPE_P(from) && TYPE_MODE(to) != TYPE_MODE(from);
}

static void add_assign(struct work *work, gimple *statement, bool is_address)
{
	tree_code code = gimple_assign_rhs_code(statement);
	tree to = TREE_TYPE(gimple_assign_lhs(statement)), from = TREE_TYPE(gimple_assign_rhs1(statement));
	struct value_type type = type_of(to);

	if (code == COND_EXPR && COMPARISON_CLASS_P(gimple_assign_rhs1(statement)))
		work->n[WORK_COMPARE] += FLOAT_TYPE_P(TREE_TYPE(TREE_OPERAND(gimple_assign_rhs1(statement), 0)));
	else if (TREE_CODE_CLASS(code) == tcc_comparison)
		work->n[WORK_COMPARE] += FLOAT_TYPE_P(from);
	else if (is_conversion(code, to, from))
		work->n[WORK_CONVERT]++;
	else if (type.precision >= 0)
		add_float_code(work, code, type);
	else if (ANY_INTEGRAL_TYPE_P(to) && !VECTOR_BOOLEAN_TYPE_P(to) && TREE_CODE(to) != BOOLEAN_TYPE && !is_address)
		add_integer_code(work, code, type.lanes);
}

/* Returns what a call of the mathematical library is, or an internal function of GCC's. */
static enum work_function function_of(gimple *statement)
{
	const char *name;

	if (gimple_call_internal_p(statement))
		name = internal_fn_name(gimple_call_internal_fn(statement));
	else if (gimple_call_builtin_p(statement, BUILT_IN_NORMAL))
		name = IDENTIFIER_POINTER(DECL_NAME(gimple_call_fndecl(statement)));
	else
		return WORK_NOT_KNOWN;
	if (!strncmp(name, "__builtin_", strlen("__builtin_")))
		name += strlen("__builtin_");
	return work_function_of(name, strlen(name));
}

static void add_call(struct work *work, gimple *statement)
{
	tree to = gimple_call_lhs(statement);

	if (!add_function(work, function_of(statement), type_of(to ? TREE_TYPE(to) : void_type_node)))
		work->n[WORK_MATH] += is_math_call(statement);
}

/* ---- what only computes addresses ---- */

/* The integers that something else than an address needs, by their version. */
class needed
{
      public:
	explicit needed(function *function);
	~needed()
	{
		BITMAP_FREE(versions);
	}
	bool has(tree value) const
	{
		return TREE_CODE(value) != SSA_NAME || bitmap_bit_p(versions, SSA_NAME_VERSION(value));
	}

      private:
	void need(tree value);
	void need_uses(gimple *statement);
	void look_at(gimple *statement);

	bitmap versions;
	auto_vec<tree> left; /* those whose operands are still to be looked at */
};

void needed::need(tree value)
{
	if (TREE_CODE(value) == SSA_NAME && INTEGRAL_TYPE_P(TREE_TYPE(value)) &&
	    bitmap_set_bit(versions, SSA_NAME_VERSION(value)))
		left.safe_push(value);
}

void needed::need_uses(gimple *statement)
{
	use_operand_p use;
	ssa_op_iter at;

	FOR_EACH_PHI_OR_STMT_USE(use, statement, at, SSA_OP_USE)
	need(USE_FROM_PTR(use));
}

/* Returns 1 for a statement that makes an integer of integers, whose operands serve what it serves. */
static bool is_of_integers(gimple *statement)
{
	tree to = gimple_get_lhs(statement);

	if (gimple_code(statement) != GIMPLE_PHI &&
	    (!is_gimple_assign(statement) || TREE_CODE_CLASS(gimple_assign_rhs_code(statement)) == tcc_comparison))
		return false;
	return to && TREE_CODE(to) == SSA_NAME && INTEGRAL_TYPE_P(TREE_TYPE(to)) && !gimple_vuse(statement);
}

/* Notes which values a statement needs as numbers. */
void needed::look_at(gimple *statement)
{
	if (is_gimple_debug(statement) || is_of_integers(statement))
		return;
	if (is_gimple_assign(statement)) {
		tree_code code = gimple_assign_rhs_code(statement);

		if (code == POINTER_PLUS_EXPR || code == ADDR_EXPR)
			return;
		if (gimple_vuse(statement)) { /* a store needs its value, and nothing else than addresses */
			need(gimple_assign_rhs1(statement));
			return;
		}
	}
	if (!is_gimple_call(statement) || !is_tsan_call(statement))
		need_uses(statement);
}

needed::needed(function *function) : versions(BITMAP_ALLOC(NULL))
{
	basic_block block;

	FOR_EACH_BB_FN (block, function) {
		for (gphi_iterator s = gsi_start_phis(block); !gsi_end_p(s); gsi_next(&s))
			look_at(s.phi());
		for (gimple_stmt_iterator s = gsi_start_bb(block); !gsi_end_p(s); gsi_next(&s))
			look_at(gsi_stmt(s));
	}
	while (!left.is_empty()) {
		gimple *statement = SSA_NAME_DEF_STMT(left.pop());

		if (is_of_integers(statement))
			need_uses(statement);
	}
}

/* Adds the operations of a statement. */
static void add_statement(struct work *work, gimple *statement, const needed &numbers)
{
	if (is_gimple_assign(statement))
		add_assign(work, statement, !numbers.has(gimple_assign_lhs(statement)));
	else if (is_gimple_call(statement))
		add_call(work, statement);
	else if (gimple_code(statement) == GIMPLE_COND)
		work->n[WORK_COMPARE] += FLOAT_TYPE_P(TREE_TYPE(gimple_cond_lhs(statement)));
}

/* ---- where they are counted ---- */

/* Adds statements that add n to one of the thread's words. */
static void add_to_word(gimple_seq *sequence, int word, tree n)
{
	tree old = create_tmp_reg(size_type_node), sum = create_tmp_reg(size_type_node);

	gimple_seq_add_stmt(sequence, gimple_build_assign(old, work_word(word)));
	gimple_seq_add_stmt(sequence, gimple_build_assign(sum, PLUS_EXPR, old, n));
	gimple_seq_add_stmt(sequence, gimple_build_assign(work_word(word), sum));
}

/* Adds statements that add operations which were executed once. */
static void add_once(gimple_seq *sequence, const struct work *work)
{
	for (int k = 0; k < N_WORK; k++)
		if (work->n[k])
			add_to_word(sequence, k, size_int(work->n[k]));
}

/* Returns 1 for a call that tells a lane of a simd loop, of which there cannot be two. */
static bool is_lane(gimple *statement)
{
	if (!gimple_call_internal_p(statement))
		return false;
	switch (gimple_call_internal_fn(statement)) {
	case IFN_GOMP_SIMD_LANE:
	case IFN_GOMP_SIMD_VF:
	case IFN_GOMP_SIMD_LAST_LANE:
	case IFN_GOMP_SIMD_ORDERED_START:
	case IFN_GOMP_SIMD_ORDERED_END:
		return true;
	default:
		return false;
	}
}

/* Returns 1 for a statement behind which the thread may enter a region, or not come back. */
static bool may_leave(gimple *statement)
{
	return !is_quiet_statement(statement) && !(is_gimple_call(statement) && is_lane(statement));
}

/* Counts the operations of a block where they are executed. */
static void count_in_block(basic_block block, const needed &numbers)
{
	gimple_stmt_iterator s = gsi_start_nondebug_after_labels_bb(block);
	struct work work = {};

	for (; !gsi_end_p(s); gsi_next(&s)) {
		gimple *statement = gsi_stmt(s);

		add_statement(&work, statement, numbers);
		if (is_any(work) && (may_leave(statement) || stmt_ends_bb_p(statement))) {
			gimple_seq sequence = NULL;

			add_once(&sequence, &work);
			gsi_insert_seq_before(&s, sequence, GSI_SAME_STMT);
			work = {};
		}
	}
	if (is_any(work)) {
		gimple_seq sequence = NULL;

		add_once(&sequence, &work);
		s = gsi_last_bb(block);
		gsi_insert_seq_after(&s, sequence, GSI_NEW_STMT);
	}
}

/* A block of a quiet loop, whose executions a variable counts, and what is executed each time. */
struct counted {
	basic_block block;
	struct work work;
	tree n;
};

/* Returns the first block of the same loop that is executed as often as this one. */
static basic_block first_as_often(basic_block block)
{
	basic_block first = block;

	for (basic_block b = block; b && flow_bb_inside_loop_p(block->loop_father, b);
	     b = get_immediate_dominator(CDI_DOMINATORS, b))
		if (b->loop_father == block->loop_father && dominated_by_p(CDI_POST_DOMINATORS, b, block))
			first = b;
	return first;
}

/* Adds the operations of the blocks of a loop to those of the blocks that are executed as often. */
static void find_counted(class loop *loop, const needed &numbers, vec<struct counted> *found)
{
	basic_block *body = get_loop_body(loop);

	for (unsigned int i = 0; i < loop->num_nodes; i++) {
		struct counted counted = { first_as_often(body[i]), {}, NULL_TREE };
		unsigned int k = 0;

		for (gimple_stmt_iterator s = gsi_start_bb(body[i]); !gsi_end_p(s); gsi_next(&s))
			add_statement(&counted.work, gsi_stmt(s), numbers);
		if (!is_any(counted.work))
			continue;
		while (k < found->length() && (*found)[k].block != counted.block)
			k++;
		if (k < found->length())
			add_all(&(*found)[k].work, counted.work);
		else
			found->safe_push(counted);
	}
	free(body);
}

/* Adds statements that add the operations of a quiet loop by the executions of its blocks. */
static void add_counted(gimple_seq *sequence, const vec<struct counted> &all)
{
	for (int k = 0; k < N_WORK; k++) {
		tree sum = NULL_TREE;

		for (unsigned int i = 0; i < all.length(); i++) {
			tree part;

			if (!all[i].work.n[k])
				continue;
			part = create_tmp_reg(size_type_node);
			gimple_seq_add_stmt(sequence,
			                    gimple_build_assign(part, MULT_EXPR, all[i].n, size_int(all[i].work.n[k])));
			if (sum) {
				tree both = create_tmp_reg(size_type_node);

				gimple_seq_add_stmt(sequence, gimple_build_assign(both, PLUS_EXPR, sum, part));
				part = both;
			}
			sum = part;
		}
		if (sum)
			add_to_word(sequence, k, sum);
	}
}

/* Counts the operations of a quiet loop on its exits. */
static void count_on_exits(class loop *loop, const needed &numbers)
{
	auto_vec<edge> exits = get_loop_exit_edges(loop);
	auto_vec<struct counted> all;
	gimple_seq start = NULL;

	find_counted(loop, numbers, &all);
	if (all.is_empty())
		return;
	for (unsigned int i = 0; i < all.length(); i++) {
		gimple_stmt_iterator s = gsi_after_labels(all[i].block);

		all[i].n = create_tmp_reg(size_type_node, "executed");
		gimple_seq_add_stmt(&start, gimple_build_assign(all[i].n, size_int(0)));
		gsi_insert_before(&s, gimple_build_assign(all[i].n, PLUS_EXPR, all[i].n, size_int(1)), GSI_SAME_STMT);
	}
	gsi_insert_seq_on_edge(loop_preheader_edge(loop), start);
	for (unsigned int i = 0; i < exits.length(); i++) {
		gimple_seq sequence = NULL;

		add_counted(&sequence, all);
		gsi_insert_seq_on_edge(exits[i], sequence);
	}
}

/* Returns 1 when the executions of a block may be told when its loop is left. */
static bool is_told_later(basic_block block)
{
	edge_iterator at;
	edge e;

	FOR_EACH_EDGE (e, at, block->succs)
		if (e->flags & EDGE_COMPLEX)
			return false;
	for (gimple_stmt_iterator s = gsi_start_bb(block); !gsi_end_p(s); gsi_next(&s))
		if (may_leave(gsi_stmt(s)))
			return false;
	return !(block->flags & BB_IRREDUCIBLE_LOOP);
}

static bool is_left_by_exits(class loop *loop)
{
	basic_block *body = get_loop_body(loop);
	bool all = true;

	for (unsigned int i = 0; i < loop->num_nodes && all; i++)
		all = is_told_later(body[i]);
	free(body);
	return all;
}

/* Collects the outermost loops whose operations are counted on their exits, and notes their blocks. */
static void find_loops(class loop *loop, auto_vec<class loop *> *found, bitmap blocks)
{
	for (; loop; loop = loop->next) {
		basic_block *body;

		if (!is_left_by_exits(loop)) {
			find_loops(loop->inner, found, blocks);
			continue;
		}
		found->safe_push(loop);
		body = get_loop_body(loop);
		for (unsigned int i = 0; i < loop->num_nodes; i++)
			bitmap_set_bit(blocks, body[i]->index);
		free(body);
	}
}

void count_work(function *function)
{
	/* After longjmp a function continues at setjmp, whatever loop it was in. */
	bool jumps = function->calls_setjmp || function->has_nonlocal_label;
	auto_vec<class loop *> loops;
	needed numbers(function);
	auto_bitmap in_loops;
	basic_block block;

	mark_irreducible_loops();
	calculate_dominance_info(CDI_DOMINATORS);
	calculate_dominance_info(CDI_POST_DOMINATORS);
	if (!jumps)
		find_loops(loops_for_fn(function)->tree_root->inner, &loops, in_loops);
	for (unsigned int i = 0; i < loops.length(); i++)
		count_on_exits(loops[i], numbers);
	FOR_EACH_BB_FN (block, function)
		if (!bitmap_bit_p(in_loops, block->index))
			count_in_block(block, numbers);
	free_dominance_info(CDI_POST_DOMINATORS);
	gsi_commit_edge_inserts();
	update_ssa(TODO_update_ssa);
}

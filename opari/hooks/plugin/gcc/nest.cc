/*
 * Nest: see nest.h.
 */
#include "nest.h"

/* Functions of the C library that move blocks.  kinst compiles with -fno-builtin-memcpy and so on, so that GCC does not
 * know them. */
static bool is_block_call(gimple *statement)
{
	static const char *const names[] = { "memcpy", "memmove", "memset", "mempcpy", "memcmp" };
	tree decl = gimple_call_fndecl(statement);

	for (unsigned int i = 0; decl && DECL_EXTERNAL(decl) && TREE_PUBLIC(decl) && i < ARRAY_SIZE(names); i++)
		if (!strcmp(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(decl)), names[i]))
			return true;
	return false;
}

/* Functions of the mathematical library, which may set errno. */
bool is_math_call(gimple *statement)
{
	return gimple_call_builtin_p(statement, BUILT_IN_NORMAL) &&
	       mathfn_built_in_type(gimple_call_combined_fn(statement));
}

static bool is_quiet_call(gimple *statement)
{
	int flags;

	if (is_tsan_call(statement) || is_own_call(statement) || is_block_call(statement) || is_math_call(statement))
		return true;
	if (gimple_call_internal_p(statement)) {
		switch (gimple_call_internal_fn(statement)) {
		case IFN_GOMP_SIMD_LANE: /* the lanes of a simd loop are its own; there cannot be two of it */
		case IFN_GOMP_SIMD_VF:
		case IFN_GOMP_SIMD_LAST_LANE:
		case IFN_GOMP_SIMD_ORDERED_START:
		case IFN_GOMP_SIMD_ORDERED_END:
			return false;
		default:
			return true;
		}
	}
	flags = gimple_call_flags(statement);
	return flags & (ECF_CONST | ECF_PURE) && !(flags & (ECF_LOOPING_CONST_OR_PURE | ECF_NORETURN));
}

bool is_quiet_statement(gimple *statement)
{
	if (stmt_can_throw_external(cfun, statement) || stmt_can_throw_internal(cfun, statement))
		return false;
	if (gimple_code(statement) == GIMPLE_ASM)
		return !gimple_asm_nlabels(as_a<gasm *>(statement));
	return !is_gimple_call(statement) || is_quiet_call(statement);
}

/* ---- pauses ---- */

enum { MOST_PAUSED = 256 };

/* Returns 1 when a block is executed in less than `part` of `whole` iterations of its loop, as GCC expects. */
static bool is_below(basic_block block, int part, int whole)
{
	profile_count each = block->loop_father->header->count;

	return block->count.initialized_p() && each.initialized_p() && block->count.apply_scale(whole, part) < each;
}

bool is_rare(basic_block block)
{
	return is_below(block, 1, 3);
}

/* GCC's frequencies are mostly guesses; if pauses turn out to be too frequent, the nest calls its hooks. */
static bool may_pause(basic_block block)
{
	return is_below(block, 7, 10);
}

bool is_pause(gimple *statement)
{
	return is_gimple_call(statement) && !is_quiet_statement(statement) && !gimple_call_internal_p(statement) &&
	       !(gimple_call_flags(statement) & (ECF_NORETURN | ECF_RETURNS_TWICE));
}

auto_vec<edge> exits_of(class loop *nest)
{
	auto_vec<edge> exits = get_loop_exit_edges(nest);
	unsigned int n = 0;

	for (unsigned int i = 0; i < exits.length(); i++)
		if (!(exits[i]->flags & EDGE_EH))
			exits[n++] = exits[i];
	exits.truncate(n);
	return exits;
}

/* ---- nests ---- */

/* What is_nest() finds in a loop, inner loops included. */
struct found {
	unsigned int n_hooks, n_pauses;
	unsigned int n_often; /* hooks in blocks that are not rare */
	bool is_other;        /* it has something that a nest must not have */
};

/* Returns 1 when the only abnormal edges out of a block are those of exceptions thrown by a pause. */
static bool is_left_as_usual(class loop *loop, basic_block block)
{
	edge_iterator at;
	edge e;

	FOR_EACH_EDGE (e, at, block->succs)
		if ((e->flags & EDGE_COMPLEX) && ((e->flags & EDGE_COMPLEX) != EDGE_EH ||
		                                  flow_bb_inside_loop_p(loop, e->dest) || !is_pause(last_stmt(block))))
			return false;
	return true;
}

static void look_at_block(class loop *loop, basic_block block, struct found *found)
{
	bool is_often = !is_rare(block);
	unsigned int slot;

	found->is_other |= (block->flags & BB_IRREDUCIBLE_LOOP) || block->loop_father->simduid ||
	                   !is_left_as_usual(loop, block);
	for (gimple_stmt_iterator s = gsi_start_bb(block); !found->is_other && !gsi_end_p(s); gsi_next(&s)) {
		if (is_pause(gsi_stmt(s))) {
			found->n_pauses++;
			found->is_other = !may_pause(block);
		} else if (!is_quiet_statement(gsi_stmt(s))) {
			found->is_other = true;
		} else if (hook_how(gsi_stmt(s)) >= 0 || block_bytes(gsi_stmt(s), &slot)) {
			found->n_hooks++;
			found->n_often += is_often;
		}
	}
}

static struct found look_at(class loop *loop)
{
	basic_block *body = get_loop_body(loop);
	struct found found = { 0, 0, 0, loop->simduid != NULL_TREE };

	for (unsigned int i = 0; i < loop->num_nodes && !found.is_other; i++)
		look_at_block(loop, body[i], &found);
	free(body);
	return found;
}

bool is_quiet(class loop *loop)
{
	struct found found = look_at(loop);

	return !found.is_other && !found.n_pauses;
}

/* Returns 1 when a loop, inner loops included, can be a nest, has an exit, and has hooks. */
static bool is_nest(class loop *loop)
{
	struct found found = look_at(loop);
	unsigned int n_exits = exits_of(loop).length();

	if (found.is_other || !n_exits)
		return false;
	return found.n_pauses ? found.n_often && found.n_often * (n_exits + found.n_pauses) <= MOST_PAUSED
	                      : found.n_hooks > 0;
}

static void find_in(class loop *loop, vec<class loop *> *nests)
{
	for (loop = loop->inner; loop; loop = loop->next)
		if (is_nest(loop))
			nests->safe_push(loop);
		else
			find_in(loop, nests);
}

void find_nests(vec<class loop *> *nests)
{
	find_in(current_loops->tree_root, nests);
}

static tree add(gimple_seq *sequence, enum tree_code code, tree type, tree left, tree right)
{
	tree result = make_ssa_name(type);

	gimple_seq_add_stmt(sequence, gimple_build_assign(result, code, left, right));
	return result;
}

/* Returns 1 when a condition is true and another one is not.  It is a comparison for the reason that calls.h tells. */
static tree add_and_not(gimple_seq *sequence, tree is_true, tree is_not)
{
	return add(sequence, GT_EXPR, boolean_type_node, is_true, is_not);
}

/* Loads how often the nest was short, and returns 1 in a variable when it is to be counted by runs: it was not short
 * too often, and that is allowed, as is_on says. */
static tree choose(gimple_seq *sequence, unsigned int nest, tree *n_short, tree *is_on)
{
	tree type = unsigned_type_node, n;

	*is_on = flag_of(sequence, by_runs_variable());
	*is_on = add(sequence, NE_EXPR, boolean_type_node, *is_on, integer_zero_node);
	*n_short = make_ssa_name(short_unsigned_type_node);
	gimple_seq_add_stmt(sequence, gimple_build_assign(*n_short, n_short_of(nest)));
	n = add(sequence, NOP_EXPR, type, *n_short, NULL_TREE);
	n = add(sequence, BIT_XOR_EXPR, type, n, build_int_cst(type, nest / N_NESTS << 8));
	n = add(sequence, PLUS_EXPR, type, n, build_int_cst(type, -NEST_TRIES));
	n = add(sequence, GE_EXPR, boolean_type_node, n, build_int_cst(type, 256 - NEST_TRIES));
	return add_and_not(sequence, n, add(sequence, BIT_NOT_EXPR, boolean_type_node, *is_on, NULL_TREE));
}

/* Adds a condition, 0 or 1, to the lower byte; as signed numbers (calls.h).  Returns the store. */
static gimple *count_short(gimple_seq *sequence, unsigned int nest, tree n_short, tree is_true)
{
	tree type = integer_type_node, n;
	gimple *store;

	n = add(sequence, NOP_EXPR, type, n_short, NULL_TREE);
	n = add(sequence, PLUS_EXPR, type, n, add(sequence, NOP_EXPR, type, is_true, NULL_TREE));
	n = add(sequence, NOP_EXPR, unsigned_char_type_node, n, NULL_TREE);
	store = gimple_build_assign(low_n_short_of(nest), n);
	gimple_seq_add_stmt(sequence, store);
	return store;
}

void choose_again(gimple_seq *sequence, unsigned int nest, tree by_hooks)
{
	tree n_short, is_on, chosen = choose(sequence, nest, &n_short, &is_on), type = TREE_TYPE(by_hooks), is_short,
			     rounds;

	is_short = add(sequence, BIT_NOT_EXPR, boolean_type_node, chosen, NULL_TREE);
	rounds = add(sequence, NOP_EXPR, type, is_short, NULL_TREE);
	rounds = add(sequence, MULT_EXPR, type, rounds, build_int_cst(type, NEST_ROUNDS));
	gimple_seq_add_stmt(sequence, gimple_build_assign(by_hooks, rounds));
	count_short(sequence, nest, n_short, add_and_not(sequence, is_on, chosen));
}

/* Splits each exit edge, so that code that counts on exits can be put at the start of the new block. */
static void split_exits(class loop *loop)
{
	auto_vec<edge> exits = exits_of(loop);
	unsigned int i;
	edge e;

	FOR_EACH_VEC_ELT (exits, i, e)
		split_edge(e);
}

unsigned int number_of_nest(class loop *nest)
{
	const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(current_function_decl));

	return (htab_hash_string(name) + (unsigned int)nest->num) % (1 << NEST_BITS);
}

/* ---- switching between the versions ---- */

/* How many iterations of its outermost loop a nest stays in the version with hooks: enough that a trial of the other
 * version, which may lose MOST_LOSS / 2 hooks, is cheap in comparison. */
enum { BACK_ROUNDS = 256 };

/* What was made of a nest when it was doubled. */
struct doubled {
	gcond *over;           /* see switch_of() */
	gcond *choice;         /* of its version */
	tree is_on;            /* whether counting by runs is allowed */
	gimple *begin, *count; /* stores: its gain, and how often it was short */
};

static vec<struct doubled> doubled; /* in the order of the list of double_nests() */

gcond *switch_of(unsigned int i)
{
	return doubled[i].over;
}

void choose_by_runs(unsigned int i)
{
	const struct doubled *d = &doubled[i];

	gimple_cond_set_condition(d->choice, NE_EXPR, d->is_on, boolean_false_node);
	update_stmt(d->choice);
	remove_statement(d->begin);
	remove_statement(d->count);
}

/* Returns 1 when the loop-carried values (phi nodes of the header) may be copied. */
static bool can_switch(class loop *loop)
{
	for (gphi_iterator p = gsi_start_phis(loop->header); !gsi_end_p(p); gsi_next(&p))
		if (SSA_NAME_OCCURS_IN_ABNORMAL_PHI(gimple_phi_result(p.phi())))
			return false;
	return single_succ_p(loop->latch) && !(loop_latch_edge(loop)->flags & EDGE_COMPLEX);
}

/* Copies each loop-carried value, as it arrives by an edge, to its variable. */
static void keep_values(gimple_seq *sequence, edge e, const vec<tree> &variables)
{
	unsigned int i = 0;

	for (gphi_iterator p = gsi_start_phis(e->dest); !gsi_end_p(p); gsi_next(&p))
		if (!virtual_operand_p(gimple_phi_result(p.phi())))
			gimple_seq_add_stmt(sequence,
			                    gimple_build_assign(variables[i++], PHI_ARG_DEF_FROM_EDGE(p.phi(), e)));
}

/* Makes a version start with these loop-carried values. */
static void take_values(class loop *loop, const vec<tree> &values)
{
	edge e = loop_preheader_edge(loop);
	unsigned int i = 0;

	for (gphi_iterator p = gsi_start_phis(loop->header); !gsi_end_p(p); gsi_next(&p))
		if (!virtual_operand_p(gimple_phi_result(p.phi())))
			SET_USE(PHI_ARG_DEF_PTR_FROM_EDGE(p.phi(), e), values[i++]);
}

/* Puts a conditional branch at the end of the loop's iterations, after `sequence`, which computes the condition.
 * Returns the block to which it branches. */
static basic_block leave(class loop *loop, gimple_seq sequence, gcond *condition, const vec<tree> &variables)
{
	edge latch = loop_latch_edge(loop);
	gimple_seq values = NULL;
	basic_block end, out;
	gimple_stmt_iterator at;
	edge into;

	keep_values(&values, latch, variables);
	split_edge(latch);
	end = single_pred(loop->latch);
	at = gsi_last_bb(end);
	gimple_seq_add_stmt(&sequence, condition);
	gsi_insert_seq_after(&at, sequence, GSI_NEW_STMT);
	into = single_succ_edge(end);
	into->flags = (into->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
	into->probability = profile_probability::very_likely();
	out = create_empty_bb(end);
	add_bb_to_loop(out, loop_outer(loop));
	make_edge(end, out, EDGE_TRUE_VALUE)->probability = profile_probability::very_unlikely();
	out->count = loop->header->count.apply_scale(1, 64);
	at = gsi_start_bb(out);
	gsi_insert_seq_after(&at, values, GSI_NEW_STMT);
	return out;
}

/* State handed from one version of a nest to the other: which version is next, and for each loop-carried value of the
 * outermost loop a variable and a value. */
struct handed {
	tree which;
	auto_vec<tree> variables, values;
};

static void find_handed(class loop *loop, struct handed *handed)
{
	handed->which = create_tmp_reg(boolean_type_node, "ompp_which");
	for (gphi_iterator p = gsi_start_phis(loop->header); !gsi_end_p(p); gsi_next(&p)) {
		tree result = gimple_phi_result(p.phi());

		if (virtual_operand_p(result))
			continue;
		handed->variables.safe_push(create_tmp_reg(TREE_TYPE(result), "ompp_kept"));
		handed->values.safe_push(make_ssa_name(TREE_TYPE(result)));
	}
}

/* Makes the choice of the version depend on the handed state, in a new block, which is returned.
 * chosen: 1 if the first version is to be executed first */
static basic_block make_choice(class loop *first, basic_block chooser, tree chosen, const struct handed &handed)
{
	gcond *choice = as_a<gcond *>(last_stmt(chooser));
	gimple_stmt_iterator at = gsi_for_stmt(choice);
	tree now = make_ssa_name(boolean_type_node);
	gimple_seq sequence = NULL;
	edge into;

	keep_values(&sequence, loop_preheader_edge(first), handed.variables);
	gimple_seq_add_stmt(&sequence, gimple_build_assign(handed.which, chosen));
	gsi_insert_seq_before(&at, sequence, GSI_SAME_STMT);
	gsi_prev(&at);
	into = split_block(chooser, gsi_stmt(at));
	sequence = NULL;
	for (unsigned int i = 0; i < handed.values.length(); i++)
		gimple_seq_add_stmt(&sequence, gimple_build_assign(handed.values[i], handed.variables[i]));
	gimple_seq_add_stmt(&sequence, gimple_build_assign(now, handed.which));
	at = gsi_for_stmt(choice);
	gsi_insert_seq_before(&at, sequence, GSI_SAME_STMT);
	gimple_cond_set_condition(choice, gimple_cond_code(choice), now, gimple_cond_rhs(choice));
	update_stmt(choice);
	return into->dest;
}

/* Makes the second version end after BACK_ROUNDS iterations; then the nest chooses a version again.  Returns the block
 * that does this.
 */
static basic_block go_back(class loop *second, unsigned int nest, const struct handed &handed)
{
	tree type = unsigned_type_node, rounds = create_tmp_reg(type, "ompp_rounds"), n_short, is_on, now, is_short;
	gcond *is_over = gimple_build_cond(EQ_EXPR, rounds, build_zero_cst(type), NULL_TREE, NULL_TREE);
	gimple_seq sequence = NULL;
	gimple_stmt_iterator at;
	basic_block out;

	gimple_seq_add_stmt(&sequence, gimple_build_assign(rounds, build_int_cst(type, BACK_ROUNDS)));
	gsi_insert_seq_on_edge_immediate(loop_preheader_edge(second), sequence);
	sequence = NULL;
	gimple_seq_add_stmt(&sequence, gimple_build_assign(rounds, MINUS_EXPR, rounds, build_one_cst(type)));
	out = leave(second, sequence, is_over, handed.variables);
	sequence = NULL;
	now = choose(&sequence, nest, &n_short, &is_on);
	gimple_seq_add_stmt(&sequence, gimple_build_assign(handed.which, now));
	is_short = add_and_not(&sequence, is_on, now);
	count_short(&sequence, nest, n_short, is_short);
	at = gsi_last_bb(out);
	gsi_insert_seq_after(&at, sequence, GSI_NEW_STMT);
	return out;
}

/* Lets a nest with pauses switch from the version that counts at sites to the one with hooks when a condition (set by
 * make_sites()) is true, and possibly back, always at the end of an iteration.  For that both versions are put into a
 * surrounding loop, whose header chooses.  Returns the condition.
 * chooser: the block that has chosen the version so far; chosen: as in make_choice() */
static gcond *make_switch(class loop *first, class loop *second, basic_block chooser, tree chosen, unsigned int nest)
{
	tree no = boolean_false_node;
	gcond *over = gimple_build_cond(NE_EXPR, no, no, NULL_TREE, NULL_TREE);
	basic_block choice, from_first, from_second, back;
	struct handed handed;
	gimple_stmt_iterator at;

	find_handed(first, &handed);
	choice = make_choice(first, chooser, chosen, handed);
	from_first = leave(first, NULL, over, handed.variables);
	at = gsi_last_bb(from_first);
	gsi_insert_after(&at, gimple_build_assign(handed.which, no), GSI_NEW_STMT);
	from_second = go_back(second, nest, handed);
	back = create_empty_bb(from_second);
	add_bb_to_loop(back, loop_outer(first));
	back->count = from_first->count + from_second->count;
	make_single_succ_edge(from_first, back, EDGE_FALLTHRU);
	make_single_succ_edge(from_second, back, EDGE_FALLTHRU);
	make_single_succ_edge(back, choice, EDGE_FALLTHRU);
	take_values(first, handed.values);
	take_values(second, handed.values);
	return over;
}

/* Makes the second version of one nest, and returns it; NULL when it cannot be made. */
static class loop *double_nest(class loop *loop, unsigned int nest, struct doubled *d)
{
	profile_probability likely = profile_probability::very_likely(), unlikely = likely.invert();
	bool has_pauses = !is_quiet(loop) && can_switch(loop);
	tree n_short, chosen, is_short;
	gimple_seq sequence = NULL;
	basic_block condition;
	class loop *by_hooks;

	if (!can_duplicate_loop_p(loop))
		return NULL;
	chosen = choose(&sequence, nest, &n_short, &d->is_on);
	/* with hooks, unless counting by runs is off */
	is_short = add_and_not(&sequence, d->is_on, chosen);
	if (has_pauses)
		count_short(&sequence, nest, n_short, is_short);
	gsi_insert_seq_on_edge_immediate(loop_preheader_edge(loop), sequence);
	initialize_original_copy_tables();
	by_hooks = loop_version(loop, build2(NE_EXPR, boolean_type_node, chosen, boolean_false_node), &condition,
	                        likely, unlikely, likely, unlikely, true);
	free_original_copy_tables();
	if (!by_hooks)
		return NULL;
	d->choice = as_a<gcond *>(last_stmt(condition));
	d->over = has_pauses ? make_switch(loop, by_hooks, condition, chosen, nest) : NULL;
	sequence = NULL;
	d->begin = gimple_build_assign(gain_of_nest(), size_zero_node);
	gimple_seq_add_stmt(&sequence, d->begin);
	gsi_insert_seq_on_edge_immediate(loop_preheader_edge(loop), sequence);
	sequence = NULL;
	if (!has_pauses)
		d->count = count_short(&sequence, nest, n_short, d->is_on);
	gsi_insert_seq_on_edge_immediate(loop_preheader_edge(by_hooks), sequence);
	split_exits(loop);
	return by_hooks;
}

void double_nests(vec<class loop *> *nests, vec<class loop *> *by_hooks)
{
	bool is_changed = false;
	unsigned int n = 0;

	doubled.truncate(0);
	for (unsigned int i = 0; i < nests->length(); i++) {
		struct doubled d = {};
		class loop *second = double_nest((*nests)[i], number_of_nest((*nests)[i]), &d);

		if (!second)
			continue;
		by_hooks->safe_push(second);
		doubled.safe_push(d);
		is_changed |= d.over != NULL;
		(*nests)[n++] = (*nests)[i];
	}
	nests->truncate(n);
	if (is_changed) {
		mark_virtual_operands_for_renaming(cfun);
		free_dominance_info(CDI_DOMINATORS);
		calculate_dominance_info(CDI_DOMINATORS);
		loops_state_set(LOOPS_NEED_FIXUP);
		fix_loop_structure(NULL);
	}
	update_ssa(TODO_update_ssa);
	scev_reset();
}

/* A variable of the current function: whether the thread was in a nest of another function already. */
static tree before;

void keep_in_nest(gimple_seq *sequence)
{
	gimple_seq_add_stmt(sequence, gimple_build_assign(before, in_nest()));
}

/* Tells the library that a quiet loop is running.  On exits, counts come before the end is told. */
static void tell_quiet(class loop *quiet)
{
	gimple_seq sequence = NULL;
	unsigned int i;
	edge e;

	keep_in_nest(&sequence);
	gimple_seq_add_stmt(&sequence, gimple_build_assign(in_nest(), size_one_node));
	gsi_insert_seq_on_edge_immediate(loop_preheader_edge(quiet), sequence);
	auto_vec<edge> exits = exits_of(quiet);
	FOR_EACH_VEC_ELT (exits, i, e) {
		gimple_stmt_iterator at = gsi_last_bb(e->dest);

		gsi_insert_after(&at, gimple_build_assign(in_nest(), before), GSI_NEW_STMT);
	}
}

/* Does so for the quiet loops of a loop in a nest with pauses, which alone have runs. */
static void tell_within(class loop *loop)
{
	for (class loop *inner = loop->inner; inner; inner = inner->next)
		if (is_quiet(inner)) {
			split_exits(inner);
			tell_quiet(inner);
		} else {
			tell_within(inner);
		}
}

void tell_nests(const vec<class loop *> &nests)
{
	before = create_tmp_reg(size_type_node, "ompp_before");
	for (unsigned int i = 0; i < nests.length(); i++)
		if (is_quiet(nests[i]))
			tell_quiet(nests[i]);
		else
			tell_within(nests[i]);
}

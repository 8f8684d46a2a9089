/*
 * Site: see site.h.
 *
 * The state of a site is in seven words of the function's frame, struct ompp_access_site of the runtime, which the
 * library writes.  The compiler does not see that, so the words are volatile.  The bounds are copied to variables after
 * each call; three more variables have the counts: how often the site was executed, and the lowest and highest address
 * of its first member.  All five are mostly in registers.
 */
#include "site.h"

#include "nest.h"

enum { MOST_SITES = 64, MOST_ENDS = 256, MOST_MEMBERS = 32 };
enum { MOST_DISTANCE = 64 }; /* an access farther away may well be to another object */
enum { WORD_LO, WORD_LIMIT, WORD_ROW, WORD_MEMBERS, WORD_MISSES, WORD_ROOM, WORD_LOG, N_WORDS };

struct site {
	tree words, start, limit, n, lo, hi; /* variables */
};

/* The state of a nest with pauses, in variables. */
struct turns {
	tree by_hooks; /* remaining executions of its first site for which hooks are called instead of the library */
	tree counting; /* 1 when a site may have something to hand over */
};

/* An access that becomes a member of a site: a hook, or the run of an inner loop. */
struct member {
	gimple *call;
	unsigned int how;
	HOST_WIDE_INT distance; /* in bytes from the first member of its site */
	bool is_taken;          /* it has a site */
};

static tree base_of(const struct member *m)
{
	return gimple_call_arg(m->call, RUN_BASE);
}

static tree step_of(const struct member *m)
{
	return run_dimensions(m->call) ? gimple_call_arg(m->call, run_step(0)) : size_zero_node;
}

static tree number_of(const struct member *m)
{
	return run_dimensions(m->call) ? gimple_call_arg(m->call, run_number(0)) : size_one_node;
}

/* ---- members ---- */

/* GCC's cache of affine expansions, while sites are made of a nest. */
static hash_map<tree, name_expansion *> *sums;

/* Finds the constant distance between two addresses.  Returns false when it is not constant. */
static bool distance_between(tree from, tree to, HOST_WIDE_INT *distance)
{
	aff_tree a, b;
	bool found;

	tree_to_aff_combination_expand(from, TREE_TYPE(from), &a, &sums);
	tree_to_aff_combination_expand(to, TREE_TYPE(to), &b, &sums);
	aff_combination_convert(&a, size_type_node);
	aff_combination_convert(&b, size_type_node);
	aff_combination_scale(&a, -1);
	aff_combination_add(&b, &a);
	found = !b.n && !b.rest && b.offset.is_constant();
	if (found)
		*distance = wi::sext(b.offset.to_constant(), TYPE_PRECISION(size_type_node)).to_shwi();
	return found;
}

/* Returns 1 when two members are executed together. */
static bool are_together(const struct member *a, const struct member *b)
{
	return gimple_bb(a->call) == gimple_bb(b->call) && operand_equal_p(step_of(a), step_of(b), 0) &&
	       operand_equal_p(number_of(a), number_of(b), 0);
}

/* Collects the members of the site of which all[i] is the first one. */
static void collect(vec<struct member> &all, unsigned int i, vec<struct member *> *site)
{
	all[i].is_taken = true;
	all[i].distance = 0;
	site->safe_push(&all[i]);
	for (unsigned int j = i + 1; j < all.length() && site->length() < MOST_MEMBERS; j++)
		if (!all[j].is_taken && are_together(&all[i], &all[j]) &&
		    distance_between(base_of(&all[i]), base_of(&all[j]), &all[j].distance) &&
		    labs(all[j].distance) <= MOST_DISTANCE) {
			all[j].is_taken = true;
			site->safe_push(&all[j]);
		}
}

/* Makes the table of the members, which the library reads: their number, the offset of their lowest byte from the first
 * member, the number of bytes from there to their last byte, then distance and `how` of each. */
static tree table_of(const vec<struct member *> &site)
{
	HOST_WIDE_INT lo = 0, hi = 0, *words = XALLOCAVEC(HOST_WIDE_INT, 3 + 2 * site.length());
	unsigned int n = 3 + 2 * site.length(), i;
	vec<constructor_elt, va_gc> *values = NULL;
	struct member *m;
	tree type = build_array_type_nelts(build_qualified_type(size_type_node, TYPE_QUAL_CONST), n), table;

	FOR_EACH_VEC_ELT (site, i, m) {
		HOST_WIDE_INT end = m->distance + (HOST_WIDE_INT_1 << (m->how & HOW_SIZE));

		lo = MIN(lo, m->distance);
		hi = MAX(hi, end);
		words[3 + 2 * i] = m->distance;
		words[4 + 2 * i] = m->how;
	}
	words[0] = site.length();
	words[1] = lo;
	words[2] = hi - lo;
	for (i = 0; i < n; i++)
		CONSTRUCTOR_APPEND_ELT(values, size_int(i), build_int_cst(size_type_node, words[i]));
	table = build_decl(UNKNOWN_LOCATION, VAR_DECL, create_tmp_var_name("ompp_members"), type);
	TREE_STATIC(table) = 1;
	TREE_READONLY(table) = 1;
	TREE_ADDRESSABLE(table) = 1;
	TREE_USED(table) = 1;
	DECL_ARTIFICIAL(table) = 1;
	DECL_IGNORED_P(table) = 1;
	DECL_INITIAL(table) = build_constructor(type, values);
	varpool_node::finalize_decl(table);
	return table;
}

/* ---- code ---- */

/* Resets the counts, and loads the bounds from the words. */
static void reset(gimple_seq *sequence, const struct site *site)
{
	gimple_seq_add_stmt(sequence, gimple_build_assign(site->start, word_of(site->words, WORD_LO)));
	gimple_seq_add_stmt(sequence, gimple_build_assign(site->limit, word_of(site->words, WORD_LIMIT)));
	gimple_seq_add_stmt(sequence, gimple_build_assign(site->n, size_zero_node));
	gimple_seq_add_stmt(sequence, gimple_build_assign(site->lo, TYPE_MAX_VALUE(size_type_node)));
	gimple_seq_add_stmt(sequence, gimple_build_assign(site->hi, size_zero_node));
}

/* Hands over what was counted. */
static gimple *end_of(const struct site *site)
{
	return gimple_build_call(site_end_function(), 4, build_fold_addr_expr(site->words), site->n, site->lo,
	                         site->hi);
}

/* Puts the computation of a value before a statement. */
static tree put(gimple_stmt_iterator *at, enum tree_code code, tree left, tree right)
{
	tree result = make_ssa_name(size_type_node);

	gsi_insert_before(at, gimple_build_assign(result, code, left, right), GSI_SAME_STMT);
	return result;
}

static tree put_copy(gimple_stmt_iterator *at, tree value)
{
	tree result = make_ssa_name(TREE_TYPE(value));

	gsi_insert_before(at, gimple_build_assign(result, value), GSI_SAME_STMT);
	return result;
}

/* Puts the choice of the lower or the higher one of two sizes, which are compared as pointers (calls.h). */
static tree put_choice(gimple_stmt_iterator *at, enum tree_code code, tree left, tree right)
{
	tree a = make_ssa_name(ptr_type_node), b = make_ssa_name(ptr_type_node), result = make_ssa_name(ptr_type_node);

	gsi_insert_before(at, gimple_build_assign(a, NOP_EXPR, left), GSI_SAME_STMT);
	gsi_insert_before(at, gimple_build_assign(b, NOP_EXPR, right), GSI_SAME_STMT);
	gsi_insert_before(at, gimple_build_assign(result, code, a, b), GSI_SAME_STMT);
	return put(at, NOP_EXPR, result, NULL_TREE);
}

/* Puts the sum of two numbers of executions, as signed numbers (calls.h). */
static tree put_sum(gimple_stmt_iterator *at, tree left, tree right)
{
	tree a = make_ssa_name(ssizetype), b = make_ssa_name(ssizetype), result = make_ssa_name(ssizetype);

	gsi_insert_before(at, gimple_build_assign(a, NOP_EXPR, left), GSI_SAME_STMT);
	gsi_insert_before(at, gimple_build_assign(b, NOP_EXPR, right), GSI_SAME_STMT);
	gsi_insert_before(at, gimple_build_assign(result, PLUS_EXPR, a, b), GSI_SAME_STMT);
	return put(at, NOP_EXPR, result, NULL_TREE);
}

/* Splits a block at a condition, so that the statements after it, up to `last`, are executed only if it is true.
 * Returns the block of these statements; *rest is the block after them. */
static basic_block branch(basic_block block, gimple *condition, gimple *last, basic_block *rest,
                          profile_probability probability)
{
	edge into = split_block(block, condition);
	basic_block inner = into->dest;

	*rest = split_block(inner, last)->dest;
	into->flags = (into->flags & ~EDGE_FALLTHRU) | EDGE_TRUE_VALUE;
	into->probability = probability;
	make_edge(block, *rest, EDGE_FALSE_VALUE)->probability = probability.invert();
	inner->count = into->count();
	set_immediate_dominator(CDI_DOMINATORS, *rest, block);
	return inner;
}

/* Makes a variable that is 0 before a nest. */
static tree make_zero(class loop *nest, tree type, const char *name)
{
	tree variable = create_tmp_reg(type, name);

	gsi_insert_on_edge_immediate(loop_preheader_edge(nest), gimple_build_assign(variable, build_zero_cst(type)));
	return variable;
}

static gimple *nest_end(class loop *nest)
{
	return gimple_build_call(nest_end_function(), 1, size_int(number_of_nest(nest)));
}

/* Makes the code at a pause: it tells whether little was counted since the previous pause, and switches to hooks after
 * it if pauses come too soon.  Returns the statement before which sites hand over their counts, if any has some. */
static gimple *make_pause(class loop *nest, gimple *pause, const struct turns *turns)
{
	gimple_stmt_iterator at = gsi_for_stmt(pause);
	gimple *begin = gimple_build_assign(gain_of_nest(), size_zero_node), *end = nest_end(nest), *condition;
	basic_block block = gimple_bb(pause), rest;
	gimple_seq sequence = NULL;

	condition = gimple_build_cond(NE_EXPR, put_copy(&at, turns->counting), boolean_false_node, NULL_TREE,
	                              NULL_TREE);
	gsi_insert_before(&at, condition, GSI_SAME_STMT);
	gsi_insert_before(&at, end, GSI_SAME_STMT);
	branch(block, condition, end, &rest, profile_probability::even());
	choose_again(&sequence, number_of_nest(nest), turns->by_hooks);
	gimple_seq_add_stmt(&sequence, gimple_build_assign(turns->counting, boolean_false_node));
	at = gsi_for_stmt(pause);
	gsi_insert_seq_before(&at, sequence, GSI_SAME_STMT);
	if (stmt_ends_bb_p(pause))
		gsi_insert_seq_on_edge_immediate(find_fallthru_edge(gimple_bb(pause)->succs), begin);
	else
		gsi_insert_after(&at, begin, GSI_SAME_STMT);
	return end;
}

/* Hands over a site's counts and log at a place, and clears its bounds; if it has none of these, nothing is called. */
static void pause_site(const struct site *site, gimple *place)
{
	gimple_stmt_iterator at = gsi_for_stmt(place);
	basic_block block = gimple_bb(place), rest;
	tree is_counting = put(&at, BIT_IOR_EXPR, put_copy(&at, site->n), put_copy(&at, site->limit));
	gimple_seq sequence = NULL;
	gimple *condition;

	is_counting = put(&at, BIT_IOR_EXPR, is_counting, put_copy(&at, word_of(site->words, WORD_ROOM)));
	condition = gimple_build_cond(NE_EXPR, is_counting, size_zero_node, NULL_TREE, NULL_TREE);
	gsi_insert_before(&at, condition, GSI_SAME_STMT);
	gimple_seq_add_stmt(&sequence, end_of(site));
	gimple_seq_add_stmt(&sequence, gimple_build_assign(word_of(site->words, WORD_LIMIT), size_zero_node));
	reset(&sequence, site);
	gsi_insert_seq_before(&at, sequence, GSI_SAME_STMT);
	gsi_prev(&at);
	branch(block, condition, gsi_stmt(at), &rest, profile_probability::even());
}

/* Makes the site's variables.  They are set before the nest, and handed over after it and at its pauses, after which
 * the site has no bounds. */
static void begin_site(class loop *nest, const vec<gimple *> &pauses, struct site *site, tree table)
{
	static const int zero[] = { WORD_LO, WORD_LIMIT, WORD_MISSES, WORD_ROOM };
	auto_vec<edge> exits = exits_of(nest);
	gimple *pause;
	gimple_seq sequence = NULL;
	tree members;
	unsigned int i;
	edge e;

	site->words = make_words(N_WORDS, "ompp_site");
	site->start = create_tmp_reg(size_type_node, "ompp_start");
	site->limit = create_tmp_reg(size_type_node, "ompp_limit");
	site->n = create_tmp_reg(size_type_node, "ompp_n");
	site->lo = create_tmp_reg(size_type_node, "ompp_lo");
	site->hi = create_tmp_reg(size_type_node, "ompp_hi");
	for (i = 0; i < ARRAY_SIZE(zero); i++)
		gimple_seq_add_stmt(&sequence, gimple_build_assign(word_of(site->words, zero[i]), size_zero_node));
	members = as_size(&sequence, build_fold_addr_expr(table));
	gimple_seq_add_stmt(&sequence, gimple_build_assign(word_of(site->words, WORD_MEMBERS), members));
	reset(&sequence, site);
	gsi_insert_seq_on_edge_immediate(loop_preheader_edge(nest), sequence);
	FOR_EACH_VEC_ELT (exits, i, e) {
		sequence = NULL;
		gimple_seq_add_stmt(&sequence, end_of(site));
		gsi_insert_seq_on_edge_immediate(e, sequence);
	}
	FOR_EACH_VEC_ELT (pauses, i, pause)
		pause_site(site, pause);
}

/* Adds an address to the site's log, and makes the call at the end of the block only if the log is full. */
static void log_or_call(const struct site *site, tree address, basic_block block, gimple *first, gimple *last)
{
	gimple_stmt_iterator at = gsi_for_stmt(first);
	tree room = put_copy(&at, word_of(site->words, WORD_ROOM)), n = put_copy(&at, site->n), place;
	gimple *condition = gimple_build_cond(GE_EXPR, n, room, NULL_TREE, NULL_TREE);
	gimple_seq sequence = NULL;
	basic_block rest;

	gsi_insert_before(&at, condition, GSI_SAME_STMT);
	branch(block, condition, last, &rest, profile_probability::unlikely());
	at = gsi_after_labels(split_edge(find_edge(block, rest)));
	place = log_place(&sequence, put_copy(&at, word_of(site->words, WORD_LOG)), n);
	gsi_insert_seq_before(&at, sequence, GSI_SAME_STMT);
	gsi_insert_before(&at, gimple_build_assign(place, address), GSI_SAME_STMT);
	gsi_insert_before(&at, gimple_build_assign(site->n, PLUS_EXPR, n, size_one_node), GSI_SAME_STMT);
}

/* Calls the members' own hooks when it is their turn; otherwise executes the block up to `last`.  Returns the block
 * with that code.
 * counts_down: 1 for the site that counts the rounds of hooks
 * address: of the first member; those of others may be computed later */
static basic_block hook_or_call(const vec<struct member *> &members, const struct turns *turns, bool counts_down,
                                tree address, basic_block block, gimple *first, gimple *last)
{
	gimple_stmt_iterator at = gsi_for_stmt(first);
	tree rounds = put_copy(&at, turns->by_hooks), zero = build_zero_cst(TREE_TYPE(rounds));
	gimple *condition = gimple_build_cond(EQ_EXPR, rounds, zero, NULL_TREE, NULL_TREE);
	basic_block inner, rest;
	struct member *m;
	unsigned int i;

	gsi_insert_before(&at, condition, GSI_SAME_STMT);
	inner = branch(block, condition, last, &rest, profile_probability::even());
	at = gsi_after_labels(split_edge(find_edge(block, rest)));
	if (counts_down)
		gsi_insert_before(&at,
		                  gimple_build_assign(turns->by_hooks, MINUS_EXPR, rounds,
		                                      build_one_cst(TREE_TYPE(rounds))),
		                  GSI_SAME_STMT);
	FOR_EACH_VEC_ELT (members, i, m) {
		gimple_seq sequence = NULL;
		tree place = make_ssa_name(size_type_node);
		gimple *hook;

		gimple_seq_add_stmt(&sequence, gimple_build_assign(place, PLUS_EXPR, address, size_int(m->distance)));
		hook = gimple_build_call(gimple_call_fndecl(m->call), 1, as_pointer(&sequence, place));
		gimple_set_location(hook, gimple_location(m->call));
		gimple_seq_add_stmt(&sequence, hook);
		gsi_insert_seq_before(&at, sequence, GSI_SAME_STMT);
		loosen_hook(hook);
	}
	return inner;
}

/* Adds the code after a call of the library for a site: the site may now have counts to hand over; and if the calls
 * cost more than the bounds save, it is the hooks' turn. */
static void take_turns(gimple_seq *sequence, const struct turns *turns)
{
	tree type = TREE_TYPE(turns->by_hooks), gain = make_ssa_name(size_type_node), change = make_ssa_name(ssizetype);
	tree is_loss = make_ssa_name(boolean_type_node), rounds = make_ssa_name(type),
	     is_kept = make_ssa_name(boolean_type_node);
	tree factor = make_ssa_name(size_type_node), rest = make_ssa_name(size_type_node), shown = make_ssa_name(type);

	gimple_seq_add_stmt(sequence, gimple_build_assign(turns->counting, boolean_true_node));
	gimple_seq_add_stmt(sequence, gimple_build_assign(gain, gain_of_nest()));
	gimple_seq_add_stmt(sequence, gimple_build_assign(change, NOP_EXPR, gain));
	gimple_seq_add_stmt(sequence,
	                    gimple_build_assign(is_loss, LT_EXPR, change, build_int_cst(ssizetype, -MOST_LOSS)));
	gimple_seq_add_stmt(sequence, gimple_build_assign(shown, NOP_EXPR, is_loss));
	gimple_seq_add_stmt(sequence, gimple_build_assign(rounds, MULT_EXPR, shown, build_int_cst(type, NEST_ROUNDS)));
	gimple_seq_add_stmt(sequence, gimple_build_assign(turns->by_hooks, rounds));
	gimple_seq_add_stmt(sequence, gimple_build_assign(is_kept, BIT_NOT_EXPR, is_loss));
	gimple_seq_add_stmt(sequence, gimple_build_assign(factor, NOP_EXPR, is_kept));
	gimple_seq_add_stmt(sequence, gimple_build_assign(rest, MULT_EXPR, gain, factor));
	gimple_seq_add_stmt(sequence, gimple_build_assign(gain_of_nest(), rest));
}

/* Counts one execution of a site, at a member, for all its members. */
static void count_at(const struct site *site, const vec<struct member *> &members, const struct turns *turns,
                     bool counts_down)
{
	const struct member *m = members[0];
	gimple_stmt_iterator at = gsi_for_stmt(m->call);
	tree base = base_of(m), step = step_of(m), n = number_of(m);
	tree first = put(&at, NOP_EXPR, base, NULL_TREE), lo = first, hi = first, inside;
	basic_block slow, inner, rest;
	gimple *condition, *call;
	gimple_seq sequence = NULL;

	if (!integer_onep(n)) {
		tree far = put(&at, MULT_EXPR, put(&at, MINUS_EXPR, n, size_one_node), step);
		tree end = make_ssa_name(TREE_TYPE(base)), last;

		gsi_insert_before(&at, gimple_build_assign(end, POINTER_PLUS_EXPR, base, far), GSI_SAME_STMT);
		last = put(&at, NOP_EXPR, end, NULL_TREE);
		lo = put_choice(&at, MIN_EXPR, first, last);
		hi = put_choice(&at, MAX_EXPR, first, last);
	}
	/* lo <= hi: all is inside when neither is below the start, nor at or above the limit */
	inside = put(&at, MINUS_EXPR, lo, site->start);
	if (hi != lo)
		inside = put_choice(&at, MAX_EXPR, inside, put(&at, MINUS_EXPR, hi, site->start));
	condition = gimple_build_cond(GE_EXPR, inside, site->limit, NULL_TREE, NULL_TREE);
	gsi_insert_before(&at, condition, GSI_SAME_STMT);
	call = gimple_build_call(site_function(), 7, build_fold_addr_expr(site->words), site->n, site->lo, site->hi,
	                         base, step, n);
	gimple_set_location(call, gimple_location(m->call));
	gsi_insert_before(&at, call, GSI_SAME_STMT);
	reset(&sequence, site);
	if (turns)
		take_turns(&sequence, turns);
	gsi_insert_seq_before(&at, sequence, GSI_SAME_STMT);
	slow = branch(gimple_bb(m->call), condition, m->call, &rest, profile_probability::very_unlikely());
	inner = slow;
	if (turns && hook_how(m->call) >= 0)
		inner = hook_or_call(members, turns, counts_down, first, slow, call, m->call);
	if (integer_onep(n))
		log_or_call(site, first, inner, call, m->call);
	at = gsi_after_labels(split_edge(find_edge(single_pred(slow), rest)));
	gsi_insert_before(&at, gimple_build_assign(site->n, put_sum(&at, site->n, n)), GSI_SAME_STMT);
	gsi_insert_before(&at, gimple_build_assign(site->lo, put_choice(&at, MIN_EXPR, site->lo, lo)), GSI_SAME_STMT);
	gsi_insert_before(&at, gimple_build_assign(site->hi, put_choice(&at, MAX_EXPR, site->hi, hi)), GSI_SAME_STMT);
}

/* Counts the run only if its count is not 0. */
static void skip_empty(const struct member *run)
{
	gimple_stmt_iterator at = gsi_for_stmt(run->call);
	gimple *condition = gimple_build_cond(NE_EXPR, number_of(run), size_zero_node, NULL_TREE, NULL_TREE);
	basic_block rest;

	gsi_insert_before(&at, condition, GSI_SAME_STMT);
	branch(gimple_bb(run->call), condition, run->call, &rest, profile_probability::likely());
}

static void remove_calls(const vec<struct member *> &site)
{
	struct member *m;
	unsigned int i;

	FOR_EACH_VEC_ELT (site, i, m)
		remove_statement(m->call);
}

/* After the nest, when all is counted, tells whether that was little. */
static void end_nest(class loop *nest)
{
	auto_vec<edge> exits = exits_of(nest);
	unsigned int i;
	edge e;

	FOR_EACH_VEC_ELT (exits, i, e) {
		gimple_stmt_iterator at = gsi_last_bb(e->dest);

		gsi_insert_after(&at, nest_end(nest), GSI_NEW_STMT);
	}
}

/* Collects the accesses of a block that are to be counted at sites. */
static void find_members(basic_block block, vec<struct member> *all)
{
	for (gimple_stmt_iterator s = gsi_start_bb(block); !gsi_end_p(s); gsi_next(&s)) {
		gimple *call = gsi_stmt(s);
		int how = hook_how(call);

		if (how < 0 && run_dimensions(call) == 1)
			how = tree_to_uhwi(gimple_call_arg(call, run_how(1)));
		if (how >= 0)
			all->safe_push({ call, (unsigned int)how, 0, false });
	}
}

/* Returns 1 when a block has pauses, which it collects. */
static bool find_pauses(basic_block block, vec<gimple *> *pauses)
{
	unsigned int n_before = pauses->length();

	for (gimple_stmt_iterator s = gsi_start_bb(block); !gsi_end_p(s); gsi_next(&s))
		if (is_pause(gsi_stmt(s)))
			pauses->safe_push(gsi_stmt(s));
	return pauses->length() > n_before;
}

/* Collects what make_sites() needs of a nest.  In a nest with pauses, accesses as rare as the pauses keep their hooks,
 * and so do those in blocks with a pause, as the accesses of a block may be counted together. */
static void find_in_nest(class loop *nest, vec<struct member> *all, vec<gimple *> *pauses)
{
	basic_block *body = get_loop_body(nest);
	bool has_pauses = !is_quiet(nest);

	for (unsigned int i = 0; i < nest->num_nodes; i++)
		if (!find_pauses(body[i], pauses) && !(has_pauses && is_rare(body[i])))
			find_members(body[i], all);
	free(body);
}

/* Sets the condition by which a nest switches to its version with hooks when it is their turn. */
static void go_over(gcond *over, tree by_hooks)
{
	gimple_stmt_iterator at = gsi_for_stmt(over);

	gimple_cond_set_condition(over, NE_EXPR, put_copy(&at, by_hooks), build_zero_cst(TREE_TYPE(by_hooks)));
	update_stmt(over);
}

bool make_sites(class loop *nest, gcond *over, struct plugin_counts *counts)
{
	auto_vec<struct member, 32> all;
	auto_vec<gimple *, 8> statements;
	auto_vec<gimple *, 8> pauses;
	unsigned int n_sites = 0, n_ends, i;
	gimple *statement;
	struct turns turns = {}, *of_nest = NULL;

	find_in_nest(nest, &all, &statements);
	if (!all.is_empty() && !statements.is_empty()) {
		turns.by_hooks = make_zero(nest, unsigned_type_node, "ompp_by_hooks");
		turns.counting = make_zero(nest, boolean_type_node, "ompp_counting");
		of_nest = &turns;
		if (over)
			go_over(over, turns.by_hooks);
		FOR_EACH_VEC_ELT (statements, i, statement)
			pauses.safe_push(make_pause(nest, statement, &turns));
	}
	n_ends = exits_of(nest).length() + statements.length();
	for (i = 0; i < all.length(); i++) {
		auto_vec<struct member *, 8> members;
		struct site site;

		if (all[i].is_taken)
			continue;
		if (n_sites == MOST_SITES || (n_sites + 1) * n_ends > MOST_ENDS) {
			if (hook_how(all[i].call) >= 0) {
				loosen_hook(all[i].call);
				counts->hooks++;
			}
			continue;
		}
		n_sites++;
		counts->sites++;
		collect(all, i, &members);
		begin_site(nest, pauses, &site, table_of(members));
		if (TREE_CODE(number_of(&all[i])) != INTEGER_CST)
			skip_empty(&all[i]);
		count_at(&site, members, of_nest, n_sites == 1);
		remove_calls(members);
	}
	free_affine_expand_cache(&sums);
	if (n_sites)
		end_nest(nest);
	return n_sites || !statements.is_empty();
}

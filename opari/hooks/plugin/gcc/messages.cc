/*
 * Messages: see messages.h.
 */
#include "messages.h"

/* clang-format off */
#include "tree-data-ref.h"
/* clang-format on */

bool messages_by_default;

/* Returns 1 for byte types that may be characters, as stores of characters may get warnings of their own. */
static bool are_characters(tree type)
{
	while (TREE_CODE(type) == ARRAY_TYPE)
		type = TREE_TYPE(type);
	return INTEGRAL_TYPE_P(type) && TYPE_PRECISION(type) <= BITS_PER_UNIT;
}

/* Returns 1 when a value is not passed by the ABI rules for vectors or structs, about which gcc has notes (-Wpsabi). */
static bool is_scalar(tree type)
{
	return VOID_TYPE_P(type) || INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type) || SCALAR_FLOAT_TYPE_P(type);
}

/* Returns 1 when each attribute in a list is one that no message is about. */
static bool are_plain(tree attributes)
{
	static const char *const plain[] = { "leaf", "nothrow", "fn spec", "omp declare target" };

	for (; attributes; attributes = TREE_CHAIN(attributes)) {
		bool found = false;

		for (unsigned int i = 0; i < ARRAY_SIZE(plain); i++)
			found |= is_attribute_p(plain[i], get_attribute_name(attributes));
		if (!found)
			return false;
	}
	return true;
}

/* Returns 1 when gcc knows nothing of what a function does with its arguments. */
static bool is_unknown(tree decl)
{
	const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(decl));

	if (fndecl_built_in_p(decl))
		return !strncmp(name, "GOMP_", 5) || !strncmp(name, "omp_", 4);
	return !DECL_IS_OPERATOR_NEW_P(decl) && !DECL_IS_OPERATOR_DELETE_P(decl) && are_plain(DECL_ATTRIBUTES(decl));
}

static bool is_silent_call(gimple *call)
{
	tree decl = gimple_call_fndecl(call);

	if (gimple_call_internal_p(call))
		return true;
	if (gimple_call_builtin_p(call, BUILT_IN_NORMAL) && mathfn_built_in_type(gimple_call_combined_fn(call)))
		return true;
	if ((decl && !is_unknown(decl)) || !gimple_call_fntype(call) ||
	    !are_plain(TYPE_ATTRIBUTES(gimple_call_fntype(call))) || !is_scalar(TREE_TYPE(gimple_call_fntype(call))))
		return false;
	for (unsigned int i = 0; i < gimple_call_num_args(call); i++)
		if (!is_scalar(TREE_TYPE(gimple_call_arg(call, i))))
			return false;
	return true;
}

/* Returns 1 when a store in a loop may become part of a block, by memset or memcpy: what is stored does not change or
 * was loaded, and the loop may go on to the next byte each time. */
static bool is_of_block(gimple *store)
{
	tree value = gimple_assign_rhs1(store), bytes = TYPE_SIZE_UNIT(TREE_TYPE(gimple_assign_lhs(store))), step;
	class loop *loop = gimple_bb(store)->loop_father;
	struct data_reference *reference;
	bool may;

	if (!loop_outer(loop))
		return false;
	if (TREE_CODE(value) == SSA_NAME && !gimple_assign_load_p(SSA_NAME_DEF_STMT(value)) &&
	    !expr_invariant_in_loop_p(loop, value))
		return false;
	reference = create_data_ref(loop_preheader_edge(loop), loop, gimple_assign_lhs(store), store, false, false);
	step = DR_STEP(reference);
	may = !step || TREE_CODE(step) != INTEGER_CST || !bytes || TREE_CODE(bytes) != INTEGER_CST ||
	      wi::abs(wi::to_widest(step)) == wi::to_widest(bytes);
	free_data_ref(reference);
	return may;
}

static bool is_silent_store(gimple *store)
{
	tree place = gimple_assign_lhs(store), base = get_base_address(place);

	if (!is_gimple_reg_type(TREE_TYPE(place)) || are_characters(TREE_TYPE(place)))
		return false;
	if (base && TREE_CODE(base) == MEM_REF &&
	    (are_characters(TREE_TYPE(base)) || are_characters(TREE_TYPE(TREE_TYPE(TREE_OPERAND(base, 0)))) ||
	     are_characters(TREE_TYPE(TREE_TYPE(TREE_OPERAND(base, 1))))))
		return false;
	return !is_of_block(store);
}

static bool is_silent(gimple *statement)
{
	if (gimple_code(statement) == GIMPLE_ASM)
		return false;
	if (is_gimple_call(statement))
		return is_silent_call(statement) &&
		       (!gimple_call_lhs(statement) || is_gimple_reg(gimple_call_lhs(statement)));
	return !gimple_store_p(statement) || gimple_clobber_p(statement) || is_silent_store(statement);
}

static bool has_scalars_alone(tree function)
{
	for (tree parameter = DECL_ARGUMENTS(function); parameter; parameter = DECL_CHAIN(parameter))
		if (!is_scalar(TREE_TYPE(parameter)))
			return false;
	return is_scalar(TREE_TYPE(DECL_RESULT(function)));
}

static bool are_all_silent(function *function)
{
	basic_block block;

	FOR_EACH_BB_FN (block, function)
		for (gimple_stmt_iterator s = gsi_start_bb(block); !gsi_end_p(s); gsi_next(&s))
			if (!is_gimple_debug(gsi_stmt(s)) && !is_silent(gsi_stmt(s)))
				return false;
	return true;
}

/* Returns 1 when nothing is left, with the warnings that gcc has by itself, but what it says of loops that leave an
 * array, which this makes it say. */
static bool is_function_silent(function *function)
{
	bool is;

	if (!has_scalars_alone(function->decl) || function->calls_setjmp || function->has_nonlocal_label)
		return false;
	loop_optimizer_init(LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
	scev_initialize();
	is = are_all_silent(function);
	if (is)
		estimate_numbers_of_iterations(function);
	scev_finalize();
	loop_optimizer_finalize();
	return is;
}

/* Lets gcc discard a function, skipping its remaining passes, as if its code had been emitted. */
static void forget(function *function)
{
	free_dominance_info(CDI_DOMINATORS);
	free_dominance_info(CDI_POST_DOMINATORS);
	function->curr_properties = PROP_rtl;
	TREE_ASM_WRITTEN(function->decl) = 1;
}

/* A compiler that checks its own data (-fchecking) expects what the later passes make of a function.  Functions with
 * setjmp() may get a warning later (-Wclobbered), and those with assembler text an error. */
void end_behind_messages(void *gate, void *)
{
	static bool is_over; /* with the current function */
	bool *is_on = (bool *)gate;

	if (flag_checking || !cfun)
		return;
	if (!strcmp(current_pass->name, "tsan")) {
		is_over = messages_by_default && is_function_silent(cfun);
	} else if (!strcmp(current_pass->name, "*clean_state")) {
		if (is_over)
			forget(cfun);
		is_over = false;
	} else if (is_over) {
		*is_on = false;
	} else if (!strcmp(current_pass->name, "*rest_of_compilation") && !cfun->calls_setjmp &&
	           !crtl->has_asm_statement) {
		*is_on = false;
	}
}

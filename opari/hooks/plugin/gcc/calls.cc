/*
 * Calls: see calls.h.
 */
#include "calls.h"

/* These are garbage collector roots, registered by PLUGIN_REGISTER_GGC_ROOTS (plugin.cc). */
tree declared[KINST_N_DECLARED];

/* Returns the rest of the called function's name after "__tsan_"; NULL if it does not begin with that. */
static const char *tsan_name(gimple *statement)
{
	tree decl = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
	const char *name;

	if (!decl || !DECL_NAME(decl))
		return NULL;
	name = IDENTIFIER_POINTER(DECL_NAME(decl));
	if (!strncmp(name, "__builtin_", strlen("__builtin_")))
		name += strlen("__builtin_");
	return strncmp(name, "__tsan_", strlen("__tsan_")) ? NULL : name + strlen("__tsan_");
}

/* Goes past a word at the begin of a text, if it is there. */
static bool pass_word(const char **text, const char *word)
{
	if (strncmp(*text, word, strlen(word)))
		return false;
	*text += strlen(word);
	return true;
}

int hook_how(gimple *statement)
{
	const char *name = tsan_name(statement);
	int how = 0;

	if (!name)
		return -1;
	pass_word(&name, "unaligned_");
	pass_word(&name, "volatile_");
	if (pass_word(&name, "write"))
		how = HOW_STORE;
	else if (!pass_word(&name, "read"))
		return -1;
	for (int i = 0; i < N_ACCESS_SIZES; i++)
		if (!strcmp(name, access_sizes[i]))
			return how | i;
	return -1;
}

unsigned HOST_WIDE_INT block_bytes(gimple *statement, unsigned int *slot)
{
	const char *name = tsan_name(statement);

	if (!name || (strcmp(name, "read_range") && strcmp(name, "write_range")) ||
	    !tree_fits_uhwi_p(gimple_call_arg(statement, 1)) ||
	    !can_move_by_pieces(tree_to_uhwi(gimple_call_arg(statement, 1)), BITS_PER_UNIT))
		return 0;
	*slot = *name == 'r' ? BLOCK_LOAD : BLOCK_STORE;
	return tree_to_uhwi(gimple_call_arg(statement, 1));
}

bool is_tsan_call(gimple *statement)
{
	return tsan_name(statement) != NULL;
}

bool is_own_call(gimple *statement)
{
	tree decl = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;

	for (int i = 0; decl && i < KINST_N_DECLARED; i++)
		if (decl == declared[i])
			return true;
	return false;
}

/* Declares a function of libompp_access.a, which is linked into each program and library. */
static tree declare(const char *name, tree type)
{
	tree decl = build_fn_decl(name, type);

	TREE_NOTHROW(decl) = 1;
	DECL_IS_NOVOPS(decl) = 1;
	DECL_VISIBILITY(decl) = VISIBILITY_HIDDEN;
	DECL_VISIBILITY_SPECIFIED(decl) = 1;
	DECL_ATTRIBUTES(decl) = tree_cons(get_identifier("leaf"), NULL_TREE, DECL_ATTRIBUTES(decl));
	return decl;
}

tree run_function(int dimensions)
{
	tree *decl = &declared[dimensions - 1], parameters = tree_cons(NULL_TREE, unsigned_type_node, void_list_node);

	if (*decl)
		return *decl;
	for (int i = 0; i < 2 * dimensions; i++)
		parameters = tree_cons(NULL_TREE, size_type_node, parameters);
	parameters = tree_cons(NULL_TREE, ptr_type_node, parameters);
	*decl = declare(run_names[dimensions - 1], build_function_type(void_type_node, parameters));
	return *decl;
}

tree blocks_function(void)
{
	tree *decl = &declared[MOST_DIMENSIONS + 6];

	if (!*decl)
		*decl = declare("ompp_access_blocks",
		                build_function_type_list(void_type_node, ptr_type_node, size_type_node, size_type_node,
		                                         size_type_node, unsigned_type_node, NULL_TREE));
	return *decl;
}

tree site_function(void)
{
	tree *decl = &declared[MOST_DIMENSIONS];

	if (!*decl)
		*decl = declare("ompp_access_site",
		                build_function_type_list(void_type_node, ptr_type_node, size_type_node, size_type_node,
		                                         size_type_node, ptr_type_node, size_type_node, size_type_node,
		                                         NULL_TREE));
	return *decl;
}

tree site_end_function(void)
{
	tree *decl = &declared[MOST_DIMENSIONS + 1];

	if (!*decl)
		*decl = declare("ompp_access_site_end",
		                build_function_type_list(void_type_node, ptr_type_node, size_type_node, size_type_node,
		                                         size_type_node, NULL_TREE));
	return *decl;
}

tree nest_end_function(void)
{
	tree *decl = &declared[MOST_DIMENSIONS + 7];

	if (!*decl)
		*decl = declare("ompp_access_nest_end",
		                build_function_type_list(void_type_node, size_type_node, NULL_TREE));
	return *decl;
}

tree order_function(void)
{
	tree *decl = &declared[MOST_DIMENSIONS + 2];

	if (!*decl)
		*decl = declare("ompp_access_order",
		                build_function_type_list(void_type_node, ptr_type_node, size_type_node, NULL_TREE));
	return *decl;
}

/* Declares a variable of the library. */
static tree declare_variable(const char *name, tree type, symbol_visibility visibility)
{
	tree decl = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(name), type);

	TREE_PUBLIC(decl) = 1;
	TREE_STATIC(decl) = 0;
	DECL_EXTERNAL(decl) = 1;
	DECL_ARTIFICIAL(decl) = 1;
	TREE_USED(decl) = 1;
	TREE_ADDRESSABLE(decl) = 1;
	DECL_VISIBILITY(decl) = visibility;
	DECL_VISIBILITY_SPECIFIED(decl) = 1;
	return decl;
}

static tree pointer_variable(tree *decl, const char *name)
{
	if (!*decl)
		*decl = declare_variable(name, build_pointer_type(integer_type_node), VISIBILITY_HIDDEN);
	return *decl;
}

tree by_runs_variable(void)
{
	return pointer_variable(&declared[MOST_DIMENSIONS + 3], "ompp_access_by_runs");
}

tree by_order_variable(void)
{
	return pointer_variable(&declared[MOST_DIMENSIONS + 4], "ompp_access_by_order");
}

/* Bytes from the begin of what the library keeps for each thread, struct ompp_access_own of the runtime. */
enum { OWN_GAIN = 32, OWN_N_SHORT = 40, OWN_IN_NEST = OWN_N_SHORT + 2 * N_NESTS, OWN_BYTES = OWN_IN_NEST + 8 };

/* Returns a part of a variable that libompp has for each thread.  Volatile, as the compiler does not see that others
 * access it.
 * n_bytes: of the whole variable */
static tree part_of_thread(tree *decl, const char *name, unsigned int n_bytes, tree type, unsigned int offset)
{
	tree reference;

	if (!*decl) {
		*decl = declare_variable(name, build_array_type_nelts(unsigned_char_type_node, n_bytes),
		                         VISIBILITY_DEFAULT);
		set_decl_tls_model(*decl, TLS_MODEL_INITIAL_EXEC);
	}
	reference = build2(MEM_REF, build_qualified_type(type, TYPE_QUAL_VOLATILE), build_fold_addr_expr(*decl),
	                   build_int_cst(build_pointer_type(unsigned_char_type_node), offset));
	TREE_THIS_VOLATILE(reference) = 1;
	TREE_SIDE_EFFECTS(reference) = 1;
	return reference;
}

static tree own_at(tree type, unsigned int offset)
{
	return part_of_thread(&declared[MOST_DIMENSIONS + 8], "ompp_access_tally", OWN_BYTES, type, offset);
}

tree work_word(unsigned int i)
{
	const unsigned int n_bytes = tree_to_uhwi(TYPE_SIZE_UNIT(size_type_node));

	return part_of_thread(&declared[MOST_DIMENSIONS + 9], "ompp_work", N_WORK * n_bytes, size_type_node,
	                      i * n_bytes);
}

tree n_short_of(unsigned int nest)
{
	return own_at(short_unsigned_type_node, OWN_N_SHORT + 2 * (nest % N_NESTS));
}

tree low_n_short_of(unsigned int nest)
{
	return own_at(unsigned_char_type_node, OWN_N_SHORT + 2 * (nest % N_NESTS) + BYTES_BIG_ENDIAN);
}

tree gain_of_nest(void)
{
	return own_at(size_type_node, OWN_GAIN);
}

tree in_nest(void)
{
	return own_at(size_type_node, OWN_IN_NEST);
}

tree flag_of(gimple_seq *sequence, tree variable)
{
	tree pointer = make_ssa_name(TREE_TYPE(variable)), flag = make_ssa_name(integer_type_node);

	gimple_seq_add_stmt(sequence, gimple_build_assign(pointer, variable));
	gimple_seq_add_stmt(sequence, gimple_build_assign(flag, build_simple_mem_ref(pointer)));
	return flag;
}

tree make_words(unsigned int n, const char *name)
{
	tree words = create_tmp_var(build_array_type_nelts(size_type_node, n), name);

	TREE_ADDRESSABLE(words) = 1;
	TREE_THIS_VOLATILE(words) = 1;
	return words;
}

tree word_of(tree words, unsigned int i)
{
	tree type = build_qualified_type(size_type_node, TYPE_QUAL_VOLATILE);
	tree address = build_fold_addr_expr(words);
	tree reference = build2(MEM_REF, type, address,
	                        build_int_cst(build_pointer_type(size_type_node),
	                                      i * tree_to_uhwi(TYPE_SIZE_UNIT(size_type_node))));

	TREE_THIS_VOLATILE(reference) = 1;
	TREE_SIDE_EFFECTS(reference) = 1;
	return reference;
}

static tree log_type(void)
{
	tree *type = &declared[MOST_DIMENSIONS + 5];

	if (!*type) {
		tree field = build_decl(UNKNOWN_LOCATION, FIELD_DECL, get_identifier("address"), size_type_node);

		*type = make_node(RECORD_TYPE);
		DECL_NONADDRESSABLE_P(field) = 1;
		finish_builtin_struct(*type, "ompp_log", field, NULL_TREE);
	}
	return *type;
}

tree log_place(gimple_seq *sequence, tree log, tree i)
{
	tree type = log_type(), offset = make_ssa_name(size_type_node);
	tree begin = make_ssa_name(build_pointer_type(type)), pointer = make_ssa_name(TREE_TYPE(begin));

	gimple_seq_add_stmt(sequence, gimple_build_assign(offset, MULT_EXPR, i, TYPE_SIZE_UNIT(size_type_node)));
	gimple_seq_add_stmt(sequence, gimple_build_assign(begin, NOP_EXPR, log));
	gimple_seq_add_stmt(sequence, gimple_build_assign(pointer, POINTER_PLUS_EXPR, begin, offset));
	return build3(COMPONENT_REF, size_type_node, build_simple_mem_ref(pointer), TYPE_FIELDS(type), NULL_TREE);
}

int run_dimensions(gimple *statement)
{
	tree decl = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;

	for (int i = 1; decl && i <= MOST_DIMENSIONS; i++)
		if (decl == declared[i - 1])
			return i;
	return 0;
}

void loosen_hook(gimple *statement)
{
	tree decl = gimple_call_fndecl(statement);
	tree loose = declare(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(decl)), TREE_TYPE(decl));

	unlink_stmt_vdef(statement);
	gimple_set_vdef(statement, NULL_TREE);
	gimple_set_vuse(statement, NULL_TREE);
	gimple_call_set_fndecl(statement, loose);
	update_stmt(statement);
}

void remove_statement(gimple *statement)
{
	gimple_stmt_iterator at = gsi_for_stmt(statement);

	unlink_stmt_vdef(statement);
	gsi_remove(&at, true);
	release_defs(statement);
}

static tree as_type(gimple_seq *sequence, tree type, tree value)
{
	gimple_seq more = NULL;
	tree result = force_gimple_operand(fold_convert(type, unshare_expr(value)), &more, true, NULL_TREE);

	gimple_seq_add_seq(sequence, more);
	return result;
}

tree as_size(gimple_seq *sequence, tree value)
{
	return as_type(sequence, size_type_node, value);
}

tree as_pointer(gimple_seq *sequence, tree value)
{
	return as_type(sequence, ptr_type_node, value);
}

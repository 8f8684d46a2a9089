/*
 * Uncounted: see uncounted.h.
 */
#include "uncounted.h"

/* Looks at the name of one of the machine's own functions, which accesses memory. */
static void look_at(const char *name, struct uncounted *found)
{
	found->elements |= strstr(name, "mask") || strstr(name, "gather") || strstr(name, "scatter") ||
	                   strstr(name, "compress") || strstr(name, "expand");
	found->streams |= strstr(name, "movnt") != NULL;
}

void find_uncounted(function *function, struct uncounted *found)
{
	basic_block block;

	FOR_EACH_BB_FN (block, function)
		for (gimple_stmt_iterator s = gsi_start_bb(block); !gsi_end_p(s); gsi_next(&s)) {
			tree decl = is_gimple_call(gsi_stmt(s)) ? gimple_call_fndecl(gsi_stmt(s)) : NULL_TREE;

			if (decl && fndecl_built_in_p(decl, BUILT_IN_MD) && gimple_vuse(gsi_stmt(s)))
				look_at(IDENTIFIER_POINTER(DECL_NAME(decl)), found);
		}
}

void write_uncounted(const struct uncounted *found, const char *path)
{
	FILE *file = fopen(path, "a");

	if (!file)
		return;
	if (found->elements)
		fputs("masked or gathering vector instructions\n", file);
	if (found->streams)
		fputs("streaming stores\n", file);
	fclose(file);
}

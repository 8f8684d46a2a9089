/*
 * Plugin: lets gcc count whole loops where it would call a hook for each access.
 *
 * It is a pass after the one that puts hooks in (pass_tsan), so GCC decides what is an access, and the counts are the
 * same with and without the plug-in.  In each nest (nest.h) hooks become runs (run.h), and those that are left become
 * sites (site.h).  A second version of the nest keeps the hooks, for runs of the program that need each access; where
 * only their order is needed, loops in it are handed over as a whole (order.h).  NOTES tells it on a page.
 *
 * Arguments: verbose          a line about each function, on stderr
 *            uncounted=FILE   a line in the file for each kind of accesses that have no hook
 *            work             operations are counted, too (work.h)
 *            work=only        operations are counted, and no accesses
 *            messages         nothing is counted, and the compile ends behind the last messages (messages.h)
 *            messages=default the same where no other warnings are asked for than those that gcc has by itself
 */
#include "messages.h"
#include "nest.h"
#include "order.h"
#include "run.h"
#include "site.h"
#include "uncounted.h"
#include "work.h"

#include "diagnostic.h"
#include "plugin-version.h"

int plugin_is_GPL_compatible;

static bool verbose, counts_accesses = true, counts_work;
static const char *uncounted_path;
static struct uncounted uncounted;

/* clang-format off */
static const pass_data data = {
	GIMPLE_PASS, "kinst_loops", OPTGROUP_NONE, TV_PLUGIN_RUN, PROP_ssa | PROP_cfg, 0, 0, 0, TODO_cleanup_cfg | TODO_update_ssa
};

class loops_pass : public gimple_opt_pass {
public:
	explicit loops_pass(gcc::context *context) : gimple_opt_pass(data, context) {}
	unsigned int execute(function *function) final override;
};
/* clang-format on */

static void count_nests(struct plugin_counts *counts)
{
	auto_vec<class loop *> nests, by_hooks;
	class loop *nest;
	unsigned int i;

	mark_irreducible_loops();
	calculate_dominance_info(CDI_DOMINATORS);
	find_nests(&nests);
	if (nests.is_empty())
		return;
	scev_initialize();
	double_nests(&nests, &by_hooks);
	tell_nests(nests);
	FOR_EACH_VEC_ELT (nests, i, nest)
		make_runs(nest, counts);
	make_ordered(nests, by_hooks, counts);
	scev_finalize();
	FOR_EACH_VEC_ELT (nests, i, nest)
		if (!make_sites(nest, switch_of(i), counts))
			choose_by_runs(i);
}

/* The function that was seen last: with optimisation two passes come to it. */
static unsigned int last_seen;

unsigned int loops_pass::execute(function *function)
{
	struct plugin_counts counts = {};

	if (last_seen == DECL_UID(function->decl))
		return 0;
	last_seen = DECL_UID(function->decl);

	find_uncounted(function, &uncounted);
	loop_optimizer_init(LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
	if (counts_work)
		count_work(function);
	/* After longjmp a function continues at setjmp, whatever loop it was in. */
	if (counts_accesses && !function->calls_setjmp && !function->has_nonlocal_label &&
	    number_of_loops(function) > 1)
		count_nests(&counts);
	loop_optimizer_finalize();
	if (verbose && counts_accesses)
		fprintf(stderr,
		        "%s: %u runs, %u counted on exits, %u over several loops, %u sites, %u hooks, %u loops in "
		        "order\n",
		        function_name(function), counts.runs, counts.counted, counts.hoisted, counts.sites,
		        counts.hooks, counts.ordered);
	return 0;
}

static void finish(void *, void *)
{
	if (uncounted_path)
		write_uncounted(&uncounted, uncounted_path);
}

static const ggc_root_tab roots[] = {
	{ declared, KINST_N_DECLARED, sizeof(declared[0]), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node },
	LAST_GGC_ROOT_TAB,
};

int plugin_init(struct plugin_name_args *arguments, struct plugin_gcc_version *version)
{
	struct register_pass_info pass;

	if (!plugin_default_version_check(version, &gcc_version))
		return 1;
	for (int i = 0; i < arguments->argc; i++) {
		verbose |= !strcmp(arguments->argv[i].key, "verbose");
		if (!strcmp(arguments->argv[i].key, "work")) {
			counts_work = true;
			counts_accesses = !arguments->argv[i].value;
		}
		if (!strcmp(arguments->argv[i].key, "uncounted"))
			uncounted_path = arguments->argv[i].value;
		if (!strcmp(arguments->argv[i].key, "messages")) {
			messages_by_default = arguments->argv[i].value != NULL;
			register_callback(arguments->base_name, PLUGIN_OVERRIDE_GATE, end_behind_messages, NULL);
			return 0;
		}
	}
	pass.pass = new loops_pass(g);
	pass.reference_pass_name = "tsan";
	pass.ref_pass_instance_number = 1;
	pass.pos_op = PASS_POS_INSERT_AFTER;
	register_callback(arguments->base_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &pass);
	if (!counts_accesses) { /* without optimisation, too */
		pass.pass = new loops_pass(g);
		pass.reference_pass_name = "tsan0";
		register_callback(arguments->base_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &pass);
	}
	register_callback(arguments->base_name, PLUGIN_REGISTER_GGC_ROOTS, NULL, (void *)roots);
	register_callback(arguments->base_name, PLUGIN_FINISH, finish, NULL);
	return 0;
}

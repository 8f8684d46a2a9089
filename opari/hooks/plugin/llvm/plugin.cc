/*
 * Plugin: lets clang count whole loops where it would call a hook for each access.
 *
 * It is a pass after the one that puts hooks in (ThreadSanitizerPass), so LLVM decides what is an access, and the
 * counts are the same with and without the plug-in.  In each nest (nest.h) hooks become runs (run.h), and those that
 * are left become sites (site.h).  A second version of the nest keeps the hooks, for runs of the program that need each
 * access, or their order; if the order is enough, loops in it are handed over as a whole (order.h).  Then the passes
 * run that hooks had hindered (late.h).  NOTES tells it on a page.
 *
 * It is loaded twice, by `-Xclang -load`, so that clang knows its options, and by -fpass-plugin.  Options, each behind
 * -mllvm: -kinst-verbose          a line about each function, on stderr
 *         -kinst-uncounted=FILE   a line in the file for each kind of accesses that have no hook
 *         -kinst-work             operations are counted, too (work.h)
 *         -kinst-only-work        operations are counted, and no accesses
 *         -kinst-vectorize=0, -kinst-slp=0   leave out passes, as the user does
 */
#include "late.h"
#include "nest.h"
#include "order.h"
#include "run.h"
#include "site.h"
#include "uncounted.h"
#include "versions.h"
#include "work.h"

#include <llvm/IR/Verifier.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/DJB.h>
#include <llvm/Support/raw_ostream.h>

using namespace llvm;

/* clang-format off */
static cl::opt<bool> verbose("kinst-verbose", cl::Hidden, cl::desc("tell what became of the hooks"));
static cl::opt<std::string> uncounted_path("kinst-uncounted", cl::Hidden, cl::desc("where to write what has no hook"));
static cl::opt<bool> counts_work("kinst-work", cl::Hidden, cl::desc("count operations"));
static cl::opt<bool> only_work("kinst-only-work", cl::Hidden, cl::desc("count operations, and no accesses"));
static cl::opt<bool> vectorize("kinst-vectorize", cl::init(true), cl::Hidden, cl::desc("make vectors of loops"));
static cl::opt<bool> slp("kinst-slp", cl::init(true), cl::Hidden, cl::desc("make vectors of blocks"));

class loops_pass : public PassInfoMixin<loops_pass> {
public:
	explicit loops_pass(OptimizationLevel l) : level(l) {}
	PreservedAnalyses run(Module &module, ModuleAnalysisManager &analyses);
	static bool isRequired() { return true; }

private:
	bool run_on(Function &function, FunctionAnalysisManager &analyses, calls &ours);

	OptimizationLevel level;
};

class work_pass : public PassInfoMixin<work_pass> {
public:
	PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses);
	static bool isRequired() { return true; }
};
/* clang-format on */

/* Returns 1 when a function may be changed. */
static bool is_of_interest(const Function &function)
{
	/* After longjmp a function continues at setjmp, whatever loop it was in. */
	return !function.isDeclaration() && function.hasFnAttribute(Attribute::SanitizeThread) &&
	       !function.hasFnAttribute(Attribute::OptimizeNone) && !function.callsFunctionThatReturnsTwice();
}

/* Gives loops preheaders and dedicated exits, and puts them into LCSSA form. */
static void simplify(LoopInfo &loops, DominatorTree &dominators)
{
	for (Loop *loop : loops)
		simplifyLoop(loop, &dominators, &loops, nullptr, nullptr, nullptr, false);
	for (Loop *loop : loops)
		formLCSSARecursively(*loop, dominators, &loops, nullptr);
}

/* The headers of the nests of a function in their two versions, and of the loops that are handed over in order. */
struct versions {
	SmallVector<BasicBlock *, 8> by_runs, by_hooks, ordered;
	SmallVector<BranchInst *, 8> over; /* from the first to the second version of each nest, or NULL */
};

/* Recomputes dominators and loops, and simplifies the loops. */
static void simplify_anew(Function &function, DominatorTree &dominators, LoopInfo &loops)
{
	dominators.recalculate(function);
	loops.releaseMemory();
	loops.analyze(dominators);
	simplify(loops, dominators);
}

/* Returns the hash of the i-th nest of a function. */
static unsigned int hash_of(const Function &function, unsigned int i)
{
	return (djbHash(function.getName()) + i) % (1 << NEST_BITS);
}

/* Makes a second version of each nest of a function. */
static void double_nests(Function &function, FunctionAnalysisManager &analyses, calls &ours, struct versions *versions)
{
	DominatorTree dominators(function);
	LoopInfo loops(dominators);
	SmallVector<Loop *, 8> nests;

	if (loops.empty())
		return;
	find_nests(loops, analyses.getResult<BlockFrequencyAnalysis>(function),
	           analyses.getResult<TargetLibraryAnalysis>(function), nests);
	if (nests.empty())
		return;
	simplify(loops, dominators);
	for (Loop *nest : nests) {
		bool simplified = true;

		for (Loop *loop : nest->getLoopsInPreorder())
			simplified &= loop->isLoopSimplifyForm();
		if (simplified && nest->isSafeToClone()) {
			unsigned int hash = hash_of(function, versions->by_runs.size());

			BranchInst *over;

			versions->by_hooks.push_back(double_nest(nest, hash,
			                                         analyses.getResult<TargetLibraryAnalysis>(function),
			                                         ours, &over));
			versions->over.push_back(over);
			versions->by_runs.push_back(nest->getHeader());
		}
	}
	simplify_anew(function, dominators, loops);
}

/* Makes a further version of each loop that can be handed over in order. */
static void double_all_ordered(Function &function, const struct plugin_known &known, struct versions *versions)
{
	SmallVector<Loop *, 8> ordered;

	for (BasicBlock *header : versions->by_hooks)
		find_ordered(known.loops.getLoopFor(header), known, ordered);
	for (Loop *loop : ordered) {
		double_ordered(loop, known.ours);
		versions->ordered.push_back(loop->getHeader());
	}
	simplify_anew(function, known.dominators, known.loops);
}

/* Lets nests be counted by runs and at sites, and loops in their second versions be handed over in order. */
static void count_nests(const struct plugin_known &known, const struct versions &versions, struct plugin_counts *counts)
{
	SmallVector<Loop *, 8> ordered, quiet;

	for (BasicBlock *header : versions.by_runs)
		find_quiet(known.loops.getLoopFor(header), known.library, quiet);
	for (BasicBlock *header : versions.by_runs)
		split_exits(known.loops.getLoopFor(header), known.dominators, known.loops);
	for (Loop *loop : quiet)
		if (!is_contained(versions.by_runs, loop->getHeader()))
			split_exits(loop, known.dominators, known.loops);
	for (BasicBlock *header : versions.ordered)
		ordered.push_back(known.loops.getLoopFor(header));
	make_ordered(ordered, known, counts);
	for (Loop *loop : quiet)
		tell_quiet(loop, known.ours);
	for (Loop *loop : quiet)
		make_runs(loop, known, counts);
	if (VerifyLoopInfo)
		known.evolution.verify();
	for (unsigned int i = 0; i < versions.by_runs.size(); i++) {
		Loop *nest = known.loops.getLoopFor(versions.by_runs[i]);

		make_sites(nest, hash_of(*nest->getHeader()->getParent(), i), versions.over[i], known, counts);
	}
}

/* Verifies a changed function if LLVM's -verify-loop-info is set. */
static void check(Function &function, bool simplified, const char *what)
{
	DominatorTree dominators(function);
	LoopInfo loops(dominators);
	bool wrong;

	if (!VerifyLoopInfo)
		return;
	wrong = verifyFunction(function, &errs());
	for (Loop *loop : loops)
		wrong |= simplified && !loop->isRecursivelyLCSSAForm(dominators, loops);
	if (wrong)
		report_fatal_error(Twine("kinst: ") + function.getName() + " is wrong when " + what);
}

/* Does one step on a function, after recomputing all analyses. */
static void take_step(Function &function, FunctionAnalysisManager &analyses, calls &ours,
                      function_ref<void(const struct plugin_known &)> step)
{
	analyses.invalidate(function, PreservedAnalyses::none());

	auto &library = analyses.getResult<TargetLibraryAnalysis>(function);
	auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
	auto &loops = analyses.getResult<LoopAnalysis>(function);
	auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
	scev_expander expander(evolution, function.getParent()->getDataLayout());

	step({ dominators, loops, evolution, expander, library, ours });
}

bool loops_pass::run_on(Function &function, FunctionAnalysisManager &analyses, calls &ours)
{
	struct late_options options = { vectorize, slp };
	struct plugin_counts counts = {};
	struct versions versions;

	double_nests(function, analyses, ours, &versions);
	if (versions.by_runs.empty())
		return false;
	check(function, true, "its nests are doubled");
	take_step(function, analyses, ours,
	          [&](const struct plugin_known &known) { double_all_ordered(function, known, &versions); });
	check(function, true, "its loops in order are doubled");
	take_step(function, analyses, ours,
	          [&](const struct plugin_known &known) { count_nests(known, versions, &counts); });
	check(function, false, "it counts");
	analyses.invalidate(function, PreservedAnalyses::none());
	optimise_late(function, analyses, level, options);
	check(function, false, "it is optimised");
	if (verbose)
		errs() << function.getName() << ": " << counts.runs << " runs, " << counts.counted
		       << " counted on exits, " << counts.hoisted << " over several loops, " << counts.sites
		       << " sites, " << counts.hooks << " hooks, " << counts.ordered << " loops in order\n";
	return true;
}

PreservedAnalyses loops_pass::run(Module &module, ModuleAnalysisManager &analyses)
{
	auto &of_functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
	struct uncounted found = {};
	calls ours(module);
	bool changed = false;

	for (Function &function : module) {
		if (function.hasFnAttribute(Attribute::SanitizeThread))
			find_uncounted(function, &found);
		if (counts_work && !function.isDeclaration()) {
			count_work(function, of_functions, ours);
			changed = true;
		}
		if (is_of_interest(function))
			changed |= run_on(function, of_functions, ours);
	}
	if (!uncounted_path.empty())
		write_uncounted(&found, uncounted_path.c_str());
	return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

PreservedAnalyses work_pass::run(Function &function, FunctionAnalysisManager &analyses)
{
	calls ours(*function.getParent());

	count_work(function, analyses, ours);
	return PreservedAnalyses::none();
}

/* Where no accesses are counted, operations are before vectors are made, and without optimisation at the end. */
static void add_work(PassBuilder &builder)
{
	builder.registerVectorizerStartEPCallback([](FunctionPassManager &passes, OptimizationLevel level) {
		if (level != OptimizationLevel::O0)
			passes.addPass(work_pass());
	});
	builder.registerOptimizerLastEPCallback([](ModulePassManager &passes, OptimizationLevel level, auto...) {
		if (level == OptimizationLevel::O0)
			passes.addPass(createModuleToFunctionPassAdaptor(work_pass()));
	});
}

/* clang registers its sanitizer passes for the end of the pipeline before it starts to build the pipeline, so a pass
 * that is registered at the start comes after them. */
static void add_pass(PassBuilder &builder)
{
	if (only_work) {
		add_work(builder);
		return;
	}
	builder.registerPipelineStartEPCallback([&builder](ModulePassManager &, OptimizationLevel) {
		builder.registerOptimizerLastEPCallback(
			[](ModulePassManager &passes, OptimizationLevel level, auto...) {
				if (level != OptimizationLevel::O0)
					passes.addPass(loops_pass(level));
			});
	});
}

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo llvmGetPassPluginInfo()
{
	return { LLVM_PLUGIN_API_VERSION, "kinst-loops", LLVM_VERSION_STRING, add_pass };
}

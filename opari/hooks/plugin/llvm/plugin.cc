/*
 * Plugin: lets clang count whole loops where it would call a hook for each access.
 *
 * It is a pass behind the one that puts hooks in (ThreadSanitizerPass), so that LLVM chooses what is an access; what is
 * counted is the same with and without it.  In each nest (nest.h) hooks become runs (run.h), and those that are left
 * become sites (site.h).  A second version of the nest keeps the hooks, for runs of the program that need each access,
 * or their order.  Then the passes run that hooks are in the way of (late.h).  HACKING tells it on a page.
 *
 * It is loaded twice, by `-Xclang -load`, so that clang knows its options, and by -fpass-plugin.  Options, each behind
 * -mllvm: -kinst-verbose          a line about each function, on stderr
 *         -kinst-uncounted=FILE   a line in the file for each kind of accesses that have no hook
 *         -kinst-vectorize=0, -kinst-slp=0   leave out passes, as the user does
 */
#include "late.h"
#include "nest.h"
#include "run.h"
#include "site.h"
#include "uncounted.h"

#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/raw_ostream.h>

using namespace llvm;

/* clang-format off */
static cl::opt<bool> verbose("kinst-verbose", cl::Hidden, cl::desc("tell what became of the hooks"));
static cl::opt<std::string> uncounted_path("kinst-uncounted", cl::Hidden, cl::desc("where to write what has no hook"));
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
/* clang-format on */

/* Returns 1 when a function may be changed. */
static bool is_of_interest(const Function &function)
{
	/* Behind a call of longjmp a function goes on from setjmp, whatever loop it was in. */
	return !function.isDeclaration() && function.hasFnAttribute(Attribute::SanitizeThread) &&
	       !function.hasFnAttribute(Attribute::OptimizeNone) && !function.callsFunctionThatReturnsTwice();
}

/* Lets loops have one block before them and exits of their own, and values go through the latter. */
static void simplify(LoopInfo &loops, DominatorTree &dominators)
{
	for (Loop *loop : loops)
		simplifyLoop(loop, &dominators, &loops, nullptr, nullptr, nullptr, false);
	for (Loop *loop : loops)
		formLCSSARecursively(*loop, dominators, &loops, nullptr);
}

/* Makes a second version of each nest of a function.  Returns the headers of the first ones. */
static SmallVector<BasicBlock *, 8> double_nests(Function &function, const TargetLibraryInfo &library, calls &ours)
{
	DominatorTree dominators(function);
	LoopInfo loops(dominators);
	SmallVector<BasicBlock *, 8> headers;
	SmallVector<Loop *, 8> nests;

	find_nests(loops, library, nests);
	if (nests.empty())
		return headers;
	simplify(loops, dominators);
	for (Loop *nest : nests) {
		bool simplified = true;

		for (Loop *loop : nest->getLoopsInPreorder())
			simplified &= loop->isLoopSimplifyForm();
		if (simplified && nest->isSafeToClone()) {
			double_nest(nest, ours);
			headers.push_back(nest->getHeader());
		}
	}
	dominators.recalculate(function);
	loops.releaseMemory();
	loops.analyze(dominators);
	simplify(loops, dominators);
	return headers;
}

/* Checks what has become of a function, as LLVM's -verify-loop-info asks for. */
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

bool loops_pass::run_on(Function &function, FunctionAnalysisManager &analyses, calls &ours)
{
	struct late_options options = { vectorize, slp };
	struct plugin_counts counts = {};
	SmallVector<BasicBlock *, 8> headers = double_nests(function,
	                                                    analyses.getResult<TargetLibraryAnalysis>(function), ours);

	if (headers.empty())
		return false;
	check(function, true, "its nests are doubled");
	analyses.invalidate(function, PreservedAnalyses::none());
	{
		auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
		auto &loops = analyses.getResult<LoopAnalysis>(function);
		auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
		SCEVExpander expander(evolution, function.getParent()->getDataLayout(), "kinst");
		struct plugin_known known = { dominators, loops, evolution, expander, ours };

		for (BasicBlock *header : headers)
			make_runs(loops.getLoopFor(header), known, &counts);
		check(function, false, "it has runs");
		if (VerifyLoopInfo)
			evolution.verify();
		for (BasicBlock *header : headers)
			make_sites(loops.getLoopFor(header), known, &counts);
	}
	check(function, false, "it has sites");
	analyses.invalidate(function, PreservedAnalyses::none());
	optimise_late(function, analyses, level, options);
	check(function, false, "it is optimised");
	if (verbose)
		errs() << function.getName() << ": " << counts.runs << " runs, " << counts.counted
		       << " counted on exits, " << counts.hoisted << " over several loops, " << counts.sites
		       << " sites, " << counts.hooks << " hooks\n";
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
		if (is_of_interest(function))
			changed |= run_on(function, of_functions, ours);
	}
	if (!uncounted_path.empty())
		write_uncounted(&found, uncounted_path.c_str());
	return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

/* clang puts its passes for sanitizers at the end of the pipeline before it begins to build this, so that what is
 * added when it begins comes behind them. */
static void add_pass(PassBuilder &builder)
{
	builder.registerPipelineStartEPCallback([&builder](ModulePassManager &, OptimizationLevel) {
		builder.registerOptimizerLastEPCallback([](ModulePassManager &passes, OptimizationLevel level) {
			if (level != OptimizationLevel::O0)
				passes.addPass(loops_pass(level));
		});
	});
}

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo llvmGetPassPluginInfo()
{
	return { LLVM_PLUGIN_API_VERSION, "kinst-loops", LLVM_VERSION_STRING, add_pass };
}

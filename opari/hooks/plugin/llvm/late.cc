/*
 * Late: see late.h.
 *
 * These are the passes of LLVM's pipeline from the loop vectoriser on, which run before the pass that puts hooks in
 * (PassBuilder::buildModuleOptimizationPipeline).  None of them makes calls of memset and the like, whose accesses
 * would be counted twice.
 */
#include "late.h"

#include "nest.h"

#include <llvm/Analysis/LoopAccessAnalysis.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/AlignmentFromAssumptions.h>
#include <llvm/Transforms/Scalar/DivRemPairs.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/InstSimplifyPass.h>
#include <llvm/Transforms/Scalar/LoopLoadElimination.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/LoopSink.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/InjectTLIMappings.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>
#include <llvm/Transforms/Vectorize/LoopVectorize.h>
#include <llvm/Transforms/Vectorize/SLPVectorizer.h>
#include <llvm/Transforms/Vectorize/VectorCombine.h>

using namespace llvm;

static void add_vectors(FunctionPassManager &passes, OptimizationLevel level, const struct late_options &options)
{
	if (options.vectorize) {
		passes.addPass(InjectTLIMappings());
		passes.addPass(LoopVectorizePass(LoopVectorizeOptions()));
		passes.addPass(LoopLoadEliminationPass());
		passes.addPass(InstCombinePass());
	}
	passes.addPass(SimplifyCFGPass(SimplifyCFGOptions()
	                                       .forwardSwitchCondToPhi(true)
	                                       .convertSwitchToLookupTable(true)
	                                       .needCanonicalLoops(false)
	                                       .hoistCommonInsts(true)
	                                       .sinkCommonInsts(true)));
	if (options.slp)
		passes.addPass(SLPVectorizerPass());
	passes.addPass(VectorCombinePass());
	passes.addPass(InstCombinePass());
	/* kinst limits unrolling before hooks are put in: -mllvm -unroll-runtime=0 */
	passes.addPass(LoopUnrollPass(LoopUnrollOptions(level.getSpeedupLevel()).setPartial(true).setRuntime(true)));
	passes.addPass(InstCombinePass());
	add_licm(passes);
}

/* Returns 1 when a function calls a read-only function.  LLVM may drop such calls, but the accesses in them must be
 * counted. */
static bool calls_pure(Function &function, const TargetLibraryInfo &library)
{
	for (BasicBlock &block : function)
		for (Instruction &instruction : block) {
			auto *call = dyn_cast<CallBase>(&instruction);

			if (call && !isa<IntrinsicInst>(call) && !call->isInlineAsm() && call->onlyReadsMemory() &&
			    !is_math_call(*call, library))
				return true;
		}
	return false;
}

void optimise_late(Function &function, FunctionAnalysisManager &analyses, OptimizationLevel level,
                   const struct late_options &options)
{
	FunctionPassManager passes;

	passes.addPass(PromotePass());
	if (calls_pure(function, analyses.getResult<TargetLibraryAnalysis>(function))) {
		passes.addPass(SimplifyCFGPass());
		passes.run(function, analyses);
		return;
	}
	passes.addPass(EarlyCSEPass(true));
	passes.addPass(InstCombinePass());
	passes.addPass(SimplifyCFGPass());
	add_licm(passes);
	if (level.getSpeedupLevel() > 1)
		add_vectors(passes, level, options);
	passes.addPass(AlignmentFromAssumptionsPass());
	passes.addPass(LoopSinkPass());
	passes.addPass(InstSimplifyPass());
	passes.addPass(DivRemPairsPass());
	passes.addPass(SimplifyCFGPass());
	/* kinst disables vectorisation before hooks are put in: -mllvm -force-vector-width=1 */
	unsigned int width = VectorizerParams::VectorizationFactor;

	VectorizerParams::VectorizationFactor = 0;
	passes.run(function, analyses);
	VectorizerParams::VectorizationFactor = width;
}

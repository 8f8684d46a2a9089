/*
 * Nest: see nest.h.
 */
#include "nest.h"

#include <llvm/IR/MDBuilder.h>

using namespace llvm;

/* Functions of the C library that move blocks.  kinst compiles with -fno-builtin-memcpy and so on, and the pass that
 * puts hooks in makes calls of these of LLVM's own functions. */
static bool is_block_call(const CallBase &call)
{
	static const char *const names[] = { "memcpy", "memmove", "memset", "mempcpy", "memcmp" };
	const Function *function = call.getCalledFunction();

	for (const char *name : names)
		if (function->isDeclaration() && function->getName() == name)
			return true;
	return false;
}

bool is_math_call(const CallBase &call, const TargetLibraryInfo &library)
{
	LibFunc known;

	if (!call.getCalledFunction() || !call.doesNotThrow() || !call.getType()->isFloatingPointTy() ||
	    !library.getLibFunc(*call.getCalledFunction(), known))
		return false;
	for (const Use &argument : call.args())
		if (!argument->getType()->isFloatingPointTy() && !argument->getType()->isIntegerTy())
			return false;
	return true;
}

static bool is_quiet_call(const CallBase &call, const TargetLibraryInfo &library)
{
	const Function *function = call.getCalledFunction();

	if (call.isInlineAsm()) /* other assembler text may define labels, so it cannot be duplicated */
		return cast<InlineAsm>(call.getCalledOperand())->getAsmString().empty();
	if (!function || call.cannotDuplicate() || call.isConvergent())
		return false;
	if (is_tsan_call(call))
		return !begins(function->getName(), "__tsan_atomic");
	if (is_block_call(call) || is_math_call(call, library))
		return true;
	return call.doesNotThrow() && call.hasFnAttr(Attribute::WillReturn) &&
	       (function->isIntrinsic() || call.onlyReadsMemory());
}

bool is_quiet_instruction(const Instruction &instruction, const TargetLibraryInfo &library)
{
	if (isa<CallInst>(instruction))
		return is_quiet_call(cast<CallInst>(instruction), library);
	if (instruction.isTerminator())
		return isa<BranchInst>(instruction) || isa<SwitchInst>(instruction);
	return !instruction.isVolatile() && !instruction.isAtomic() && !instruction.isEHPad() &&
	       !instruction.getType()->isTokenTy();
}

/* ---- pauses ---- */

/* GCC predicts that a branch to a call is rare; LLVM does not.  So a pause may be in a block that LLVM expects in less
 * than 7 of 10 iterations of its loop; that admits a block behind either of two unpredictable conditions, one of which
 * compares pointers (1/2 + 1/2 × 3/8).  A block is rare in less than 4 of 10: LLVM expects pointers to be equal in 3 of
 * 8 comparisons. */
enum { RARE = 4, SELDOM = 7, OF = 10, MOST_PAUSED = 256 };

static const char *const rare_mark = "kinst.rare";

static bool is_expected_below(const BasicBlock *block, unsigned int share, const LoopInfo &loops,
                              BlockFrequencyInfo &frequencies)
{
	const BasicBlock *header = loops.getLoopFor(block)->getHeader();

	return frequencies.getBlockFreq(block) < frequencies.getBlockFreq(header) * BranchProbability(share, OF);
}

bool is_pause(const Instruction &instruction, const TargetLibraryInfo &library)
{
	const auto *call = dyn_cast<CallBase>(&instruction);

	return call && !isa<CallBrInst>(call) && !isa<IntrinsicInst>(call) && !call->isInlineAsm() &&
	       !call->cannotDuplicate() && !call->getType()->isTokenTy() && !call->doesNotReturn() &&
	       !is_own_call(instruction) && !is_quiet_instruction(instruction, library);
}

bool is_rare(const Instruction &instruction)
{
	return instruction.getMetadata(rare_mark);
}

static bool has_pauses(const Loop *loop, const TargetLibraryInfo &library)
{
	for (const BasicBlock *block : loop->blocks())
		for (const Instruction &instruction : *block)
			if (is_pause(instruction, library))
				return true;
	return false;
}

void find_quiet(Loop *nest, const TargetLibraryInfo &library, SmallVectorImpl<Loop *> &quiet)
{
	if (!has_pauses(nest, library))
		quiet.push_back(nest);
	else
		for (Loop *inner : *nest)
			find_quiet(inner, library, quiet);
}

void exits_of(const Loop *loop, SmallVectorImpl<BasicBlock *> &exits)
{
	loop->getUniqueExitBlocks(exits);
	erase_if(exits, [](const BasicBlock *exit) { return exit->isEHPad(); });
}

/* ---- nests ---- */

/* What is_nest() finds in a loop, inner loops included. */
struct found {
	unsigned int n_hooks, n_pauses;
	unsigned int n_often; /* hooks in blocks that are not rare */
	bool is_other;        /* it has something that a nest must not have */
};

static void look_at_block(BasicBlock *block, const LoopInfo &loops, BlockFrequencyInfo &frequencies,
                          const TargetLibraryInfo &library, struct found *found)
{
	bool is_often = !is_expected_below(block, RARE, loops, frequencies);

	found->is_other |= block->hasAddressTaken();
	for (const Instruction &instruction : *block) {
		if (is_pause(instruction, library)) {
			found->n_pauses++;
			found->is_other |= !is_expected_below(block, SELDOM, loops, frequencies);
		} else if (!is_quiet_instruction(instruction, library)) {
			found->is_other = true;
		} else if (hook_how(instruction) >= 0 || copied_bytes(instruction)) {
			found->n_hooks++;
			found->n_often += is_often;
		}
		if (found->is_other)
			return;
	}
}

static struct found look_at(const Loop *loop, const LoopInfo &loops, BlockFrequencyInfo &frequencies,
                            const TargetLibraryInfo &library)
{
	struct found found = {};

	for (BasicBlock *block : loop->blocks())
		if (!found.is_other)
			look_at_block(block, loops, frequencies, library, &found);
	return found;
}

/* Marks the hooks of a nest with pauses in blocks that are rare, and in those with pauses. */
static void mark_rare(Loop *nest, const LoopInfo &loops, BlockFrequencyInfo &frequencies,
                      const TargetLibraryInfo &library)
{
	for (BasicBlock *block : nest->blocks()) {
		if (!is_expected_below(block, RARE, loops, frequencies) &&
		    none_of(*block, [&](const Instruction &instruction) { return is_pause(instruction, library); }))
			continue;
		for (Instruction &instruction : *block)
			if (hook_how(instruction) >= 0)
				instruction.setMetadata(rare_mark, MDNode::get(block->getContext(), {}));
	}
}

/* Returns 1 when a loop, inner loops included, can be a nest, has an exit, and has hooks. */
static bool is_nest(Loop *loop, LoopInfo &loops, BlockFrequencyInfo &frequencies, const TargetLibraryInfo &library)
{
	struct found found = look_at(loop, loops, frequencies, library);
	SmallVector<BasicBlock *, 8> exits;
	LoopBlocksRPO order(loop);

	exits_of(loop, exits);
	if (found.is_other || exits.empty() || !found.n_hooks)
		return false;
	if (found.n_pauses && (!found.n_often || found.n_often * (exits.size() + found.n_pauses) > MOST_PAUSED))
		return false;
	order.perform(&loops);
	if (containsIrreducibleCFG<const BasicBlock *>(order, loops))
		return false;
	if (found.n_pauses)
		mark_rare(loop, loops, frequencies, library);
	return true;
}

static void find_in(ArrayRef<Loop *> some, LoopInfo &loops, BlockFrequencyInfo &frequencies,
                    const TargetLibraryInfo &library, SmallVectorImpl<Loop *> &nests)
{
	for (Loop *loop : some)
		if (is_nest(loop, loops, frequencies, library))
			nests.push_back(loop);
		else
			find_in(loop->getSubLoops(), loops, frequencies, library, nests);
}

void find_nests(LoopInfo &loops, BlockFrequencyInfo &frequencies, const TargetLibraryInfo &library,
                SmallVectorImpl<Loop *> &nests)
{
	find_in(loops.getTopLevelLoops(), loops, frequencies, library, nests);
}

/* Returns the copy of a value in the second version. */
static Value *copy_of(Value *value, const ValueToValueMapTy &copies)
{
	auto found = copies.find(value);

	return found == copies.end() ? value : static_cast<Value *>(found->second);
}

/* Adds the values of the second version to the phi nodes after the loop. */
static void join_exits(Loop *outer, const ValueToValueMapTy &copies)
{
	SmallVector<BasicBlock *, 8> exits;

	outer->getUniqueExitBlocks(exits);
	for (BasicBlock *exit : exits)
		for (PHINode &phi : exit->phis())
			for (unsigned int i = 0, n = phi.getNumIncomingValues(); i < n; i++)
				if (outer->contains(phi.getIncomingBlock(i)))
					phi.addIncoming(copy_of(phi.getIncomingValue(i), copies),
					                cast<BasicBlock>(copy_of(phi.getIncomingBlock(i), copies)));
}

/* Marks the loops of the second version as not worth optimising. */
static void leave_loops(Loop *outer, const ValueToValueMapTy &copies)
{
	LLVMContext &context = outer->getHeader()->getContext();
	Metadata *unroll = MDNode::get(context, MDString::get(context, "llvm.loop.unroll.disable"));
	Metadata *vectorize = MDNode::get(context, { MDString::get(context, "llvm.loop.vectorize.enable"),
	                                             ConstantAsMetadata::get(ConstantInt::getFalse(context)) });

	for (Loop *loop : outer->getLoopsInPreorder()) {
		MDNode *id = MDNode::getDistinct(context, { nullptr, unroll, vectorize });
		auto *latch = cast<BasicBlock>(copy_of(loop->getLoopLatch(), copies));

		id->replaceOperandWith(0, id);
		latch->getTerminator()->setMetadata(LLVMContext::MD_loop, id);
	}
}

/* Makes a second version of a loop, which keeps its hooks; the first one is executed if a condition is true. */
static BasicBlock *double_loop(Loop *loop, Value *condition, bool likely)
{
	BasicBlock *before = loop->getLoopPreheader(), *header = loop->getHeader(), *copy;
	SmallVector<BasicBlock *, 32> blocks;
	ValueToValueMapTy copies;

	for (BasicBlock *block : loop->blocks()) {
		copy = CloneBasicBlock(block, copies, ".hooks", header->getParent());
		copies[block] = copy;
		blocks.push_back(copy);
	}
	remapInstructionsInBlocks(blocks, copies);
	join_exits(loop, copies);
	leave_loops(loop, copies);
	copy = cast<BasicBlock>(copy_of(header, copies));
	IRBuilder<>(before->getTerminator())
		.CreateCondBr(condition, header, copy,
	                      MDBuilder(header->getContext()).createBranchWeights(likely ? 99 : 1, 1));
	before->getTerminator()->eraseFromParent();
	return copy;
}

/* Returns what a variable points to. */
static Value *flag_of(IRBuilder<> &builder, GlobalVariable *variable)
{
	return builder.CreateLoad(builder.getInt32Ty(), builder.CreateLoad(variable->getValueType(), variable));
}

BasicBlock *double_ordered(Loop *loop, calls &ours)
{
	IRBuilder<> builder(loop->getLoopPreheader()->getTerminator());

	return double_loop(loop, builder.CreateIsNotNull(flag_of(builder, ours.by_order())), false);
}

Value *choose_runs(IRBuilder<> &builder, unsigned int hash, calls &ours)
{
	Value *is_on = builder.CreateIsNotNull(flag_of(builder, ours.by_runs())), *n, *by_runs, *is_short, *next;
	Value *n_short = builder.CreateLoad(builder.getInt16Ty(), ours.n_short_of(builder, hash), true);

	n = builder.CreateXor(n_short, builder.getInt16((uint16_t)(hash / N_NESTS << 8)));
	n = builder.CreateSub(n, builder.getInt16(NEST_TRIES));
	by_runs = builder.CreateAnd(is_on, builder.CreateICmpUGE(n, builder.getInt16(256 - NEST_TRIES)));
	/* an execution with hooks counts in the lower byte, unless counting by runs is off */
	is_short = builder.CreateAnd(is_on, builder.CreateNot(by_runs));
	next = builder.CreateAdd(builder.CreateTrunc(n_short, builder.getInt8Ty()),
	                         builder.CreateZExt(is_short, builder.getInt8Ty()));
	next = builder.CreateOr(builder.CreateAnd(n_short, builder.getInt16(0xff00)),
	                        builder.CreateZExt(next, builder.getInt16Ty()));
	builder.CreateStore(next, ours.n_short_of(builder, hash), true);
	return by_runs;
}

/* ---- switching between the versions ---- */

/* How many iterations of its outermost loop a nest stays in the version with hooks: enough that a trial of the other
 * version, which may lose MOST_LOSS / 2 hooks, is cheap in comparison. */
enum { BACK_ROUNDS = 256 };

/* Stores the loop-carried values, as they arrive from a block, in variables. */
static void keep_values(IRBuilder<> &builder, BasicBlock *header, BasicBlock *from, ArrayRef<AllocaInst *> variables)
{
	unsigned int i = 0;

	for (PHINode &phi : header->phis())
		builder.CreateStore(phi.getIncomingValueForBlock(from), variables[i++]);
}

/* Replaces the entry block of a version by another one, from which its loop starts with these values. */
static void take_values(BasicBlock *header, BasicBlock *from, BasicBlock *now_from, ArrayRef<Value *> values)
{
	unsigned int i = 0;

	for (PHINode &phi : header->phis()) {
		int at = phi.getBasicBlockIndex(from);

		phi.setIncomingBlock(at, now_from);
		phi.setIncomingValue(at, values[i++]);
	}
}

/* Puts a branch out of the loop at the end of its iterations, and returns it; its condition is set later.  The block to
 * which it leads stores the loop-carried values. */
static BranchInst *leave(BasicBlock *latch, BasicBlock *header, ArrayRef<AllocaInst *> variables)
{
	LLVMContext &context = header->getContext();
	Function *function = header->getParent();
	BasicBlock *end = BasicBlock::Create(context, "kinst.end", function, header);
	BasicBlock *out = BasicBlock::Create(context, "kinst.out", function, header);
	IRBuilder<> builder(end);
	BranchInst *branch = builder.CreateCondBr(builder.getFalse(), out, header,
	                                          MDBuilder(context).createBranchWeights(1, 99));
	Instruction *was = latch->getTerminator();

	branch->setMetadata(LLVMContext::MD_loop, was->getMetadata(LLVMContext::MD_loop));
	was->setMetadata(LLVMContext::MD_loop, nullptr);
	was->replaceSuccessorWith(header, end);
	builder.SetInsertPoint(out);
	keep_values(builder, header, latch, variables);
	for (PHINode &phi : header->phis())
		phi.setIncomingBlock(phi.getBasicBlockIndex(latch), end);
	return branch;
}

/* Lets a nest with pauses switch from the version that counts at sites to the one with hooks, by the branch that is
 * returned, and possibly back after BACK_ROUNDS iterations, always at the end of an iteration.  For that both versions
 * are put into a surrounding loop, whose header chooses. before: the block that has chosen so far; latch, second_latch:
 * the ends of the iterations */
static BranchInst *make_switch(BasicBlock *before, BasicBlock *header, BasicBlock *latch, BasicBlock *second,
                               BasicBlock *second_latch, unsigned int hash, calls &ours)
{
	Function *function = header->getParent();
	IRBuilder<> builder(&*function->getEntryBlock().getFirstInsertionPt());
	AllocaInst *which = builder.CreateAlloca(builder.getInt1Ty(), nullptr, "ompp_which");
	AllocaInst *rounds = builder.CreateAlloca(builder.getInt32Ty(), nullptr, "ompp_rounds");
	BasicBlock *choice = BasicBlock::Create(header->getContext(), "kinst.choice", function, header);
	auto *chooser = cast<BranchInst>(before->getTerminator());
	SmallVector<AllocaInst *, 8> variables;
	SmallVector<Value *, 8> values;
	BranchInst *over, *back;
	Value *n;

	for (PHINode &phi : header->phis())
		variables.push_back(builder.CreateAlloca(phi.getType(), nullptr, "ompp_kept"));
	/* at first */
	builder.SetInsertPoint(chooser);
	keep_values(builder, header, before, variables);
	builder.CreateStore(chooser->getCondition(), which);
	builder.CreateBr(choice);
	/* the choice */
	builder.SetInsertPoint(choice);
	for (AllocaInst *variable : variables)
		values.push_back(builder.CreateLoad(variable->getAllocatedType(), variable));
	n = builder.CreateLoad(builder.getInt1Ty(), which);
	builder.CreateStore(builder.getInt32(BACK_ROUNDS), rounds);
	builder.CreateStore(ConstantInt::get(ours.size_type(), 0), ours.gain_of_nest(builder), true);
	chooser->setCondition(n);
	chooser->moveBefore(*choice, choice->end());
	/* from the first version */
	over = leave(latch, header, variables);
	builder.SetInsertPoint(over->getSuccessor(0));
	builder.CreateStore(builder.getFalse(), which);
	builder.CreateBr(choice);
	/* from the second one */
	back = leave(second_latch, second, variables);
	builder.SetInsertPoint(back);
	n = builder.CreateSub(builder.CreateLoad(builder.getInt32Ty(), rounds), builder.getInt32(1));
	builder.CreateStore(n, rounds);
	back->setCondition(builder.CreateIsNull(n));
	builder.SetInsertPoint(back->getSuccessor(0));
	builder.CreateStore(choose_runs(builder, hash, ours), which);
	builder.CreateBr(choice);
	take_values(header, before, choice, values);
	take_values(second, before, choice, values);
	return over;
}

BasicBlock *double_nest(Loop *nest, unsigned int hash, const TargetLibraryInfo &library, calls &ours, BranchInst **over)
{
	BasicBlock *before = nest->getLoopPreheader(), *latch = nest->getLoopLatch(), *copy, *copied_latch = nullptr;
	IRBuilder<> builder(before->getTerminator());
	Value *by_runs = choose_runs(builder, hash, ours);
	bool may_switch = has_pauses(nest, library);

	builder.CreateStore(ConstantInt::get(ours.size_type(), 0), ours.gain_of_nest(builder), true);
	copy = double_loop(nest, by_runs, true);
	for (BasicBlock *block : predecessors(copy))
		if (block != before)
			copied_latch = block;
	*over = may_switch ? make_switch(before, nest->getHeader(), latch, copy, copied_latch, hash, ours) : nullptr;
	return copy;
}

void split_exits(Loop *loop, DominatorTree &dominators, LoopInfo &loops)
{
	SmallVector<BasicBlock *, 8> exits;

	exits_of(loop, exits);
	for (BasicBlock *exit : exits)
		if (exit->getFirstInsertionPt() != exit->end())
			SplitBlock(exit, &*exit->getFirstInsertionPt(), &dominators, &loops);
}

void tell_quiet(Loop *loop, calls &ours)
{
	SmallVector<BasicBlock *, 8> exits;
	IRBuilder<> builder(loop->getLoopPreheader()->getTerminator());
	Value *before = builder.CreateLoad(ours.size_type(), ours.in_nest(builder), true);

	builder.CreateStore(ConstantInt::get(ours.size_type(), 1), ours.in_nest(builder), true);
	exits_of(loop, exits);
	for (BasicBlock *exit : exits) {
		builder.SetInsertPoint(exit->getTerminator());
		builder.CreateStore(before, ours.in_nest(builder), true);
	}
}

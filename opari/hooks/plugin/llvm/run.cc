/*
 * Run: see run.h.
 */
#include "run.h"

using namespace llvm;

enum { MOST_GUARDS = 4 };

/* Returns 1 when a value can be computed before the loop. */
static bool is_known_before(const struct plugin_known &known, Loop *loop, const SCEV *value)
{
	return known.evolution.isLoopInvariant(value, loop) &&
	       can_expand_at(value, loop->getLoopPreheader()->getTerminator(), known.evolution, known.expander);
}

static bool is_guard_known_before(const struct plugin_known &known, Loop *loop, const struct guard &guard)
{
	if (!guard.left)
		return loop->isLoopInvariant(guard.condition);
	return is_known_before(known, loop, guard.left) && is_known_before(known, loop, guard.right);
}

/* Makes a guard of the condition of a branch.  Returns false when it is not loop-invariant. */
static bool find_guard(const struct plugin_known &known, Loop *loop, const BranchInst *branch, const BasicBlock *block,
                       struct guard *guard)
{
	auto *comparison = dyn_cast<ICmpInst>(branch->getCondition());

	*guard = { branch->getCondition(), CmpInst::BAD_ICMP_PREDICATE, nullptr, nullptr,
		   branch->getSuccessor(0) != block };
	if (branch->getSuccessor(0) == branch->getSuccessor(1))
		return false;
	if (comparison && known.evolution.isSCEVable(comparison->getOperand(0)->getType())) {
		guard->predicate = comparison->getPredicate();
		guard->left = known.evolution.getSCEVAtScope(comparison->getOperand(0), loop);
		guard->right = known.evolution.getSCEVAtScope(comparison->getOperand(1), loop);
		if (is_guard_known_before(known, loop, *guard))
			return true;
		guard->left = guard->right = nullptr;
	}
	return is_guard_known_before(known, loop, *guard);
}

/* Returns a block that is executed in an iteration of the loop exactly if the candidate's block is, provided that the
 * guards hold; these are added to the candidate's.  Returns NULL when there is none. */
static BasicBlock *find_each(const struct plugin_known &known, Loop *loop, struct candidate *c)
{
	BasicBlock *block = c->block;

	while (!known.dominators.dominates(block, loop->getLoopLatch())) {
		BasicBlock *before = block->getSinglePredecessor();
		Loop *inner = before ? known.loops.getLoopFor(before) : nullptr;
		auto *branch = before ? dyn_cast<BranchInst>(before->getTerminator()) : nullptr;
		struct guard guard;

		if (!branch || !inner || !loop->contains(inner))
			return nullptr;
		/* an inner loop that is entered is also left, and at this exit if it has no other */
		if (inner != loop) {
			while (inner->getParentLoop() != loop)
				inner = inner->getParentLoop();
			if (inner->getUniqueExitBlock() != block)
				return nullptr;
			block = inner->getLoopPreheader();
			continue;
		}
		if (branch->isConditional()) {
			if (c->guards.size() == MOST_GUARDS || !find_guard(known, loop, branch, block, &guard))
				return nullptr;
			c->guards.push_back(guard);
		}
		block = before;
	}
	return block;
}

/* Returns how often the latch is executed; NULL when that is not known before the loop. */
static const SCEV *latches(const struct plugin_known &known, Loop *loop)
{
	BasicBlock *exiting = loop->getExitingBlock();
	const SCEV *n;

	if (!exiting || known.loops.getLoopFor(exiting) != loop)
		return nullptr;
	n = known.evolution.getBackedgeTakenCount(loop);
	if (isa<SCEVCouldNotCompute>(n) ||
	    known.evolution.getTypeSizeInBits(n->getType()) > known.ours.size_type()->getBitWidth())
		return nullptr;
	return known.evolution.getNoopOrZeroExtend(n, known.ours.size_type());
}

/* Decomposes an address into its value in the first iteration and its step.  Returns false when the step is not
 * constant. */
static bool take_apart(const struct plugin_known &known, Loop *loop, const SCEV *address, const SCEV **start,
                       const SCEV **step)
{
	auto *advancing = dyn_cast<SCEVAddRecExpr>(address);

	*start = address;
	*step = known.evolution.getZero(known.ours.size_type());
	if (!known.evolution.isLoopInvariant(address, loop)) {
		if (!advancing || advancing->getLoop() != loop || !advancing->isAffine())
			return false;
		*start = advancing->getStart();
		*step = advancing->getStepRecurrence(known.evolution);
	}
	return is_known_before(known, loop, *start) && is_known_before(known, loop, *step) &&
	       (*step)->getType() == known.ours.size_type();
}

struct candidate candidate_of(const struct plugin_known &known, CallInst *call, unsigned int argument)
{
	return { call, call->getParent(), known.evolution.getSCEV(call->getArgOperand(argument)), {}, {} };
}

bool move_out(const struct plugin_known &known, Loop *quiet, struct candidate *c)
{
	Loop *loop = known.loops.getLoopFor(c->block);
	struct candidate moved = *c;
	const SCEV *n, *step;
	BasicBlock *each;

	if (!loop || !quiet->contains(loop) || c->dimensions.size() == MOST_DIMENSIONS)
		return false;
	n = latches(known, loop);
	each = n ? find_each(known, loop, &moved) : nullptr;
	if (!each)
		return false;
	/* a block before the exit is executed once more often than the latch */
	if (known.dominators.dominates(each, loop->getExitingBlock()))
		n = known.evolution.getAddExpr(n, known.evolution.getOne(n->getType()));
	if (!take_apart(known, loop, known.evolution.getSCEVAtScope(c->base, loop), &moved.base, &step) ||
	    !is_known_before(known, loop, n))
		return false;
	for (struct dimension &dimension : moved.dimensions) {
		dimension.step = known.evolution.getSCEVAtScope(dimension.step, loop);
		dimension.n = known.evolution.getSCEVAtScope(dimension.n, loop);
		if (!is_known_before(known, loop, dimension.step) || !is_known_before(known, loop, dimension.n))
			return false;
	}
	for (const struct guard &guard : moved.guards)
		if (!is_guard_known_before(known, loop, guard))
			return false;
	moved.dimensions.push_back({ step, n });
	moved.block = loop->getLoopPreheader();
	*c = moved;
	return true;
}

Value *guarded(const struct plugin_known &known, IRBuilder<> &builder, const struct candidate &c, Value *n)
{
	Instruction *at = &*builder.GetInsertPoint();

	for (const struct guard &guard : c.guards) {
		Value *holds = guard.condition;
		Type *type = guard.left ? guard.left->getType() : nullptr;

		if (guard.left)
			holds = builder.CreateICmp(guard.predicate, known.expander.expandCodeFor(guard.left, type, at),
			                           known.expander.expandCodeFor(guard.right, type, at));
		holds = builder.CreateFreeze(holds);
		if (guard.inverse)
			holds = builder.CreateNot(holds);
		n = builder.CreateSelect(holds, n, ConstantInt::get(n->getType(), 0));
	}
	return n;
}

/* Adds the call that counts the candidate where it has been moved to. */
static void count_before(const struct plugin_known &known, const struct candidate &c)
{
	Instruction *at = c.block->getTerminator();
	SmallVector<Value *, 2 + 2 * MOST_DIMENSIONS> arguments;
	Type *size = known.ours.size_type();
	IRBuilder<> builder(at);
	CallInst *call;

	arguments.push_back(known.expander.expandCodeFor(c.base, known.ours.pointer_type(), at));
	for (unsigned int i = c.dimensions.size(); i-- > 0;) {
		Value *n;

		arguments.push_back(known.expander.expandCodeFor(c.dimensions[i].step, size, at));
		n = known.expander.expandCodeFor(c.dimensions[i].n, size, at);
		arguments.push_back(i == c.dimensions.size() - 1 ? guarded(known, builder, c, n) : n);
	}
	arguments.push_back(builder.getInt32(hook_how(*c.hook)));
	builder.SetCurrentDebugLocation(c.hook->getDebugLoc());
	call = builder.CreateCall(known.ours.run(c.dimensions.size()), arguments);
	loosen(call, false);
}

/* Counts the iterations of a loop. */
struct iterations {
	PHINode *complete; /* number of complete iterations at the start of this one; NULL until needed */
	Value *begun;      /* with this one */
};

static void count_iterations(const struct plugin_known &known, Loop *loop, struct iterations *n)
{
	Type *size = known.ours.size_type();
	IRBuilder<> builder(&loop->getHeader()->front());

	if (n->complete)
		return;
	n->complete = builder.CreatePHI(size, 2);
	builder.SetInsertPoint(&*loop->getHeader()->getFirstInsertionPt());
	n->begun = builder.CreateAdd(n->complete, ConstantInt::get(size, 1));
	n->complete->addIncoming(ConstantInt::get(size, 0), loop->getLoopPreheader());
	n->complete->addIncoming(n->begun, loop->getLoopLatch());
}

/* Counts a hook on the exits of its loop.  Returns false when that cannot be done. */
static bool count_behind(const struct plugin_known &known, Loop *loop, CallInst *hook, struct iterations *iterations)
{
	SmallVector<BasicBlock *, 8> exits;
	const SCEV *start, *step;
	Type *size = known.ours.size_type();
	Instruction *before = loop->getLoopPreheader()->getTerminator();
	Value *base, *by;

	loop->getUniqueExitBlocks(exits);
	if (exits.empty() || !known.dominators.dominates(hook->getParent(), loop->getLoopLatch()) ||
	    !take_apart(known, loop, known.evolution.getSCEVAtScope(hook->getArgOperand(0), loop), &start, &step))
		return false;
	for (BasicBlock *exit : exits)
		if (exit->isEHPad() || exit->getFirstInsertionPt() == exit->end())
			return false;
	count_iterations(known, loop, iterations);
	base = known.expander.expandCodeFor(start, known.ours.pointer_type(), before);
	by = known.expander.expandCodeFor(step, size, before);
	for (BasicBlock *exit : exits) {
		IRBuilder<> builder(&exit->front());
		PHINode *n = builder.CreatePHI(size, 2);

		for (BasicBlock *from : predecessors(exit))
			n->addIncoming(known.dominators.dominates(hook->getParent(), from) ? iterations->begun
			                                                                   : iterations->complete,
			               from);
		builder.SetInsertPoint(&*exit->getFirstInsertionPt());
		builder.SetCurrentDebugLocation(hook->getDebugLoc());
		loosen(builder.CreateCall(known.ours.run(1),
		                          { base, by, n, builder.getInt32(hook_how(*hook) | HOW_BEHIND) }),
		       false);
	}
	return true;
}

/* Counts the bytes that a copy reads, or writes, before the loop. */
static void count_blocks(const struct plugin_known &known, const struct candidate &c, unsigned int n_bytes,
                         unsigned int slot)
{
	Instruction *at = c.block->getTerminator();
	Type *size = known.ours.size_type();
	IRBuilder<> builder(at);
	Value *base = known.expander.expandCodeFor(c.base, known.ours.pointer_type(), at);
	Value *step = known.expander.expandCodeFor(c.dimensions[0].step, size, at);
	Value *n = guarded(known, builder, c, known.expander.expandCodeFor(c.dimensions[0].n, size, at));

	builder.SetCurrentDebugLocation(c.hook->getDebugLoc());
	loosen(builder.CreateCall(known.ours.blocks(),
	                          { base, step, n, ConstantInt::get(size, n_bytes), builder.getInt32(slot) }),
	       false);
}

/* Copies inline; all is read before anything is written. */
static void copy_in_line(CallInst *call, unsigned int n_bytes)
{
	Value *to = call->getArgOperand(0), *from = call->getArgOperand(1);
	IRBuilder<> builder(call);
	Type *type = nullptr;

	if (n_bytes == 16)
		type = FixedVectorType::get(builder.getInt64Ty(), 2);
	else if (n_bytes <= 8 && isPowerOf2_32(n_bytes))
		type = builder.getIntNTy(8 * n_bytes);
	if (type) {
		Value *value = builder.CreateAlignedLoad(type, builder.CreateBitCast(from, pointer_to(type)), Align(1));

		builder.CreateAlignedStore(value, builder.CreateBitCast(to, pointer_to(type)), Align(1));
	} else {
		builder.CreateMemCpyInline(to, Align(1), from, Align(1), builder.getInt64(n_bytes));
	}
	call->eraseFromParent();
}

/* Makes runs of the calls that copy blocks in one loop, such as struct assignments; the copies are made inline. */
static void make_copies_in(Loop *quiet, Loop *loop, const struct plugin_known &known, struct plugin_counts *counts)
{
	SmallVector<CallInst *, 8> copies;

	for (BasicBlock *block : loop->blocks())
		for (Instruction &instruction : *block)
			if (known.loops.getLoopFor(block) == loop && copied_bytes(instruction))
				copies.push_back(cast<CallInst>(&instruction));
	for (CallInst *call : copies) {
		struct candidate to = candidate_of(known, call, 0), from = candidate_of(known, call, 1);
		unsigned int n_bytes = copied_bytes(*call);

		if (!move_out(known, quiet, &to) || !move_out(known, quiet, &from))
			continue;
		count_blocks(known, from, n_bytes, BLOCK_LOAD);
		count_blocks(known, to, n_bytes, BLOCK_STORE);
		copy_in_line(call, n_bytes);
		counts->runs += 2;
	}
}

/* Makes runs of the hooks of one loop, without those inside it. */
static void make_runs_in(Loop *quiet, Loop *loop, const struct plugin_known &known, struct plugin_counts *counts)
{
	struct iterations iterations = {};
	SmallVector<CallInst *, 32> hooks;

	for (BasicBlock *block : loop->blocks())
		for (Instruction &instruction : *block)
			if (known.loops.getLoopFor(block) == loop && hook_how(instruction) >= 0)
				hooks.push_back(cast<CallInst>(&instruction));
	for (CallInst *hook : hooks) {
		struct candidate c = candidate_of(known, hook, 0);

		while (move_out(known, quiet, &c))
			;
		if (!c.dimensions.empty()) {
			count_before(known, c);
			*(c.dimensions.size() > 1 ? &counts->hoisted : &counts->runs) += 1;
		} else if (count_behind(known, loop, hook, &iterations)) {
			counts->counted++;
		} else {
			continue;
		}
		hook->eraseFromParent();
	}
}

void make_runs(Loop *quiet, const struct plugin_known &known, struct plugin_counts *counts)
{
	for (Loop *loop : quiet->getLoopsInPreorder()) {
		make_runs_in(quiet, loop, known, counts);
		make_copies_in(quiet, loop, known, counts);
	}
}

/*
 * Order: see order.h.
 */
#include "order.h"

#include "nest.h"

using namespace llvm;

enum { MOST_ACCESSES = 32, N_FIELDS = 4 }; /* those of struct ompp_ordered_access (runtime/access/access.h) */

/* Returns 1 when an instruction may make accesses without a hook before it. */
static bool is_opaque(const Instruction &instruction, const TargetLibraryInfo &library)
{
	const auto *call = dyn_cast<CallBase>(&instruction);

	return call && !call->isInlineAsm() && !isa<IntrinsicInst>(call) && hook_how(instruction) < 0 &&
	       !is_math_call(*call, library);
}

typedef SmallVector<struct candidate, 0> accesses;

/* Collects the accesses of an innermost loop in the order in which an iteration makes them.  Returns false when there
 * are none, or not all are known before the loop. */
static bool collect(Loop *loop, const struct plugin_known &known, accesses *all)
{
	LoopBlocksRPO order(loop);

	order.perform(&known.loops);
	for (BasicBlock *block : order)
		for (Instruction &instruction : *block) {
			if (is_opaque(instruction, known.library))
				return false;
			if (hook_how(instruction) < 0)
				continue;
			if (all->size() == MOST_ACCESSES)
				return false;
			all->push_back(candidate_of(known, cast<CallInst>(&instruction), 0));
			if (!move_out(known, loop, &all->back()))
				return false;
		}
	return !all->empty();
}

void find_ordered(Loop *nest, const struct plugin_known &known, SmallVectorImpl<Loop *> &ordered)
{
	for (Loop *loop : nest->getLoopsInPreorder()) {
		accesses all;

		if (loop->isInnermost() && collect(loop, known, &all))
			ordered.push_back(loop);
	}
}

/* Hands over the accesses of a loop before it, in `words`, and removes their hooks. */
static void hand_over(Loop *loop, const struct plugin_known &known, const accesses &all, Value *words)
{
	Instruction *at = loop->getLoopPreheader()->getTerminator();
	Type *size = known.ours.size_type();
	IRBuilder<> builder(at);
	unsigned int i = 0;

	for (const struct candidate &c : all) {
		Value *base = known.expander.expandCodeFor(c.base, known.ours.pointer_type(), at);
		Value *step = known.expander.expandCodeFor(c.dimensions[0].step, size, at);
		Value *n = known.expander.expandCodeFor(c.dimensions[0].n, size, at);
		Value *how = ConstantInt::get(size, hook_how(*c.hook));
		Value *fields[N_FIELDS] = { builder.CreatePtrToInt(base, size), step, guarded(known, builder, c, n),
			                    how };

		for (Value *field : fields)
			builder.CreateStore(field, builder.CreateConstInBoundsGEP1_32(size, words, i++));
	}
	builder.SetCurrentDebugLocation(all[0].hook->getDebugLoc());
	loosen(builder.CreateCall(known.ours.order(), { builder.CreateBitCast(words, known.ours.pointer_type()),
	                                                ConstantInt::get(size, all.size()) }),
	       true);
	for (const struct candidate &c : all)
		c.hook->eraseFromParent();
}

void make_ordered(ArrayRef<Loop *> loops, const struct plugin_known &known, struct plugin_counts *counts)
{
	Type *size = known.ours.size_type();
	SmallVector<accesses, 0> all(loops.size());
	unsigned int n_most = 0;
	BasicBlock *entry;
	Value *words;

	for (unsigned int i = 0; i < loops.size(); i++)
		if (collect(loops[i], known, &all[i]))
			n_most = std::max<unsigned int>(n_most, all[i].size());
		else
			all[i].clear();
	if (!n_most)
		return;
	entry = &loops[0]->getHeader()->getParent()->getEntryBlock();

	IRBuilder<> builder(&*entry->getFirstInsertionPt());

	words = builder.CreateAlloca(ArrayType::get(size, n_most * N_FIELDS), nullptr, "ompp_accesses");
	builder.SetInsertPoint(entry->getTerminator());
	words = builder.CreatePointerCast(words, pointer_to(size));
	for (unsigned int i = 0; i < loops.size(); i++) {
		if (all[i].empty())
			continue;
		hand_over(loops[i], known, all[i], words);
		counts->ordered++;
	}
}

/*
 * Work: see work.h.
 */
#include "work.h"

#include "nest.h"
#include "operations.h"

#include <llvm/Analysis/PostDominators.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

using namespace llvm;

/* ---- what only computes addresses ---- */

typedef SmallPtrSet<const Value *, 32> values;

/* Returns 1 for an instruction that makes an integer of integers, whose operands serve what it serves. */
static bool is_of_integers(const Instruction *instruction)
{
	return instruction->getType()->isIntOrIntVectorTy() &&
	       (isa<BinaryOperator>(instruction) || isa<PHINode>(instruction) || isa<SelectInst>(instruction) ||
	        (isa<CastInst>(instruction) && instruction->getOperand(0)->getType()->isIntOrIntVectorTy()));
}

/* Finds the integers that something else than an address needs. */
static void find_numbers(const Function &function, values *numbers)
{
	SmallVector<const Instruction *, 32> left;
	auto need_operands = [&](const Instruction *instruction) {
		for (const Use &use : instruction->operands()) {
			auto *operand = dyn_cast<Instruction>(use.get());

			if (operand && operand->getType()->isIntOrIntVectorTy() && numbers->insert(operand).second)
				left.push_back(operand);
		}
	};

	for (const BasicBlock &block : function)
		for (const Instruction &instruction : block)
			if (!is_of_integers(&instruction) && !isa<GetElementPtrInst>(instruction) &&
			    !is_tsan_call(instruction) && !isa<DbgInfoIntrinsic>(instruction))
				need_operands(&instruction);
	while (!left.empty()) {
		const Instruction *instruction = left.pop_back_val();

		if (is_of_integers(instruction))
			need_operands(instruction);
	}
}

/* ---- what is an operation ---- */

static unsigned int lanes_of(Type *type)
{
	auto *vector = dyn_cast<FixedVectorType>(type);

	return vector ? vector->getNumElements() : 1;
}

static struct value_type type_of(Type *type)
{
	Type *element = type->getScalarType();
	int precision = element->isFloatTy() ? WORK_SINGLE : element->isDoubleTy() ? WORK_DOUBLE : WORK_OTHER;

	return { element->isFloatingPointTy() ? precision : -1, lanes_of(type), type->isVectorTy() };
}

static void add_call(struct work *work, const CallBase &call, const TargetLibraryInfo &library)
{
	StringRef name = called_name(call);

	if (!isa<IntrinsicInst>(call) && !is_math_call(call, library))
		return;
	if (begins(name, "llvm."))
		name = name.drop_front(strlen("llvm.")).split('.').first;
	if (!add_function(work, work_function_of(name.data(), name.size()), type_of(call.getType())))
		work->n[WORK_MATH] += is_math_call(call, library) ||
		                      (call.getType()->isFPOrFPVectorTy() && isa<FPMathOperator>(call));
}

static void add_integer(struct work *work, const Instruction &instruction)
{
	unsigned int lanes = lanes_of(instruction.getType());

	switch (instruction.getOpcode()) {
	case Instruction::Mul:
		work->n[WORK_INT_MUL] += lanes;
		break;
	case Instruction::UDiv:
	case Instruction::SDiv:
	case Instruction::URem:
	case Instruction::SRem:
		work->n[WORK_INT_DIV] += lanes;
		break;
	default:
		work->n[WORK_INT] += lanes;
	}
}

/* Adds the operations of an instruction. */
static void add_instruction(struct work *work, const Instruction &instruction, const values &numbers,
                            const TargetLibraryInfo &library)
{
	Type *type = instruction.getType();

	switch (instruction.getOpcode()) {
	case Instruction::FAdd:
	case Instruction::FSub:
		add_float(work, type_of(type), WORK_ADD);
		break;
	case Instruction::FMul:
		add_float(work, type_of(type), WORK_MUL);
		break;
	case Instruction::FDiv:
		add_float(work, type_of(type), WORK_DIV);
		break;
	case Instruction::FCmp:
		work->n[WORK_COMPARE]++;
		break;
	case Instruction::FPExt:
	case Instruction::FPTrunc:
	case Instruction::SIToFP:
	case Instruction::UIToFP:
	case Instruction::FPToSI:
	case Instruction::FPToUI:
		work->n[WORK_CONVERT]++;
		break;
	case Instruction::Call:
	case Instruction::Invoke:
		add_call(work, cast<CallBase>(instruction), library);
		break;
	default:
		if (isa<BinaryOperator>(instruction) && type->isIntOrIntVectorTy() &&
		    !type->getScalarType()->isIntegerTy(1) && numbers.contains(&instruction))
			add_integer(work, instruction);
	}
}

/* ---- where they are counted ---- */

/* What is known of a function while its operations are counted. */
struct counting {
	const TargetLibraryInfo &library;
	const values &numbers;
	DominatorTree &dominators;
	PostDominatorTree &behind;
	LoopInfo &loops;
	calls &ours;
	SmallVector<AllocaInst *, 16> variables;
};

static void add_to_word(IRBuilder<> &builder, const struct counting &counting, unsigned int word, Value *n)
{
	Type *size = counting.ours.size_type();
	Value *place = counting.ours.work_word(builder, word);

	builder.CreateStore(builder.CreateAdd(builder.CreateLoad(size, place, true), n), place, true);
}

/* Adds operations that were executed once. */
static void add_once(Instruction *at, const struct counting &counting, const struct work &work)
{
	IRBuilder<> builder(at);

	for (unsigned int k = 0; k < N_WORK; k++)
		if (work.n[k])
			add_to_word(builder, counting, k, ConstantInt::get(counting.ours.size_type(), work.n[k]));
}

/* Returns 1 for a call behind which the thread may enter a region, or not come back. */
static bool may_leave(const Instruction &instruction, const struct counting &counting)
{
	return isa<CallBase>(instruction) && !is_own_call(instruction) &&
	       !is_quiet_instruction(instruction, counting.library);
}

/* Counts the operations of a block where they are executed. */
static void count_in_block(BasicBlock *block, const struct counting &counting)
{
	SmallVector<std::pair<Instruction *, struct work>, 4> parts;
	struct work work = {};

	for (Instruction &instruction : *block) {
		add_instruction(&work, instruction, counting.numbers, counting.library);
		if (is_any(work) && (may_leave(instruction, counting) || instruction.isTerminator())) {
			parts.push_back({ &instruction, work });
			work = {};
		}
	}
	for (auto &part : parts)
		add_once(part.first, counting, part.second);
}

/* A block of a loop, whose executions a variable counts, and what is executed each time. */
struct counted {
	BasicBlock *block;
	struct work work;
	AllocaInst *n;
};

/* Returns the first block of the same loop that is executed as often as this one. */
static BasicBlock *first_as_often(BasicBlock *block, const struct counting &counting)
{
	const Loop *loop = counting.loops.getLoopFor(block);
	BasicBlock *first = block;

	for (auto *node = counting.dominators.getNode(block); node && loop->contains(node->getBlock());
	     node = node->getIDom())
		if (counting.loops.getLoopFor(node->getBlock()) == loop &&
		    counting.behind.dominates(block, node->getBlock()))
			first = node->getBlock();
	return first;
}

/* Finds the blocks of a loop that are to be counted. */
static void find_counted(const Loop *loop, const struct counting &counting, SmallVectorImpl<struct counted> &found)
{
	for (BasicBlock *block : loop->blocks()) {
		struct counted counted = { first_as_often(block, counting), {}, nullptr };

		for (const Instruction &instruction : *block)
			add_instruction(&counted.work, instruction, counting.numbers, counting.library);
		if (!is_any(counted.work))
			continue;

		auto *same = find_if(found, [&](const struct counted &c) { return c.block == counted.block; });

		if (same == found.end())
			found.push_back(counted);
		else
			add_all(&same->work, counted.work);
	}
}

/* Adds the operations of a loop by the executions of its blocks. */
static void add_counted(BasicBlock *exit, const struct counting &counting, ArrayRef<struct counted> all)
{
	IntegerType *size = counting.ours.size_type();
	IRBuilder<> builder(&*exit->getFirstInsertionPt());

	for (unsigned int k = 0; k < N_WORK; k++) {
		Value *sum = nullptr;

		for (const struct counted &counted : all)
			if (counted.work.n[k]) {
				Value *part = builder.CreateMul(builder.CreateLoad(size, counted.n),
				                                ConstantInt::get(size, counted.work.n[k]));

				sum = sum ? builder.CreateAdd(sum, part) : part;
			}
		if (sum)
			add_to_word(builder, counting, k, sum);
	}
}

/* Counts the operations of a loop on its exits. */
static void count_on_exits(Loop *loop, struct counting *counting)
{
	IntegerType *size = counting->ours.size_type();
	SmallVector<struct counted, 8> all;
	SmallVector<BasicBlock *, 8> exits;

	find_counted(loop, *counting, all);
	for (struct counted &counted : all) {
		BasicBlock &entry = counted.block->getParent()->getEntryBlock();
		IRBuilder<> builder(&*entry.getFirstInsertionPt());

		counted.n = builder.CreateAlloca(size, nullptr, "executed");
		counting->variables.push_back(counted.n);
		builder.SetInsertPoint(loop->getLoopPreheader()->getTerminator());
		builder.CreateStore(ConstantInt::get(size, 0), counted.n);
		builder.SetInsertPoint(&*counted.block->getFirstInsertionPt());
		builder.CreateStore(builder.CreateAdd(builder.CreateLoad(size, counted.n), ConstantInt::get(size, 1)),
		                    counted.n);
	}
	loop->getUniqueExitBlocks(exits);
	for (BasicBlock *exit : exits)
		add_counted(exit, *counting, all);
}

/* Returns 1 when the executions of the blocks of a loop may be told when it is left. */
static bool is_told_later(const Loop *loop, const struct counting &counting)
{
	if (!loop->isLoopSimplifyForm() || !loop->hasDedicatedExits())
		return false;
	for (const BasicBlock *block : loop->blocks())
		for (const Instruction &instruction : *block)
			if (!is_quiet_instruction(instruction, counting.library))
				return false;
	return true;
}

/* Collects the outermost loops whose operations are counted on their exits, and notes their blocks. */
static void find_loops(ArrayRef<Loop *> loops, const struct counting &counting, SmallVectorImpl<Loop *> &found,
                       SmallPtrSetImpl<const BasicBlock *> &blocks)
{
	for (Loop *loop : loops)
		if (is_told_later(loop, counting)) {
			found.push_back(loop);
			blocks.insert(loop->block_begin(), loop->block_end());
		} else {
			find_loops(loop->getSubLoops(), counting, found, blocks);
		}
}

void count_work(Function &function, FunctionAnalysisManager &analyses, calls &ours)
{
	DominatorTree dominators(function);
	LoopInfo loops(dominators);
	SmallPtrSet<const BasicBlock *, 16> in_loops;
	SmallVector<Loop *, 8> told_later;
	SmallVector<BasicBlock *, 16> others;
	values numbers;

	for (Loop *loop : loops)
		simplifyLoop(loop, &dominators, &loops, nullptr, nullptr, nullptr, false);
	find_numbers(function, &numbers);

	PostDominatorTree behind(function);
	struct counting counting = {
		analyses.getResult<TargetLibraryAnalysis>(function), numbers, dominators, behind, loops, ours, {}
	};

	/* After longjmp a function continues at setjmp, whatever loop it was in. */
	if (!function.callsFunctionThatReturnsTwice())
		find_loops(loops.getTopLevelLoops(), counting, told_later, in_loops);
	for (BasicBlock &block : function)
		if (!in_loops.count(&block) && dominators.isReachableFromEntry(&block))
			others.push_back(&block);
	for (BasicBlock *block : others)
		count_in_block(block, counting);
	for (Loop *loop : told_later)
		count_on_exits(loop, &counting);
	PromoteMemToReg(counting.variables, dominators);
	analyses.invalidate(function, PreservedAnalyses::none());
	if (!counting.variables.empty()) {
		FunctionPassManager passes;

		passes.addPass(createFunctionToLoopPassAdaptor(IndVarSimplifyPass()));
		passes.run(function, analyses);
	}
}

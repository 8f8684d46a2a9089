/*
 * Uncounted: see uncounted.h.
 */
#include "uncounted.h"

#include <llvm/Analysis/ValueTracking.h>

#include <cstdio>

using namespace llvm;

/* Looks at the name of one of the machine's own functions, or of LLVM's for vectors, which accesses memory. */
static bool is_of_elements(StringRef name)
{
	return name.contains("mask") || name.contains("gather") || name.contains("scatter") ||
	       name.contains("compress") || name.contains("expand");
}

/* Returns 1 when an access is one of the compiler's own, or to constant memory. */
static bool is_own(const Value *pointer)
{
	const Value *object = getUnderlyingObject(pointer);
	const auto *variable = dyn_cast<GlobalVariable>(object);

	return isa<AllocaInst>(object) || (variable && variable->isConstant());
}

void find_uncounted(const Function &function, struct uncounted *found)
{
	for (const BasicBlock &block : function)
		for (const Instruction &instruction : block) {
			const auto *call = dyn_cast<IntrinsicInst>(&instruction);
			const Value *pointer = getLoadStorePointerOperand(&instruction);

			if (call && call->mayReadOrWriteMemory())
				found->elements |= is_of_elements(called_name(instruction));
			if (!pointer || is_own(pointer))
				continue;

			Type *type = getLoadStoreType(const_cast<Instruction *>(&instruction));

			found->extended |= type->isX86_FP80Ty();
			found->vectors |= type->isVectorTy() &&
			                  function.getParent()->getDataLayout().getTypeStoreSize(type) > 16;
		}
}

void write_uncounted(const struct uncounted *found, const char *path)
{
	FILE *file = fopen(path, "a");

	if (!file)
		return;
	if (found->elements)
		fputs("masked or gathering vector instructions\n", file);
	if (found->extended)
		fputs("long double\n", file);
	if (found->vectors)
		fputs("vectors of more than 16 bytes\n", file);
	fclose(file);
}

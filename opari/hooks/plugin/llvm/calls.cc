/*
 * Calls: see calls.h.
 */
#include "calls.h"

using namespace llvm;

bool begins(StringRef name, StringRef start)
{
	return name.substr(0, start.size()) == start;
}

StringRef called_name(const Instruction &instruction)
{
	const auto *call = dyn_cast<CallBase>(&instruction);
	const Function *function = call ? call->getCalledFunction() : nullptr;

	return function ? function->getName() : StringRef();
}

bool is_tsan_call(const Instruction &instruction)
{
	return begins(called_name(instruction), "__tsan_");
}

bool is_own_call(const Instruction &instruction)
{
	return begins(called_name(instruction), "ompp_access_");
}

int hook_how(const Instruction &instruction)
{
	StringRef name = called_name(instruction);
	int how = 0;

	if (!isa<CallInst>(instruction) || !name.consume_front("__tsan_"))
		return -1;
	name.consume_front("unaligned_");
	if (name.consume_front("write"))
		how = HOW_STORE;
	else if (!name.consume_front("read"))
		return -1;
	for (int i = 0; i < N_ACCESS_SIZES; i++)
		if (name == access_sizes[i])
			return how | i;
	return -1;
}

enum { MOST_COPIED = 64 };

unsigned int copied_bytes(const Instruction &instruction)
{
	StringRef name = called_name(instruction);
	const ConstantInt *n;

	if (!isa<CallInst>(instruction) || (name != "memcpy" && name != "memmove") || !instruction.use_empty())
		return 0;
	n = dyn_cast<ConstantInt>(instruction.getOperand(2));
	if (!n || n->getValue().ugt(MOST_COPIED) || (name == "memmove" && n->getValue().ugt(8)))
		return 0;
	return n->getZExtValue();
}

calls::calls(Module &m)
    : module(m), size(m.getDataLayout().getIntPtrType(m.getContext())),
      pointer(pointer_to(Type::getInt8Ty(m.getContext())))
{
}

/* Declares a function of libompp_access.a, which is linked into each program and library. */
FunctionCallee calls::declare(StringRef name, ArrayRef<Type *> parameters)
{
	Type *nothing = Type::getVoidTy(module.getContext());
	FunctionCallee callee = module.getOrInsertFunction(name, FunctionType::get(nothing, parameters, false));
	auto *function = dyn_cast<Function>(callee.getCallee());

	if (function && function->isDeclaration()) {
		function->setVisibility(GlobalValue::HiddenVisibility);
		function->setDSOLocal(true);
	}
	return callee;
}

FunctionCallee calls::run(unsigned int dimensions)
{
	SmallVector<Type *, 2 + 2 * MOST_DIMENSIONS> parameters(1 + 2 * dimensions, size);

	parameters[0] = pointer;
	parameters.push_back(Type::getInt32Ty(module.getContext()));
	return declare(run_names[dimensions - 1], parameters);
}

FunctionCallee calls::blocks()
{
	return declare("ompp_access_blocks", { pointer, size, size, size, Type::getInt32Ty(module.getContext()) });
}

FunctionCallee calls::site()
{
	return declare("ompp_access_site", { pointer, size, size, size, pointer, size, size });
}

FunctionCallee calls::site_end()
{
	return declare("ompp_access_site_end", { pointer, size, size, size });
}

FunctionCallee calls::nest_end()
{
	return declare("ompp_access_nest_end", { size });
}

FunctionCallee calls::order()
{
	return declare("ompp_access_order", { pointer, size });
}

GlobalVariable *calls::flag(StringRef name)
{
	Type *type = pointer_to(Type::getInt32Ty(module.getContext()));
	auto *variable = cast<GlobalVariable>(module.getOrInsertGlobal(name, type));

	variable->setVisibility(GlobalValue::HiddenVisibility);
	variable->setDSOLocal(true);
	variable->setConstant(true);
	return variable;
}

GlobalVariable *calls::by_runs()
{
	return flag("ompp_access_by_runs");
}

GlobalVariable *calls::by_order()
{
	return flag("ompp_access_by_order");
}

/* Bytes from the begin of what the library keeps for each thread, struct ompp_access_own of the runtime. */
enum { OWN_GAIN = 32, OWN_N_SHORT = 40, OWN_IN_NEST = OWN_N_SHORT + 2 * N_NESTS, OWN_BYTES = OWN_IN_NEST + 8 };

/* Returns the address of a part of a variable that libompp has for each thread.
 * n_bytes: of the whole variable */
Value *calls::part_of_thread(IRBuilder<> &builder, StringRef name, unsigned int n_bytes, Type *type,
                             unsigned int offset)
{
	Type *bytes = ArrayType::get(builder.getInt8Ty(), n_bytes);
	auto *variable = cast<GlobalVariable>(module.getOrInsertGlobal(name, bytes));

	variable->setThreadLocalMode(GlobalValue::InitialExecTLSModel);
	return builder.CreateBitCast(builder.CreateConstInBoundsGEP2_32(bytes, variable, 0, offset), pointer_to(type));
}

Value *calls::own_at(IRBuilder<> &builder, Type *type, unsigned int offset)
{
	return part_of_thread(builder, "ompp_access_tally", OWN_BYTES, type, offset);
}

Value *calls::work_word(IRBuilder<> &builder, unsigned int i)
{
	const unsigned int n_bytes = size->getBitWidth() / 8;

	return part_of_thread(builder, "ompp_work", N_WORK * n_bytes, size, i * n_bytes);
}

Value *calls::n_short_of(IRBuilder<> &builder, unsigned int nest)
{
	return own_at(builder, builder.getInt16Ty(), OWN_N_SHORT + 2 * (nest % N_NESTS));
}

Value *calls::gain_of_nest(IRBuilder<> &builder)
{
	return own_at(builder, size, OWN_GAIN);
}

Value *calls::in_nest(IRBuilder<> &builder)
{
	return own_at(builder, size, OWN_IN_NEST);
}

void loosen(CallInst *call, bool first)
{
	static const Attribute::AttrKind kinds[] = { Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoFree,
		                                     Attribute::NoSync, Attribute::NoCallback };

	for (Attribute::AttrKind kind : kinds)
		add_attribute(call, kind);
	add_inaccessible(call, first);
	for (unsigned int i = 0; i < call->arg_size(); i++)
		if (call->getArgOperand(i)->getType()->isPointerTy()) {
			add_no_capture(call, i);
			if (i || !first)
				call->addParamAttr(i, Attribute::ReadNone);
		}
}

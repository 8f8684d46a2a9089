/*
 * Versions: what the versions of LLVM, 13 to 22, name differently; nothing else in the plug-in depends on the version.
 *
 * Pointers have no types of what they point to since version 15: pointer_to() has the type that either needs, and
 * casts between pointers are then no instructions.
 */
#ifndef KINST_PLUGIN_VERSIONS_H
#define KINST_PLUGIN_VERSIONS_H

#include "llvm.h"

#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Scalar/LICM.h>
#if LLVM_VERSION_MAJOR >= 16
#include <llvm/Support/ModRef.h>
#endif
#if LLVM_VERSION_MAJOR >= 22
#include <llvm/Plugins/PassPlugin.h>
#else
#include <llvm/Passes/PassPlugin.h>
#endif

#if LLVM_VERSION_MAJOR < 14
namespace llvm
{
using OptimizationLevel = PassBuilder::OptimizationLevel;
}
#endif

static inline llvm::PointerType *pointer_to(llvm::Type *type)
{
#if LLVM_VERSION_MAJOR >= 15
	return llvm::PointerType::get(type->getContext(), 0);
#else
	return llvm::PointerType::get(type, 0);
#endif
}

/* Adds an attribute to what a call does. */
static inline void add_attribute(llvm::CallInst *call, llvm::Attribute::AttrKind kind)
{
#if LLVM_VERSION_MAJOR >= 14
	call->addFnAttr(kind);
#else
	call->addAttribute(llvm::AttributeList::FunctionIndex, kind);
#endif
}

/* Marks a call as accessing no memory that is visible to the program; with `arguments`, but what they point to. */
static inline void add_inaccessible(llvm::CallInst *call, bool arguments)
{
#if LLVM_VERSION_MAJOR >= 16
	call->setMemoryEffects(arguments ? llvm::MemoryEffects::inaccessibleOrArgMemOnly()
	                                 : llvm::MemoryEffects::inaccessibleMemOnly());
#else
	add_attribute(call,
	              arguments ? llvm::Attribute::InaccessibleMemOrArgMemOnly : llvm::Attribute::InaccessibleMemOnly);
#endif
}

/* Marks an argument of a call as a pointer that is not kept. */
static inline void add_no_capture(llvm::CallInst *call, unsigned int argument)
{
#if LLVM_VERSION_MAJOR >= 21
	call->addParamAttr(argument,
	                   llvm::Attribute::getWithCaptureInfo(call->getContext(), llvm::CaptureInfo::none()));
#else
	call->addParamAttr(argument, llvm::Attribute::NoCapture);
#endif
}

/* Puts an instruction that is in no block before another one. */
static inline void insert_before(llvm::Instruction *instruction, llvm::Instruction *at)
{
#if LLVM_VERSION_MAJOR >= 18
	instruction->insertBefore(at->getIterator());
#else
	instruction->insertBefore(at);
#endif
}

/* An expander of the values that ScalarEvolution knows. */
class scev_expander : public llvm::SCEVExpander
{
      public:
	scev_expander(llvm::ScalarEvolution &evolution, const llvm::DataLayout &layout)
#if LLVM_VERSION_MAJOR >= 22
	    : llvm::SCEVExpander(evolution, "kinst")
#else
	    : llvm::SCEVExpander(evolution, layout, "kinst")
#endif
	{
		(void)layout;
	}
};

/* Returns 1 when a value can be computed at an instruction. */
static inline bool can_expand_at(const llvm::SCEV *value, const llvm::Instruction *at, llvm::ScalarEvolution &evolution,
                                 const llvm::SCEVExpander &expander)
{
#if LLVM_VERSION_MAJOR >= 15
	(void)evolution;
	return expander.isSafeToExpandAt(value, at);
#else
	(void)expander;
	return llvm::isSafeToExpandAt(value, at, evolution);
#endif
}

/* Adds the pass that moves what does not change out of loops. */
static inline void add_licm(llvm::FunctionPassManager &passes)
{
	llvm::LoopPassManager loop_passes;

#if LLVM_VERSION_MAJOR >= 15
	loop_passes.addPass(llvm::LICMPass(llvm::LICMOptions()));
#else
	loop_passes.addPass(llvm::LICMPass());
#endif
#if LLVM_VERSION_MAJOR >= 22
	passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loop_passes), true));
#else
	passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loop_passes), true, true));
#endif
}

#endif

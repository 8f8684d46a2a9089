/*
 * Calls: the functions of libompp_access.a that compiled code calls to count accesses.
 *
 * The hooks have LLVM's names; LLVM puts one before each access (ThreadSanitizerPass).  The others are ours
 * (runtime/adapters/run_hooks.c); their calls are marked as accessing no memory that is visible to the program, so
 * that they do not hinder other passes.
 */
#ifndef KINST_PLUGIN_CALLS_H
#define KINST_PLUGIN_CALLS_H

#include "counting.h"
#include "llvm.h"
#include "versions.h"

/* Returns 1 when a name begins with another. */
bool begins(llvm::StringRef name, llvm::StringRef start);

/* Returns the name of the function that an instruction calls; an empty one when it calls none, or one by a pointer. */
llvm::StringRef called_name(const llvm::Instruction &instruction);

/* Returns the `how` of a hook for one access of 1, 2, 4, 8 or 16 bytes; -1 for any other instruction. */
int hook_how(const llvm::Instruction &instruction);

/* Returns the size of a call's copy if it may be made inline; 0 for other instructions. */
unsigned int copied_bytes(const llvm::Instruction &instruction);

/* Returns 1 for a call of any function of LLVM's interface for hooks. */
bool is_tsan_call(const llvm::Instruction &instruction);

/* Returns 1 for a call of one of the functions below. */
bool is_own_call(const llvm::Instruction &instruction);

/* The functions and the variables that code of this module needs; each is declared when it is asked for. */
class calls
{
      public:
	explicit calls(llvm::Module &module);

	llvm::IntegerType *size_type()
	{
		return size;
	}
	llvm::PointerType *pointer_type()
	{
		return pointer;
	}
	llvm::FunctionCallee run(unsigned int dimensions); /* ompp_access_run, ompp_access_run2, ompp_access_run3 */
	llvm::FunctionCallee blocks();                     /* ompp_access_blocks */
	llvm::FunctionCallee site();                       /* ompp_access_site */
	llvm::FunctionCallee site_end();                   /* ompp_access_site_end */
	llvm::FunctionCallee nest_end();                   /* ompp_access_nest_end */
	llvm::FunctionCallee order();                      /* ompp_access_order */

	/* The variables that point to the flags whether accesses may be counted by runs and at sites, and whether they
	 * may be handed over in order. */
	llvm::GlobalVariable *by_runs();
	llvm::GlobalVariable *by_order();

	/* State of nests that the library keeps per thread (runtime/data/tally.h): how often each nest was short (two
	 * bytes, with a part of the nest's hash in the upper bits), the gain of its current execution (a size), and
	 * whether the thread is in a nest (a size).  Accesses are volatile, as LLVM does not see that the library
	 * accesses them. */
	llvm::Value *n_short_of(llvm::IRBuilder<> &builder, unsigned int nest);
	llvm::Value *gain_of_nest(llvm::IRBuilder<> &builder);
	llvm::Value *in_nest(llvm::IRBuilder<> &builder);

	/* A word of the operations that the thread has executed (counting.h), a size. */
	llvm::Value *work_word(llvm::IRBuilder<> &builder, unsigned int i);

	llvm::MDNode *log_scope = nullptr; /* that of the logs of sites (site.cc) */

      private:
	llvm::FunctionCallee declare(llvm::StringRef name, llvm::ArrayRef<llvm::Type *> parameters);
	llvm::GlobalVariable *flag(llvm::StringRef name);
	llvm::Value *part_of_thread(llvm::IRBuilder<> &builder, llvm::StringRef name, unsigned int n_bytes,
	                            llvm::Type *type, unsigned int offset);
	llvm::Value *own_at(llvm::IRBuilder<> &builder, llvm::Type *type, unsigned int offset);

	llvm::Module &module;
	llvm::IntegerType *size;
	llvm::PointerType *pointer;
};

/* Marks a call of a function of ours, or of a hook whose access is only counted, as accessing no memory that is visible
 * to the program; with `first`, it also accesses what its first argument points to. */
void loosen(llvm::CallInst *call, bool first);

#endif

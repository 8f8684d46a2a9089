/*
 * Late: optimisations of a function that its hooks had prevented: vectorisation, and removal of redundant work.
 */
#ifndef KINST_PLUGIN_LATE_H
#define KINST_PLUGIN_LATE_H

#include "versions.h"

struct late_options {
	bool vectorize, slp; /* the user's -fno-vectorize, -fno-slp-vectorize */
};

/* Optimises a function in which loops are counted by runs. */
void optimise_late(llvm::Function &function, llvm::FunctionAnalysisManager &analyses, llvm::OptimizationLevel level,
                   const struct late_options &options);

#endif

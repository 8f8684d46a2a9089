/*
 * Gcc: the headers of the compiler that this plug-in is built for, in the order in which they need each other.
 */
#ifndef KINST_PLUGIN_GCC_H
#define KINST_PLUGIN_GCC_H

/* clang-format off */
#include "gcc-plugin.h"
#include "backend.h"
#include "tree.h"
#include "gimple.h"
#include "tree-pass.h"
#include "builtins.h"
#include "context.h"
#include "ssa.h"
#include "cfgloop.h"
#include "cfgloopmanip.h"
#include "cfghooks.h"
#include "fold-const.h"
#include "internal-fn.h"
#include "gimple-iterator.h"
#include "gimplify.h"
#include "gimplify-me.h"
#include "stor-layout.h"
#include "stringpool.h"
#include "attribs.h"
#include "cgraph.h"
#include "tree-affine.h"
#include "tree-cfg.h"
#include "tree-eh.h"
#include "tree-dfa.h"
#include "tree-into-ssa.h"
#include "tree-ssa-loop.h"
#include "tree-ssa-loop-niter.h"
#include "tree-ssa-loop-manip.h"
#include "tree-ssa-loop-ivopts.h"
#include "tree-chrec.h"
#include "tree-scalar-evolution.h"
#include "rtl.h"
#include "memmodel.h"
#include "emit-rtl.h"
#include "expr.h"
/* clang-format on */

#endif

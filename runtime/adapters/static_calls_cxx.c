/*
 * Static calls: C++'s operators new and delete.  This is a separate part of the archive, as only C++ programs have the
 * real operators.
 */
#include "runtime/adapters/static_call.h"

OMPP_STATIC_CALL(_Znwm);
OMPP_STATIC_CALL(_Znam);
OMPP_STATIC_CALL(_ZnwmRKSt9nothrow_t);
OMPP_STATIC_CALL(_ZnamRKSt9nothrow_t);
OMPP_STATIC_CALL(_ZnwmSt11align_val_t);
OMPP_STATIC_CALL(_ZnamSt11align_val_t);
OMPP_STATIC_CALL(_ZnwmSt11align_val_tRKSt9nothrow_t);
OMPP_STATIC_CALL(_ZnamSt11align_val_tRKSt9nothrow_t);
OMPP_STATIC_CALL(_ZdlPv);
OMPP_STATIC_CALL(_ZdaPv);
OMPP_STATIC_CALL(_ZdlPvm);
OMPP_STATIC_CALL(_ZdaPvm);
OMPP_STATIC_CALL(_ZdlPvRKSt9nothrow_t);
OMPP_STATIC_CALL(_ZdaPvRKSt9nothrow_t);
OMPP_STATIC_CALL(_ZdlPvSt11align_val_t);
OMPP_STATIC_CALL(_ZdaPvSt11align_val_t);
OMPP_STATIC_CALL(_ZdlPvmSt11align_val_t);
OMPP_STATIC_CALL(_ZdaPvmSt11align_val_t);

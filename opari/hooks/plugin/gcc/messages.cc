/*
 * Messages: see messages.h.
 */
#include "messages.h"

/* clang-format off */
#include "memmodel.h"
#include "rtl.h"
#include "emit-rtl.h"
/* clang-format on */

/* A compiler that checks its own data (-fchecking) expects what the later passes make of a function.  Functions with
 * setjmp() may get a warning later (-Wclobbered), and those with assembler text an error. */
void end_behind_messages(void *gate, void *)
{
	if (!flag_checking && !strcmp(current_pass->name, "*rest_of_compilation") && !cfun->calls_setjmp &&
	    !crtl->has_asm_statement)
		*(bool *)gate = false;
}

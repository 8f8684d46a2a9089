/*
 * symbols_other.c: another source file of symbols.c.
 */
#define UNIT "symbols_other.c"
#define LARGER 100
#include "symbols.h"

void other_cache(void);

void other_cache(void)
{
	show_cache();
}

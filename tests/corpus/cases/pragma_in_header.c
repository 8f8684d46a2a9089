/* Constructs in a header, which is included twice: one region each, under the header's name.
 * Regions: PARALLEL LOOP 4. */
#define NAME sum_up
#include "pragma_in_header.h"
#undef NAME
#define NAME sum_again
#include "pragma_in_header.h"

int main(void)
{
	return sum_up(10) != 45 || sum_again(4) != 6;
}

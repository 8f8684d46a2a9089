/* Braces and quotes in comments, characters and strings; comments behind directives.
 * Regions: PARALLEL 2. */
#include <string.h>

int main(void)
{
	int sum = 0; /* it's "odd { */ char quote = '"', brace = '{';
	const char *text = "}\"{";

#pragma omp parallel reduction(+ : sum) num_threads(2) // a comment } {
	{ if (quote == '"' && brace == '{') sum++; /* } */ }
	return sum != 2 || strlen(text) != 3;
}

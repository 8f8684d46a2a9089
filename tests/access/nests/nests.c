/*
 * nests: prints a program with loop nests made by chance, for nests.sh: the same for the same seed, each time.
 *
 * Usage: nests c|c++|fortran SEED [FUNCTIONS [ONLY]]     FUNCTIONS: how many, each with a nest or more (24).
 * ONLY: the number of a function; the program then has it alone, as it is among the others.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generate.h"

enum language language;

int main(int argc, char **argv)
{
	static const char *const names[] = { "c", "c++", "fortran" };
	int n_functions = argc > 3 ? atoi(argv[3]) : 24, only = argc > 4 ? atoi(argv[4]) : -1, i;
	char *end;
	uint64_t seed;

	for (i = 0; argc > 2 && i < 3 && strcmp(argv[1], names[i]) != 0; i++)
		;
	if (argc < 3 || argc > 5 || i == 3 || n_functions < 1 || only >= n_functions) {
		fputs("Usage: nests c|c++|fortran SEED [FUNCTIONS [ONLY]]\n", stderr);
		return 2;
	}
	seed = strtoull(argv[2], &end, 10);
	if (*end) {
		fprintf(stderr, "nests: %s: is not a number\n", argv[2]);
		return 2;
	}
	language = (enum language)i;
	if (language == FORTRAN)
		print_fortran(seed, n_functions, only);
	else
		print_c(seed, n_functions, only);
	return 0;
}

// Raw strings, whose lines look like directives, and end with their own delimiter.
// Regions: PARALLEL LOOP 2.
#include <cstring>

int main()
{
	const char *text = R"x(
#pragma omp parallel
" { )" )x";
	int sum = 0;

#pragma omp parallel for reduction(+ : sum) num_threads(2)
	for (int i = 0; i < 8; i++)
		sum++;
	return sum != 8 || std::strlen(text) != 29;
}

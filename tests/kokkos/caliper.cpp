/*
 * Caliper: its annotations in C++, and in C as far as that has them.
 */
#include <caliper/cali.h>
#include <stdio.h>

static int n;

static void team(void)
{
#pragma omp parallel num_threads(2)
#pragma omp atomic
	n++;
}

#ifdef __cplusplus
static void scoped(int is_early)
{
	CALI_CXX_MARK_FUNCTION;
	team();
	if (is_early)
		return;
	CALI_CXX_MARK_SCOPE("scope");
	team();
}
#endif

static void marked(void)
{
	CALI_MARK_FUNCTION_BEGIN;
	team();
	CALI_MARK_FUNCTION_END;
}

int main(void)
{
	CALI_MARK_PHASE_BEGIN("phase");
	CALI_MARK_BEGIN("part");
	marked();
	CALI_MARK_END("part");
	{
		CALI_MARK_LOOP_BEGIN(steps, "steps");
		for (int i = 0; i < 3; i++) {
			CALI_MARK_ITERATION_BEGIN(steps, i);
			marked();
			CALI_MARK_ITERATION_END(steps);
		}
		CALI_MARK_LOOP_END(steps);
	}
	CALI_WRAP_STATEMENT("statement", team());
	CALI_MARK_PHASE_END("phase");
#ifdef __cplusplus
	scoped(1);
	scoped(0);
#endif
	printf("%d\n", n);
	return 0;
}

/*
 * Left out: constructs that lie in each other, some of which are not measured: by their names, or as they come behind
 * the many places of places.c (-DMANY).  Each taskwait behind the inner one belongs to what is around.
 */
#include <stdio.h>

static int n;

#define WAIT _Pragma("omp taskwait") n++;

/* a ( b ( c ( WAIT ) ) WAIT ), where b may be in another file. */
void in_b(int has_inner);
void in_c(void);
#ifndef OTHER
void in_b(int has_inner)
{
#pragma omp critical(b)
	{
		if (has_inner)
			in_c();
	}
}
#endif

#ifndef PART
void in_c(void)
{
#pragma omp critical(c)
	{
		WAIT
	}
}
static void sections(int has_inner)
{
#pragma omp critical(a)
	{
		if (has_inner) {
			in_b(0);
			in_b(1);
		} else
			in_c();
		WAIT
	}
}

#ifdef MANY
static void group_c(void)
{
#pragma omp taskgroup
	{
		WAIT
	}
}
static void group_b(void)
{
#pragma omp taskgroup
	{
#pragma omp taskgroup
		n++;
		group_c();
	}
}
static void groups(int has_inner)
{
#pragma omp taskgroup
	{
		if (has_inner)
			group_b();
		else
			group_c();
		WAIT
	}
}

/* What makes calls of GCC's library, and what LLVM's tells of. */
#ifdef __clang__
static void others(int has_inner)
{
#pragma omp masked
	{
		if (has_inner) {
#pragma omp masked
			n++;
		}
		WAIT
	}
}
#else
static void others(int has_inner)
{
#pragma omp target data map(tofrom : n)
	{
		if (has_inner) {
#pragma omp target data map(tofrom : n)
			n++;
		}
		WAIT
	}
}

/* Regions that are not measured, in which the same kinds of constructs begin as around them, or end. */
static void regions(void)
{
	int copied = 0;
#pragma omp parallel num_threads(2) firstprivate(copied)
	{
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 2; i++)
			copied = 0;
#pragma omp sections
		{
#pragma omp section
			copied = 0;
#pragma omp section
			copied = 0;
		}
#pragma omp single copyprivate(copied)
		copied = 1;
	}
#pragma omp parallel for schedule(dynamic) num_threads(2)
	for (int i = 0; i < 2; i++)
		copied = 0;
#pragma omp parallel sections num_threads(2)
	{
#pragma omp section
		copied = 0;
#pragma omp section
		copied = 0;
	}
}
static void teams(int has_inner)
{
	int copied = 0;
#pragma omp parallel num_threads(1) firstprivate(copied)
	{
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 1; i++) {
			if (has_inner)
				regions();
			WAIT
		}
#pragma omp sections
		{
#pragma omp section
			{
				if (has_inner)
					regions();
				WAIT
			}
#pragma omp section
			{
				if (has_inner)
					regions();
				WAIT
			}
		}
#pragma omp single copyprivate(copied)
		{
			if (has_inner)
				regions();
			WAIT
		}
	}
#pragma omp parallel for schedule(dynamic) num_threads(1)
	for (int i = 0; i < 1; i++) {
		if (has_inner)
			regions();
		WAIT
	}
}
#endif
#endif

static void all(int has_inner)
{
	sections(has_inner);
#ifdef MANY
	groups(has_inner);
	others(has_inner);
#ifndef __clang__
	teams(has_inner);
#endif
#endif
}

int main(void)
{
	all(0);
#ifdef MANY
#include "places.c"
#endif
	all(1);
	printf("%d\n", n);
	return 0;
}
#endif

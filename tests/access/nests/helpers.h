/*
 * helpers.h: the functions that the generated programs in C and C++ call in their loops.
 */
#ifndef NESTS_HELPERS_H
#define NESTS_HELPERS_H

#include "program.h"

static NOINLINE __attribute__((pure)) unsigned long pure_of(const unsigned int *p)
{
	unsigned long sum = 0;

	for (int i = 0; i < 4; i++)
		sum += p[i];
	return sum;
}

static NOINLINE __attribute__((const)) unsigned long const_of(unsigned long n)
{
	return n * 3 + 1;
}

static inline double inline_of(const double *p, double x)
{
	for (int i = 0; i < 3; i++)
		x += p[i] * 0.25;
	return x;
}

static NOINLINE void touch(double *p, int n)
{
	for (int i = 0; i < n; i++)
		p[i] = p[i] * 0.5 + 1;
}

static NOINLINE unsigned long first_of(const unsigned int *p)
{
	return *p;
}

/* They are called through pointers. */
static unsigned long (*functions[2])(const unsigned int *) = { pure_of, first_of };

static NOINLINE unsigned long descend(int depth, int *p)
{
	unsigned long sum = 0;

	for (int i = 0; i <= depth; i++)
		sum += (unsigned long)p[i];
	p[depth] = (int)(sum & 255);
	return depth > 0 ? sum + descend(depth - 1, p + 1) : sum;
}

static inline void swap(long *p, long *q)
{
	long t = *p;

	*p = *q;
	*q = t;
}

#ifdef __cplusplus
static std::vector<double> vec(90);
static std::array<unsigned int, 10> ten;

/* An array whose elements are found by a function. */
template <class T> struct view {
	T *p;
	long step;
	T &operator[](long i) const
	{
		return p[i * step];
	}
};

/* Counts at the end of its block, also when an exception ends it. */
struct guard {
	unsigned int *p;
	explicit guard(unsigned int *q) : p(q)
	{
	}
	~guard()
	{
		++*p;
	}
};

static NOINLINE void thrown(int number)
{
	if (number > 9)
		throw number;
}
#endif

#endif

/*
 * Open regions: begun in functions that return before the region ends, as a program's own timers do; by ompp_region_open(),
 * or by ompp_region_begin() in place of it.  Each of the TIMES regions has one parallel region.
 */
#include <ompp.h>
#include <stdexcept>

#ifndef BEGIN
#define BEGIN ompp_region_open
#endif
enum { TIMES = 10 };

static int n;

__attribute__((noinline)) static void timer_start(const char *name)
{
	BEGIN(name);
	__asm__ volatile(""); /* no jump in place of a call */
}

__attribute__((noinline)) static void timer_stop(const char *name)
{
	ompp_region_end(name);
	__asm__ volatile("");
}

struct scope {
	__attribute__((noinline)) scope()
	{
		timer_start("scope");
	}
	__attribute__((noinline)) ~scope()
	{
		timer_stop("scope");
	}
};

static void team(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp critical
		n++;
	}
}

/* In itself, and left by an exception. */
static void deep(int levels)
{
	scope here;

	if (!levels)
		throw std::runtime_error("left");
	team();
	deep(levels - 1);
}

int main()
{
	for (int i = 0; i < TIMES; i++) {
		timer_start("timed");
		team();
		timer_stop("timed");
	}
	for (int i = 0; i < TIMES; i++)
		try {
			deep(2);
		} catch (const std::runtime_error &) {
			team();
		}
	return n != 2 * TIMES * 4;
}

/* Work that takes a known number of steps, a chain that no compiler shortens: some 4 cycles of the processor each. */
static inline double work(long steps)
{
	double x = 1.0;

	while (steps-- > 0)
		x = x * 0.999 + 0.5;
	return x;
}

/* Operands of atomics that call something, which may be evaluated before the atomic access: each is evaluated once, with its
 * own type, and those that are a part of the access stay in it.
 *
 * Regions: ATOMIC 32, PARALLEL 2, ATOMIC 2, ATOMIC 2, ATOMIC 2, ATOMIC 2, ATOMIC 2, ATOMIC 2, ATOMIC 2, ATOMIC 2,
 * ATOMIC 2, ATOMIC 2, ATOMIC 2, ATOMIC 2, ATOMIC 2, ATOMIC 2, ATOMIC 2, ATOMIC 2. */
#include <stdio.h>

static int calls;

static int f(int n)
{
	int old;
#pragma omp atomic capture
	old = calls++;
	(void)old;
	return n + 3;
}

static int *place(int *p)
{
	return p;
}

static double g(double x)
{
	f(1);
	return x / 2;
}

static short narrow(void)
{
	return 300;
}

int main(void)
{
	int x = 1, v, w[2] = { 0, 1 }, bits = 0xffff, y = 0, z = 7, c = 0;
	unsigned char small = 250;
	unsigned long shift = 1;
	double d = 1;

#pragma omp parallel num_threads(2) private(v)
	{
#pragma omp atomic
		x += f(2) * 2 == 10 ? f(3) : f(4) << 1;
#pragma omp atomic update
		x = x + f(w[0]) * f(w[1]);
#pragma omp atomic
		x = f(5)
			+ 2 * f(6) + x;
#pragma omp atomic
		w[0] -= f((int)sizeof(x));
#pragma omp atomic
		small += narrow();
#pragma omp atomic
		d = d + g(3.0);
#pragma omp atomic
		d *= g((double)f(1)) ;
#pragma omp atomic
		shift <<= f(-2);
#pragma omp atomic
		bits = bits & f(0xff);
#pragma omp atomic write
		y = f(8);
#pragma omp atomic read
		v = *place(&z);
		if (v != 7)
#pragma omp atomic
			c += f(1);
#pragma omp atomic capture
		v = c += f(9);
#pragma omp atomic capture
		{ v = c; c -= f(7); }
#pragma omp atomic capture
		{ c = c * f(-2); v = c; }
#pragma omp atomic capture
		{ v = z; z = 7; }
#pragma omp atomic
		*place(&w[1]) += 1;
	}
	printf("%d %d %d %d %d %lu %d %d %d %d %d\n", calls, w[0], w[1], small, d > 0, shift, bits, y, z, c, x != 1);
	return 0;
}

/*
 * npb_ft: a heat equation by Fourier transforms in three dimensions, as NPB's FT has it (class W: 128 × 128 × 32
 * complex numbers; 14 steps here).  Prints the seconds; exits with 1 when the result is wrong.
 *
 * The transform and its inverse have to give the first field again.  Each inverse transform has to keep the sum of
 * squares (Parseval), and the sum over all of the field is the transform's first number, which no step changes.
 */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NX = 128, NY = 128, NZ = 32, LONGEST = 128, STEPS = 14 };

static const double PI = 3.14159265358979323846;

struct number {
	double re, im;
};

static struct number field[NZ][NY][NX], waves[NZ][NY][NX], original[NZ][NY][NX], roots[LONGEST];
static double decay[NZ][NY][NX];

/* Transforms n numbers, n a power of 2, by Stockham's way, which needs no exchange of bits: from v, with w as room, to
 * v. */
static void transform(struct number *v, struct number *w, int n, int sign)
{
	struct number *from = v, *to = w, *other;
	int half, stride, i, k;

	for (half = n / 2, stride = 1; half >= 1; half /= 2, stride *= 2) {
		for (i = 0; i < half; i++) {
			struct number root = roots[i * stride * (LONGEST / n)];

			root.im *= sign;
			for (k = 0; k < stride; k++) {
				struct number a = from[stride * i + k], b = from[stride * (i + half) + k], d;

				d.re = a.re - b.re;
				d.im = a.im - b.im;
				to[stride * 2 * i + k].re = a.re + b.re;
				to[stride * 2 * i + k].im = a.im + b.im;
				to[stride * (2 * i + 1) + k].re = d.re * root.re - d.im * root.im;
				to[stride * (2 * i + 1) + k].im = d.re * root.im + d.im * root.re;
			}
		}
		other = from;
		from = to;
		to = other;
	}
	if (from != v) {
		for (i = 0; i < n; i++)
			v[i] = from[i];
	}
}

/* Transforms u in all three dimensions. */
static void transform_all(struct number (*u)[NY][NX], int sign)
{
	int x, y, z;

#pragma omp parallel for schedule(static) private(x, y)
	for (z = 0; z < NZ; z++) {
		struct number line[LONGEST], room[LONGEST];

		for (y = 0; y < NY; y++)
			transform(u[z][y], room, NX, sign);
		for (x = 0; x < NX; x++) {
			for (y = 0; y < NY; y++)
				line[y] = u[z][y][x];
			transform(line, room, NY, sign);
			for (y = 0; y < NY; y++)
				u[z][y][x] = line[y];
		}
	}
#pragma omp parallel for schedule(static) private(x, z)
	for (y = 0; y < NY; y++) {
		struct number line[LONGEST], room[LONGEST];

		for (x = 0; x < NX; x++) {
			for (z = 0; z < NZ; z++)
				line[z] = u[z][y][x];
			transform(line, room, NZ, sign);
			for (z = 0; z < NZ; z++)
				u[z][y][x] = line[z];
		}
	}
}

static void make_field(void)
{
	unsigned long state = 271828182;
	int x, y, z, i;

	for (i = 0; i < LONGEST; i++) {
		roots[i].re = cos(2 * PI * i / LONGEST);
		roots[i].im = sin(2 * PI * i / LONGEST);
	}
	for (z = 0; z < NZ; z++) {
		for (y = 0; y < NY; y++) {
			for (x = 0; x < NX; x++) {
				int kx = (x + NX / 2) % NX - NX / 2, ky = (y + NY / 2) % NY - NY / 2,
				    kz = (z + NZ / 2) % NZ - NZ / 2;

				state = state * 6364136223846793005ul + 1442695040888963407ul;
				waves[z][y][x].re = (double)(state >> 44) / (1 << 20);
				waves[z][y][x].im = (double)(state >> 24 & 0xfffff) / (1 << 20);
				decay[z][y][x] = exp(-4e-6 * PI * PI * (kx * kx + ky * ky + kz * kz));
			}
		}
	}
}

/* One step: what is left of each wave, and the field of it.  Returns the sum of the waves' squares. */
static double step(void)
{
	double squares = 0;
	int x, y, z;

#pragma omp parallel for schedule(static) private(x, y) reduction(+ : squares)
	for (z = 0; z < NZ; z++) {
		for (y = 0; y < NY; y++) {
			for (x = 0; x < NX; x++) {
				struct number *wave = &waves[z][y][x];

				wave->re *= decay[z][y][x];
				wave->im *= decay[z][y][x];
				squares += wave->re * wave->re + wave->im * wave->im;
				field[z][y][x] = *wave;
			}
		}
	}
	transform_all(field, 1);
	return squares;
}

/* Whether the field is what the waves were made of. */
static int is_original(void)
{
	const double all = (double)NX * NY * NZ;
	int x, y, z;

	for (z = 0; z < NZ; z++) {
		for (y = 0; y < NY; y++) {
			for (x = 0; x < NX; x++) {
				if (fabs(field[z][y][x].re / all - original[z][y][x].re) > 1e-12 ||
				    fabs(field[z][y][x].im / all - original[z][y][x].im) > 1e-12)
					return 0;
			}
		}
	}
	return 1;
}

static int near(double value, double expected)
{
	return fabs(value - expected) <= 1e-10 * fabs(expected);
}

int main(void)
{
	const double all = (double)NX * NY * NZ;
	struct number first;
	double begin;
	int i, x, y, z, wrong;

#pragma pomp inst data(field)
#pragma pomp inst data(waves)
#pragma pomp inst data(decay)
#pragma pomp inst data(roots)
	make_field();
	memcpy(original, waves, sizeof(waves));
	begin = omp_get_wtime();
	transform_all(waves, -1);
	first = waves[0][0][0];
	memcpy(field, waves, sizeof(waves));
	transform_all(field, 1);
	wrong = !is_original();
	for (i = 0; i < STEPS; i++) {
		double squares = step(), found = 0, sum_re = 0, sum_im = 0;

#pragma omp parallel for schedule(static) private(x, y) reduction(+ : found, sum_re, sum_im)
		for (z = 0; z < NZ; z++) {
			for (y = 0; y < NY; y++) {
				for (x = 0; x < NX; x++) {
					struct number u = field[z][y][x];

					found += u.re * u.re + u.im * u.im;
					sum_re += u.re;
					sum_im += u.im;
				}
			}
		}
		wrong |= !near(found, squares * all) || !near(sum_re, first.re * all) || !near(sum_im, first.im * all);
	}
	printf("%.6f\n", omp_get_wtime() - begin);
	return wrong;
}

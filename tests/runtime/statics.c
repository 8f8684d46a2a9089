/*
 * statics: prints where static data of this file lie, from the first of their section.  To be compiled as C or C++, and with
 * -DNAME=…, as several files of one program.
 */
#include <stdio.h>

#ifndef NAME
#define NAME work
#define MAIN
#endif

/* .data stands behind a table of the functions that are called.  By its alignment it begins at a multiple of what .bss does,
 * or the gap between them would depend on how many these are. */
static char first_data __attribute__((aligned(64))) = 1;
static double data[5] = { 1 };
static char flag;
static double zeros[33];
static float small[3];
static char odd;
static char large[1 << 24];             /* takes no room in the file */
static double of_thread[7];
static char flag_of_thread;
#pragma omp threadprivate(of_thread, flag_of_thread)
#ifndef __cplusplus
double tentative[77];
int tentative_too;
#else
namespace { char in_namespace[11]; }
#endif
static const char first_constant[] = "constant";
static const double constants[7] = { 1, 2, 3 };

static void at(const char *what, const volatile void *place, const volatile void *from)
{
	static char times[3];

	times[0]++;
	printf("%s %ld\n", what, (long)((const volatile char *)place - (const volatile char *)from));
}

/* Thread-local data lie at a distance from what it points to. */
static char *thread_pointer(void)
{
#ifdef __x86_64__
	char *pointer;

	__asm__("mov %%fs:0, %0" : "=r"(pointer));
	return pointer;
#else
	return (char *)__builtin_thread_pointer();
#endif
}

#define AT(name) at(#name, &name, &first_data)

#ifdef __cplusplus
inline int in_inline(int i)
{
	static char count[9];

	#pragma omp critical (in_inline)
	count[i % 9]++;
	AT(count);
	return count[1];
}

struct member {
	int in_member(int i)
	{
		static long count[9];

		#pragma omp atomic
		count[i % 9]++;
		AT(count);
		return (int)count[1];
	}
};
#endif

#ifdef MAIN
#define CALL_OTHER other()
void other(void);
#else
#define CALL_OTHER (void)0
#endif

void NAME(void)
{
	static double sum;
	static char c;
	int i;

	#pragma omp parallel for reduction(+:sum)
	for (i = 0; i < 33; i++) {
		static long counts[9];

		sum += zeros[i] + data[i % 5] + constants[i % 7] + small[i % 3] + first_constant[i % 4];
		#pragma omp critical
		{
			static char inner[3];

			counts[i % 9]++;
			inner[i % 3]++;
			c++;
			if (i == 1) {
				AT(counts);
				AT(inner);
			}
		}
	}
	#pragma omp parallel
	{
		static short behind[5];

		#pragma omp single
		{
			behind[1]++;
			AT(behind);
		}
		#pragma omp master
		zeros[2]++;
		#pragma omp barrier
		#pragma omp task
		#pragma omp atomic
		zeros[1]++;
	}
	flag = odd = large[5] = 1;
	small[1] = data[1] = 2;
	AT(sum);
	AT(c);
	AT(data);
	AT(flag);
	AT(zeros);
	AT(small);
	AT(odd);
	AT(large);
#ifndef __cplusplus
	tentative[1] = tentative_too = 1;
	AT(tentative);
	AT(tentative_too);
#else
	in_namespace[1] = 1;
	AT(in_namespace);
	in_inline(1);
	member().in_member(1);
#endif
	at("constants", constants, first_constant);
	of_thread[1] = flag_of_thread = 1;
	at("of_thread", of_thread, thread_pointer());
	at("flag_of_thread", &flag_of_thread, thread_pointer());
	CALL_OTHER;
}

#ifdef MAIN
int main(void)
{
	work();
	return 0;
}
#endif

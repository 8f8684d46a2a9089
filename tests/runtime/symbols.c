/*
 * symbols.c: data of all kinds, in C.  Prints "name address bytes" of each object as its own expressions have it.
 */
#include <stdio.h>

#include "ompp.h"

#define SHOW(name, object) printf("%s %#lx %zu\n", name, (unsigned long)&(object), sizeof(object))

#define UNIT "symbols.c"
#define LARGER 0
#include "symbols.h"

int global[1000];
double filled[600] = { 1 };
static float of_file[1500];
const short constants[2500] = { 1, 2 };
static int same[1100];                          /* also in the library */
__thread int own[1200];
extern int of_library[];
int small;

void show_library(void);
void other_cache(void);

static void f(void)
{
	static int buf[1300], only_f[1400];

	touch(buf);
	touch(only_f);
	SHOW("f.buf", buf);
	SHOW("only_f", only_f);
}

static void g(void)
{
	static char buf[5000];
	{
		static long inner[700] = { 3 };

		touch(inner);
		SHOW("g.inner", inner);
	}
	touch(buf);
	SHOW("g.buf", buf);
}

int main(void)
{
	ompp_region_begin("r");
	touch(global);
	touch(of_file);
	touch(same);
	touch(own);
	touch(&small);
	touch(of_library);                      /* without PIE the program has a copy, which the library uses as well */
	SHOW("global", global);
	SHOW("filled", filled);
	SHOW("of_file", of_file);
	SHOW("constants", constants);
	SHOW("same", same);
	f();
	g();
	show_cache();
	other_cache();
	show_library();
	ompp_region_end("r");
	return 0;
}

/* sections: the library that is loaded later; 'use' is called by two threads. */
int zeros[30000], data[1000] = { 1 };
extern const int constants[10000];
const int constants[10000] = { 1, 2, 3 };
#ifndef MINE
#define MINE 50
#endif
_Thread_local int mine[MINE];

__attribute__((constructor)) static void begin(void)
{
	for (int i = 0; i < 100; i++)
		zeros[i * 7] += i;
}

extern void use(void);
void use(void)
{
	for (int i = 0; i < 50; i++)
		mine[i] = i;
}

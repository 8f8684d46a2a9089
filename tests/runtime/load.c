/*
 * Load: a program that loads a library with regions, calls it from several threads, unloads it, and goes on.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static int (*region)(int);

static void *call(void *arg)
{
	*(int *)arg = region(10);
	return NULL;
}

int main(int argc, char **argv)
{
	void *library = dlopen(argv[1], RTLD_NOW);
	pthread_t thread;
	int got = 0;

	if (!library) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	*(void **)(void *)&region = dlsym(library, "region");
	pthread_create(&thread, NULL, call, &got);
	pthread_join(thread, NULL);
	printf("%d %d\n", region(20), got);
	fflush(stdout);
	dlclose(library);
	if (argc > 2 && !strcmp(argv[2], "term"))
		raise(SIGTERM);
	return 3;
}

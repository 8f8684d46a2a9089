/* Loads plug-ins, uses them and unloads them, twice.  Debian's libgomp may be unloaded while its threads are in it, which ends
 * programs; so it is kept. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	for (int i = 0; i < 2 * (argc - 1); i++) {
		void *handle = dlopen(argv[1 + i % (argc - 1)], RTLD_NOW);
		int (*plug)(int) = handle ? (int (*)(int))dlsym(handle, "plug") : NULL;

		dlopen("libgomp.so.1", RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
		if (!plug) {
			printf("%s\n", dlerror());
			return 1;
		}
		printf("%d\n", plug(10));
		dlclose(handle);
	}
	return 0;
}

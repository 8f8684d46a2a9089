/*
 * abi: a program as it was linked with the first release: its calls are declared here, as that release had them.
 * abi.sh links it with a library that has that release's names and nothing else, and runs it with today's.
 */
#include <stddef.h>
#include <stdio.h>

void ompp_region_begin_at(const char *name, const char *file, int line);
void ompp_region_end(const char *name);
void ompp_data_begin(const void *address, size_t n_bytes, const char *name);
void ompp_data_end(const char *name);
void ompp_papi_set_drange(const void *address, size_t n_bytes, const char *name);
const void *ompp_data_enter(const void *address, size_t n_bytes, const char *name, int flags);
void ompp_data_leave(const void **entered);
const void *ompp_data_follow(const void *container, size_t n_bytes,
                             void (*look)(const void *container, const void **data, size_t *n_bytes), const char *name,
                             int flags);
void ompp_off(void);
void ompp_on(void);
void ompp_label(const char *text);
void ompp_sensor_set(const char *name, long long number);

extern const void *const abi_symbols[];
extern const size_t abi_n_symbols;

struct list {
	double *data;
	size_t n;
};

static void look(const void *container, const void **data, size_t *n_bytes)
{
	const struct list *list = container;

	*data = list->data;
	*n_bytes = list->n * sizeof(double);
}

int main(void)
{
	static double a[100], b[50], c[20], d[10];
	struct list list = { d, 10 };
	const void *entered;

	for (size_t i = 0; i < abi_n_symbols; i++)
		if (!abi_symbols[i])
			return 1;
	ompp_data_begin(a, sizeof(a), "a");
	ompp_papi_set_drange(b, sizeof(b), "b");
	entered = ompp_data_enter(c, sizeof(c), "c", 0);
	ompp_data_follow(&list, sizeof(list), look, "d", 0);
	ompp_label("here");
	ompp_sensor_set("number", 7);
	for (int i = 0; i < 3; i++) {
		ompp_region_begin_at("three", "abi.c", 11);
		ompp_region_end("three");
	}
	ompp_off();
	ompp_region_begin_at("none", "abi.c", 12);
	ompp_region_end("none");
	ompp_on();
	ompp_data_leave(&entered);
	ompp_data_end("a");
	return printf("%zu\n", abi_n_symbols) < 0;
}

/*
 * Hot functions: of any samples, each name has the samples of the spots with this name, and of no other, in its file
 * and library; so a function that was inlined into several has one for each.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "reports/analysis/hot_functions.h"

enum { N_SPOTS = 60, ROUNDS = 500, NAME_BYTES = 64 };
#define OF(words) words[below(sizeof(words) / sizeof(*(words)))]

static struct ompp_arena arena;
static struct ompp_hot_spot spots[N_SPOTS];

static uint32_t below(uint64_t n)
{
	static uint64_t state = 88172645463325252u;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)((state >> 33) % n);
}

/* Writes the name of a spot as a reader knows it: what stands in front of the first dot is the function. */
static void name_of(const struct ompp_hot_spot *spot, char *name)
{
	const char *dot = strchr(spot->within, '.');
	char within[NAME_BYTES];

	strcpy(within, spot->within);
	if (dot)
		within[dot - spot->within] = 0;
	strcpy(name, spot->function);
	if (strcmp(within, spot->function) && within[0]) {
		strcat(name, " in ");
		strcat(name, within);
	}
}

static int is_of(const struct ompp_hot_spot *spot, const char *name, const struct ompp_hot_spot *as)
{
	char own[NAME_BYTES];

	name_of(spot, own);
	return !strcmp(own, name) && spot->file == as->file;
}

static void draw(void)
{
	static const char *const functions[] = { "f", "ff", "g", "h::f" }, *const files[] = { "a.c", "a.h" };
	static const char *const symbols[] = { "",         "f", "f._omp_fn.0",   "f._omp_fn.1",
		                               "f.part.0", "g", "g.constprop.0", "ff",
		                               "gg" };

	for (uint32_t i = 0; i < N_SPOTS; i++)
		spots[i] = (struct ompp_hot_spot){ .module = "",
			                           .node = 1,
			                           .function = OF(functions),
			                           .within = OF(symbols),
			                           .file = OF(files),
			                           .line = 1 + below(3),
			                           .n = 1 + below(5) };
}

static void check(const struct ompp_hot_functions *all)
{
	uint64_t n_all = 0;

	for (size_t i = 0; i < all->n; i++) {
		char name[NAME_BYTES], said[NAME_BYTES];
		struct ompp_text t;
		uint64_t n = 0;

		ompp_text_init(&t, said, sizeof(said));
		ompp_hot_put_function(&t, all->list[i].spot);
		name_of(all->list[i].spot, name);
		assert_string_equal(said, name);
		for (uint32_t k = 0; k < N_SPOTS; k++)
			n += is_of(&spots[k], name, all->list[i].spot) ? spots[k].n : 0;
		assert_int_equal(all->list[i].n, n);
		n_all += n;
	}
	assert_int_equal(all->n_samples, n_all);
}

static void names_by_chance(void **unused)
{
	struct ompp_node nodes[2] = { { .region = OMPP_NONE }, { .region = 0 } };
	struct ompp_profile profile = { .nodes = nodes, .n_nodes = 2, .hot_spots = spots, .n_hot_spots = N_SPOTS };
	struct ompp_analysis a = { .arena = &arena, .profile = &profile };
	struct ompp_hot_functions all;

	(void)unused;
	for (int i = 0; i < ROUNDS; i++) {
		ompp_arena_init(&arena, 0);
		draw();
		assert_int_equal(ompp_hot_functions(&a, 0, 1, &all), 0);
		check(&all);
		ompp_arena_fini(&arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(names_by_chance) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Callstack: compares rules with those that readelf prints, and walks through a library that takes another's place; see
 * callstack.sh.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/array.h"
#include "runtime/program/callstack.h"
#include "runtime/program/callstack_rule.h"

#if defined(__x86_64__)
static const char sp_name[] = "rsp", fp_name[] = "rbp";
#else
static const char sp_name[] = "sp", fp_name[] = "x29";
#endif

/* Writes a rule in readelf's words: the CFA, the frame pointer's place, and the return address's. */
static void say(struct ompp_callstack_rule rule, char *text, size_t n_text)
{
	char fp[32] = "u"; /* readelf's word for both, the same and lost */

	if (rule.fp_from == OMPP_FP_AT_CFA)
		snprintf(fp, sizeof(fp), "c%+d", (int)rule.fp * 8);
	else if (rule.fp_from == OMPP_FP_AT_FP)
		strcpy(fp, "exp");
	if (rule.cfa_from == OMPP_CFA_NONE)
		snprintf(text, n_text, "none");
	else if (rule.cfa_from == OMPP_CFA_AT_FP)
		snprintf(text, n_text, "exp %s c%+d", fp, (int)rule.ra * 8);
	else
		snprintf(text, n_text, "%s%+d %s c%+d", rule.cfa_from == OMPP_CFA_SP ? sp_name : fp_name,
		         (int)rule.cfa * 8, fp, (int)rule.ra * 8);
}

/* Reads lines "FIRST END RULE" of a library's rows.  Prints those that differ, and how many there were.  The last
 * address may be that of another function: the one that signal handlers return to begins a byte before itself. */
static int compare_rules(const char *path)
{
	struct link_map *library = dlopen(path, RTLD_NOW);
	char line[256], expected[128], first[128], middle[128];
	unsigned long lo, hi, n = 0;

	if (!library)
		return 2;
	while (fgets(line, sizeof(line), stdin)) {
		if (sscanf(line, "%lx %lx %127[^\n]", &lo, &hi, expected) != 3)
			return 3;
		say(ompp_callstack_rule(library->l_addr + lo), first, sizeof(first));
		say(ompp_callstack_rule(library->l_addr + lo + (hi - lo) / 2), middle, sizeof(middle));
		if (strcmp(first, expected) || strcmp(middle, expected))
			printf("%lx to %lx: %s, but %s, %s\n", lo, hi, expected, first, middle);
		n++;
	}
	printf("%lu rows\n", n);
	return 0;
}

static uintptr_t stack_hi, callers[64];
static size_t n_callers;

static __attribute__((noinline)) void walk(void)
{
	n_callers = ompp_callstack_here(stack_hi, callers, OMPP_COUNT_OF(callers));
}

static uintptr_t end_of_stack(void)
{
	pthread_attr_t attributes;
	size_t n_bytes;
	void *lo;

	pthread_getattr_np(pthread_self(), &attributes);
	pthread_attr_getstack(&attributes, &lo, &n_bytes);
	pthread_attr_destroy(&attributes);
	return (uintptr_t)lo + n_bytes;
}

/* Loads and unloads the library, and lets rules be forgotten. */
static void forget(const char *path)
{
	void *library = dlopen(path, RTLD_NOW);

	if (library)
		dlclose(library);
	ompp_callstack_forget();
}

/* Walks through a library, unloads it, and does the same with the other one; in between rules are forgotten so many
 * times.  Prints whether the second has taken the place of the first, and whether the callers are the same. */
static int take_turns(char *const *paths, int n_times)
{
	uintptr_t bias[2], found[2][OMPP_COUNT_OF(callers)];
	size_t n[2];

	for (int i = 0; i < 2; i++) {
		struct link_map *library;
		void (*call)(void (*)(void));

		for (int j = 1; i == 1 && j < n_times; j++)
			forget(paths[0]);
		library = dlopen(paths[i], RTLD_NOW);
		if (!library || !(call = (void (*)(void (*)(void)))dlsym(library, "call")))
			return 2;
		if (n_times)
			ompp_callstack_forget();
		call(walk);
		bias[i] = library->l_addr;
		n[i] = n_callers;
		memcpy(found[i], callers, sizeof(callers));
		dlclose(library);
	}
	printf("%s %s\n", bias[0] == bias[1] ? "there" : "elsewhere",
	       n[0] > 3 && n[0] == n[1] && !memcmp(found[0], found[1], n[0] * sizeof(callers[0])) ? "same" : "other");
	return 0;
}

int main(int argc, char **argv)
{
	stack_hi = end_of_stack();
	return argc == 2 ? compare_rules(argv[1]) : take_turns(argv + 2, atoi(argv[1]));
}

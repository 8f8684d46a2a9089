/*
 * Finding, loops: regions of which the compiler vectorised no loop, by what it said itself (kinst --opt-info).  What
 * vectors would win is not known: where memory limits the loop, nothing.
 *
 * It is found for worksharing loops and for regions of the user's, whose work is the loop's.
 */
#include <string.h>

#include "reports/bounds/loop_region.h"
#include "reports/findings/finding.h"
#include "runtime/base/clean.h"

/* Is most of the region's work in the loops between its lines, as far as its construct tells? */
static int is_loop(enum ompp_construct construct)
{
	return construct == OMPP_LOOP || construct == OMPP_PARALLEL_LOOP || construct == OMPP_USER_REGION;
}

/* Returns what is to be tried by the compiler's reason. */
static const char *advise_vectors(const char *how)
{
	if (strstr(how, "alias") || strstr(how, "array bounds"))
		return "If the arrays never overlap, say so: restrict in C and C++, or #pragma omp simd in front of "
		       "the innermost loop.";
	if (strstr(how, "clobbers memory") || strstr(how, "call "))
		return "Take the call out of the innermost loop, let it be inlined, or declare it with #pragma omp "
		       "declare simd.";
	if (strstr(how, "control flow") || strstr(how, "number of loop iterations"))
		return "Let the number of iterations be known before the loop runs: no break or return in it, and no "
		       "branches around stores.";
	return "See whether iterations depend on each other: sums may need -ffast-math or reduction in #pragma omp "
	       "simd; -O3 and -march=native vectorise more.";
}

static void loops_judge(struct ompp_finder *finder, uint32_t region)
{
	const struct ompp_analysis *a = finder->analysis;
	const struct ompp_profile *p = a->profile;
	const struct ompp_loop *inner = NULL;
	int64_t ns = ompp_loop_work_ns(a, region);
	const char *how;
	struct ompp_text t;

	for (size_t i = 0; i < p->n_loops; i++) {
		if (ompp_loop_region(p, &p->loops[i]) != region)
			continue;
		if (p->loops[i].is_vectorized)
			return;
		inner = &p->loops[i]; /* the last one: mostly the innermost */
	}
	if (!inner || ns == OMPP_MISSING)
		return;
	how = ompp_clean_copy(inner->how, 0, a->arena);
	if (!how)
		return;
	ompp_say_start(&t, a->arena);
	ompp_say_share(&t, ompp_share(ns, a->capacity_ns));
	ompp_text_str(&t,
	              " of all threads' time is its work, and the compiler vectorised none of its loops; of the one in "
	              "line ");
	ompp_text_u64(&t, inner->line);
	ompp_text_str(&t, " it says: ");
	ompp_text_str(&t, how);
	ompp_text_char(&t, '.');
	ompp_find_counted(finder, &(struct ompp_finding){ .name = "LoopNotVectorised",
	                                                  .region = region,
	                                                  .weight = ompp_share(ns, a->capacity_ns),
	                                                  .evidence = t.data,
	                                                  .advice = advise_vectors(inner->how) });
}

void ompp_find_loops(struct ompp_finder *finder)
{
	const struct ompp_profile *p = finder->analysis->profile;

	for (uint32_t r = 0; r < p->n_regions && p->n_loops; r++)
		if (is_loop(p->regions[r].construct))
			loops_judge(finder, r);
}

/*
 * Formula: see formula.h.
 */
#include "reports/analysis/formula.h"

#include <string.h>

#include "runtime/base/text.h"

static uint32_t find_metric(const struct ompp_profile *p, const char *name, size_t n)
{
	for (uint32_t m = 0; m < p->n_metrics; m++)
		if (!strncmp(p->metrics[m].name, name, n) && !p->metrics[m].name[n])
			return m;
	return OMPP_NONE;
}

/* Returns why there is no value: "PAPI_TOT_INS is not counted". */
static const char *formula_without(const char *name, size_t n, struct ompp_arena *arena)
{
	char buffer[160];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_strn(&t, name, n < 120 ? n : 120);
	ompp_text_str(&t, " is not counted");
	return ompp_arena_strdup(arena, buffer);
}

static int find_metrics(struct ompp_formula *f, const struct ompp_profile *p, struct ompp_arena *arena)
{
	for (size_t i = 0; i < f->expression.n_names; i++) {
		const char *name = f->expression.names[i].text;
		size_t n = f->expression.names[i].n;
		uint32_t m = f->metrics[i] = find_metric(p, name, n);
		enum ompp_certainty certainty = m == OMPP_NONE ? OMPP_NOT_COUNTED : p->metrics[m].certainty;

		if (certainty > f->certainty)
			f->certainty = certainty;
		if (certainty == OMPP_NOT_COUNTED && !f->why[0])
			f->why = formula_without(name, n, arena);
		if (!f->why)
			return 0;
	}
	return 1;
}

struct ompp_formula *ompp_formulas(const struct ompp_profile *p, struct ompp_arena *arena)
{
	struct ompp_formula *formulas = ompp_arena_alloc(arena, p->n_evals * sizeof(*formulas));
	const char **known = ompp_arena_alloc(arena, p->n_metrics * sizeof(*known));
	char buffer[200];
	struct ompp_text why;

	if (!formulas || !known)
		return NULL;
	for (size_t m = 0; m < p->n_metrics; m++)
		known[m] = p->metrics[m].name;
	for (size_t i = 0; i < p->n_evals; i++) {
		struct ompp_formula *f = &formulas[i];

		f->eval = &p->evals[i];
		f->certainty = OMPP_EXACT;
		f->why = "";
		ompp_text_init(&why, buffer, sizeof(buffer));
		if (ompp_expression_parse(&f->expression, f->eval->expression, known, p->n_metrics, &why)) {
			f->expression.n_steps = f->expression.n_names = 0;
			f->certainty = OMPP_NOT_COUNTED;
			f->why = ompp_arena_strdup(arena, buffer);
		}
		if (!f->why || !find_metrics(f, p, arena))
			return NULL;
	}
	return formulas;
}

struct ompp_decimal ompp_formula_value(const struct ompp_formula *f, const struct ompp_profile *p,
                                       const int64_t *values, int64_t exec_ns, uint64_t n_exec, uint64_t n_threads)
{
	int64_t named[OMPP_EXPRESSION_NAMES];

	for (size_t i = 0; i < f->expression.n_names; i++) {
		uint32_t m = f->metrics[i];

		named[i] = m == OMPP_NONE || p->metrics[m].certainty == OMPP_NOT_COUNTED ? OMPP_MISSING : values[m];
	}
	return ompp_expression_value(&f->expression, named, exec_ns, n_exec, n_threads);
}

int ompp_formula_has_counters(const struct ompp_formula *formula)
{
	return formula->expression.n_names > 0;
}

/*
 * Course, few: see course_few.h.
 */
#include "reports/findings/course_few.h"

#include <errno.h>

#include "reports/analysis/course_stretch.h"
#include "reports/analysis/label.h"
#include "reports/findings/finding_say.h"
#include "runtime/base/text.h"

/* Says "The last 20.1 % of the run (0.201 s)", or "20.1 % of the run, from 1.10 s on,". */
static void say_when(struct ompp_text *t, const struct ompp_course_stretch *few, int64_t all_ns)
{
	int64_t ns = few->end_ns - few->begin_ns;
	int is_inside = few->end_ns != all_ns && few->begin_ns;

	if (ns == all_ns) {
		ompp_text_str(t, "The whole run had ");
		return;
	}
	if (!is_inside)
		ompp_text_str(t, few->end_ns == all_ns ? "The last " : "The first ");
	ompp_say_share(t, ompp_share(ns, all_ns));
	ompp_text_str(t, is_inside ? " of the run, from " : " of the run (");
	ompp_say_time(t, is_inside ? few->begin_ns : ns);
	ompp_text_str(t, is_inside ? " on, had " : ") had ");
}

int ompp_course_say_few(const struct ompp_analysis *a, int with_region, const char **sentence)
{
	const struct ompp_profile *p = a->profile;
	struct ompp_course_stretch few;
	int found = ompp_course_few(p, a->n_threads, a->arena, &few);
	const struct ompp_region *region;
	struct ompp_text t;

	*sentence = NULL;
	if (found <= 0)
		return found;
	ompp_say_start(&t, a->arena);
	say_when(&t, &few, ompp_course_ns(p));
	ompp_text_fixed(&t, (ompp_course_milli(&few, few.work_ns) + 50) / 100, 1, 1);
	ompp_text_str(&t, " of ");
	ompp_say_count(&t, a->n_threads, "thread");
	ompp_text_str(&t, " at work");
	region = few.region == OMPP_NONE || !with_region ? NULL : &p->regions[few.region];
	if (region) {
		ompp_text_str(&t, ", mostly in ");
		ompp_text_str(&t, ompp_region_title(a, region, region->construct));
	}
	ompp_text_char(&t, '.');
	*sentence = t.data;
	return 0;
}

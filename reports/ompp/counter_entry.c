/*
 * Counter entry: see counter_entry.h.
 */
#include "reports/ompp/counter_entry.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/text.h"
#include "runtime/counters/counter_try.h"

static int is_not_permitted(int rc)
{
	return rc == -EACCES || rc == -EPERM || rc == -ENOSYS;
}

void ompp_counter_look_up(struct ompp_counter_entry *e, const char *name)
{
	struct ompp_text why;
	int rc;

	memset(e, 0, sizeof(*e));
	ompp_text_init(&why, e->why, sizeof(e->why));
	e->rc = ompp_counter_find(name, strlen(name), &e->counter, &why);
	e->here = OMPP_HERE_NOT;
	if (e->counter.kind == OMPP_COUNTER_ACCESS && e->rc != -EINVAL && e->rc != -ENOENT) {
		e->here = OMPP_HERE_BY_HOOKS;
		return;
	}
	if (e->counter.kind == OMPP_COUNTER_WORK) {
		e->here = OMPP_HERE_BY_WORK;
		return;
	}
	if (e->rc)
		return;
	rc = ompp_counter_try(&e->counter, &e->value, &why);
	if (!rc)
		e->here = e->value || e->counter.event[0].software ? OMPP_HERE_COUNTS : OMPP_HERE_ZERO;
	else if (is_not_permitted(rc) && e->counter.n_events == 1 && ompp_counter_own(&e->counter.event[0]))
		e->here = OMPP_HERE_TOLD;
}

int ompp_counter_is_preset(const struct ompp_counter_entry *e)
{
	return !strncmp(e->counter.name, "PAPI_", 5) && !strcmp(e->counter.source, "PAPI");
}

int ompp_counter_is_unknown(const struct ompp_counter_entry *e)
{
	return e->rc == -ENOENT || e->rc == -EINVAL;
}

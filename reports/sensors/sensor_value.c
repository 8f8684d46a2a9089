/*
 * Value: the program's own values, which it sets by ompp_sensor_set().
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/sensors/program.h"
#include "runtime/ompp_sensor.h"

enum { MOST = 2 * OMPP_PUBLISHED_VALUES }; /* those of the program, and those requested before they exist */

struct state {
	char names[MOST][OMPP_PUBLISHED_NAME];
	int events[MOST], n;
};

/* Returns the event with this name, added if it is new; -1 when there is no room. */
static int event_of(struct ompp_sensor_host *host, struct state *s, const char *name)
{
	const struct ompp_sensor_event event = { .name = name,
		                                 .unit = "number",
		                                 .what = "set by the program: ompp_sensor_set()",
		                                 .kind = OMPP_SENSOR_GAUGE };

	for (int i = 0; i < s->n; i++)
		if (!strcmp(s->names[i], name))
			return s->events[i];
	if (s->n == MOST)
		return -1;
	snprintf(s->names[s->n], sizeof(s->names[s->n]), "%s", name);
	s->events[s->n] = host->event(host, &event);
	return s->events[s->n++];
}

static int value_find(struct ompp_sensor_host *host, void *state, const char *name)
{
	if (strlen(name) >= OMPP_PUBLISHED_NAME)
		return host->lacks(host, "a name has at most %d bytes", OMPP_PUBLISHED_NAME - 1);
	return event_of(host, state, name);
}

static void value_sample(struct ompp_sensor_host *host, void *state)
{
	const struct ompp_published *p = ompp_program_read(host->pid);
	int source = host->source(host, "program");

	for (int i = 0; p && i < OMPP_PUBLISHED_VALUES; i++) {
		const struct ompp_published_value *v = &p->values[i];
		char name[OMPP_PUBLISHED_NAME];

		if (v->state != OMPP_PUBLISHED_READY || !v->is_set || !v->name[0])
			continue;
		memcpy(name, v->name, sizeof(name));
		name[sizeof(name) - 1] = '\0';
		host->set(host, event_of(host, state, name), source, (uint64_t)v->number);
	}
	if (!p && ompp_program.why[0]) {
		host->lacks(host, "%s", ompp_program.why);
		ompp_program.why[0] = '\0';
	}
}

static int value_begin(struct ompp_sensor_host *host, void **state)
{
	int rc = ompp_program_begin(host, state, sizeof(struct state));
	struct state *s;

	if (rc)
		return rc;
	s = *state;
	value_sample(host, s);
	return 0;
}

const struct ompp_sensor ompp_sensor_value = { OMPP_SENSOR_VERSION,
	                                       "value",
	                                       "values of the watched program's own: ompp_sensor_set()",
	                                       "program",
	                                       value_begin,
	                                       value_sample,
	                                       free,
	                                       value_find };

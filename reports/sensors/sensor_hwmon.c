/*
 * Hwmon: temperatures, power, fans and voltages of the machine's monitoring chips: /sys/class/hwmon.
 */
#include "reports/sensors/capacity.h"
#include "reports/sensors/feed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/array.h"

static const char folder[] = "class/hwmon";

/* clang-format off */
/* Files "temp3_input"; their sources are "chip/temp3", or the label that stands in "temp3_label". */
static const struct { const char *prefix; struct ompp_sensor_event event; } kinds[] = {
	{ "temp", { "temperature", "degC", "temperature", OMPP_SENSOR_GAUGE, OMPP_SENSOR_MOST, 1e-3, 0, 0 } },
	{ "power", { "power", "W", "power taken", OMPP_SENSOR_GAUGE, OMPP_SENSOR_SUM, 1e-6, 0, 0 } },
	{ "energy", { "energy", "J", "energy used", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 1e-6, 0, 0 } },
	{ "fan", { "fan", "rpm", "speed of a fan", OMPP_SENSOR_GAUGE, OMPP_SENSOR_MEAN, 0, 0, 0 } },
	{ "in", { "voltage", "V", "voltage", OMPP_SENSOR_GAUGE, OMPP_SENSOR_NOTHING, 1e-3, 0, 0 } },
	{ "curr", { "current", "A", "current", OMPP_SENSOR_GAUGE, OMPP_SENSOR_NOTHING, 1e-3, 0, 0 } },
};
/* clang-format on */

/* Returns the factor from the files' numbers to the event's unit. */
static double scale_of(size_t kind)
{
	return kinds[kind].event.scale > 0 ? kinds[kind].event.scale : 1;
}

struct input {
	char path[160], source[96];
	size_t kind;
};

struct state {
	struct ompp_sensor_host *host;
	struct ompp_feed feed;
	struct input *inputs;
	size_t n;
	char chip[48], chip_name[40]; /* while searching for chips: the folder and the name of the chip */
	int events[OMPP_COUNT_OF(kinds)];
};

static void copy_line(char *to, size_t n_to, const char *text)
{
	snprintf(to, n_to, "%.*s", (int)strcspn(text, "\n"), text);
	for (; *to; to++)
		if (*to == ' ' || *to == ',' || *to == '@')
			*to = '_';
}

static void add_input(void *context, const char *name, int unused)
{
	struct state *s = context;
	const char *end = strstr(name, "_input"), *text;
	struct input *inputs, *input;
	char path[160], label[40];
	size_t kind = 0, n;

	(void)unused;
	if (!end || end[6])
		return;
	while (kind < OMPP_COUNT_OF(kinds) &&
	       (n = strlen(kinds[kind].prefix), strncmp(name, kinds[kind].prefix, n) || name[n] < '0' || name[n] > '9'))
		kind++;
	inputs = kind < OMPP_COUNT_OF(kinds) ? realloc(s->inputs, (s->n + 1) * sizeof(*inputs)) : NULL;
	if (!inputs)
		return;
	s->inputs = inputs;
	input = &inputs[s->n++];
	input->kind = kind;
	snprintf(input->path, sizeof(input->path), "%s/%.40s/%.40s", folder, s->chip, name);
	snprintf(path, sizeof(path), "%s/%.40s/%.*s_label", folder, s->chip, (int)(end - name), name);
	text = ompp_feed_once(&s->feed, s->host->sys, path);
	if (text)
		copy_line(label, sizeof(label), text);
	else
		snprintf(label, sizeof(label), "%.*s", (int)(end - name), name);
	snprintf(input->source, sizeof(input->source), "%s/%s", s->chip_name, label);
	for (size_t i = 0; i + 1 < s->n; i++) /* two chips with the same name */
		if (!strcmp(s->inputs[i].source, input->source) && s->inputs[i].kind == kind)
			snprintf(input->source, sizeof(input->source), "%.30s-%.24s/%.36s", s->chip_name, s->chip,
			         label);
}

static void add_chip(void *context, const char *name, int unused)
{
	struct state *s = context;
	char path[160];
	const char *text;

	(void)unused;
	snprintf(s->chip, sizeof(s->chip), "%.40s", name);
	snprintf(path, sizeof(path), "%s/%s/name", folder, s->chip);
	text = ompp_feed_once(&s->feed, s->host->sys, path);
	copy_line(s->chip_name, sizeof(s->chip_name), text ? text : name);
	snprintf(path, sizeof(path), "%s/%s", folder, s->chip);
	ompp_feed_each(s->host->sys, path, "", add_input, s);
}

/* Sets the limit of an input: what it is made for, or else where the chip says that it is critical or too high. */
static void limit_input(struct state *s, const struct input *in)
{
	static const char *const words[] = { "rated_max", "crit", "max" };
	struct ompp_sensor_host *host = s->host;
	int source = host->source(host, in->source), n = (int)(strlen(in->path) - strlen("_input"));
	char path[176];

	for (size_t i = 0; i < OMPP_COUNT_OF(words); i++) {
		snprintf(path, sizeof(path), "%.*s_%s", n, in->path, words[i]);
		if (ompp_capacity_limit(host, s->events[in->kind], source, path, scale_of(in->kind)))
			return;
	}
}

static void hwmon_sample(struct ompp_sensor_host *host, void *state)
{
	struct state *s = state;
	int64_t number;

	for (size_t i = 0; i < s->n; i++)
		if (host->wants(host, s->events[s->inputs[i].kind]) &&
		    !ompp_feed_number(host->sys, s->inputs[i].path, &number))
			host->set(host, s->events[s->inputs[i].kind], host->source(host, s->inputs[i].source),
			          (uint64_t)number);
}

static void end(void *state)
{
	struct state *s = state;

	ompp_feed_close(&s->feed);
	free(s->inputs);
	free(s);
}

static int hwmon_begin(struct ompp_sensor_host *host, void **state)
{
	struct state *s = calloc(1, sizeof(*s));

	if (!s)
		return host->lacks(host, "not enough memory");
	s->host = host;
	s->feed = OMPP_FEED;
	ompp_feed_each(host->sys, folder, "hwmon", add_chip, s);
	if (!s->n) {
		end(s);
		return host
		        ->lacks(host,
		                "no %s/%s/*/*_input; load the driver of the machine's monitoring chip, as coretemp or "
		                "k10temp (virtual machines have none)",
		                host->sys, folder);
	}
	for (size_t k = 0; k < OMPP_COUNT_OF(kinds); k++) {
		size_t i = 0;

		while (i < s->n && s->inputs[i].kind != k)
			i++;
		s->events[k] = i < s->n ? host->event(host, &kinds[k].event) : -1;
	}
	for (size_t i = 0; i < s->n; i++)
		if (kinds[s->inputs[i].kind].event.kind == OMPP_SENSOR_GAUGE)
			limit_input(s, &s->inputs[i]);
	hwmon_sample(host, s);
	*state = s;
	return 0;
}

const struct ompp_sensor ompp_sensor_hwmon = { OMPP_SENSOR_VERSION,
	                                       "hwmon",
	                                       "temperatures, power, fans, voltages",
	                                       "chip's input",
	                                       hwmon_begin,
	                                       hwmon_sample,
	                                       end,
	                                       NULL };

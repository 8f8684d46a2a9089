/*
 * Sensor uncore: counters outside of the cores, of machines with several nodes: memory controllers (uncore_imc,
 * amd_umc, cxl_pmu) and what connects nodes (uncore_upi, amd_df, arm_cmn), as the kernel describes them in sysfs, in
 * per cent of what they can do.
 *   cc -shared -fPIC sensor_uncore.c $(pkg-config --cflags ompp) -o sensor_uncore.so
 *   ompp sensors -s ./sensor_uncore.so uncore
 *   SENSOR_LIMITS='imc/cas*=25.6e9' ompp live -s ./sensor_uncore.so -e 'uncore:imc/cas_count_read/@*' -- ./prog
 * Each PMU that counts for the machine is a source, as socket1.uncore_imc_0, and its named events are events, as
 * imc/cas_count_read/.  Where the kernel names none, as of uncore_upi, give what perf takes:
 * 'uncore:upi/event=2,umask=15/'.
 * SENSOR_LIMITS has what one source can do a second, in the event's unit, which no file of the kernel tells: words
 * PATTERN=NUMBER.  SENSOR_SYS is where sysfs is, for tests.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <linux/perf_event.h>
#include <locale.h>
#include <ompp_sensor.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NAME_BYTES = 128, LINE_BYTES = 512, PATH_BYTES = 700 };

static const char *const patterns[] = { "uncore_*imc*", "uncore_upi*", "uncore_qpi*", "uncore_m2m*", "uncore_cxl*",
	                                "cxl_pmu*",     "amd_df*",     "amd_umc*",    "arm_cmn*",    "hisi_*",
	                                "nvidia_*" };

/* One PMU on one CPU of its cpumask. */
struct place {
	char pmu[NAME_BYTES], kind[NAME_BYTES]; /* "uncore_imc_0", "imc" */
	int cpu, source;
};

/* An event at one place. */
struct counter {
	size_t place;
	int event, fd; /* fd: -1: not opened yet, -2: cannot be opened */
	struct perf_event_attr attr;
	uint64_t last[3]; /* count, and the times for which it was enabled and counted */
	double sum;       /* what it has counted, and would have if it had counted all the time */
};

/* An event that ompp knows of. */
struct event {
	char name[NAME_BYTES], unit[32];
	double scale;
	int number;
};

struct uncore {
	struct ompp_sensor_host *host;
	const char *sys;
	struct place *places;
	struct counter *counters;
	struct event *events;
	size_t n_places, n_counters, n_events;
};

/* Makes room for one more element.  Returns it, all 0, or NULL. */
static void *one_more(void *list, size_t *n, size_t bytes)
{
	char *more = realloc(*(void **)list, (*n + 1) * bytes);

	if (!more)
		return NULL;
	*(void **)list = more;
	return memset(more + (*n)++ * bytes, 0, bytes);
}

/* Reads the first line of a file below a PMU's folder.  Returns 0, or -1 when there is none. */
static int pmu_line(const struct uncore *u, const char *pmu, const char *file, const char *suffix,
                    char line[LINE_BYTES])
{
	char path[PATH_BYTES];
	FILE *f;
	int rc;

	snprintf(path, sizeof(path), "%s/bus/event_source/devices/%s/%s%s", u->sys, pmu, file, suffix);
	f = fopen(path, "re");
	if (!f)
		return -1;
	rc = fgets(line, LINE_BYTES, f) ? 0 : -1;
	fclose(f);
	line[rc ? 0 : strcspn(line, "\n")] = '\0';
	return rc;
}

/* A number as the kernel writes it, whatever the user's locale is. */
static double kernel_number(const char *text, char **end)
{
	static locale_t plain;

	plain = plain ? plain : newlocale(LC_ALL_MASK, "C", NULL);
	return plain ? strtod_l(text, end, plain) : strtod(text, end);
}

/* ---- what the kernel is asked for ---- */

/* Puts a value into the bits of a field, as "config1:0-7,32-35" says where they are.  Returns 0, or -1. */
static int put_field(struct perf_event_attr *attr, const char *format, uint64_t value)
{
	const char *at = strchr(format, ':');
	uint64_t bits = 0;

	while (at && at[0] && at[1]) {
		char *end;
		unsigned long first = strtoul(at + 1, &end, 10), last = *end == '-' ? strtoul(end + 1, &end, 10) : first;

		for (; first <= last && first < 64; first++, value >>= 1)
			bits |= (value & 1) << first;
		at = *end == ',' ? end : NULL;
	}
	if (!strncmp(format, "config:", 7))
		attr->config |= bits;
	else if (!strncmp(format, "config1:", 8))
		attr->config1 |= bits;
	else if (!strncmp(format, "config2:", 8))
		attr->config2 |= bits;
	else
		return -1;
	return value ? -1 : 0; /* it does not fit */
}

/* Encodes "event=0x04,umask=0x03".  Returns 0, or -1 and the term that is not known or does not fit. */
static int encode(const struct uncore *u, const char *pmu, const char *terms, struct perf_event_attr *attr,
                  char term[NAME_BYTES])
{
	char line[LINE_BYTES], file[NAME_BYTES + 8];

	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	attr->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	snprintf(term, NAME_BYTES, "type");
	if (pmu_line(u, pmu, "type", "", line))
		return -1;
	attr->type = (uint32_t)strtoul(line, NULL, 10);
	while (*terms) {
		size_t n = strcspn(terms, ",");
		char *end = NULL, *is;
		uint64_t value = 1;

		snprintf(term, NAME_BYTES, "%.*s", (int)n, terms);
		terms += n + (terms[n] == ',');
		is = strchr(term, '=');
		if (is) {
			value = strtoull(is + 1, &end, 0);
			*is = '\0';
		}
		snprintf(file, sizeof(file), "format/%s", term);
		if (!strcmp(term, "config"))
			snprintf(line, sizeof(line), "config:0-63");
		else if (strchr(term, '/') || pmu_line(u, pmu, file, "", line))
			return -1;
		if ((is && (end == is + 1 || *end)) || put_field(attr, line, value))
			return -1;
	}
	return 0;
}

/* Finds the scale and the unit of an event: bytes where the kernel has MiB and the like. */
static void find_unit(const struct uncore *u, const char *pmu, const char *file, struct event *e)
{
	static const struct {
		const char *unit;
		double n_bytes;
	} units[] = { { "Bytes", 1 }, { "B", 1 }, { "KiB", 1024 }, { "MiB", 1048576 }, { "GiB", 1073741824 } };
	char line[LINE_BYTES];

	e->scale = pmu_line(u, pmu, file, ".scale", line) ? 1 : kernel_number(line, NULL);
	snprintf(e->unit, sizeof(e->unit), "times");
	if (pmu_line(u, pmu, file, ".unit", line))
		return;
	snprintf(e->unit, sizeof(e->unit), "%.31s", line);
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(line, units[i].unit)) {
			snprintf(e->unit, sizeof(e->unit), "bytes");
			e->scale *= units[i].n_bytes;
		}
}

/* ---- events ---- */

/* Tells of the limit of an event: that of the first word of SENSOR_LIMITS whose pattern has its name. */
static void tell_limit(struct uncore *u, const struct event *e)
{
	const char *at = getenv("SENSOR_LIMITS");

	while (at && *(at += strspn(at, " "))) {
		char word[LINE_BYTES], *is;

		snprintf(word, sizeof(word), "%.*s", (int)strcspn(at, " "), at);
		at += strcspn(at, " ");
		is = strrchr(word, '=');
		if (!is)
			continue;
		*is = '\0';
		if (fnmatch(word, e->name, 0))
			continue;
		u->host->limit(u->host, e->number, -1, kernel_number(is + 1, NULL));
		return;
	}
}

/* Is SENSOR_LIMITS what it should be?  If not, the word that is wrong. */
static int are_limits(char word[LINE_BYTES])
{
	const char *at = getenv("SENSOR_LIMITS");

	while (at && *(at += strspn(at, " "))) {
		char *is, *end;

		snprintf(word, LINE_BYTES, "%.*s", (int)strcspn(at, " "), at);
		at += strcspn(at, " ");
		is = strrchr(word, '=');
		if (!is || is == word || !(kernel_number(is + 1, &end) > 0) || *end)
			return 0;
	}
	return 1;
}

/* Tells of an event, unless it is known.  Returns its number, or -1.  What is counted in bytes is read by default. */
static int tell_event(struct uncore *u, const struct event *like, const char *what)
{
	struct ompp_sensor_event told = { .name = like->name,
		                          .unit = like->unit,
		                          .what = what,
		                          .kind = OMPP_SENSOR_COUNTER,
		                          .together = OMPP_SENSOR_SUM,
		                          .scale = like->scale,
		                          .is_extra = strcmp(like->unit, "bytes") != 0 };
	struct event *e;

	for (size_t i = 0; i < u->n_events; i++)
		if (!strcmp(u->events[i].name, like->name))
			return u->events[i].number;
	e = one_more(&u->events, &u->n_events, sizeof(*e));
	if (!e)
		return -1;
	*e = *like;
	e->number = u->host->event(u->host, &told);
	tell_limit(u, e);
	return e->number;
}

/* An event of one kind may be scaled otherwise by one of its PMUs: then it is an event of that PMU alone. */
static int is_scaled_otherwise(const struct uncore *u, const struct event *e)
{
	for (size_t i = 0; i < u->n_events; i++)
		if (!strcmp(u->events[i].name, e->name))
			return strcmp(u->events[i].unit, e->unit) || u->events[i].scale < e->scale ||
			       u->events[i].scale > e->scale;
	return 0;
}

/* Adds an event at one place.  Returns its number, or -1 when the PMU cannot count it.
 * name: "cas_count_read", or what the user gave;   terms: "event=0x04,umask=0x03" */
static int add_counter(struct uncore *u, size_t place, const char *name, const char *terms)
{
	const struct place *p = &u->places[place];
	char term[NAME_BYTES], what[2 * NAME_BYTES], file[NAME_BYTES + 8];
	struct perf_event_attr attr;
	struct counter *c;
	struct event e = { .number = -1 };
	int rc = encode(u, p->pmu, terms, &attr, term);

	if (rc && name == terms)
		return -1; /* what the kernel names and cannot be read is told of */
	snprintf(file, sizeof(file), "events/%.100s", name);
	find_unit(u, p->pmu, file, &e);
	snprintf(e.name, sizeof(e.name), "%.40s/%.80s/", p->kind, name);
	if (is_scaled_otherwise(u, &e))
		snprintf(e.name, sizeof(e.name), "%.40s/%.80s/", p->pmu, name);
	if (rc)
		snprintf(what, sizeof(what), "cannot be read: its PMU has no '%.80s' of that size", term);
	else
		snprintf(what, sizeof(what), "as %.80s counts it", p->kind);
	e.number = tell_event(u, &e, what);
	if (rc || e.number < 0)
		return -1;
	c = one_more(&u->counters, &u->n_counters, sizeof(*c));
	if (!c)
		return -1;
	*c = (struct counter){ .place = place, .event = e.number, .fd = -1, .attr = attr };
	return e.number;
}

static int is_event_name(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');

	return entry->d_name[0] != '.' && !(dot && (!strcmp(dot, ".scale") || !strcmp(dot, ".unit") ||
	                                            !strcmp(dot, ".snapshot") || !strcmp(dot, ".per-pkg")));
}

/* Adds the events that the kernel names. */
static void add_events(struct uncore *u, size_t place)
{
	char path[PATH_BYTES], file[NAME_BYTES + 8], line[LINE_BYTES];
	struct dirent **names = NULL;
	int n;

	snprintf(path, sizeof(path), "%s/bus/event_source/devices/%s/events", u->sys, u->places[place].pmu);
	n = scandir(path, &names, is_event_name, alphasort);
	for (int i = 0; i < n; i++) {
		snprintf(file, sizeof(file), "events/%.100s", names[i]->d_name);
		if (!pmu_line(u, u->places[place].pmu, file, "", line))
			add_counter(u, place, names[i]->d_name, line);
		free(names[i]);
	}
	free(names);
}

/* ---- PMUs ---- */

/* "uncore_imc_0" is an "imc", "cxl_pmu_mem0.1" a "cxl_pmu_mem". */
static void kind_of(const char *pmu, char kind[NAME_BYTES])
{
	size_t n;

	snprintf(kind, NAME_BYTES, "%s", strncmp(pmu, "uncore_", 7) ? pmu : pmu + 7);
	for (int is_again = 1; is_again;) {
		n = strlen(kind);
		while (n > 1 && kind[n - 1] >= '0' && kind[n - 1] <= '9')
			n--;
		is_again = kind[n - 1] == '.';
		n -= n > 1 && (is_again || (kind[n] && kind[n - 1] == '_'));
		kind[n] = '\0';
	}
}

static int add_place(struct uncore *u, const char *pmu, int cpu)
{
	struct place *p = one_more(&u->places, &u->n_places, sizeof(*p));
	char path[PATH_BYTES], source[2 * NAME_BYTES];
	int socket = -1;
	FILE *f;

	if (!p)
		return -1;
	snprintf(p->pmu, sizeof(p->pmu), "%.100s", pmu);
	kind_of(p->pmu, p->kind);
	p->cpu = cpu;
	snprintf(path, sizeof(path), "%s/devices/system/cpu/cpu%d/topology/physical_package_id", u->sys, cpu);
	f = fopen(path, "re");
	if (f && fscanf(f, "%d", &socket) != 1)
		socket = -1;
	if (f)
		fclose(f);
	snprintf(source, sizeof(source), "%s%d.%.100s", socket < 0 ? "cpu" : "socket", socket < 0 ? cpu : socket, pmu);
	p->source = u->host->source(u->host, source);
	return 0;
}

/* Adds a PMU on each CPU of its cpumask, "0,18" or "0-1". */
static void add_pmu(struct uncore *u, const char *pmu)
{
	size_t is_meant = 0;
	char line[LINE_BYTES], *at = line;

	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
		is_meant += !fnmatch(patterns[i], pmu, 0);
	if (!is_meant || pmu_line(u, pmu, "cpumask", "", line))
		return;
	while (*at >= '0' && *at <= '9') {
		long first = strtol(at, &at, 10), last = *at == '-' ? strtol(at + 1, &at, 10) : first;

		for (; first <= last && first < 65536; first++)
			if (!add_place(u, pmu, (int)first))
				add_events(u, u->n_places - 1);
		at += *at == ',';
	}
}

/* ---- counting ---- */

static void uncore_read(struct uncore *u, struct counter *c)
{
	const struct place *p = &u->places[c->place];
	uint64_t now[3];
	double grown;

	if (c->fd == -1)
		c->fd = (int)syscall(SYS_perf_event_open, &c->attr, -1, p->cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (c->fd < 0) {
		c->fd = -2; /* what is not set is missing: "-" */
		return;
	}
	if (read(c->fd, now, sizeof(now)) != (ssize_t)sizeof(now))
		return;
	if (now[2] == c->last[2] && now[1] != c->last[1])
		return; /* others had the counter all the time */
	grown = (double)(now[0] - c->last[0]);
	if (now[2] != c->last[2])
		grown *= (double)(now[1] - c->last[1]) / (double)(now[2] - c->last[2]);
	c->sum += grown;
	memcpy(c->last, now, sizeof(now));
	u->host->set(u->host, c->event, p->source, (uint64_t)c->sum);
}

static void sample(struct ompp_sensor_host *host, void *state)
{
	struct uncore *u = state;

	u->host = host;
	for (size_t i = 0; i < u->n_counters; i++)
		if (host->wants(host, u->counters[i].event))
			uncore_read(u, &u->counters[i]);
}

/* Tells of "upi/event=2,umask=15/" at all PMUs of that kind. */
static int find(struct ompp_sensor_host *host, void *state, const char *name)
{
	struct uncore *u = state;
	size_t n = strcspn(name, "/"), n_all = strlen(name);
	char terms[NAME_BYTES];
	int found = -1;

	u->host = host;
	if (!name[n] || n_all < n + 3 || name[n_all - 1] != '/' || n_all - n > 80)
		return host->lacks(host, "'%s' is not KIND/TERMS/, as upi/event=2,umask=15/", name);
	snprintf(terms, sizeof(terms), "%.*s", (int)(n_all - n - 2), name + n + 1);
	for (size_t i = 0; i < u->n_places; i++) {
		int event;

		if (strlen(u->places[i].kind) != n || strncmp(u->places[i].kind, name, n))
			continue;
		event = add_counter(u, i, terms, terms);
		found = event < 0 ? found : event;
	}
	return found < 0 ? host->lacks(host, "no PMU here counts %s", name) : found;
}

static void end(void *state)
{
	struct uncore *u = state;

	for (size_t i = 0; i < u->n_counters; i++)
		if (u->counters[i].fd >= 0)
			close(u->counters[i].fd);
	free(u->places);
	free(u->counters);
	free(u->events);
	free(u);
}

/* Opens the first counter, to find out whether the kernel permits it.  Returns 0 or an errno. */
static int try_first(struct uncore *u)
{
	struct counter *c = u->counters;

	if (!u->n_counters)
		return 0;
	c->fd = (int)syscall(SYS_perf_event_open, &c->attr, -1, u->places[c->place].cpu, -1, PERF_FLAG_FD_CLOEXEC);
	return c->fd < 0 && (errno == EACCES || errno == EPERM) ? errno : 0;
}

static int begin(struct ompp_sensor_host *host, void **state)
{
	struct uncore *u = calloc(1, sizeof(*u));
	char path[PATH_BYTES], word[LINE_BYTES];
	struct dirent **names = NULL;
	int n, error = 0;

	if (!u)
		return host->lacks(host, "not enough memory");
	u->host = host;
	u->sys = getenv("SENSOR_SYS") ? getenv("SENSOR_SYS") : host->sys;
	snprintf(path, sizeof(path), "%.500s/bus/event_source/devices", u->sys);
	n = scandir(path, &names, NULL, alphasort);
	if (n < 0)
		error = host->lacks(host, "%s cannot be read: %s; mount sysfs", path, strerror(errno));
	else if (!are_limits(word))
		error = host->lacks(host, "SENSOR_LIMITS: '%s' is not PATTERN=NUMBER; write words as upi/event*=20.8e9", word);
	for (int i = 0; i < n; i++) {
		if (!error)
			add_pmu(u, names[i]->d_name);
		free(names[i]);
	}
	free(names);
	if (!error && !u->n_places)
		error = host->lacks(host, "no PMU of memory or of links between nodes in %s; virtual machines have none",
		                    path);
	if (!error && try_first(u))
		error = host->lacks(host, "the kernel does not let this user count for the machine: %s; run as root, or "
		                          "give ompp CAP_PERFMON", strerror(errno));
	if (error)
		end(u);
	else
		*state = u;
	return error;
}

const struct ompp_sensor ompp_sensor = {
	.version = OMPP_SENSOR_VERSION,
	.name = "uncore",
	.what = "memory controllers and links between nodes, outside of the cores",
	.of = "PMU",
	.open = begin,
	.sample = sample,
	.close = end,
	.find = find,
};

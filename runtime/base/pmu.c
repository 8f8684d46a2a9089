/*
 * PMU: see pmu.h.  The files are described in the kernel's Documentation/ABI/testing/sysfs-bus-event_source-devices-*.
 */
#define _GNU_SOURCE
#include "runtime/base/pmu.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/base/counter.h"
#include "runtime/base/nearest.h"
#include "runtime/base/text.h"

enum { PATH_BYTES = 512, FILE_BYTES = 4096 };

const char *ompp_pmu_root = "/sys/bus/event_source/devices";

static int try_open(const struct ompp_event_code *code)
{
	struct perf_event_attr attr;
	int fd;

	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = code->type;
	attr.config = code->config;
	attr.config1 = code->config1;
	attr.config2 = code->config2;
	attr.disabled = 1;
	attr.exclude_kernel = attr.exclude_hv = !code->counts_kernel;
	fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

int (*ompp_pmu_try)(const struct ompp_event_code *code) = try_open;

/* root/pmu[/folder][/file] */
static const char *path_of(char *path, const char *pmu, const char *folder, const char *file, size_t n_file)
{
	struct ompp_text t;

	ompp_text_init(&t, path, PATH_BYTES);
	ompp_text_str(&t, ompp_pmu_root);
	ompp_text_char(&t, '/');
	ompp_text_str(&t, pmu);
	if (folder[0]) {
		ompp_text_char(&t, '/');
		ompp_text_str(&t, folder);
	}
	if (n_file) {
		ompp_text_char(&t, '/');
		ompp_text_strn(&t, file, n_file);
	}
	return path;
}

/* The first line of a file, without its end; its length or -errno. */
static int read_line(const char *pmu, const char *folder, const char *file, size_t n_file, char *line, size_t most)
{
	char path[PATH_BYTES];
	ssize_t n;
	int fd;

	if (memchr(file, '/', n_file))
		return -ENOENT;
	fd = open(path_of(path, pmu, folder, file, n_file), O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	n = read(fd, line, most - 1);
	close(fd);
	line[n > 0 ? n : 0] = '\0';
	line[strcspn(line, "\n")] = '\0';
	return n < 0 ? -EIO : (int)strlen(line);
}

static int read_file(const char *pmu, const char *file, char *line, size_t most)
{
	return read_line(pmu, "", file, strlen(file), line, most);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_shown(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* Each entry of a folder in the order of names. */
static int each_entry(const char *path, int (*found)(void *context, const char *name), void *context)
{
	struct dirent **entries;
	int n = scandir(path, &entries, is_shown, by_name), rc = 0;

	if (n < 0)
		return -errno;
	for (int i = 0; i < n; i++) {
		if (!rc)
			rc = found(context, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	return rc;
}

/* perf's own rule: a core's PMU is the one called cpu, or has a file cpus (several kinds of cores, and Arm). */
static int read_pmu(const char *name, struct ompp_pmu *pmu)
{
	char line[64], path[PATH_BYTES];
	int n;

	memset(pmu, 0, sizeof(*pmu));
	if (strlen(name) >= sizeof(pmu->name) || read_file(name, "type", line, sizeof(line)) <= 0)
		return -ENOENT;
	strcpy(pmu->name, name);
	pmu->type = (uint32_t)strtoul(line, NULL, 10);
	pmu->is_core = !strcmp(name, "cpu") || !strcmp(name, "cpum_cf") || !access(path_of(path, name, "", "cpus", 4), R_OK);
	if (pmu->is_core)
		return 0;
	n = read_file(name, "cpumask", pmu->cpus, sizeof(pmu->cpus));
	pmu->is_machine = n > 0;
	return n + 1 < (int)sizeof(pmu->cpus) ? 0 : -EINVAL;
}

/* All PMUs, in the order of their names; read once. */
struct list { size_t n, n_room; struct ompp_pmu pmus[]; };

static struct list *_Atomic known;

static int add_pmu(void *context, const char *name)
{
	struct list **list = context, *more;
	size_t n_room = *list ? (*list)->n_room : 0;

	if (!*list || (*list)->n == n_room) {
		more = realloc(*list, sizeof(*more) + 2 * (n_room + 8) * sizeof(more->pmus[0]));
		if (!more)
			return -ENOMEM;
		if (!*list)
			more->n = 0;
		more->n_room = 2 * (n_room + 8);
		*list = more;
	}
	(*list)->n += !read_pmu(name, &(*list)->pmus[(*list)->n]);
	return 0;
}

static const struct list *all_pmus(void)
{
	struct list *list = atomic_load(&known), *mine = NULL;

	if (list)
		return list;
	each_entry(ompp_pmu_root, add_pmu, &mine);
	if (mine && !atomic_compare_exchange_strong(&known, &list, mine)) {
		free(mine);                     /* another thread was first */
		return list;
	}
	return mine;
}

void ompp_pmu_forget(void)
{
	free(atomic_exchange(&known, NULL));
}

int ompp_pmu_each(int (*found)(void *context, const struct ompp_pmu *pmu), void *context)
{
	const struct list *list = all_pmus();
	int rc = list ? 0 : -ENOENT;

	for (size_t i = 0; list && i < list->n && !rc; i++)
		rc = found(context, &list->pmus[i]);
	return rc;
}

struct cores { struct ompp_pmu *pmus; size_t most, n; };

static int add_core(void *context, const struct ompp_pmu *pmu)
{
	struct cores *c = context;

	if (pmu->is_core && c->n++ < c->most)
		c->pmus[c->n - 1] = *pmu;
	return 0;
}

size_t ompp_pmu_cores(struct ompp_pmu *pmus, size_t most)
{
	struct cores c = { pmus, most, 0 };

	ompp_pmu_each(add_core, &c);
	return c.n;
}

struct wanted { uint32_t type; struct ompp_pmu *pmu; };

static int is_wanted(void *context, const struct ompp_pmu *pmu)
{
	struct wanted *w = context;

	if (pmu->type != w->type)
		return 0;
	*w->pmu = *pmu;
	return 1;
}

int ompp_pmu_of_type(uint32_t type, struct ompp_pmu *pmu)
{
	struct wanted w = { type, pmu };

	return ompp_pmu_each(is_wanted, &w) == 1 ? 0 : -ENOENT;
}

struct events { int (*found)(void *context, const char *event); void *context; };

/* "x.scale", "x.unit", "x.snapshot", "x.per-pkg" say more of the event x. */
static int is_more(const char *file)
{
	static const char *const more[] = { ".scale", ".unit", ".snapshot", ".per-pkg" };
	size_t n = strlen(file);

	for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++)
		if (n > strlen(more[i]) && !strcmp(file + n - strlen(more[i]), more[i]))
			return 1;
	return 0;
}

static int each_event(void *context, const char *name)
{
	struct events *e = context;

	return is_more(name) ? 0 : e->found(e->context, name);
}

int ompp_pmu_events(const struct ompp_pmu *pmu, int (*found)(void *context, const char *event), void *context)
{
	struct events e = { found, context };
	char path[PATH_BYTES];

	return each_entry(path_of(path, pmu->name, "events", "", 0), each_event, &e);
}

int ompp_pmu_has_event(const struct ompp_pmu *pmu, const char *event, size_t n_event)
{
	char path[PATH_BYTES];

	return n_event && n_event < 128 && !memchr(event, '/', n_event) && event[0] != '.' &&
	       !access(path_of(path, pmu->name, "events", event, n_event), R_OK);
}

/* A number, 0x in front for hexadecimal; the whole text.  0 or -EINVAL. */
static int number(const char *text, size_t n, uint64_t *value)
{
	unsigned int base = 10, digit;
	size_t i = 0;

	if (n > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
		base = 16;
		i = 2;
	}
	for (*value = 0; i < n; i++) {
		char c = ompp_text_lower(text[i]);

		digit = c >= '0' && c <= '9' ? (unsigned int)(c - '0') : c >= 'a' && c <= 'f' ? (unsigned int)(c - 'a') + 10 : 16;
		if (digit >= base || *value > (UINT64_MAX - digit) / base)
			return -EINVAL;
		*value = *value * base + digit;
	}
	return n ? 0 : -EINVAL;
}

static uint64_t *word_of(struct ompp_event_code *code, const char *name, size_t n)
{
	if (n == 6 && !strncmp(name, "config", n))
		return &code->config;
	if (n == 7 && !strncmp(name, "config1", n))
		return &code->config1;
	return n == 7 && !strncmp(name, "config2", n) ? &code->config2 : NULL;
}

/* Put a value into the bits "config:0-7,32-35", the lowest first.  0; -ERANGE: more bits than there are. */
static int deposit(const char *format, uint64_t value, struct ompp_event_code *code)
{
	size_t n = strcspn(format, ":");
	uint64_t *word = word_of(code, format, n);
	const char *p = format + n;

	if (!word)
		return -EINVAL;
	while (*p) {
		char *end;
		unsigned long from = strtoul(p + 1, &end, 10), to = from;

		if (*end == '-')
			to = strtoul(end + 1, &end, 10);
		if (from > to || to > 63 || end == p + 1)
			return -EINVAL;
		for (unsigned long bit = from; bit <= to; bit++, value >>= 1)
			*word = (*word & ~(1ULL << bit)) | (value & 1) << bit;
		p = end;
	}
	return value ? -ERANGE : 0;
}

static int bad_term(struct ompp_text *why, const struct ompp_pmu *pmu, const char *term, size_t n, const char *what)
{
	ompp_text_str(why, "'");
	ompp_text_strn(why, term, n);
	ompp_text_str(why, "' is ");
	ompp_text_str(why, what);
	ompp_text_str(why, " of the PMU ");
	ompp_text_str(why, pmu->name);
	ompp_text_str(why, "; see its folders events and format in ");
	ompp_text_str(why, ompp_pmu_root);
	return -EINVAL;
}

struct near { const char *term; size_t n_term; unsigned int best; char name[128]; };

static int nearer(void *context, const char *name)
{
	struct near *near = context;
	unsigned int d = ompp_distance(near->term, near->n_term, name, strlen(name));

	if (d < near->best && strlen(name) < sizeof(near->name)) {
		near->best = d;
		strcpy(near->name, name);
	}
	return 0;
}

/* A word that is neither event nor field: the nearest one that is. */
static int unknown_term(struct ompp_text *why, const struct ompp_pmu *pmu, const char *term, size_t n)
{
	struct near near = { .term = term, .n_term = n, .best = (unsigned int)n / 3 + 2 };
	char path[PATH_BYTES];

	ompp_pmu_events(pmu, nearer, &near);
	each_entry(path_of(path, pmu->name, "format", "", 0), nearer, &near);
	if (!near.name[0])
		return bad_term(why, pmu, term, n, "no event and no field");
	ompp_text_str(why, "'");
	ompp_text_strn(why, term, n);
	ompp_text_str(why, "' is no event and no field of the PMU ");
	ompp_text_str(why, pmu->name);
	ompp_text_str(why, "; did you mean ");
	ompp_text_str(why, near.name);
	ompp_text_char(why, '?');
	return -EINVAL;
}

static int encode(const struct ompp_pmu *pmu, const char *terms, size_t n_terms, int depth,
                  struct ompp_event_code *code, struct ompp_text *why);

/* One of the terms: field, field=value, config=value, or an event's name. */
static int encode_term(const struct ompp_pmu *pmu, const char *term, size_t n, int depth,
                       struct ompp_event_code *code, struct ompp_text *why)
{
	const char *equals = memchr(term, '=', n);
	size_t n_field = equals ? (size_t)(equals - term) : n;
	uint64_t value = 1, *word = word_of(code, term, n_field);
	char line[FILE_BYTES];
	int rc;

	if (equals && n == n_field + 2 && equals[1] == '?')
		return 0;                       /* for the user to fill in */
	if (equals && number(equals + 1, n - n_field - 1, &value))
		return bad_term(why, pmu, term, n, "without a number, as a field");
	if (word && equals) {
		*word = value;
		return 0;
	}
	if (n_field < 128 && read_line(pmu->name, "format", term, n_field, line, sizeof(line)) > 0) {
		rc = deposit(line, value, code);
		return rc ? bad_term(why, pmu, term, n, rc == -ERANGE ? "more than fits into the field" : "an unreadable field")
		          : 0;
	}
	if (!equals && !depth && n < 128 && read_line(pmu->name, "events", term, n, line, sizeof(line)) > 0)
		return encode(pmu, line, strlen(line), depth + 1, code, why);
	return unknown_term(why, pmu, term, n_field);
}

static int encode(const struct ompp_pmu *pmu, const char *terms, size_t n_terms, int depth,
                  struct ompp_event_code *code, struct ompp_text *why)
{
	const char *end = terms + n_terms;
	int rc = 0;

	while (terms < end && !rc) {
		const char *comma = memchr(terms, ',', (size_t)(end - terms));
		size_t n = (size_t)((comma ? comma : end) - terms);

		rc = encode_term(pmu, terms, n, depth, code, why);
		terms += n + 1;
	}
	return rc;
}

int ompp_pmu_encode(const struct ompp_pmu *pmu, const char *terms, size_t n_terms, struct ompp_event_code *code,
                    struct ompp_text *why)
{
	memset(code, 0, sizeof(*code));
	code->type = pmu->type;
	code->factor = 1;
	return encode(pmu, terms, n_terms, 0, code, why);
}

/* Decimal digits, at most 18 of those that count, and the power of ten; the end. */
static const char *decimal(const char *p, uint64_t *mantissa, int *exponent)
{
	int n_digits = 0, seen_point = 0;

	*mantissa = 0;
	*exponent = 0;
	for (; (*p >= '0' && *p <= '9') || (*p == '.' && !seen_point); p++) {
		if (*p == '.') {
			seen_point = 1;
			continue;
		}
		if (n_digits < 18) {
			*mantissa = *mantissa * 10 + (uint64_t)(*p - '0');
			n_digits += *mantissa != 0;
			*exponent -= seen_point;
		} else {
			*exponent += !seen_point;
		}
	}
	return p;
}

int ompp_pmu_scale_parse(const char *text, uint64_t times, int32_t *mul, int32_t *shift)
{
	uint64_t mantissa;
	int exponent;
	const char *p = decimal(text, &mantissa, &exponent);
	unsigned __int128 value;

	if (p == text || !mantissa)
		return -EINVAL;
	if (*p == 'e' || *p == 'E')
		exponent += (int)strtol(p + 1, (char **)&p, 10);
	if (*p || exponent > 9 || exponent < -40 || times >> 32)
		return -EINVAL;
	value = (unsigned __int128)mantissa * times;
	for (; exponent > 0; exponent--)
		value *= 10;
	for (*shift = 0; exponent < 0; exponent++) {
		for (; !(value >> 120); (*shift)++)
			value <<= 1;
		value = value / 10 + (value % 10 >= 5);
	}
	for (; value >> 31; (*shift)--)
		value = (value >> 1) + ((value & 1) && (value >> 32) == 0);
	for (; value && !(value & 1); (*shift)--)
		value >>= 1;
	for (; *shift < 0 && !(value >> 30); (*shift)++)
		value <<= 1;
	*mul = (int32_t)value;
	return value && *shift >= 0 && *shift < 64 ? 0 : -EINVAL;
}

int ompp_pmu_scale(const struct ompp_pmu *pmu, const char *event, size_t n_event, int32_t *mul, int32_t *shift,
                   const char **unit)
{
	static const struct { const char *sysfs, *unit; uint32_t times; } units[] = {
		{ "MiB", "bytes", 1U << 20 }, { "KiB", "bytes", 1U << 10 }, { "Bytes", "bytes", 1 }, { "B", "bytes", 1 },
		{ "Joules", "uJ", 1000000 }, { "ns", "ns", 1 },
	};
	char file[160], line[64];
	struct ompp_text t;
	size_t i;

	ompp_text_init(&t, file, sizeof(file));
	ompp_text_strn(&t, event, n_event);
	ompp_text_str(&t, ".unit");
	if (read_line(pmu->name, "events", file, t.n_bytes, line, sizeof(line)) <= 0)
		return -ENOENT;
	for (i = 0; i < sizeof(units) / sizeof(units[0]) && strcmp(units[i].sysfs, line); i++)
		;
	ompp_text_init(&t, file, sizeof(file));
	ompp_text_strn(&t, event, n_event);
	ompp_text_str(&t, ".scale");
	if (i == sizeof(units) / sizeof(units[0]) ||
	    read_line(pmu->name, "events", file, t.n_bytes, line, sizeof(line)) <= 0)
		return -ENOENT;
	*unit = units[i].unit;
	return ompp_pmu_scale_parse(line, units[i].times, mul, shift) ? -ENOENT : 0;
}

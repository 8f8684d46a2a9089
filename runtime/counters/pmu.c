/*
 * PMU: see pmu.h.  The files are described in the kernel's
 * Documentation/ABI/testing/sysfs-bus-event_source-devices-*.
 */
#include "runtime/counters/pmu.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/base/array.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/counters/event.h"
#include "runtime/host/file.h"
#include "runtime/host/folder.h"

enum { PATH_BYTES = 512 };

const char *ompp_pmu_root = "/sys/bus/event_source/devices";

static int try_open(const struct ompp_event_code *code)
{
	int fd = ompp_event_open_code(code, -1);

	if (fd >= 0)
		ompp_sys_close(fd);
	return fd < 0 ? fd : 0;
}

int (*ompp_pmu_try)(const struct ompp_event_code *code) = try_open;

/* Writes the path "root/pmu[/folder][/file]" and returns it. */
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

/* Reads the first line of a file, without its end.  Returns its length or -errno. */
static int read_line(const char *pmu, const char *folder, const char *file, size_t n_file, char *line, size_t most)
{
	char path[PATH_BYTES];

	if (memchr(file, '/', n_file))
		return -ENOENT;
	return ompp_file_line(path_of(path, pmu, folder, file, n_file), line, most);
}

int ompp_pmu_line(const struct ompp_pmu *pmu, const char *folder, const char *file, size_t n_file, char *line,
                  size_t most)
{
	return read_line(pmu->name, folder, file, n_file, line, most);
}

static int read_file(const char *pmu, const char *file, char *line, size_t most)
{
	return read_line(pmu, "", file, strlen(file), line, most);
}

/* Reads what a PMU is.  perf's own rule decides whether it counts on cores: it is called cpu, or it has a file named
 * cpus (as with several kinds of cores, and on Arm). */
static int read_pmu(const char *name, struct ompp_pmu *pmu)
{
	char line[64], path[PATH_BYTES];
	const char *type = line;
	int n;

	memset(pmu, 0, sizeof(*pmu));
	if (strlen(name) >= sizeof(pmu->name) || read_file(name, "type", line, sizeof(line)) <= 0)
		return -ENOENT;
	strcpy(pmu->name, name);
	pmu->type = (uint32_t)ompp_text_digits(&type);
	pmu->is_core = !strcmp(name, "cpu") || !strcmp(name, "cpum_cf") ||
	               !ompp_sys_access(path_of(path, name, "", "cpus", 4), R_OK);
	if (pmu->is_core)
		return 0;
	n = read_file(name, "cpumask", pmu->cpus, sizeof(pmu->cpus));
	pmu->is_machine = n > 0;
	return n + 1 < (int)sizeof(pmu->cpus) ? 0 : -EINVAL;
}

/* The list of all PMUs, in the order of their names, which is read once.  It lies in its own arena. */
struct list {
	struct ompp_arena arena;
	struct ompp_pmu *pmus;
	size_t n, n_have;
};

static struct list *_Atomic known;

static int add_pmu(void *context, const char *name)
{
	struct list *list = context;
	struct ompp_pmu *grown = ompp_arena_grow(&list->arena, list->pmus, &list->n_have, list->n + 1, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	list->pmus = grown;
	list->n += !read_pmu(name, &grown[list->n]);
	return 0;
}

static void pmu_forget(struct list *list)
{
	struct ompp_arena arena = list->arena;

	ompp_arena_fini(&arena);
}

static const struct list *all_pmus(void)
{
	struct list *list = atomic_load(&known), *mine, read = { .n = 0 };

	if (list)
		return list;
	ompp_arena_init(&read.arena, 0);
	ompp_folder_each(ompp_pmu_root, add_pmu, &read);
	mine = ompp_arena_alloc(&read.arena, sizeof(*mine));
	if (!mine || !read.n) {
		ompp_arena_fini(&read.arena);
		return NULL;
	}
	*mine = read;
	if (!atomic_compare_exchange_strong(&known, &list, mine)) {
		pmu_forget(mine); /* another thread has set its list first */
		return list;
	}
	return mine;
}

void ompp_pmu_forget(void)
{
	struct list *list = atomic_exchange(&known, NULL);

	if (list)
		pmu_forget(list);
}

int ompp_pmu_each(int (*found)(void *context, const struct ompp_pmu *pmu), void *context)
{
	const struct list *list = all_pmus();
	int rc = list ? 0 : -ENOENT;

	for (size_t i = 0; list && i < list->n && !rc; i++)
		rc = found(context, &list->pmus[i]);
	return rc;
}

struct cores {
	struct ompp_pmu *pmus;
	size_t most, n;
};

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

struct wanted {
	uint32_t type;
	struct ompp_pmu *pmu;
};

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

struct events {
	int (*found)(void *context, const char *event);
	void *context;
};

/* Returns 1 for files such as "x.scale", "x.unit", "x.snapshot" and "x.per-pkg", which say more of the event x. */
static int is_more(const char *file)
{
	static const char *const more[] = { ".scale", ".unit", ".snapshot", ".per-pkg" };
	size_t n = strlen(file);

	for (size_t i = 0; i < OMPP_COUNT_OF(more); i++)
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

	return ompp_folder_each(path_of(path, pmu->name, "events", "", 0), each_event, &e);
}

int ompp_pmu_fields(const struct ompp_pmu *pmu, int (*found)(void *context, const char *field), void *context)
{
	char path[PATH_BYTES];

	return ompp_folder_each(path_of(path, pmu->name, "format", "", 0), found, context);
}

int ompp_pmu_has_event(const struct ompp_pmu *pmu, const char *event, size_t n_event)
{
	char path[PATH_BYTES];

	return n_event && n_event < 128 && !memchr(event, '/', n_event) && event[0] != '.' &&
	       !ompp_sys_access(path_of(path, pmu->name, "events", event, n_event), R_OK);
}

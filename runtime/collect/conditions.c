/*
 * Conditions: collects the conditions of the run for the header of the report.  It uses only system calls and the
 * arena.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "reports/analysis/untimed.h"
#include "runtime/access/access_sample.h"
#include "runtime/base/program_file.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/collect/collect.h"
#include "runtime/core/session.h"
#include "runtime/host/file.h"
#include "runtime/host/processors.h"
#include "runtime/program/elf.h"
#include "runtime/sources/sampling.h"
#include "runtime/terms/build_stamp.h"
#include "runtime/terms/launcher.h"

enum { MAX_CONDITIONS = 64, TEXT_BYTES = 4096, MAX_COMPILERS = 4 };

struct list {
	struct ompp_arena *arena;
	struct ompp_condition *items;
	size_t n;
};

static void conditions_add(struct list *l, const char *label, const char *value)
{
	const char *copy = ompp_arena_strdup(l->arena, value);

	if (l->n < MAX_CONDITIONS && copy && value[0])
		l->items[l->n++] = (struct ompp_condition){ label, copy };
}

char *const *ompp_conditions_environment(void)
{
	return __environ ? __environ : ompp_session.envp;
}

static const char *conditions_variable(const char *name)
{
	return ompp_environment(ompp_conditions_environment(), name);
}

int ompp_mpi_rank(void)
{
	int rank, size;

	ompp_launcher_find(ompp_conditions_environment(), &rank, &size);
	return rank;
}

int ompp_mpi_size(void)
{
	int rank, size;

	ompp_launcher_find(ompp_conditions_environment(), &rank, &size);
	return size;
}

static void add_latencies(struct list *l)
{
	char line[256];
	struct ompp_text t;

	ompp_text_init(&t, line, sizeof(line));
	if (ompp_access_sample_describe(&t))
		conditions_add(l, "Latencies", line);
}

static void add_seed(struct list *l, const struct ompp_profile *p)
{
	int is_given = ompp_session.options.number[OMPP_OPT_SAMPLE_SEED] != 0;
	char line[64];
	struct ompp_text t;

	if (!ompp_sampling.source[0] && !ompp_untimed_any(p))
		return;
	ompp_text_init(&t, line, sizeof(line));
	ompp_text_u64(&t, ompp_sampling.seed);
	ompp_text_str(&t, ompp_session.forked                ? ", from its parent's"
	                  : is_given && ompp_mpi_rank() >= 0 ? ", from the one given, for this rank"
	                  : is_given                         ? ", given"
	                                                     : ", drawn for this process");
	conditions_add(l, "Sample Seed", line);
}

static void add_command(struct list *l)
{
	char text[TEXT_BYTES];
	struct ompp_text t;
	int i;

	ompp_text_init(&t, text, sizeof(text));
	for (i = 0; i < ompp_session.argc && ompp_session.argv[i]; i++) {
		const char *arg = ompp_session.argv[i];
		int quote = !arg[0] || strpbrk(arg, " \t\n'\"\\$`*?;&|<>()") != NULL;

		if (i)
			ompp_text_char(&t, ' ');
		if (quote)
			ompp_text_char(&t, '\'');
		for (; *arg; arg++)
			if (*arg == '\'')
				ompp_text_str(&t, "'\\''");
			else
				ompp_text_char(&t, *arg == '\n' ? ' ' : *arg);
		if (quote)
			ompp_text_char(&t, '\'');
	}
	conditions_add(l, "Command Line", text);
}

static void add_cpu(struct list *l)
{
	char text[TEXT_BYTES], line[256];
	struct ompp_text t;
	uint32_t n_usable = ompp_processors_allowed();
	char *p, *end;

	ompp_text_init(&t, line, sizeof(line));
	if (ompp_file_read("/proc/cpuinfo", text, sizeof(text)) > 0) {
		p = strstr(text, "model name");
		p = p ? strchr(p, ':') : NULL;
		end = p ? strchr(p, '\n') : NULL;
		if (end && end - p > 2)
			ompp_text_strn(&t, p + 2, (size_t)(end - p - 2));
	}
	if (n_usable) {
		ompp_text_str(&t, t.n_bytes ? ", " : "");
		ompp_text_u64(&t, n_usable);
		ompp_text_str(&t, " of ");
		ompp_text_u64(&t, ompp_processors_online());
		ompp_text_str(&t, " processors usable");
	}
	conditions_add(l, "CPU", line);
}

/* Adds the strings of .GCC.command.line, which kinst has the compiler write: compiler, version, flags.  Without that
 * section it adds the compilers' names in .comment. */
static void add_section(struct list *l, const char *data, size_t n)
{
	size_t at = 0, len, i, first = l->n;

	for (; at < n && l->n - first < MAX_COMPILERS; at += len + 1) {
		char text[512];
		struct ompp_text t;

		len = strnlen(data + at, n - at);
		if (!len)
			continue;
		ompp_text_init(&t, text, sizeof(text));
		ompp_text_strn(&t, data + at, len);
		for (i = first; i < l->n && strcmp(l->items[i].value, text); i++)
			;
		if (i == l->n)
			conditions_add(l, "Compiler", text);
	}
}

static void add_compilers(struct list *l)
{
	struct ompp_elf_section section;
	struct ompp_elf elf;

	if (ompp_elf_open(&elf, ompp_program_file))
		return;
	if (!ompp_elf_section_named(&elf, ".GCC.command.line", &section) ||
	    !ompp_elf_section_named(&elf, ".comment", &section))
		add_section(l, section.data, section.n_bytes);
	ompp_elf_close(&elf);
}

/* Adds what the program was built from, "v1.2-3-gabc-dirty, commit <hash>". */
static void add_stamp(struct list *l, struct ompp_profile *profile)
{
	const struct ompp_build_stamp *s = ompp_build_stamp_get();
	char line[OMPP_BUILD_STAMP_BYTES + OMPP_BUILD_COMMIT_BYTES + 64];
	struct ompp_text t;

	profile->build_stamp = s ? s->text : "";
	profile->build_commit = s ? s->commit : "";
	if (!s)
		return;
	profile->build_commit_unix_s = s->commit_unix_s ? s->commit_unix_s : OMPP_MISSING;
	profile->build_modified = s->is_modified;
	ompp_text_init(&t, line, sizeof(line));
	ompp_text_str(&t, s->text);
	ompp_text_str(&t, s->commit[0] ? ", commit " : "");
	ompp_text_str(&t, s->commit);
	ompp_text_str(&t, s->is_modified ? ", with changes since" : "");
	conditions_add(l, "Built From", line);
}

static void add_variables(struct list *l)
{
	char *const *e;

	for (e = ompp_conditions_environment(); e && *e; e++) {
		const char *eq = strchr(*e, '=');

		if (eq && (!strncmp(*e, "OMP_", 4) || !strncmp(*e, "GOMP_", 5) || !strncmp(*e, "KMP_", 4)))
			conditions_add(l, ompp_arena_strndup(l->arena, *e, (size_t)(eq - *e)), eq + 1);
	}
}

int ompp_collect_conditions(struct ompp_profile *profile, struct ompp_arena *arena)
{
	struct list l = { arena, ompp_arena_alloc(arena, MAX_CONDITIONS * sizeof(struct ompp_condition)), 0 };
	struct utsname host;

	if (!l.items)
		return -ENOMEM;
	add_command(&l);
	if (!ompp_sys_uname(&host))
		conditions_add(&l, "Host", host.nodename);
	add_cpu(&l);
	add_stamp(&l, profile);
	add_compilers(&l);
	add_variables(&l);
	if (!conditions_variable("OMP_PROC_BIND") && !conditions_variable("OMP_PLACES") &&
	    !conditions_variable("GOMP_CPU_AFFINITY") && !conditions_variable("KMP_AFFINITY"))
		conditions_add(&l, "Binding", "none asked for");
	add_latencies(&l);
	add_seed(&l, profile);
	profile->conditions = l.items;
	profile->n_conditions = l.n;
	return 0;
}

/*
 * Flow names: finds the missing names in the trace of a program that was ended before it could write them.  They are
 * found from the files that it had mapped, if these are unchanged.
 */
#include "reports/traces/flow_look.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/command/arguments.h"
#include "reports/flow/flow.h"
#include "runtime/data_sums/site_names.h"
#include "runtime/host/helper.h"
#include "runtime/host/past.h"
#include "runtime/program/debuginfo.h"

enum { SHOWN_BYTES = 4200, LINE_PATH_BYTES = 4096, FUNCTION_BYTES = 512 };

/* The states of files. */
enum { NOT_LOOKED, SAME, OTHER, NOT_THERE };

static const char replaced[] = " (replaced)";

/* What one trace's names are found with. */
struct finding {
	struct ompp_flow *flow;
	struct ompp_arena arena;
	char app[SHOWN_BYTES], shown[SHOWN_BYTES];
};

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Checks whether a file is still the one that the program had mapped, and says so if not. */
static void flow_names_look(struct ompp_flow_file *f)
{
	int is_at = f->path[0] ? ompp_image_is_at(&f->image, f->path) : -ENOENT;

	f->state = is_at > 0 ? SAME : is_at ? NOT_THERE : OTHER;
	if (f->state == OTHER)
		ompp_complain(f->path, "is another file than the one that the program had in memory; names of that one "
		                       "are not known, and addresses in it are shown instead");
	else if (f->state == NOT_THERE && f->path[0])
		ompp_complain(f->path,
		              "cannot be read: %s; its names are not known, and addresses in it are shown instead",
		              strerror(-is_at));
}

static struct ompp_flow_file *file_of(struct ompp_flow *flow, uint64_t key)
{
	uint64_t address = ompp_past_address(key);

	for (size_t i = 0; i < flow->n_files; i++) {
		struct ompp_flow_file *f = &flow->files[i];

		if (f->number == ompp_past_number(key) && address - f->lo < f->hi - f->lo)
			return f;
	}
	return NULL;
}

/* Finds the file of a call, for calls.h. */
static int find_file(void *context, uint64_t key, struct ompp_call_file *file)
{
	struct finding *finding = context;
	struct ompp_flow_file *f = file_of(finding->flow, key);

	if (!f || f->number == OMPP_PAST_UNKNOWN)
		return -ENOENT;
	if (f->state == NOT_LOOKED)
		flow_names_look(f);
	snprintf(finding->shown, sizeof(finding->shown), "%s%s", f->path, f->state == OTHER ? replaced : "");
	file->path = finding->shown; /* empty if the file has changed */
	file->shown = f->is_program ? "/proc/self/exe" : finding->shown;
	file->offset = (uintptr_t)(ompp_past_address(key) - f->bias);
	file->is_ours = !strncmp(base_of(f->path), "libompp.", strlen("libompp."));
	return 0;
}

/* Learns the program's name, which stands for its file. */
static void name_app(struct finding *finding)
{
	for (size_t i = 0; i < finding->flow->n_files; i++) {
		struct ompp_flow_file *f = &finding->flow->files[i];

		if (!f->is_program)
			continue;
		flow_names_look(f);
		snprintf(finding->app, sizeof(finding->app), "%s%s", base_of(f->path),
		         f->state == OTHER ? replaced : "");
		return;
	}
	snprintf(finding->app, sizeof(finding->app), "exe");
}

/* Gets ready to name the sites whose calls are known.  Returns how many there are. */
static size_t list_sites(const struct ompp_flow *flow, struct ompp_site_name *all, uint32_t *order)
{
	size_t n = 0;

	for (size_t i = 0; i < flow->n_calls; i++) {
		const struct ompp_flow_calls *calls = &flow->calls[i];

		if (!flow->sites[calls->site].name[0] && !all[calls->site].allocator)
			order[n++] = calls->site;
		all[calls->site] = (struct ompp_site_name){ .callers = flow->callers + calls->first,
			                                    .n_callers = calls->n,
			                                    .allocator = "",
			                                    .weight = flow->sites[calls->site].n_bytes };
	}
	return n;
}

static const char *flow_names_keep(struct ompp_flow *flow, const char *text)
{
	return ompp_flow_keep(flow, text, strlen(text));
}

/* Gives the sites their names; a copy of a call site gets the name of its leading site. */
static int take_names(struct ompp_flow *flow, const struct ompp_site_name *all)
{
	for (size_t i = 0; i < flow->n_sites; i++) {
		const struct ompp_site_name *leader = all[i].name ? &all[all[i].leader] : NULL;

		if (!leader)
			continue;
		flow->sites[i].name = flow_names_keep(flow, leader->name);
		flow->sites[i].path = flow_names_keep(flow, leader->path);
		if (!flow->sites[i].name || !flow->sites[i].path)
			return -1;
	}
	return 0;
}

static int name_sites(struct finding *finding)
{
	struct ompp_flow *flow = finding->flow;
	struct ompp_site_name *all = ompp_arena_alloc(&finding->arena, (flow->n_sites + 1) * sizeof(*all));
	uint32_t *order = ompp_arena_alloc(&finding->arena, (flow->n_sites + 1) * sizeof(*order));
	struct ompp_site_names names = { .arena = &finding->arena, .all = all };
	size_t n, n_left = 0;

	names.calls = ompp_calls_new(&finding->arena, finding->app, find_file, finding);
	if (!all || !order || !names.calls)
		return -1;
	n = list_sites(flow, all, order);
	if (ompp_site_names_find(&names, order, n))
		return -1;
	for (size_t i = 0; i < n; i++)
		if (all[order[i]].leader == order[i])
			order[n_left++] = order[i];
		else
			all[all[order[i]].leader].weight += all[order[i]].weight;
	return ompp_site_names_number(&names, order, n_left) || take_names(flow, all) ? -1 : 0;
}

/* Finds the source lines of the instructions. */
static int find_lines(struct finding *finding)
{
	static char path[LINE_PATH_BYTES], function[FUNCTION_BYTES];
	struct ompp_flow *flow = finding->flow;

	for (size_t i = 0; i < flow->n_ips; i++) {
		struct ompp_flow_line *line = &flow->ips[i].line;
		struct ompp_call_file file;
		unsigned int number = 0;

		if (!line->line && !find_file(finding, flow->ips[i].key, &file))
			number = ompp_debuginfo_line(file.path, file.offset, path, sizeof(path), function,
			                             sizeof(function));
		if (!number)
			continue;
		*line = (struct ompp_flow_line){ flow_names_keep(flow, function), flow_names_keep(flow, path), number };
		if (!line->function || !line->file)
			return -1;
	}
	return 0;
}

int ompp_flow_names(struct ompp_flow *flow)
{
	struct finding *finding = flow->n_files ? calloc(1, sizeof(*finding)) : NULL;
	int rc;

	if (!finding)
		return flow->n_files ? -1 : 0;
	finding->flow = flow;
	ompp_arena_init(&finding->arena, 0);
	name_app(finding);
	rc = name_sites(finding) || find_lines(finding) ? -1 : 0;
	ompp_helper_end();
	ompp_arena_fini(&finding->arena);
	free(finding);
	return rc;
}

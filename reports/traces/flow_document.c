/*
 * Flow document: a view of a trace as JSON for programs, and as a page for browsers, which contains the same data.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "reports/compare/document.h"
#include "reports/traces/flow_command.h"
#include "reports/web/page_tables.h"

/* What is written. */
struct showing {
	struct ompp_flow_look *look;
	const struct ompp_flow_view *view;
	int status; /* of the view */
};

/* Writes a number; UINT64_MAX means not known. */
static void put_known(struct ompp_embed *e, const char *key, uint64_t number)
{
	ompp_embed_number_of(e, key, number == UINT64_MAX ? OMPP_MISSING : ompp_count(number));
}

static void put_process(struct ompp_embed *e, const struct ompp_flow_look *look, uint32_t process)
{
	const struct ompp_flow_process *p = ompp_flow_process(look->flow, process);

	ompp_embed_line(e);
	ompp_embed_open(e, '{');
	if (look->process_names)
		ompp_embed_text_of(e, "process", look->process_names[process]);
	ompp_embed_number_of(e, "pid", p->info.pid);
	ompp_embed_text_of(e, "path", p->path);
	ompp_embed_text_of(e, "app", p->info.app);
	ompp_embed_number_of(e, "start_ns", ompp_count(p->info.start_ns + (uint64_t)p->moved_ns));
	ompp_embed_number_of(e, "start_unix_ns", ompp_count(p->info.start_unix_ns));
	ompp_embed_number_of(e, "moved_ns", p->moved_ns);
	ompp_embed_number_of(e, "threads", p->n_threads);
	put_known(e, "left_out", p->info.n_left_out);
	put_known(e, "lost", p->info.n_lost);
	put_known(e, "damaged_bytes", p->info.n_damaged);
	ompp_embed_close(e, '}');
}

static void put_all(struct ompp_embed *e, const void *of)
{
	struct showing *showing = *(struct showing *const *)of;
	struct ompp_flow_look *look = showing->look;
	const struct ompp_flow_info *info = ompp_flow_info(look->flow);

	ompp_embed_document(e, "ompp-flow");
	ompp_embed_text_of(e, "app", info->app);
	ompp_embed_text_of(e, "view", showing->view->name);
	ompp_embed_text_of(e, "latencies", info->latencies);
	ompp_embed_number_of(e, "imagined_nodes", look->emulated);
	ompp_embed_key(e, "processes");
	ompp_embed_open(e, '[');
	for (uint32_t i = 0; i < ompp_flow_n_processes(look->flow); i++)
		put_process(e, look, i);
	ompp_embed_close(e, ']');
	ompp_embed_line(e);
	ompp_embed_key(e, "tables");
	ompp_embed_open(e, '[');
	look->embed = e;
	look->embed_view = showing->view->name;
	showing->status = showing->view->show(look);
	look->embed = NULL;
	ompp_embed_close(e, ']');
	ompp_embed_close(e, '}');
}

int ompp_flow_is_document(const char *format)
{
	return !strcmp(format, "json") || !strcmp(format, "html");
}

int ompp_flow_document(struct ompp_flow_look *look, const struct ompp_flow_view *view)
{
	struct showing showing = { look, view, 0 }, *const of = &showing;
	struct ompp_document document = { "flow", ompp_flow_info(look->flow)->app, &ompp_page_flow, put_all, &of };
	int rc = !strcmp(look->format, "json") ? ompp_document_json(&document, STDOUT_FILENO, look->arena)
	                                       : ompp_document_page(&document, STDOUT_FILENO, look->arena);

	return rc ? ompp_print_status(rc) : showing.status;
}

/*
 * Flow SQL: ompp flow --sql.  A trace as an SQLite database, whose tables ompp-flow(1) documents.
 */
#include "config.h"

#include "reports/traces/flow_command.h"

#ifdef HAVE_SQLITE
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char schema[] =
	"PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN;"
	"CREATE TABLE trace (app TEXT, pid INTEGER, latencies TEXT, period INTEGER, start_ns INTEGER,"
	" start_unix_ns INTEGER, is_whole INTEGER, left_out INTEGER, lost INTEGER, damaged_bytes INTEGER);"
	"CREATE TABLE process (id INTEGER PRIMARY KEY, path TEXT, app TEXT, pid INTEGER, start_ns INTEGER,"
	" start_unix_ns INTEGER, moved_ns INTEGER, is_whole INTEGER, left_out INTEGER, lost INTEGER,"
	" damaged_bytes INTEGER, mpi_rank INTEGER, mpi_size INTEGER);"
	"CREATE TABLE object (id INTEGER PRIMARY KEY, name TEXT, path TEXT, site INTEGER, allocator INTEGER);"
	"CREATE TABLE site (id INTEGER PRIMARY KEY, name TEXT, path TEXT, thread INTEGER, blocks INTEGER, ended "
	"INTEGER,"
	" bytes INTEGER);"
	"CREATE TABLE region (id INTEGER PRIMARY KEY, parent INTEGER, construct TEXT, name TEXT, file TEXT,"
	" begin_line INTEGER, end_line INTEGER);"
	"CREATE TABLE thread (id INTEGER PRIMARY KEY, process INTEGER, rank INTEGER, tid INTEGER, node INTEGER);"
	"CREATE TABLE line (process INTEGER, ip INTEGER, function TEXT, file TEXT, line INTEGER,"
	" PRIMARY KEY (process, ip));"
	"CREATE TABLE event (id INTEGER PRIMARY KEY, kind TEXT, time_ns INTEGER, process INTEGER, thread INTEGER,"
	" tid INTEGER, cpu INTEGER,"
	" node INTEGER, ip INTEGER, address INTEGER, region INTEGER, level TEXT, latency INTEGER, period INTEGER,"
	" home INTEGER, page_bytes INTEGER, physical INTEGER, data_source INTEGER, allocator INTEGER, site INTEGER,"
	" bytes INTEGER, from_cpu INTEGER, from_node INTEGER, partner INTEGER, tag INTEGER, comm INTEGER,"
	" posted_ns INTEGER);"
	"CREATE TABLE event_object (event INTEGER, object INTEGER);";

static const char indices[] = "CREATE INDEX event_time ON event (time_ns); CREATE INDEX event_thread ON event (thread);"
			      "CREATE INDEX object_event ON event_object (object); COMMIT;";

/* A statement whose values are bound one after another. */
struct insert {
	sqlite3_stmt *statement;
	int n, *rc;
};

/* Binds a number, or NULL if it is not known. */
static void flow_sql_number(struct insert *i, int is_known, uint64_t n)
{
	if (is_known)
		sqlite3_bind_int64(i->statement, ++i->n, (sqlite3_int64)n);
	else
		sqlite3_bind_null(i->statement, ++i->n);
}

static void index_of(struct insert *i, uint32_t n)
{
	flow_sql_number(i, n != OMPP_FLOW_NONE, n);
}

static void flow_sql_text(struct insert *i, const char *s)
{
	if (s[0])
		sqlite3_bind_text(i->statement, ++i->n, s, -1, SQLITE_STATIC);
	else
		sqlite3_bind_null(i->statement, ++i->n);
}

static void flow_sql_end(struct insert *i)
{
	if (!*i->rc && sqlite3_step(i->statement) != SQLITE_DONE)
		*i->rc = -1;
	sqlite3_reset(i->statement);
	i->n = 0;
}

static struct insert flow_sql_begin(sqlite3 *db, const char *sql, int *rc)
{
	struct insert i = { NULL, 0, rc };

	if (!*rc && sqlite3_prepare_v2(db, sql, -1, &i.statement, NULL) != SQLITE_OK)
		*rc = -1;
	return i;
}

static void write_trace(sqlite3 *db, const struct ompp_flow_info *info, int *rc)
{
	struct insert i = flow_sql_begin(db, "INSERT INTO trace VALUES (?,?,?,?,?,?,?,?,?,?)", rc);

	flow_sql_text(&i, info->app);
	flow_sql_number(&i, info->pid != 0, info->pid);
	flow_sql_text(&i, info->latencies);
	flow_sql_number(&i, info->period != 0, info->period);
	flow_sql_number(&i, 1, info->start_ns);
	flow_sql_number(&i, 1, info->start_unix_ns);
	flow_sql_number(&i, 1, (uint64_t)info->is_whole);
	flow_sql_number(&i, info->n_left_out != UINT64_MAX, info->n_left_out);
	flow_sql_number(&i, info->n_lost != UINT64_MAX, info->n_lost);
	flow_sql_number(&i, 1, info->n_damaged);
	flow_sql_end(&i);
	sqlite3_finalize(i.statement);
}

static void write_processes(sqlite3 *db, const struct ompp_flow *flow, int *rc)
{
	struct insert i = flow_sql_begin(db, "INSERT INTO process VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)", rc);

	for (uint32_t k = 0; k < ompp_flow_n_processes(flow); k++) {
		const struct ompp_flow_process *p = ompp_flow_process(flow, k);

		flow_sql_number(&i, 1, k);
		flow_sql_text(&i, p->path);
		flow_sql_text(&i, p->info.app);
		flow_sql_number(&i, 1, p->info.pid);
		flow_sql_number(&i, 1, p->info.start_ns + (uint64_t)p->moved_ns);
		flow_sql_number(&i, 1, p->info.start_unix_ns);
		flow_sql_number(&i, 1, (uint64_t)p->moved_ns);
		flow_sql_number(&i, 1, (uint64_t)p->info.is_whole);
		flow_sql_number(&i, p->info.n_left_out != UINT64_MAX, p->info.n_left_out);
		flow_sql_number(&i, p->info.n_lost != UINT64_MAX, p->info.n_lost);
		flow_sql_number(&i, 1, p->info.n_damaged);
		index_of(&i, p->mpi_rank);
		flow_sql_number(&i, p->mpi_size != 0, p->mpi_size);
		flow_sql_end(&i);
	}
	sqlite3_finalize(i.statement);
}

static void write_names(sqlite3 *db, const struct ompp_flow *flow, int *rc)
{
	struct insert i = flow_sql_begin(db, "INSERT INTO object VALUES (?,?,?,?,?)", rc);

	for (uint32_t k = 0; k < ompp_flow_n_objects(flow); k++) {
		const struct ompp_flow_object *o = ompp_flow_object(flow, k);

		flow_sql_number(&i, 1, k);
		flow_sql_text(&i, o->name);
		flow_sql_text(&i, o->path);
		index_of(&i, o->site);
		index_of(&i, o->allocator);
		flow_sql_end(&i);
	}
	sqlite3_finalize(i.statement);
	i = flow_sql_begin(db, "INSERT INTO site VALUES (?,?,?,?,?,?,?)", rc);
	for (uint32_t k = 0; k < ompp_flow_n_sites(flow); k++) {
		const struct ompp_flow_site *s = ompp_flow_site(flow, k);

		flow_sql_number(&i, 1, k);
		flow_sql_text(&i, s->name);
		flow_sql_text(&i, s->path);
		index_of(&i, s->thread);
		flow_sql_number(&i, 1, s->n_blocks);
		flow_sql_number(&i, 1, s->n_ended);
		flow_sql_number(&i, 1, s->n_bytes);
		flow_sql_end(&i);
	}
	sqlite3_finalize(i.statement);
	i = flow_sql_begin(db, "INSERT INTO region VALUES (?,?,?,?,?,?,?)", rc);
	for (uint32_t k = 0; k < ompp_flow_n_regions(flow); k++) {
		const struct ompp_flow_region *r = ompp_flow_region(flow, k);

		flow_sql_number(&i, 1, k);
		index_of(&i, r->parent);
		flow_sql_text(&i, r->construct);
		flow_sql_text(&i, r->name);
		flow_sql_text(&i, r->file);
		flow_sql_number(&i, r->begin_line != 0, r->begin_line);
		flow_sql_number(&i, r->end_line != 0, r->end_line);
		flow_sql_end(&i);
	}
	sqlite3_finalize(i.statement);
	i = flow_sql_begin(db, "INSERT INTO thread VALUES (?,?,?,?,?)", rc);
	for (uint32_t k = 0; k < ompp_flow_n_threads(flow); k++) {
		const struct ompp_flow_thread *t = ompp_flow_thread(flow, k);

		flow_sql_number(&i, 1, k);
		index_of(&i, ompp_flow_process_of_thread(flow, k));
		index_of(&i, t->rank);
		flow_sql_number(&i, t->tid != 0, t->tid);
		index_of(&i, t->node);
		flow_sql_end(&i);
	}
	sqlite3_finalize(i.statement);
}

static void write_event(struct insert *i, const struct ompp_flow_event *e, uint32_t process, size_t id)
{
	static const char *const kinds[OMPP_FLOW_N_KINDS] = { "load",      "touch", "allocation", "free", "change",
		                                              "migration", "use",   "written",    "send", "receive" };

	int is_message = e->kind == OMPP_FLOW_SEND || e->kind == OMPP_FLOW_RECEIVE;

	flow_sql_number(i, 1, id);
	flow_sql_text(i, e->kind == OMPP_FLOW_ACCESS && e->access == OMPP_MEM_STORES ? "store" : kinds[e->kind]);
	flow_sql_number(i, e->time_ns != 0, e->time_ns);
	flow_sql_number(i, 1, process);
	index_of(i, e->thread);
	flow_sql_number(i, e->tid != 0, e->tid);
	index_of(i, e->cpu);
	index_of(i, e->node);
	flow_sql_number(i, e->ip != 0, e->ip);
	flow_sql_number(i, e->address != 0, e->address);
	index_of(i, e->region);
	flow_sql_text(i, e->level ? ompp_sample_stats_level_name(e->level) : "");
	flow_sql_number(i, e->latency != 0, e->latency);
	flow_sql_number(i, e->period != 0, e->period);
	index_of(i, e->home);
	flow_sql_number(i, e->page_bytes != 0, e->page_bytes);
	flow_sql_number(i, e->physical != 0, e->physical);
	flow_sql_number(i, e->data_source != 0, e->data_source);
	index_of(i, e->allocator);
	index_of(i, e->site);
	flow_sql_number(i, is_message ? e->bytes != UINT64_MAX : e->bytes != 0, e->bytes);
	index_of(i, e->from_cpu);
	index_of(i, e->from_node);
	index_of(i, e->partner);
	flow_sql_number(i, is_message, e->tag);
	flow_sql_number(i, e->comm != 0, e->comm);
	flow_sql_number(i, is_message, e->posted_ns);
	flow_sql_end(i);
}

static void write_events(sqlite3 *db, const struct ompp_flow *flow, int *rc)
{
	struct insert events =
		flow_sql_begin(db, "INSERT INTO event VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
	                       rc);
	struct insert objects = flow_sql_begin(db, "INSERT INTO event_object VALUES (?,?)", rc);
	struct insert lines = flow_sql_begin(db, "INSERT OR IGNORE INTO line VALUES (?,?,?,?,?)", rc);
	struct ompp_flow_filter all = ompp_flow_all();
	struct ompp_flow_event e;
	struct ompp_flow_line line;

	for (size_t at = 0; !*rc && ompp_flow_next(flow, &all, &at, &e);) {
		uint32_t process = ompp_flow_process_of(flow, &e);

		write_event(&events, &e, process, at);
		for (uint32_t k = 0; k < e.n_objects; k++) {
			flow_sql_number(&objects, 1, at);
			index_of(&objects, ompp_flow_nth_object(flow, &e, k));
			flow_sql_end(&objects);
		}
		if (!e.ip || ompp_flow_event_line(flow, &e, &line))
			continue;
		flow_sql_number(&lines, 1, process);
		flow_sql_number(&lines, 1, e.ip);
		flow_sql_text(&lines, line.function);
		flow_sql_text(&lines, line.file);
		flow_sql_number(&lines, 1, line.line);
		flow_sql_end(&lines);
	}
	sqlite3_finalize(events.statement);
	sqlite3_finalize(objects.statement);
	sqlite3_finalize(lines.statement);
}

int ompp_flow_sql(const struct ompp_flow *flow, const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666), rc = 0; /* never overwrite a file */
	sqlite3 *db = NULL;

	if (fd < 0) {
		ompp_complain(path, "cannot be made: %s; give the name of a file that does not exist", strerror(errno));
		return OMPP_EXIT_FAILED;
	}
	close(fd);
	if (sqlite3_open(path, &db) != SQLITE_OK || sqlite3_exec(db, schema, NULL, NULL, NULL) != SQLITE_OK)
		rc = -1;
	if (!rc) {
		write_trace(db, ompp_flow_info(flow), &rc);
		write_processes(db, flow, &rc);
		write_names(db, flow, &rc);
		write_events(db, flow, &rc);
	}
	if (!rc && sqlite3_exec(db, indices, NULL, NULL, NULL) != SQLITE_OK)
		rc = -1;
	if (rc)
		ompp_complain(path, "cannot be written: %s", db ? sqlite3_errmsg(db) : "not enough memory");
	sqlite3_close(db);
	if (rc)
		unlink(path);
	return rc ? OMPP_EXIT_FAILED : 0;
}
#else
int ompp_flow_sql(const struct ompp_flow *flow, const char *path)
{
	(void)flow;
	(void)path;
	ompp_complain("--sql", "kinst was built without SQLite; install libsqlite3-dev and build it anew");
	return OMPP_EXIT_FAILED;
}
#endif

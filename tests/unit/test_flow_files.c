/*
 * Flow, files: the traces of several processes are read as one.
 */
#include "tests/unit/flow_trace.h"

/* ---- several processes ---- */

enum { N_FILES = 3 };

static char paths[N_FILES][sizeof("/tmp/test_flow.XXXXXX")];

/* Writes what was made to a file, as the trace of a process. */
static void write_trace(int file, uint32_t pid, uint64_t start_unix_ns)
{
	struct ompp_flow_head head = { OMPP_FLOW_VERSION, pid, 4096, 2, START, start_unix_ns, 10007 };
	int fd;

	ompp_flow_head_put(&head, m->bytes);
	strcpy(paths[file], "/tmp/test_flow.XXXXXX");
	fd = mkstemp(paths[file]);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, m->bytes, m->n), m->n);
	close(fd);
}

static int open_files(struct ompp_flow **flow, size_t n, size_t *failed)
{
	const char *all[N_FILES];

	for (int i = 0; i < N_FILES; i++)
		all[i] = paths[i];
	return ompp_flow_open_all(flow, all, n, failed);
}

static void remove_files(void)
{
	for (int i = 0; i < N_FILES; i++)
		if (paths[i][0])
			unlink(paths[i]);
	memset(paths, 0, sizeof(paths));
}

static size_t n_readable = SIZE_MAX; /* bytes of the files that are left to read */

/* The library reads files by this one. */
ssize_t read(int fd, void *buffer, size_t n)
{
	long got = syscall(SYS_read, fd, buffer, n < n_readable ? n : n_readable);

	if (got > 0 && n_readable != SIZE_MAX)
		n_readable -= (size_t)got;
	return got;
}

/* A file that has become shorter since its length was asked for is read up to there. */
static void truncated_meanwhile(void **state)
{
	struct ompp_flow *flow, *whole;

	(void)state;
	make_small();
	write_trace(0, 42, 7);
	assert_int_equal(ompp_flow_open(&whole, paths[0]), 0);
	assert_int_equal(ompp_flow_info(whole)->n_damaged, 0);
	n_readable = m->n - 1;
	assert_int_equal(ompp_flow_open(&flow, paths[0]), 0);
	n_readable = SIZE_MAX;
	assert_int_equal(ompp_flow_info(flow)->n_damaged, m->n - 1 - m->block);
	assert_int_equal(ompp_flow_info(flow)->is_whole, 0);
	assert_int_equal(look(flow), 4);
	ompp_flow_close(flow);
	ompp_flow_close(whole);
	remove_files();
}

/* The same trace of two processes, but for the line of an instruction, which is at the same address in both. */
static void make_two(uint64_t start_unix_ns)
{
	make_small();
	write_trace(0, 42, 7);
	make_small();
	begin_block();
	DEFINE(LINE, "g", "/tmp/b.c", NULL, 0x401001 + 0x1001 % 3 - 1, 99);
	end_block();
	write_trace(1, 43, start_unix_ns);
}

static void processes_are_one(void **state)
{
	struct ompp_flow_filter f = ompp_flow_all();
	const struct ompp_flow_process *p;
	struct ompp_flow_line line;
	struct ompp_flow_event e;
	struct ompp_flow *flow;
	size_t n[2] = { 0 }, failed;

	(void)state;
	make_two(7);
	assert_int_equal(open_files(&flow, 2, &failed), 0);
	assert_int_equal(ompp_flow_n_processes(flow), 2);
	assert_int_equal(ompp_flow_info(flow)->n_lost, 2 * 6);
	assert_int_equal(ompp_flow_info(flow)->n_left_out, 2 * 5);
	assert_int_equal(ompp_flow_n_objects(flow), 2);
	assert_int_equal(ompp_flow_object(flow, 0)->n_accesses, 2 * 3);
	assert_int_equal(ompp_flow_n_sites(flow), 1);
	assert_int_equal(ompp_flow_site(flow, 0)->n_blocks, 2);
	assert_int_equal(ompp_flow_n_regions(flow), 2);
	assert_int_equal(ompp_flow_n_threads(flow), 4);
	p = ompp_flow_process(flow, 1);
	assert_int_equal(p->first_thread, 2);
	assert_int_equal(p->n_threads, 2);
	assert_int_equal(p->moved_ns, 0);
	assert_string_equal(p->path, paths[1]);
	assert_null(ompp_flow_process(flow, 2));
	f.kinds = 1u << OMPP_FLOW_ACCESS;
	for (size_t at = 0; ompp_flow_next(flow, &f, &at, &e);) {
		uint32_t process = ompp_flow_process_of(flow, &e);

		n[process]++;
		assert_int_equal(e.thread / 2, process);
		assert_true(e.allocator == OMPP_FLOW_NONE || e.allocator / 2 == process);
		assert_string_equal(ompp_flow_object(flow, e.object)->name, "a");
		if (!ompp_flow_event_line(flow, &e, &line))
			assert_int_equal(line.line, process ? 99 : 12);
	}
	assert_int_equal(n[0], 3);
	assert_int_equal(n[1], 3);
	assert_int_equal(look(flow), ompp_flow_info(flow)->n_events);
	ompp_flow_close(flow);
	remove_files();
}

/* Events of another machine's process, whose clock says the same 5 s later, stand 5 s later. */
static void clocks_are_one(void **state)
{
	const uint64_t later = 5000000000;
	struct ompp_flow_filter f = ompp_flow_all();
	struct ompp_flow_event e;
	struct ompp_flow *flow;

	(void)state;
	make_two(7 + later);
	assert_int_equal(open_files(&flow, 2, NULL), 0);
	assert_int_equal(ompp_flow_info(flow)->start_ns, START);
	assert_int_equal(ompp_flow_process(flow, 1)->moved_ns, later);
	for (size_t at = 0; ompp_flow_next(flow, &f, &at, &e);)
		assert_int_equal(e.time_ns > later, ompp_flow_process_of(flow, &e));
	f.from_ns = later;
	assert_int_equal(count(flow, &f), ompp_flow_info(flow)->n_events / 2);
	ompp_flow_close(flow);
	remove_files();
}

static void what_does_not_fit(void **state)
{
	struct ompp_flow *flow;
	size_t failed = 9;

	(void)state;
	make_two(7);
	make_small();
	write_trace(2, 43, 7);
	assert_int_equal(open_files(&flow, 3, &failed), OMPP_FLOW_ERROR_FORM);
	assert_int_equal(failed, 2);
	assert_null(flow);
	assert_non_null(strstr(ompp_flow_message(), "once"));
	unlink(paths[1]);
	assert_int_equal(open_files(&flow, 3, &failed), OMPP_FLOW_ERROR_FILE);
	assert_int_equal(failed, 1);
	assert_int_equal(open_files(&flow, 0, &failed), OMPP_FLOW_ERROR_FILE);
	remove_files();
}

/* Of two nodes thread 0 is on the first one and thread 1 on the second; the page that thread 1 touched first is there,
 * also for its access that did so, and where others are nobody saw.  A page at the same address in another process is
 * another one. */
static void nodes_are_imagined(void **state)
{
	struct ompp_flow_filter f = ompp_flow_all();
	struct ompp_flow_event e;
	struct ompp_flow *flow;

	(void)state;
	begin();
	put_access(START + 10, 0, 0x9000, 0, 1, 3, 3);
	put_access(START + 15, 1, 0x9008, 0, 1, 3, 3);
	m->v[OMPP_FLOW_TIME] = START + 20;
	m->v[OMPP_FLOW_THREAD] = 2;
	m->v[OMPP_FLOW_ADDRESS] = 0x9008;
	put(OMPP_FLOW_CODE_TOUCH, FIELD(TIME) | FIELD(THREAD) | FIELD(ADDRESS));
	put_access(START + 30, 0, 0x9ff0, 0, 1, 3, 3);
	put_access(START + 40, 1, 0x9000, 0, 1, 3, 3);
	put_access(START + 50, 1, 0xa000, 0, 1, 3, 3);
	end_block();
	flow = opened(m->n);
	assert_int_equal(ompp_flow_emulate(flow, 0), OMPP_FLOW_ERROR_FORM);
	assert_int_equal(ompp_flow_emulate(flow, 2), 0);
	f.kinds = 1u << OMPP_FLOW_ACCESS;
	for (size_t at = 0; ompp_flow_next(flow, &f, &at, &e);) {
		assert_int_equal(e.node, e.thread);
		assert_int_equal(e.home, e.time_ns < START + 15 || e.address == 0xa000 ? OMPP_FLOW_NONE : 1);
	}
	assert_int_equal(ompp_flow_thread(flow, 1)->node, 1);
	ompp_flow_close(flow);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(truncated_meanwhile), cmocka_unit_test(processes_are_one),
		                            cmocka_unit_test(clocks_are_one), cmocka_unit_test(what_does_not_fit),
		                            cmocka_unit_test(nodes_are_imagined) };

	int failed;

	m = malloc(sizeof(*m));
	if (!m)
		return 1;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	free(m);
	return failed;
}

/*
 * Recording: what is recorded is read again; files that are cut off or damaged are read up to the damage; texts of
 * strangers stay inside of their quotes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "reports/watch/recorder.h"
#include "reports/watch/recording.h"
#include "reports/watch/sheet.h"
#include "reports/watch/sheet_share.h"
#include "reports/watch/watch_json.h"

enum { SAMPLES = 6, TEXT_BYTES = 16384 };

static char folder[] = "/tmp/kinst-record-XXXXXX", path[64], whole[TEXT_BYTES], replayed[TEXT_BYTES];
static size_t n_whole;

/* ---- a sink that writes all it gets into a text ---- */

static void add(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void add(const char *format, ...)
{
	size_t n = strlen(replayed);
	va_list args;

	va_start(args, format);
	vsnprintf(replayed + n, sizeof(replayed) - n, format, args);
	va_end(args);
}

static int on_sample(void *context, const struct ompp_sheet *s)
{
	(void)context;
	add("%lld:", (long long)s->time_ns);
	for (size_t i = 0; i < s->n; i++) {
		const struct ompp_sheet_column *c = &s->columns[i];
		int is_known;
		double n = ompp_sheet_shown(c, &is_known);

		add(" %s.%s.%s.%s=", c->sensor, c->event, c->source ? c->source : "(all)", c->unit);
		add(is_known ? "%.6g" : "-", n);
	}
	add("\n");
	return 0;
}

static int on_threads(void *context, const struct ompp_sheet_threads *t)
{
	(void)context;
	add("%lld: threads", (long long)t->time_ns);
	for (size_t i = 0; i < t->n; i++)
		add(" %s%s", t->in[i] < 0 ? "-" : t->regions[t->in[i]], t->is_waiting[i] ? "+" : "");
	add("\n");
	return 0;
}

static int on_label(void *context, const char *text, int64_t t)
{
	(void)context;
	add("%lld: label %s\n", (long long)t, text);
	return 0;
}

static int on_pause(void *context, int is_paused, int64_t t)
{
	(void)context;
	add("%lld: %s\n", (long long)t, is_paused ? "pause" : "resume");
	return 0;
}

static const struct ompp_sink text_sink = {
	.sample = on_sample, .threads = on_threads, .label = on_label, .pause = on_pause
};

static int replay(struct ompp_recording_info *info)
{
	replayed[0] = '\0';
	return ompp_recording_replay(path, &text_sink, info);
}

/* ---- recordings ---- */

static const char label[] = "phase 2 \"}\n{\"end\":1} \x1b[2J <script> \xff \xe2\x80\xae =1+1";

/* The columns are others from the fourth sample on, as when a CPU comes. */
static void fill(struct ompp_sheet *s, int round)
{
	size_t n = round < 3 ? 3 : 4;

	if (s->n != n) {
		assert_int_equal(ompp_sheet_start(s, n), 0);
		s->generation++;
		for (size_t i = 0; i < n; i++)
			s->columns[i] = (struct ompp_sheet_column){ .sensor = i ? "stat" : "vm\"stat",
				                                    .of = "CPU",
				                                    .event = i ? "user" : "nr_free",
				                                    .unit = i ? "s" : "pages",
				                                    .what = "what",
				                                    .source = i == 1 ? "cpu0"
				                                            : i == 3 ? "cpu1"
				                                                     : NULL,
				                                    .is_gauge = !i,
				                                    .scale = i ? 0.01 : 1,
				                                    .limit = i == 1 ? 4
				                                           : i == 2 ? 12.5
				                                                    : 0,
				                                    .meter = i ? 7 : 3 };
	}
	s->time_ns = 100000000 * (round + 1);
	for (size_t i = 0; i < n; i++) {
		s->columns[i].is_known = i != 3 || round > 3;
		s->columns[i].number = i ? 5 * round : -1000.5;
		s->columns[i].elapsed_ns = i ? 100000000 : 99999999;
	}
}

static void record(void)
{
	char *program[] = { (char *)"./prog", (char *)"a\"b\\", NULL };
	struct ompp_recorder *r = ompp_recorder_open(OMPP_RECORDER_JSON, path, "", program, 100000000, 17);
	struct ompp_sheet sheet = { 0 };
	struct ompp_sink sink;

	assert_non_null(r);
	sink = ompp_recorder_sink(r);
	for (int round = 0; round < SAMPLES; round++) {
		fill(&sheet, round);
		assert_int_equal(sink.sample(sink.context, &sheet), 0);
		if (round == 1)
			sink.label(sink.context, label, 250000000);
		if (round == 2) {
			const char *regions[] = { "a\"b.c:3:LOOP", "other" };
			struct ompp_sheet_threads threads = { 300000000,          regions, 2, (int[]){ 1, -1, 0 },
				                              (int[]){ 0, 0, 1 }, 3 };

			sink.threads(sink.context, &threads);
		}
		if (round == 4)
			sink.pause(sink.context, 1, 510000000);
	}
	sink.end(sink.context, 700000000);
	assert_int_equal(ompp_recorder_close(r), 0);
	ompp_sheet_free(&sheet);
}

static void put_file(const char *bytes, size_t n)
{
	FILE *f;

	remove(path); /* what is written over an older file goes to the disk, where ext4 is mounted as usual */
	f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, n, f), n);
	fclose(f);
}

static int setup(void **state)
{
	FILE *f;

	(void)state;
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof(path), "%s/r", folder);
	record();
	f = fopen(path, "r");
	n_whole = f ? fread(whole, 1, sizeof(whole), f) : 0;
	if (f)
		fclose(f);
	return n_whole < 500 || n_whole >= sizeof(whole);
}

static int teardown(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(folder);
}

static void test_whole(void **state)
{
	struct ompp_recording_info info;

	(void)state;
	put_file(whole, n_whole);
	assert_int_equal(replay(&info), 0);
	assert_true(info.is_whole);
	assert_int_equal(info.n_damaged, 0);
	assert_int_equal(info.interval_ns, 100000000);
	assert_non_null(
		strstr(replayed,
	               "300000000: vm\"stat.nr_free.(all).pages=-1000.5 stat.user.cpu0.s=1 stat.user.(all).s=1\n"));
	assert_non_null(strstr(replayed, "stat.user.cpu1.s=-\n500000000: "));
	assert_non_null(strstr(replayed, "stat.user.cpu1.s=2.5\n"));
	assert_non_null(strstr(replayed, "510000000: pause\n"));
	assert_non_null(strstr(replayed, "\n300000000: threads other - a\"b.c:3:LOOP+\n"));
	/* the label as it was, but for the byte that is no UTF-8 */
	assert_non_null(
		strstr(replayed, "label phase 2 \"}\n{\"end\":1} \x1b[2J <script> \xef\xbf\xbd \xe2\x80\xae =1+1\n"));
	for (size_t i = 0; i < n_whole; i++) /* nothing of it is in the file as it is */
		assert_true((unsigned char)whole[i] >= ' ' || whole[i] == '\n');
	assert_null(strstr(whole, "<script"));
}

/* Behind a column with a limit stands its share of that, as of the sample: 1 s a second of 4 is 25 %. */
static void test_share(void **state)
{
	struct ompp_sheet_share share;
	struct ompp_sink sink = ompp_sheet_share(&share, &text_sink);
	struct ompp_recording_info info;

	(void)state;
	put_file(whole, n_whole);
	replayed[0] = '\0';
	assert_int_equal(ompp_recording_replay(path, &sink, &info), 0);
	assert_non_null(strstr(replayed, "300000000: vm\"stat.nr_free.(all).pages=-1000.5 stat.user.cpu0.s=1 "
	                                 "stat.user.cpu0.%=25 stat.user.(all).s=1 stat.user.(all).%=8\n"));
	assert_non_null(strstr(replayed, "stat.user.(all).s=2 stat.user.(all).%=16 stat.user.cpu1.s=2\n"));
	assert_non_null(strstr(replayed, "510000000: pause\n"));
	assert_non_null(strstr(replayed, "label phase 2"));
	assert_non_null(strstr(replayed, "threads other"));
	ompp_sheet_share_free(&share);
}

/* Limits are numbers above 0, one for each column; others are none, and of another length the line is damaged. */
static void test_limits(void **state)
{
	static const struct {
		const char *limits, *shown;
	} lines[] = {
		{ "", "1: a.x.(all).s=10 a.y.(all).s=20\n" },
		{ ",\"limits\":[40,null]", "1: a.x.(all).s=10 a.x.(all).%=25 a.y.(all).s=20\n" },
		{ ",\"limits\":[-40,0]", "1: a.x.(all).s=10 a.y.(all).s=20\n" },
		{ ",\"limits\":[\"40\",80]", "1: a.x.(all).s=10 a.y.(all).s=20 a.y.(all).%=25\n" },
		{ ",\"limits\":[1e999,{}]", "1: a.x.(all).s=10 a.y.(all).s=20\n" },
		{ ",\"limits\":[40]", "" },
		{ ",\"limits\":[40,80,90]", "" },
		{ ",\"limits\":40", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct ompp_sheet_share share;
		struct ompp_sink sink = ompp_sheet_share(&share, &text_sink);
		struct ompp_recording_info info;
		char text[1024];

		snprintf(text, sizeof(text),
		         "{\"ompp\":\"recording\",\"version\":1}\n{\"sensor\":\"a\",\"of\":\"\",\"events\":[{\"name\":"
		         "\"x\","
		         "\"unit\":\"s\",\"kind\":\"counter\"},{\"name\":\"y\",\"unit\":\"s\",\"kind\":\"counter\"}]}\n"
		         "{\"columns\":[[\"a\",\"x\",null],[\"a\",\"y\",null]]%s}\n{\"t\":1,\"dt\":[100000000],\"v\":["
		         "1,2]}\n",
		         lines[i].limits);
		put_file(text, strlen(text));
		replayed[0] = '\0';
		assert_int_equal(ompp_recording_replay(path, &sink, &info), 0);
		assert_string_equal(replayed, lines[i].shown);
		assert_int_equal(info.n_damaged > 0, !lines[i].shown[0]);
		ompp_sheet_share_free(&share);
	}
}

/* A file that ends anywhere says what was before, and that it ends there. */
static void test_cut(void **state)
{
	static char all[TEXT_BYTES];
	struct ompp_recording_info info;

	(void)state;
	put_file(whole, n_whole);
	replay(&info);
	strcpy(all, replayed);
	for (size_t n = 1; n < n_whole; n++) {
		int rc, is_line = whole[n - 1] == '\n';

		put_file(whole, n);
		rc = replay(&info);
		if (n <= strcspn(whole, "\n")) {
			assert_int_equal(rc, -2); /* not even a header */
			continue;
		}
		assert_int_equal(rc, 0);
		assert_false(info.is_whole);
		assert_int_equal(!info.n_damaged, is_line);
		assert_int_equal(strncmp(all, replayed, strlen(replayed)), 0);
	}
}

/* Behind a line that was cut off another recording begins, which is read. */
static void test_appended(void **state)
{
	struct ompp_recording_info info;
	size_t n;

	(void)state;
	put_file(whole, n_whole - 40);
	record();
	assert_int_equal(replay(&info), 0);
	assert_false(info.is_whole);
	assert_true(info.n_damaged > 0);
	n = strlen(replayed);
	assert_true(n > 100);
	assert_non_null(strstr(strstr(replayed, "510000000: pause"), "\n100000000: "));
}

/* Threads are in regions that there are, and each one waits or not. */
static void test_threads(void **state)
{
	static const char *const wrong[] = {
		"{\"t\":1,\"regions\":[\"a\"],\"threads\":[1],\"waits\":[0]}\n",
		"{\"t\":1,\"regions\":[\"a\"],\"threads\":[-2],\"waits\":[0]}\n",
		"{\"t\":1,\"regions\":[\"a\"],\"threads\":[0.5],\"waits\":[0]}\n",
		"{\"t\":1,\"regions\":[\"a\"],\"threads\":[1e300],\"waits\":[0]}\n",
		"{\"t\":1,\"regions\":[\"a\"],\"threads\":[\"0\"],\"waits\":[0]}\n",
		"{\"t\":1,\"regions\":[\"a\"],\"threads\":[0],\"waits\":[2]}\n",
		"{\"t\":1,\"regions\":[\"a\"],\"threads\":[0],\"waits\":[]}\n",
		"{\"t\":1,\"regions\":[\"a\"],\"threads\":[0]}\n",
		"{\"t\":1,\"regions\":[7],\"threads\":[0],\"waits\":[0]}\n",
		"{\"t\":1,\"threads\":[0],\"waits\":[0]}\n",
		"{\"t\":1,\"regions\":\"a\",\"threads\":7,\"waits\":[0]}\n",
	};
	static const char header[] = "{\"ompp\":\"recording\",\"version\":1}\n";
	struct ompp_recording_info info;
	char text[512];

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		snprintf(text, sizeof(text), "%s%s", header, wrong[i]);
		put_file(text, strlen(text));
		assert_int_equal(replay(&info), 0);
		assert_int_equal(info.n_damaged, strlen(wrong[i]));
		assert_string_equal(replayed, "");
	}
	snprintf(text, sizeof(text), "%s{\"t\":1,\"regions\":[],\"threads\":[],\"waits\":[]}\n", header);
	put_file(text, strlen(text));
	assert_int_equal(replay(&info), 0);
	assert_string_equal(replayed, "1: threads\n");
}

/* Any byte may be others, of which each byte becomes every third. */
static void test_damaged(void **state)
{
	static const char others[] = { 0, '"', '{', ']', '9', '-', 'e', '\n', (char)0xff, '\\', ',' };
	struct ompp_recording_info info;
	size_t n_kept = 0;

	(void)state;
	for (size_t i = 0; i < n_whole; i++)
		for (size_t k = i % 3; k < sizeof(others); k += 3) {
			char old = whole[i];

			whole[i] = others[k];
			put_file(whole, n_whole);
			whole[i] = old;
			n_kept += replay(&info) == 0;
		}
	assert_true(n_kept > n_whole / 3);
}

static void test_refused(void **state)
{
	struct ompp_recording_info info;
	char other[80];

	(void)state;
	put_file("not a recording\n", 16);
	assert_int_equal(replay(&info), -2);
	assert_null(ompp_recorder_open(OMPP_RECORDER_JSON, path, "", NULL, 1, 1)); /* nor is one put into it */
	put_file("", 0);
	assert_int_equal(replay(&info), -2);
	snprintf(other, sizeof(other), "%s/none/r", folder);
	assert_null(ompp_recorder_open(OMPP_RECORDER_JSON, other, "", NULL, 1, 1));
}

static void test_json(void **state)
{
	static const char *const wrong[] = { "",          "{",           "[1,]",
		                             "{\"a\"}",   "{\"a\":1,}",  "01x",
		                             "\"\\u12\"", "\"\\ud800\"", "[[[[[[[[[[1]]]]]]]]]]",
		                             "nul",       "\"a",         "[1 2]",
		                             "-",         "{} {}",       "\"\\u0000\"",
		                             "\"a\nb\"" };
	struct ompp_arena arena;
	const struct ompp_json *v;

	(void)state;
	ompp_arena_init(&arena, 0);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_null(ompp_json_read(wrong[i], &arena));
	v = ompp_json_read(" {\"a\" : [1, -2.5e3, null, true], \"b\":\"\\ud83d\\ude00\\u00e9\\n\"} ", &arena);
	assert_non_null(v);
	assert_true(ompp_json_get(v, "a")->first->next->number == -2500);
	assert_string_equal(ompp_json_text(v, "b"), "\xf0\x9f\x98\x80\xc3\xa9\n");
	assert_null(ompp_json_text(v, "c"));
	assert_true(ompp_json_number(v, "b", 7) == 7);
	ompp_arena_fini(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),    cmocka_unit_test(test_threads), cmocka_unit_test(test_cut),
		cmocka_unit_test(test_appended), cmocka_unit_test(test_damaged), cmocka_unit_test(test_refused),
		cmocka_unit_test(test_json),     cmocka_unit_test(test_share),   cmocka_unit_test(test_limits),
	};

	if (!freopen("/dev/null", "w", stderr)) /* complaints by the thousand */
		return 1;
	return cmocka_run_group_tests(tests, setup, teardown);
}

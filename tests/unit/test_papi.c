/*
 * PAPI: what the helper makes of presets and names, compared with PAPI, libpfm4 and arithmetic, for processors that
 * libpfm4 is made to believe in; and that the helper changes nothing in its process.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <papi.h>
#include <perfmon/pfmlib_perf_event.h>

#include <cmocka.h>

#include "runtime/base/array.h"
#include "runtime/base/text.h"
#include "runtime/counters/counter.h"
#include "runtime/counters/counter_helper.h"
#include "runtime/helpers/papi/papi.h"
#include "runtime/helpers/papi/postfix.h"
#include "runtime/host/helper.h"
#include "tests/unit/fake_sysfs.h"

#define NEED(condition) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
			_exit(1); \
		} \
	} while (0)

static const struct ompp_papi *papi;
static struct ompp_counter counter;
static char why[256];

/* ---- PAPI's formulas ---- */

static int factors(const char *postfix, size_t n, int32_t *f)
{
	return ompp_postfix_factors(postfix, n, f);
}

static void sums_of_events(void **state)
{
	int32_t f[OMPP_POSTFIX_TERMS];

	(void)state;
	assert_int_equal(factors("N0|N1|+|", 2, f), 0);
	assert_int_equal(f[0], 1);
	assert_int_equal(f[1], 1);
	assert_int_equal(factors("N0|N1|2|*|+|N2|4|*|-|", 3, f), 0);
	assert_int_equal(f[1], 2);
	assert_int_equal(f[2], -4);
	assert_int_equal(factors("N0|512|128|/|*|N1|+|", 2, f), 0);
	assert_int_equal(f[0], 4);
	assert_int_equal(factors("N0|N1|-|N2|+|N3|-", 4, f), 0);
	assert_int_equal(f[3], -1);
	assert_int_equal(factors("N0|N1|+|2|*|N0|-|", 2, f), 0);
	assert_int_equal(f[0], 1);
	assert_int_equal(f[1], 2);
	assert_int_equal(factors("3|N0|*|", 1, f), 0);
	assert_int_equal(f[0], 3);
	assert_int_equal(factors("N0|6|*|3|/|", 1, f), 0);
	assert_int_equal(f[0], 2);
}

static void what_is_no_sum_is_refused(void **state)
{
	int32_t f[OMPP_POSTFIX_TERMS];
	char deep[200] = "";

	(void)state;
	assert_int_equal(factors("N0|N1|/|", 2, f), -ENOTSUP);
	assert_int_equal(factors("N0|N1|*|", 2, f), -ENOTSUP);
	assert_int_equal(factors("N0|2|/|", 1, f), -ENOTSUP);
	assert_int_equal(factors("N0|0|/|", 1, f), -ENOTSUP);
	assert_int_equal(factors("N0|3|+|", 1, f), -ENOTSUP);
	assert_int_equal(factors("N0|#|*|", 1, f), -ENOTSUP);
	assert_int_equal(factors("N0|999999999|*|999999999|*|999999999|*|", 1, f), -ENOTSUP);
	assert_int_equal(factors("N0|999999999|*|9|*|", 1, f), -ENOTSUP);
	assert_int_equal(factors("", 1, f), -EINVAL);
	assert_int_equal(factors("N1|", 1, f), -EINVAL);
	assert_int_equal(factors("N|", 1, f), -EINVAL);
	assert_int_equal(factors("N0|N0|", 1, f), -EINVAL);
	assert_int_equal(factors("+|", 1, f), -EINVAL);
	assert_int_equal(factors("N0|+|", 1, f), -EINVAL);
	assert_int_equal(factors("N0N0|+|", 1, f), -EINVAL);
	assert_int_equal(factors("x|", 1, f), -EINVAL);
	assert_int_equal(factors("12345678901|", 1, f), -EINVAL);
	for (int i = 0; i < 40; i++)
		strcat(deep, "N0|");
	assert_int_equal(factors(deep, 1, f), -EINVAL);
}

/* ---- the helper's answers, in one process for each processor ---- */

/* Runs the check in a child for which libpfm4 sees this PMU; the child's exit status must be 0. */
static void in_child(const char *pmu, void (*check)(void))
{
	pid_t pid;
	int status;

	fflush(NULL);
	pid = fork();
	if (!pid) {
		if (pmu)
			setenv("LIBPFM_FORCE_PMU", pmu, 1);
		papi = &ompp_papi_functions;
		check();
		_exit(0);
	}
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static int ask(int (*function)(const char *, struct ompp_counter *, struct ompp_text *), const char *name)
{
	struct ompp_text t;
	int rc;

	ompp_text_init(&t, why, sizeof(why));
	memset(&counter, 0, sizeof(counter));
	counter.what = counter.unit = counter.source = "";
	errno = 77;
	rc = function(name, &counter, &t);
	NEED(papi == &ompp_papi_functions || errno == 77);
	return rc;
}

/* Invents a count for an event, which depends on what the kernel is told of the event. */
static int64_t count_of(uint32_t type, uint64_t config, uint64_t config1)
{
	uint64_t x = (config * 0x9e3779b97f4a7c15ULL) ^ (config1 * 0xc2b2ae3d27d4eb4fULL) ^ type;

	return (int64_t)(x >> 44);
}

static int64_t count_of_name(const char *name)
{
	struct perf_event_attr attr;
	pfm_perf_encode_arg_t arg;

	memset(&attr, 0, sizeof(attr));
	memset(&arg, 0, sizeof(arg));
	attr.size = sizeof(attr);
	arg.size = sizeof(arg);
	arg.attr = &attr;
	NEED(pfm_get_os_event_encoding(name, PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &arg) == PFM_SUCCESS);
	return count_of(attr.type, attr.config, attr.config1);
}

/* Computes PAPI's formula in floating point, as PAPI does. */
static double evaluate(const char *postfix, const int64_t *counts)
{
	double stack[32];
	int n = 0;

	for (const char *p = postfix; *p; p += strcspn(p, "|"), p += *p == '|') {
		if (*p == 'N')
			stack[n++] = (double)counts[atoi(p + 1)];
		else if (*p >= '0' && *p <= '9')
			stack[n++] = atoi(p);
		else {
			double b = stack[--n], a = stack[--n];

			stack[n++] = *p == '+' ? a + b : *p == '-' ? a - b : *p == '*' ? a * b : a / b;
		}
	}
	return stack[0];
}

static double value_by_papi(const PAPI_event_info_t *info)
{
	int64_t counts[PAPI_MAX_INFO_TERMS] = { 0 };
	double value;

	for (unsigned int i = 0; i < info->count; i++)
		counts[i] = count_of_name(info->name[i]);
	if (!strcmp(info->derived, "DERIVED_POSTFIX"))
		return evaluate(info->postfix, counts);
	value = (double)counts[0];
	for (unsigned int i = 1; i < info->count; i++)
		value += strcmp(info->derived, "DERIVED_SUB") ? (double)counts[i] : -(double)counts[i];
	return value;
}

/* Each preset of the helper has the value that PAPI would compute. */
static void presets_are_papis(void)
{
	static PAPI_event_info_t info;
	int code = PAPI_PRESET_MASK, n = 0, n_sums = 0;

	NEED(ask(papi->papi, "PAPI_TOT_INS") == 0);
	NEED(PAPI_library_init(PAPI_VER_CURRENT) == PAPI_VER_CURRENT);
	NEED(PAPI_enum_event(&code, PAPI_ENUM_FIRST) == PAPI_OK);
	do {
		double value = 0;

		if (PAPI_get_event_info(code, &info) != PAPI_OK || !info.count)
			continue;
		NEED(ask(papi->papi, info.symbol) == 0);
		for (uint32_t i = 0; i < counter.n_events; i++)
			value += (double)counter.event[i].factor * (double)count_of(counter.event[i].type,
			                                                            counter.event[i].config,
			                                                            counter.event[i].config1);
		if (value != value_by_papi(&info)) {
			fprintf(stderr, "%s: %.0f, PAPI %.0f\n", info.symbol, value, value_by_papi(&info));
			_exit(1);
		}
		n++;
		n_sums += info.count > 1;
	} while (PAPI_enum_event(&code, PAPI_ENUM_EVENTS) == PAPI_OK);
	NEED(n > 10 && n_sums > 0);
	PAPI_shutdown();
}

static void presets_of_processors(void **state)
{
	static const char *const pmus[] = { "skx", "hsw", "snb", "amd64_fam17h_zen2", "amd64_fam19h_zen3" };

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(pmus); i++)
		in_child(pmus[i], presets_are_papis);
}

/* By Intel's manual it is event 0xc7, with the masks 1, 4, 0x10 and 0x40 for 1, 2, 4 and 8 numbers at once. */
static void check_double_operations(void)
{
	static const uint64_t config[] = { 0x1c7, 0x4c7, 0x10c7, 0x40c7 };

	NEED(ask(papi->papi, "PAPI_DP_OPS") == 0);
	NEED(counter.n_events == 4);
	for (int i = 0; i < 4; i++) {
		NEED(counter.event[i].config == config[i]);
		NEED(counter.event[i].factor == 1 << i);
	}
	NEED(ask(papi->papi, "PAPI_BR_PRC") == 0);
	NEED(counter.n_events == 2 && counter.event[0].factor == 1 && counter.event[1].factor == -1);
}

static void double_operations(void **state)
{
	(void)state;
	in_child("skx", check_double_operations);
}

static void check_natives(void)
{
	NEED(ask(papi->pfm, "INST_RETIRED:ANY_P") == 0);
	NEED(counter.n_events == 1 && counter.event[0].config == 0xc0 && counter.what[0]);
	NEED(ask(papi->pfm, "skx::FP_ARITH:SCALAR_DOUBLE") == 0);
	NEED(counter.event[0].config == 0x1c7);
	NEED(ask(papi->pfm, "perf_event:::INST_RETIRED:ANY_P") == 0);
	NEED(ask(papi->pfm, "FP_ARITH") == -EINVAL && strstr(why, "needs one of :SCALAR_DOUBLE"));
	NEED(ask(papi->pfm, "FP_ARITH:SCALAR") == -ENOENT);
	NEED(ask(papi->pfm, "NO_SUCH_EVENT") == -ENOENT);
	NEED(ask(papi->pfm, "hsw::INST_RETIRED:ANY_P") == -ENODEV && strstr(why, "Haswell"));
	NEED(ask(papi->pfm, "INST_RETIRED:ANY_P:k") == -EINVAL && strstr(why, "user mode"));
	NEED(ask(papi->pfm, "rapl:::PACKAGE_ENERGY:PACKAGE0") == -ENODEV);
	NEED(ask(papi->papi, "PAPI_L3_ICH") == -ENODEV && strstr(why, "does not have it on this processor"));
}

static void natives_by_libpfm4(void **state)
{
	(void)state;
	in_child("skx", check_natives);
}

static int see(void *context, const struct ompp_counter *c)
{
	NEED(c->name[0] && c->source[0] && c->what);
	++*(int *)context;
	return 0;
}

static void check_list(void)
{
	int n = 0;

	NEED(papi->each(see, &n) == 0);
	NEED(n > 300);
}

static void check_no_list(void)
{
	int n = 0;

	NEED(papi->each(see, &n) == 0);
}

static void lists_of_natives(void **state)
{
	(void)state;
	in_child("skx", check_list);
	in_child(NULL, check_no_list);
}

/* ---- what the helper must not touch ---- */

static void ask_the_helper(void)
{
	const char *reason;

	ompp_helper_beside = 1;
	papi = ompp_counter_helper(&reason);
	if (!papi)
		fprintf(stderr, "%s\n", reason);
	NEED(papi);
}

static volatile sig_atomic_t n_children;

static void child_ends(int number)
{
	(void)number;
	n_children++;
}

static volatile sig_atomic_t n_ticks;

static void tick(int number)
{
	(void)number;
	n_ticks++;
}

/* Nothing is printed, SIGPROF and its timer stay as they were, and PAPI is as before. */
static void check_quiet(void)
{
	struct sigaction action, after;
	struct itimerval timer = { { 0, 500000 }, { 1000, 0 } }, left;
	char path[] = "/tmp/kinst-papi-XXXXXX";
	int out = mkstemp(path);
	sigset_t mask;
	struct stat st;
	struct ompp_text t;

	NEED(out >= 0 && !unlink(path));
	dup2(out, 1);
	dup2(out, 2);
	signal(SIGCHLD, child_ends);
	ask_the_helper();
	memset(&action, 0, sizeof(action));
	action.sa_handler = tick;
	NEED(!sigaction(SIGPROF, &action, NULL) && !setitimer(ITIMER_PROF, &timer, NULL));
	ask(papi->papi, "PAPI_TOT_INS");
	ask(papi->pfm, "nonsense");
	ompp_text_init(&t, why, sizeof(why));
	if (papi->restrict_range("PAPI_TOT_INS", &t) != -ENOTSUP || !strstr(why, "PAPI_DATA_ADDRESS: "))
		_exit(2);
	if (fstat(out, &st) || st.st_size)
		_exit(3);
	if (sigaction(SIGPROF, NULL, &after) || after.sa_handler != tick)
		_exit(4);
	if (getitimer(ITIMER_PROF, &left) || left.it_value.tv_sec < 900 || left.it_interval.tv_usec != 500000)
		_exit(5);
	if (sigprocmask(SIG_BLOCK, NULL, &mask) || sigismember(&mask, SIGPROF))
		_exit(6);
	if (PAPI_is_initialized() != PAPI_NOT_INITED)
		_exit(7);
	raise(SIGPROF);
	if (n_ticks != 1)
		_exit(8);
	ompp_helper_end();
	if (n_children || waitpid(-1, NULL, 0) != -1 || errno != ECHILD)
		_exit(9);
	if (fcntl(out + 1, F_GETFD) != -1)
		_exit(10);
}

/* Asks libpfm4 for an event of skx, or of the kernel, which it has unless the test is run for another processor. */
static int ask_libpfm4(void)
{
	const char *pmu = getenv("LIBPFM_FORCE_PMU");
	int is_skx = pmu && !strcmp(pmu, "skx"),
	    rc = ask(papi->pfm, is_skx ? "INST_RETIRED:ANY_P" : "perf::PERF_COUNT_SW_PAGE_FAULTS");

	NEED(rc == 0 || (pmu && !is_skx));
	return rc;
}

static void check_program_uses_papi(void)
{
	int set = PAPI_NULL, before;
	struct ompp_text t;

	NEED(PAPI_library_init(PAPI_VER_CURRENT) == PAPI_VER_CURRENT);
	NEED(PAPI_create_eventset(&set) == PAPI_OK);
	ask_the_helper();
	before = ask_libpfm4();
	ask(papi->papi, "PAPI_TOT_INS");
	ompp_text_init(&t, why, sizeof(why));
	papi->restrict_range("PAPI_TOT_INS", &t);
	NEED(PAPI_is_initialized() != PAPI_NOT_INITED);
	NEED(PAPI_destroy_eventset(&set) == PAPI_OK);
	PAPI_shutdown();
	NEED(ask_libpfm4() == before);
}

static int n_starts, n_stops;

int __real_PAPI_library_init(int version);
int __wrap_PAPI_library_init(int version);
int __wrap_PAPI_library_init(int version)
{
	n_starts++;
	return __real_PAPI_library_init(version);
}

void __real_PAPI_shutdown(void);
void __wrap_PAPI_shutdown(void);
void __wrap_PAPI_shutdown(void)
{
	n_stops++;
	__real_PAPI_shutdown();
}

/* PAPI 7.0.0 crashes when it is started again on some processors: the helper starts it at the first question, and that
 * is all. */
static void check_started_once(void)
{
	struct ompp_text t;

	ask(papi->pfm, "nonsense");
	NEED(!n_starts);
	for (int i = 0; i < 3; i++) {
		ask(papi->papi, i ? "PAPI_TOT_CYC" : "PAPI_TOT_INS");
		ompp_text_init(&t, why, sizeof(why));
		papi->restrict_range("PAPI_TOT_INS", &t);
	}
	NEED(n_starts == 1 && !n_stops);
}

static void papi_is_started_once(void **state)
{
	(void)state;
	in_child(NULL, check_started_once);
	in_child("skx", check_started_once);
	in_child("amd64_fam19h_zen3", check_started_once);
}

static void the_program_is_left_alone(void **state)
{
	(void)state;
	in_child(NULL, check_quiet);
	in_child("skx", check_quiet);
	in_child(NULL, check_program_uses_papi);
	in_child("skx", check_program_uses_papi);
}

/* ---- perf's names, as libpfm4 has them ---- */

static int opens(const struct ompp_event_code *code)
{
	(void)code;
	return 0;
}

static int compare(void *context, const struct ompp_counter *c)
{
	char name[64] = "perf::";
	struct ompp_counter ours;
	struct ompp_text t;

	if (strcmp(c->source, "perf") && strcmp(c->source, "kernel"))
		return 0;
	if (strchr(c->name, '/'))
		return 0;
	for (size_t i = 0; c->name[i]; i++)
		name[6 + i] = (char)(c->name[i] >= 'a' && c->name[i] <= 'z' ? c->name[i] - 32 : c->name[i]);
	ompp_text_init(&t, why, sizeof(why));
	NEED(ompp_counter_find(c->name, strlen(c->name), &ours, &t) == 0);
	if (ask(papi->pfm, name)) {
		fprintf(stderr, "libpfm4 has no %s\n", name);
		return 0;
	}
	if (ours.n_events != 1 || ours.event[0].type != counter.event[0].type ||
	    ours.event[0].config != counter.event[0].config) {
		fprintf(stderr, "%s: config %llx, libpfm4 %llx\n", name, (unsigned long long)ours.event[0].config,
		        (unsigned long long)counter.event[0].config);
		_exit(1);
	}
	++*(int *)context;
	return 0;
}

static void check_numbers(void)
{
	int n = 0;

	ompp_pmu_try = opens;
	NEED(!fake_new(NULL));
	fake_intel("cpu", "4", NULL);
	ompp_counter_each(compare, &n);
	fake_drop();
	NEED(n >= 40);
}

static void numbers_are_libpfm4s(void **state)
{
	(void)state;
	in_child("perf", check_numbers); /* the kernel's own names, whatever the processor is */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_of_events),        cmocka_unit_test(what_is_no_sum_is_refused),
		cmocka_unit_test(presets_of_processors), cmocka_unit_test(double_operations),
		cmocka_unit_test(natives_by_libpfm4),    cmocka_unit_test(lists_of_natives),
		cmocka_unit_test(papi_is_started_once),  cmocka_unit_test(the_program_is_left_alone),
		cmocka_unit_test(numbers_are_libpfm4s),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

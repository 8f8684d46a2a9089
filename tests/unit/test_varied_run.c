/*
 * Varied runs: what the profile has of runs of chance (varied_play.h) is what it was.  Each kind has other options.
 *
 * tests/golden/varied_run.txt has a checksum for each kind and section of the profile.  Usage:
 *
 *   test_varied_run                compares, and says which differ
 *   test_varied_run record         prints what varied_run.txt shall be (make update-golden)
 *   test_varied_run show KIND      prints all numbers of a kind's runs
 */
#define _GNU_SOURCE
#include "tests/unit/steps.h"

#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reports/profile/schema.h"
#include "runtime/collect/dump.h"
#include "tests/golden/varied_sums.h"
#include "tests/unit/varied_constructs.h"
#include "tests/unit/varied_flow.h"
#include "tests/unit/varied_kernel.h"
#include "tests/unit/varied_machine.h"
#include "tests/unit/varied_play.h"

enum { MOST_SUMS = 1024, TEAMS = 14 };

/* ---- kinds of runs ---- */

/* With an address the test's own variables have no names. */
#define BLOCKS \
	"OMPP_OBJECTS", "all", "OMPP_OBJECT_MIN", "200", "OMPP_DATA_ADDR", "0x26000003c000", "OMPP_DATA_SIZE", "4096"
#define SAMPLES "OMPP_SAMPLE", "hook", "OMPP_SAMPLE_SEED", "1", "OMPP_SAMPLE_PERIOD", "31"

static const struct varied_kind kinds[] = {
	{ "plain", 1, VARIED_PLAIN, TEAMS, { NULL } },
	{ "plain2", 2, VARIED_PLAIN, TEAMS, { "OMPP_MAX_DEPTH", "2", "OMPP_COURSE", "0" } },
	{ "span", 3, VARIED_PLAIN, TEAMS, { "OMPP_SPAN", "1" } },
	{ "what_if", 4, VARIED_PLAIN, TEAMS, { "OMPP_SPAN", "1", "OMPP_WHAT_IF", "1" } },
	{ "what_if2", 5, VARIED_PLAIN, TEAMS, { "OMPP_SPAN", "1", "OMPP_WHAT_IF", "1" } },
	{ "filter", 6, VARIED_PLAIN, TEAMS, { "OMPP_FILTER", "critical,t.c:20,inner", "OMPP_DISABLE", "atomic" } },
	{ "sample", 7, VARIED_PLAIN, TEAMS, { "OMPP_COSTLY", "sample" } },
	{ "counted", 8, VARIED_PLAIN, TEAMS, { "OMPP_CTR", "fake", "OMPP_EVAL1", "fake/EXECT" } },
	{ "access", 9, VARIED_ACCESSES, TEAMS, { NULL } },
	{ "cache", 10, VARIED_ACCESSES, TEAMS, { "OMPP_CACHE", "L1=1K/2/64,L2=8K/4/64", "OMPP_SHARING", "1" } },
	{ "reuse", 11, VARIED_ACCESSES, TEAMS, { "OMPP_REUSE", "1", "OMPP_CACHE", "L1=512/1/32" } },
	{ "layouts",
	  12,
	  VARIED_ACCESSES,
	  TEAMS,
	  { "OMPP_LAYOUTS", "1", "OMPP_CACHE", "L1=1K/2/64,L2=16K/4/64", "OMPP_TLB",
	    "L1=4/2/4K,L2=16/4/4K,L1=2/2/2M" } },
	{ "cache3",
	  14,
	  VARIED_ACCESSES,
	  TEAMS,
	  { "OMPP_CACHE", "L1=768/3/64,L2=4K/4/64,L3=32K/8/128", "OMPP_SPAN", "1", "OMPP_SHARING", "1" } },
	{ "constructs", 27, VARIED_CONSTRUCTS, TEAMS, { "OMPP_TRACE", "1" } },
	{ "constructs2", 28, VARIED_CONSTRUCTS, TEAMS, { "OMPP_SPAN", "1", "OMPP_WHAT_IF", "1" } },
	{ "constructs3", 29, VARIED_CONSTRUCTS, TEAMS, { "OMPP_SPAN", "1", "OMPP_COLLAPSE_LOCKS", "array" } },
	{ "constructs4",
	  30,
	  VARIED_CONSTRUCTS,
	  TEAMS,
	  { "OMPP_COSTLY", "sample", "OMPP_COLLAPSE_LOCKS", "1", "OMPP_MAX_DEPTH", "2" } },
	{ "all", 31, VARIED_CONSTRUCTS | VARIED_MEMORY, TEAMS, { BLOCKS, SAMPLES, "OMPP_SPAN", "1" } },
	{ "storms", 32, VARIED_STORMS, 6, { "OMPP_COSTLY", "sample", "OMPP_SAMPLE_SEED", "1" } },
	{ "storms2",
	  33,
	  VARIED_STORMS | VARIED_CONSTRUCTS,
	  6,
	  { "OMPP_COSTLY", "sample", "OMPP_SAMPLE_SEED", "1", "OMPP_SPAN", "1" } },
	{ "names", 18, VARIED_MEMORY, TEAMS, { "OMPP_SHARING", "1" } },
	{ "blocks", 19, VARIED_MEMORY, TEAMS, { BLOCKS } },
	{ "blocks2", 20, VARIED_MEMORY, TEAMS, { BLOCKS, "OMPP_CACHE", "L1=1K/2/64,L2=8K/4/64", "OMPP_REUSE", "1" } },
	{ "traced", 21, VARIED_MEMORY, TEAMS, { BLOCKS, "OMPP_TRACE", "1", SAMPLES } },
	{ "sampled", 24, VARIED_MEMORY, TEAMS, { SAMPLES, "OMPP_NUMA", "emulate:2", "OMPP_SAMPLE_KIND", "stores" } },
	{ "sampled2", 25, VARIED_MEMORY, TEAMS, { BLOCKS, SAMPLES, "OMPP_NUMA", "emulate:3" } },
	{ "pages", 22, VARIED_MEMORY, TEAMS, { BLOCKS, "OMPP_PAGES", "hooks", "OMPP_PAGES_INTERVAL", "region" } },
	{ "pages2", 23, VARIED_MEMORY, TEAMS, { "OMPP_PAGES", "hooks", "OMPP_PAGES_INTERVAL", "86400s" } },
};

/* ---- what is compared ---- */

/* The parts of the program and of its libraries, and its threads' variables, have no names: the linker puts these in
 * place of what names them. */
void __wrap_ompp_sections_name(void);
void __wrap_ompp_sections_name(void)
{
}

struct ompp_thread_sections;
void __wrap_ompp_sections_name_thread(struct ompp_thread_sections *own, uint32_t owner);
void __wrap_ompp_sections_name_thread(struct ompp_thread_sections *own, uint32_t owner)
{
	(void)own;
	(void)owner;
}

/* The kernel has no events, which would tell of first touches, and no files that tell of NUMA nodes; pages are on one
 * of three nodes, or on none yet. */
static int answer(long number, const long a[6], long *result)
{
	if (number == SYS_move_pages) {
		void **pages = (void **)a[2];
		int *nodes = (int *)a[4];

		for (long i = 0; i < a[1]; i++) {
			nodes[i] = (int)((uintptr_t)pages[i] >> 12) % 5;
			nodes[i] = nodes[i] < 3 ? nodes[i] : -ENOENT;
		}
		*result = 0;
		return 1;
	}
	*result = -ENOENT;
	return number == SYS_perf_event_open || number == SYS_userfaultfd ||
	       (number == SYS_openat && !strncmp((const char *)a[1], "/sys/", 5));
}

static int is_shown;

/* Writes a text, or its checksum, and frees it. */
static void put_text(FILE *to, const struct varied_kind *kind, const char *tag, struct varied_text *t)
{
	varied_text_close(t);
	if (is_shown)
		fputs(t->text, to);
	else if (t->n)
		fprintf(to, "%s %.4s %llx\n", kind->name, tag,
		        (unsigned long long)varied_sum_add(VARIED_SUM_START, t->text, t->n));
	free(t->text);
}

static void put_profile(FILE *to, const struct varied_kind *kind, const struct ompp_profile *p)
{
	struct varied_text t;

	for (enum ompp_section s = OMPP_SECTION_HEAD; s < OMPP_SECTION_VALUES; s++) {
		if (s == OMPP_SECTION_FIRST_TOUCHES) /* when the kernel gives pages */
			continue;
		varied_text_open(&t);
		varied_play_put(t.to, s, p);
		put_text(to, kind, ompp_schemas[s].tag, &t);
	}
}

/* Ends the run, which writes its traces into the folder.  Returns 0, or 1 where one cannot be read. */
static int put_traces(FILE *to, const struct varied_kind *kind, const char *folder)
{
	static const char *const suffixes[] = { "flow", "pages" };
	char path[64];
	int rc = 0;

	ompp_dump_final(0);
	for (size_t i = 0; i < OMPP_COUNT_OF(suffixes); i++) {
		struct varied_text t;

		snprintf(path, sizeof(path), "%s/r.ompp.%s", folder, suffixes[i]);
		varied_text_open(&t);
		if (!access(path, F_OK)) {
			rc |= varied_flow_put(t.to, path) != 0;
			unlink(path);
		}
		put_text(to, kind, suffixes[i], &t);
	}
	snprintf(path, sizeof(path), "%s/r", folder);
	unlink(path);
	rmdir(folder);
	return rc;
}

static int has_traces(const struct varied_kind *kind)
{
	for (int i = 0; kind->options[i]; i++)
		if (!strcmp(kind->options[i], "OMPP_TRACE") || !strcmp(kind->options[i], "OMPP_PAGES"))
			return 1;
	return 0;
}

/* Makes the runs of a kind in a process of its own, and writes the checksums of its sections, or all numbers. */
static int child_of(const struct varied_kind *kind, FILE *to)
{
	struct varied_text meetings;
	char folder[40], path[64];
	int rc = 0;

	if (has_traces(kind)) {
		varied_folder_make(folder, sizeof(folder));
		snprintf(path, sizeof(path), "%s/r", folder);
		option("OMPP_REPORTFILE", path);
	}
	varied_kernel_set(answer);
	varied_play(kind);
	put_profile(to, kind, collect());
	varied_text_open(&meetings);
	varied_constructs_put(meetings.to);
	put_text(to, kind, "meetings", &meetings);
	check_identities();
	varied_play_end();
	if (has_traces(kind))
		rc = put_traces(to, kind, folder);
	return fflush(to) || rc;
}

static struct varied_sum sums[MOST_SUMS];
static size_t n_sums;

/* Returns 0, or the status of a child that failed. */
static int add_kind(const struct varied_kind *kind)
{
	FILE *file = fdopen(memfd_create("sums", MFD_CLOEXEC), "w+");
	int status = 1;
	char tag[8], name[32];
	unsigned long long sum;
	pid_t child;

	if (!file)
		return 1;
	fflush(NULL);
	child = fork();
	if (!child)
		_exit(child_of(kind, file));
	if (child < 0 || waitpid(child, &status, 0) != child || status)
		return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
	rewind(file);
	while (fscanf(file, "%31s %7s %llx", name, tag, &sum) == 3 && n_sums < MOST_SUMS)
		sums[n_sums++] = (struct varied_sum){ kind->name, strdup(tag), sum };
	fclose(file);
	return 0;
}

int main(int argc, char **argv)
{
	varied_start();
	if (!HAS_PLACES)
		return 77;
	is_shown = argc > 2;
	for (size_t i = 0; i < OMPP_COUNT_OF(kinds); i++) {
		int rc = 0;

		if (argc < 3)
			rc = add_kind(&kinds[i]);
		else if (!strcmp(argv[2], kinds[i].name))
			return child_of(&kinds[i], stdout);
		if (rc) {
			fprintf(stderr, "test_varied_run: %s %s\n", kinds[i].name,
			        rc == 77 ? "has no memory where its places are known" : "failed");
			return rc;
		}
	}
	if (argc < 2)
		return varied_sums_compare(sums, n_sums, "varied_run");
	varied_sums_print(sums, n_sums);
	return 0;
}

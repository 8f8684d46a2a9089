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
#include <sys/wait.h>
#include <unistd.h>

#include "reports/profile/schema.h"
#include "tests/golden/varied_sums.h"
#include "tests/unit/varied_play.h"

enum { MOST_SUMS = 512, TEAMS = 14 };

/* ---- kinds of runs ---- */

static const struct varied_kind kinds[] = {
	{ "plain", 1, 0, TEAMS, { NULL } },
	{ "plain2", 2, 0, TEAMS, { "OMPP_MAX_DEPTH", "2", "OMPP_COURSE", "0" } },
	{ "span", 3, 0, TEAMS, { "OMPP_SPAN", "1" } },
	{ "what_if", 4, 0, TEAMS, { "OMPP_SPAN", "1", "OMPP_WHAT_IF", "1" } },
	{ "what_if2", 5, 0, TEAMS, { "OMPP_SPAN", "1", "OMPP_WHAT_IF", "1" } },
	{ "filter", 6, 0, TEAMS, { "OMPP_FILTER", "critical,t.c:20,inner", "OMPP_DISABLE", "atomic" } },
	{ "sample", 7, 0, TEAMS, { "OMPP_COSTLY", "sample" } },
	{ "counted", 8, 0, TEAMS, { "OMPP_CTR", "fake", "OMPP_EVAL1", "fake/EXECT" } },
	{ "access", 9, 1, TEAMS, { NULL } },
	{ "cache", 10, 1, TEAMS, { "OMPP_CACHE", "L1=1K/2/64,L2=8K/4/64", "OMPP_SHARING", "1" } },
	{ "reuse", 11, 1, TEAMS, { "OMPP_REUSE", "1", "OMPP_CACHE", "L1=512/1/32" } },
	{ "layouts",
	  12,
	  1,
	  TEAMS,
	  { "OMPP_LAYOUTS", "1", "OMPP_CACHE", "L1=1K/2/64,L2=16K/4/64", "OMPP_TLB",
	    "L1=4/2/4K,L2=16/4/4K,L1=2/2/2M" } },
	{ "cache3",
	  14,
	  1,
	  TEAMS,
	  { "OMPP_CACHE", "L1=768/3/64,L2=4K/4/64,L3=32K/8/128", "OMPP_SPAN", "1", "OMPP_SHARING", "1" } },
};

/* ---- what is compared ---- */

/* Makes the runs of a kind in a process of its own, and writes the checksums of its sections, or all numbers. */
static int child_of(const struct varied_kind *kind, int is_shown, FILE *to)
{
	const struct ompp_profile *p;

	varied_play(kind);
	p = collect();
	check_identities();
	varied_play_end();
	for (enum ompp_section s = OMPP_SECTION_HEAD; s < OMPP_SECTION_VALUES; s++) {
		size_t n_bytes;
		char *text;
		FILE *section = open_memstream(&text, &n_bytes);

		if (!section)
			return 1;
		varied_play_put(section, s, p);
		fclose(section);
		if (is_shown)
			fputs(text, to);
		else if (n_bytes)
			fprintf(to, "%s %.4s %llx\n", kind->name, ompp_schemas[s].tag,
			        (unsigned long long)varied_sum_add(VARIED_SUM_START, text, n_bytes));
		free(text);
	}
	return fflush(to) ? 1 : 0;
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
		_exit(child_of(kind, 0, file));
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
	for (size_t i = 0; i < OMPP_COUNT_OF(kinds); i++) {
		int rc = 0;

		if (argc < 3)
			rc = add_kind(&kinds[i]);
		else if (!strcmp(argv[2], kinds[i].name))
			return child_of(&kinds[i], 1, stdout);
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

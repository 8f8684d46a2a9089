/*
 * Varied files: what is made of files of chance, of which every third is damaged, is what it was: the texts of the
 * kernel and the environment, events and rings of perf, files of programs and what describes them.
 *
 * tests/golden/varied_files.txt has a checksum for each kind of files.  Usage:
 *
 *   test_varied_files               compares, and says which differ
 *   test_varied_files record        prints what varied_files.txt shall be (make update-golden)
 *   test_varied_files list PART     prints the checksum of each input
 *   test_varied_files show PART N   prints what is made of input N
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/array.h"
#include "tests/golden/varied_sums.h"
#include "tests/unit/varied_machine.h"

enum { MOST_PARTS = 64 };

static const struct varied_part *const lists[] = { varied_proc_parts,   varied_perf_parts, varied_pmu_parts,
	                                           varied_elf_parts,    varied_cfi_parts,  varied_name_parts,
	                                           varied_traffic_parts };

/* Returns what is made of an input, which the caller frees.  No event stays open. */
static struct varied_text made_of(const struct varied_part *part, uint32_t number)
{
	struct varied_text t;
	int n_open;

	varied_machine_begin(varied_sum_add(VARIED_SUM_START, part->name, strlen(part->name)) + number);
	varied_text_open(&t);
	part->make(t.to);
	fprintf(t.to, "asked %016llx\n", (unsigned long long)varied_machine_asked());
	n_open = varied_perf_end();
	if (n_open)
		fprintf(t.to, "%d events stay open\n", n_open);
	varied_text_close(&t);
	return t;
}

static uint64_t sum_of(const struct varied_part *part, uint32_t number)
{
	struct varied_text t = made_of(part, number);
	uint64_t sum = varied_sum_add(VARIED_SUM_START, t.text, t.n);

	free(t.text);
	return sum;
}

static const struct varied_part *part_named(const char *name)
{
	for (size_t i = 0; i < OMPP_COUNT_OF(lists); i++)
		for (const struct varied_part *part = lists[i]; part->name; part++)
			if (!strcmp(part->name, name))
				return part;
	fprintf(stderr, "test_varied_files: %s: unknown\n", name);
	exit(2);
}

static void show(char **argv)
{
	const struct varied_part *part = part_named(argv[2]);

	for (uint32_t number = 0; number < part->n; number++) {
		if (!argv[3]) {
			printf("%u %016llx\n", number, (unsigned long long)sum_of(part, number));
		} else if (number == strtoul(argv[3], NULL, 10)) {
			struct varied_text t = made_of(part, number);

			fwrite(t.text, 1, t.n, stdout);
			free(t.text);
		}
	}
}

static size_t sum_up(struct varied_sum *sums)
{
	size_t n = 0;

	for (size_t i = 0; i < OMPP_COUNT_OF(lists); i++)
		for (const struct varied_part *part = lists[i]; part->name; part++) {
			struct varied_sum *line = &sums[n++];

			if (n > MOST_PARTS)
				abort();
			*line = (struct varied_sum){ "files", part->name, VARIED_SUM_START };
			for (uint32_t number = 0; number < part->n; number++) {
				uint64_t sum = sum_of(part, number);

				line->sum = varied_sum_add(line->sum, &sum, sizeof(sum));
			}
		}
	return n;
}

int main(int argc, char **argv)
{
	struct varied_sum sums[MOST_PARTS];
	size_t n;
	int rc = 0;

	varied_start();
#ifndef __x86_64__ /* registers, and which numbers of events are the processor's */
	return 77;
#endif
	if (argc > 2) {
		show(argv);
	} else {
		n = sum_up(sums);
		if (argc < 2)
			rc = varied_sums_compare(sums, n, "varied_files");
		else
			varied_sums_print(sums, n);
	}
	varied_machine_end();
	return rc;
}

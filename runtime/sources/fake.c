/*
 * Fake source: one metric that counts how often it was read, in this thread.  It is on with OMPP_CLOCK=fake only
 * and makes whole reports exact, so that they can be compared byte by byte.
 */
#include "runtime/sources/source.h"
#include "runtime/sources/sources.h"

#include <string.h>

static int fake_probe(const struct ompp_options *options, struct ompp_why *why)
{
	(void)why;
	return strcmp(options->text[OMPP_OPT_CLOCK], "fake") ? -1 : 0;
}

static int fake_open(const struct ompp_options *options, struct ompp_metric_set *set, struct ompp_why *why)
{
	(void)options, (void)why;
	set->column[set->n_columns++] = (struct ompp_source_column){ .metric = { "FAKE_READS", "", OMPP_EXACT, "" },
		                                                     .value = (uint16_t)set->n++,
		                                                     .share = OMPP_NO_VALUE };
	return 0;
}

static void fake_read(void *state, uint64_t *values)
{
	values[0] = ++*(uint64_t *)state;
}

const struct ompp_source ompp_source_fake = {
	.name = "fake",
	.help = "counts its own readings; for tests",
	.thread_bytes = sizeof(uint64_t),
	.probe = fake_probe,
	.open = fake_open,
	.read = fake_read,
};

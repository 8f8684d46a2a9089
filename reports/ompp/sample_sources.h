/*
 * Sample sources: the sources of memory access samples for OMPP_SAMPLE that work on this machine.
 */
#ifndef OMPP_SAMPLE_SOURCES_H
#define OMPP_SAMPLE_SOURCES_H

enum ompp_sample_here { OMPP_SAMPLES_COME, OMPP_SAMPLES_WITH_HOOKS, OMPP_SAMPLES_NOT };

struct ompp_sample_source {
	const char *name; /* as OMPP_SAMPLE has it */
	enum ompp_sample_here here;
	char what[320]; /* what it samples, and by which events */
	char why[256];  /* why it does not, and what to do; "" when it does */
};

enum { OMPP_SAMPLE_SOURCES = 5 };

/* Tries all sources.  It takes some milliseconds. */
void ompp_sample_sources(struct ompp_sample_source sources[OMPP_SAMPLE_SOURCES]);

/* Tries the source with this name, one of the five of OMPP_SAMPLE.  Returns 0, or -1 for an unknown name. */
int ompp_sample_source_look_up(const char *name, struct ompp_sample_source *source);

#endif

/*
 * The list of all sources, NULL at the end, in the order in which their metrics are printed.
 */
#ifndef OMPP_SOURCES_SOURCES_H
#define OMPP_SOURCES_SOURCES_H

struct ompp_source;

extern const struct ompp_source *const ompp_source_list[];

extern const struct ompp_source ompp_source_fake;     /* counts its own readings; only with OMPP_CLOCK=fake */
extern const struct ompp_source ompp_source_counters; /* OMPP_CTR…, OMPP_EVALn */
extern const struct ompp_source ompp_source_samples;  /* OMPP_SAMPLE=pebs, ibs, spe, auto */
extern const struct ompp_source ompp_source_touch;    /* OMPP_SAMPLE */
extern const struct ompp_source ompp_source_hot;      /* OMPP_HOT */

#endif

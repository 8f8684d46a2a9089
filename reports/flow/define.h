/*
 * Define: takes the definitions of a trace (regions, objects, call paths, files, lines …), which its events name by
 * number.
 */
#ifndef OMPP_FLOW_DEFINE_H
#define OMPP_FLOW_DEFINE_H

#include <stddef.h>
#include <stdint.h>

#include "reports/flow/code.h"
#include "reports/flow/flow.h"

/* What the definitions of a trace are taken into. */
struct ompp_flow_defining {
	struct ompp_flow *flow;
	struct ompp_flow_definition definition; /* the one that is taken */
	int has_end;                            /* the last one is among them */
	int failed;                             /* there was not enough memory */
};

/* Takes the definition.  Those of unknown kinds, or with too few numbers, are passed over. */
void ompp_flow_define_take(struct ompp_flow_defining *defining);

/* Return the index of a call path and of an instruction by their numbers; they are added where they are new. */
uint32_t ompp_flow_define_site(struct ompp_flow_defining *defining, uint64_t number);
uint32_t ompp_flow_define_ip(struct ompp_flow_defining *defining, uint64_t number);

/* Adds all threads up to this number.  Returns 0 or -1. */
int ompp_flow_define_threads(struct ompp_flow_defining *defining, size_t n);

#endif

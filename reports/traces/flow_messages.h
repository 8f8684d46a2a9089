/*
 * Flow messages: the messages of MPI in the traces of the ranks of a program, and which receive is of which send.
 */
#ifndef OMPP_PROGRAM_FLOW_MESSAGES_H
#define OMPP_PROGRAM_FLOW_MESSAGES_H

#include "reports/traces/flow_table.h"

/* One end of a message. */
struct ompp_flow_end {
	uint64_t time_ns, posted_ns; /* of a send both are when its call began */
	uint64_t bytes;              /* UINT64_MAX when not known */
	uint32_t number, thread;     /* of the event */
	uint32_t from, to;           /* ranks, or OMPP_FLOW_NONE */
	uint32_t tag, comm, process;
	uint32_t other; /* the other end in the list, or OMPP_FLOW_NONE */
	uint8_t is_send, is_meant;
};

/* All ends in the order of their times. */
struct ompp_flow_messages {
	struct ompp_flow_end *ends;
	size_t n, have;
	size_t n_alone; /* ends that are meant, without the other one */
};

/* Finds the messages, and for each receive its send: between two ranks, of one communicator and tag, MPI receives
 * messages in the order in which they were sent, by the receives in the order in which they were begun.  Where events
 * were lost, no end has another one behind the first pair that cannot be one: of different bytes, or received before
 * it was sent by one clock.  is_meant: is the end one that the filters mean?  Returns 0, or -1 after a complaint. */
int ompp_flow_messages_find(struct ompp_flow_messages *messages, const struct ompp_flow_look *look);
void ompp_flow_messages_free(struct ompp_flow_messages *messages);

/* Says that some ends have no other one. */
void ompp_flow_messages_tell(const struct ompp_flow_messages *messages, const char *subject);

#endif

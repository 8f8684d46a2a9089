/*
 * Nodes: the NUMA nodes of the machine that ompp runs on, as libnuma knows them, and the memory policy for running a
 * program that was not built by kinst.
 */
#ifndef OMPP_PROGRAM_NODES_H
#define OMPP_PROGRAM_NODES_H

/* Are all nodes that a placement names ("a=node:1,b=parts:0+3") here, with memory, and allowed to this process? Returns
 * 0; or -1 after a complaint.  Without libnuma nothing is known, and it returns 0. */
int ompp_nodes_check(const char *place);

/* Sets the memory policy of this process, and of what it runs from now on, to that of the placement's objects.  Returns
 * 0; or -1 after a complaint: a process has one policy, so all objects must have one place, and no parts. */
int ompp_nodes_bind(const char *place);

#endif

/*
 * Nodes: the NUMA nodes of the machine that ompp runs on, as libnuma knows them, and the policy by which a program that
 * kinst did not build gets its memory there.
 */
#ifndef OMPP_PROGRAM_NODES_H
#define OMPP_PROGRAM_NODES_H

/* Are all nodes that a placement names ("a=node:1,b=parts:0+3") here, with memory, and allowed to this process? Returns
 * 0; or -1 after a complaint.  Without libnuma nothing is known, and it returns 0. */
int ompp_nodes_check(const char *place);

/* Lets this process, and what it runs from now on, get all of its memory where the placement puts its objects.  Returns
 * 0; or -1 after a complaint: a process has one policy, so all objects must have one place, and no parts. */
int ompp_nodes_bind(const char *place);

#endif

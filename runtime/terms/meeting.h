/*
 * Meeting: a call of MPI in which ranks wait for each other.
 */
#ifndef OMPP_TERMS_MEETING_H
#define OMPP_TERMS_MEETING_H

enum ompp_meeting_kind {
	OMPP_MEETING_ALL,         /* a collective call that no rank can complete before the last one has begun it */
	OMPP_MEETING_SOME,        /* another one */
	OMPP_MEETING_SEND,        /* a message, by its sender */
	OMPP_MEETING_SYNCHRONOUS, /* the same, where the sender cannot complete it before its receive was begun */
	OMPP_MEETING_RECEIVE      /* the same, by its receiver */
};

#endif

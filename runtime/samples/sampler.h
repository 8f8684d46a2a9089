/*
 * Sampler: the samples of one thread, that is, its memory events, opened at the kernel, and the ring that they share.
 *
 * One thread at a time drains a sampler; it need not be the sampled one.  All functions may be called in a measured
 * program: they take no memory but the rings, and leave errno alone.
 */
#ifndef OMPP_SAMPLES_SAMPLER_H
#define OMPP_SAMPLES_SAMPLER_H

#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "runtime/host/stamp.h"
#include "runtime/ompp_mem.h"
#include "runtime/samples/memory_event.h"
#include "runtime/samples/ring.h"

struct ompp_record_mapping;
struct ompp_text;

struct ompp_sampler_options {
	uint64_t period;     /* accesses (with IBS and SPE micro-operations) from one sample to the next; 1 or more */
	uint32_t latency;    /* in cycles; faster loads are dropped; 0 drops none */
	uint32_t ring_pages; /* pages of data, a power of two; fewer are taken where the system allows no more */
	uint32_t wakeup_samples; /* poll(2) on ring_fd returns after so many samples; with 0 when half of the ring is
	                            full */
	uint8_t kinds;           /* enum ompp_mem_kind; OMPP_MEM_NEITHER for page faults, which are neither */
	uint8_t wants_physical;  /* 1 for physical addresses where the system allows them */
	uint8_t keeps_kernel;    /* 1 when samples of the kernel's instructions are handed out, too, with ip 0 */
	void (*mapped)(void *context,
	               const struct ompp_record_mapping *mapping); /* takes the thread's mappings of data
	                                                              while the ring is drained, or NULL */
	clockid_t clock; /* of the samples' times; −1 for the kernel's own clock, as perf's */
};

/* What became of the records so far. */
struct ompp_sampler_counts {
	uint64_t n_samples;     /* handed out */
	uint64_t n_others;      /* dropped: no access, of another kind, faster than asked for, or of the kernel */
	uint64_t n_lost;        /* lost, as the ring was full */
	uint64_t n_throttled;   /* how often the kernel stopped the events for a while, as they took too long */
	uint64_t n_undecodable; /* records that do not agree with the kernel's headers */
	uint64_t n_truncated;   /* SPE: AUX records with bytes missing, or with samples that collided */
};

struct ompp_sampler {
	struct ompp_sampler_options options;
	struct ompp_sampler_counts counts;
	struct ompp_ring ring;
	uint64_t period;      /* of the events, as each sample's where the kernel does not say it */
	uint64_t sample_type; /* fields of the records, PERF_SAMPLE_* */
	int tells_lost;       /* 1 when the events themselves tell what was lost */
	uint32_t n;
	int fd[2 * OMPP_MEMORY_EVENTS]; /* of the events, and of leaders among them */
	uint64_t id[2 * OMPP_MEMORY_EVENTS];
	int ring_fd; /* the descriptor of the event that has the ring */
	void *aux;   /* SPE's ring of packets, or NULL */
	uint64_t aux_bytes;
	void *whole; /* OMPP_RECORD_BYTES of room for records that go beyond the ring's end */
};

/* Opens events of a thread, switched off.  Returns 0, or -errno with why: "cause; what to do".
 * tid: 0 for the calling thread */
int ompp_sampler_open(struct ompp_sampler *s, pid_t tid, const struct ompp_memory_event *events, int n_events,
                      const struct ompp_sampler_options *options, struct ompp_text *why);
void ompp_sampler_close(struct ompp_sampler *s);

/* Switch the events on or off.  They return 0 or -errno. */
int ompp_sampler_enable(struct ompp_sampler *s);
int ompp_sampler_disable(struct ompp_sampler *s);

/* Forgets the events in the child of a fork(), where they are the parent's; the rings are not there. */
void ompp_sampler_after_fork(struct ompp_sampler *s);

/* Hands out what the rings hold, oldest first.  While it does, ring.at is where the sample's record ends.
 * end: records beyond this place of the ring stay there; UINT64_MAX for all */
void ompp_sampler_drain_to(struct ompp_sampler *s, uint64_t end,
                           void (*take)(void *context, const struct ompp_mem_sample *sample), void *context);
void ompp_sampler_drain(struct ompp_sampler *s, void (*take)(void *context, const struct ompp_mem_sample *sample),
                        void *context);

/* Opens the events for the calling thread, accesses memory of its own for some milliseconds at most, and sees
 * whether samples of these kinds come: there are machines where events open, and nothing ever comes.  Returns 0,
 * -ENODATA when none came, or an error of ompp_sampler_open(). */
int ompp_sampler_try(const struct ompp_memory_event *events, int n_events, unsigned int kinds, struct ompp_text *why);

/* Returns 1 and fills the scale when the kernel's page says how its own clock follows from the processor's counter;
 * else 0. */
int ompp_sampler_scale(const struct ompp_sampler *s, struct ompp_stamp_scale *scale);

/* Writes what an errno of opening means on this machine: "cause; what to do". */
void ompp_sampler_explain(struct ompp_text *why, int error, const struct ompp_memory_event *event);

#endif

/*
 * Sampler: the sampling of one thread: its open memory events, and the ring buffer that they share.
 *
 * One thread at a time drains a sampler, not necessarily the sampled one.  All functions may be called in a measured
 * program: they allocate only the rings, and keep errno.
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
	uint32_t ring_pages; /* pages of data, a power of two; fewer if the system allows no more */
	uint32_t wakeup_samples; /* poll(2) on ring_fd returns after so many samples; with 0 when half of the ring is
	                            full */
	uint8_t kinds;           /* enum ompp_mem_kind; OMPP_MEM_NEITHER for page faults, which are neither */
	uint8_t wants_physical;  /* 1 for physical addresses if the system allows them */
	uint8_t keeps_kernel;    /* 1 when samples of the kernel's instructions are delivered, too, with ip 0 */
	void (*mapped)(void *context,
	               const struct ompp_record_mapping *mapping); /* called with the thread's mappings of data while
	                                                              the ring is drained, or NULL */
	clockid_t clock; /* of the samples' times; −1 for the kernel's own clock, as perf's */
};

/* What happened to the records so far. */
struct ompp_sampler_counts {
	uint64_t n_samples;     /* handed out */
	uint64_t n_others;      /* dropped: no access, of another kind, too fast, or of the kernel */
	uint64_t n_lost;        /* lost, as the ring was full */
	uint64_t n_throttled;   /* times that the kernel suspended the events, as they took too long */
	uint64_t n_undecodable; /* records that do not match the kernel's headers */
	uint64_t n_truncated;   /* SPE: AUX records with bytes missing, or with samples that collided */
};

struct ompp_sampler {
	struct ompp_sampler_options options;
	struct ompp_sampler_counts counts;
	struct ompp_ring ring;
	uint64_t period;      /* of the events; used for samples without one */
	uint64_t sample_type; /* fields of the records, PERF_SAMPLE_* */
	int tells_lost;       /* 1 when the events themselves report losses */
	uint32_t n;
	int fd[2 * OMPP_MEMORY_EVENTS]; /* of the events, and of leaders among them */
	uint64_t id[2 * OMPP_MEMORY_EVENTS];
	int ring_fd; /* the descriptor of the event that has the ring */
	void *aux;   /* SPE's ring of packets, or NULL */
	uint64_t aux_bytes;
	void *whole; /* OMPP_RECORD_BYTES of room for records that wrap around the ring's end */
};

/* Opens events of a thread, disabled.  Returns 0, or -errno and in `why` "cause; what to do".
 * tid: 0 for the calling thread */
int ompp_sampler_open(struct ompp_sampler *s, pid_t tid, const struct ompp_memory_event *events, int n_events,
                      const struct ompp_sampler_options *options, struct ompp_text *why);
void ompp_sampler_close(struct ompp_sampler *s);

/* Switch the events on or off.  They return 0 or -errno. */
int ompp_sampler_enable(struct ompp_sampler *s);
int ompp_sampler_disable(struct ompp_sampler *s);

/* Opens the events of a thread as ompp_sampler_open(), and enables them; none is open when that fails. */
int ompp_sampler_start(struct ompp_sampler *s, pid_t tid, const struct ompp_memory_event *events, int n_events,
                       const struct ompp_sampler_options *options, struct ompp_text *why);

/* Discards the events in the child of a fork(), as they are the parent's; the rings are not mapped there. */
void ompp_sampler_after_fork(struct ompp_sampler *s);

/* Delivers the samples in the rings, oldest first.  During each call, ring.at is the end of the sample's record.
 * end: records beyond this position stay in the ring; UINT64_MAX for all */
void ompp_sampler_drain_to(struct ompp_sampler *s, uint64_t end,
                           void (*take)(void *context, const struct ompp_mem_sample *sample), void *context);
void ompp_sampler_drain(struct ompp_sampler *s, void (*take)(void *context, const struct ompp_mem_sample *sample),
                        void *context);

/* Opens the events for the calling thread, accesses its own memory for at most some milliseconds, and checks that
 * samples of these kinds arrive: on some machines events can be opened, but never deliver.  Returns 0, -ENODATA when
 * none arrived, or an error of ompp_sampler_open(). */
int ompp_sampler_try(const struct ompp_memory_event *events, int n_events, unsigned int kinds, struct ompp_text *why);

/* Returns 1 and fills the scale when the kernel's page tells how its own clock follows from the processor's counter;
 * else 0. */
int ompp_sampler_scale(const struct ompp_sampler *s, struct ompp_stamp_scale *scale);

/* The explanation where there is no memory for samples. */
#define OMPP_SAMPLER_NO_MEMORY \
	"there is no memory for it; raise the limits of address space and locked memory (ulimit -v, -l)"

/* Explains an errno of opening on this machine: "cause; what to do". */
void ompp_sampler_explain(struct ompp_text *why, int error, const struct ompp_memory_event *event);

#endif

/*
 * Hot: samples of processor time that a ring has for nodes, by chance, are summed by node and instruction; all in
 * libompp's own code are one; those that the kernel lost are told by what else was in the ring when it was full.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>
#include <cmocka.h>

#include "runtime/core/callgraph.h"
#include "runtime/core/frame.h"
#include "runtime/core/hot.h"
#include "runtime/core/thread.h"
#include "runtime/host/loaded.h"

enum { RING_BYTES = 4096, N_NODES = 3, N_IPS = 200, ROUNDS = 3000, LOST = 0, OWN = 1, FIRST_IP = 4096 };
enum { OWN_IP = 1 << 20, OWN_BYTES = 4096 };

static struct perf_event_mmap_page page;
static unsigned char data[RING_BYTES];
static struct ompp_callnode nodes[N_NODES];
static struct ompp_frame frame;
static struct ompp_thread thread;
static struct ompp_hot hot;
static struct ompp_hot_look look;
static uint64_t expected[N_NODES][N_IPS], n_lost, n_found;

static uint32_t below(uint32_t n)
{
	static uint64_t state = 88172645463325252u;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 33) % n;
}

/* Writes a record as the kernel does, if there is room. */
static int put(uint32_t type, uint16_t misc, const uint64_t *words, size_t n_words)
{
	struct perf_event_header header = { type, misc, (uint16_t)(sizeof(header) + n_words * sizeof(*words)) };
	unsigned char record[64];

	if (page.data_head + header.size - page.data_tail > RING_BYTES)
		return 0;
	memcpy(record, &header, sizeof(header));
	if (n_words)
		memcpy(record + sizeof(header), words, n_words * sizeof(*words));
	for (uint16_t i = 0; i < header.size; i++)
		data[page.data_head++ % RING_BYTES] = record[i];
	return 1;
}

static int put_sample(uint32_t node, uint32_t number)
{
	uint64_t ip = number == OWN ? OWN_IP + below(OWN_BYTES) : number ? FIRST_IP + number : 0;

	if (!put(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, &ip, 1))
		return 0;
	expected[node][number] += number != LOST; /* one without an instruction is none */
	return 1;
}

static int put_switch(void)
{
	return put(PERF_RECORD_SWITCH, PERF_RECORD_MISC_SWITCH_OUT, NULL, 0);
}

/* Takes what is in the ring for a node. */
static void take(uint32_t node)
{
	frame.node = &nodes[node];
	ompp_hot_take(&thread);
	assert_int_equal(page.data_tail, page.data_head);
}

/* Fills the ring by switches, and by samples in this part of 8. */
static void fill(uint32_t node, uint32_t part, uint64_t *n_records, uint64_t *n_samples)
{
	int has_room = 1;

	for (*n_records = *n_samples = 0; has_room; *n_records += (uint64_t)has_room)
		if (below(8) < part) {
			has_room = put_sample(node, 1 + below(N_IPS - 1));
			*n_samples += (uint64_t)has_room;
		} else {
			has_room = put_switch();
		}
	while (put_switch()) /* the last bytes */
		++*n_records;
}

/* What was lost was of the node in which the ring was full, and samples of it as many as there were of what it had. */
static void lose(uint32_t node)
{
	uint64_t lost[2] = { 7, 1 + below(1000) }, n_records, n_samples;

	fill(node, below(9) * below(2), &n_records, &n_samples);
	take(node);
	assert_true(put(PERF_RECORD_LOST, 0, lost, 2));
	take(below(N_NODES));
	expected[node][LOST] += lost[1] * n_samples / n_records;
	n_lost += lost[1] * n_samples / n_records;
}

static void check(void *context, const struct ompp_hot_sum *sum)
{
	uint64_t number = sum->ip == OMPP_HOT_OWN ? OWN : sum->ip ? sum->ip - FIRST_IP : LOST;

	(void)context;
	assert_true(sum->n > 0 && number < N_IPS);
	assert_int_equal(sum->n, expected[sum->node - nodes][number]);
	n_found++;
}

static void samples_by_chance(void **unused)
{
	uint64_t n_sums = 0;

	(void)unused;
	for (int i = 0; i < ROUNDS; i++) {
		uint32_t node = below(N_NODES);

		for (uint32_t n = below(40); n > 0; n--)
			if (below(4))
				put_sample(node, below(N_IPS));
			else
				put_switch();
		take(node);
		if (!below(20))
			lose(node);
	}
	for (int i = 0; i < N_NODES; i++)
		for (int k = 0; k < N_IPS; k++)
			n_sums += expected[i][k] > 0;
	ompp_hot_each(&thread, check, NULL);
	assert_int_equal(n_found, n_sums);
	assert_int_equal(hot.n_lost, n_lost);
}

/* Where all that was lost are switches there are no samples, and no sum of none: what is told of a sum is divided by
 * its number. */
static void switches_alone(void **unused)
{
	uint64_t lost[2] = { 7, 5 }, n_records, n_samples;

	(void)unused;
	memset(expected, 0, sizeof(expected));
	fill(0, 0, &n_records, &n_samples);
	take(0);
	assert_true(put(PERF_RECORD_LOST, 0, lost, 2));
	take(0);
	n_found = 0;
	ompp_hot_each(&thread, check, NULL);
	assert_int_equal(n_found, 0);
}

static int set_up(void **unused)
{
	(void)unused;
	memset(&hot, 0, sizeof(hot));
	memset(&page, 0, sizeof(page));
	hot.ring = (struct ompp_ring){ .page = &page, .data = data, .n_bytes = RING_BYTES };
	hot.look = &look;
	look.distance = (uintptr_t)&page.data_head - (uintptr_t)&look;
	hot.look_at = UINT64_MAX;
	hot.is_open = 1;
	thread.hot = &hot;
	thread.look = &look;
	thread.top = thread.frames = &frame;
	ompp_loaded_own_lo = OWN_IP;
	ompp_loaded_own_hi = OWN_IP + OWN_BYTES;
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(samples_by_chance, set_up),
		cmocka_unit_test_setup(switches_alone, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

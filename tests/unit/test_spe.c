/*
 * SPE: reads packets that were written by hand from the architecture's manual, cut off at each place, and nonsense.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/samples/spe.h"

/* A load of the kind that Neoverse N1 writes: instruction, context, operation, events, latencies, address, data source,
 * time. */
static const unsigned char load[] = {
	0xb0, 0x54, 0x10, 0x42, 0,    0,    0,    0,    0x80, /* PC 0x421054, in user mode, not secure */
	0x65, 0x34, 0x12, 0,    0,                            /* context of EL2 */
	0x49, 0x00,                                           /* a load of a general register */
	0x62, 0x3e, 0x03, 0,    0, /* retired, L1 access and miss, TLB and walk, LLC and miss */
	0x99, 0x04, 0x00, 0x98, 0x2c, 0x01, 0x9a, 0x07, 0x00, /* issue 4, total 300, translation 7 */
	0xb2, 0x40, 0x20, 0x10, 0xf7, 0xff, 0xff, 0x00, 0x5a, /* data 0xfffff7102040, with a tag in its upper byte */
	0x43, 0x0d,                                           /* data source: remote */
	0xb3, 0x40, 0x20, 0x30, 0x01, 0,    0,    0,    0x80, /* physical 0x1302040 */
	0x71, 1,    2,    3,    4,    0,    0,    0,    0,
};

static int next(const unsigned char *bytes, size_t n, int is_neoverse, struct ompp_mem_sample *s)
{
	return ompp_spe_next(&bytes, &n, is_neoverse, s);
}

static void a_load(void **state)
{
	struct ompp_mem_sample s;

	(void)state;
	assert_int_equal(next(load, sizeof(load), 1, &s), 1);
	assert_int_equal(s.ip, 0x421054);
	assert_int_equal(s.kind, OMPP_MEM_LOADS);
	assert_int_equal(s.lock, OMPP_MEM_LOCK_NO);
	assert_int_equal(s.latency, 300);
	assert_int_equal(s.address, 0xfffff7102040);
	assert_int_equal(s.physical, 0x1302040);
	assert_int_equal(s.time_ns, 0x04030201);
	assert_int_equal(s.translation, OMPP_MEM_TRANSLATION_WALK);
	assert_int_equal(s.level, OMPP_MEM_LEVEL_REMOTE_CACHE);
	/* other makers number data sources otherwise: the events say that memory served it */
	assert_int_equal(next(load, sizeof(load), 0, &s), 1);
	assert_int_equal(s.level, OMPP_MEM_LEVEL_LOCAL_MEMORY);
}

static void cut_off(void **state)
{
	struct ompp_mem_sample s;

	(void)state;
	assert_int_equal(next(load, 0, 1, &s), 0);
	for (size_t n = 1; n < sizeof(load); n++) {
		unsigned char *exact = malloc(n); /* so that AddressSanitizer sees a read beyond it */

		assert_non_null(exact);
		memcpy(exact, load, n);
		assert_int_equal(next(exact, n, 1, &s), -EBADMSG);
		free(exact);
	}
}

static void operations(void **state)
{
	static const struct {
		unsigned char header, payload;
		uint8_t kind, lock;
	} rows[] = {
		{ 0x48, 0x00, OMPP_MEM_NEITHER, OMPP_MEM_LOCK_UNKNOWN }, /* arithmetic */
		{ 0x4a, 0x01, OMPP_MEM_NEITHER, OMPP_MEM_LOCK_UNKNOWN }, /* branch */
		{ 0x49, 0x01, OMPP_MEM_STORES, OMPP_MEM_LOCK_NO },
		{ 0x49, 0x04, OMPP_MEM_LOADS, OMPP_MEM_LOCK_NO },  /* of a vector register */
		{ 0x49, 0x06, OMPP_MEM_LOADS, OMPP_MEM_LOCK_YES }, /* atomic */
		{ 0x49, 0x0a, OMPP_MEM_LOADS, OMPP_MEM_LOCK_NO },  /* exclusive */
	};
	struct ompp_mem_sample s;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const unsigned char bytes[] = { 0, rows[i].header, rows[i].payload, 1 };

		assert_int_equal(next(bytes, sizeof(bytes), 1, &s), 1);
		assert_int_equal(s.kind, rows[i].kind);
		assert_int_equal(s.lock, rows[i].lock);
	}
}

static void headers(void **state)
{
	static const unsigned char aligned[] = {
		0x20, 0x00, 0, 0, 0x49, 0x00, 0x01
	}; /* an alignment packet, with padding behind it */
	static const unsigned char extended[] = {
		0x21, 0xb2, 1, 0, 0, 0, 0, 0, 0, 0, 0x49, 0x00, 0x01
	}; /* an address of a kind that is not defined yet */
	static const unsigned char unknown[] = { 0x49, 0x00, 0xff, 0x01 };
	const unsigned char *at = aligned;
	size_t n = sizeof(aligned);
	struct ompp_mem_sample s;

	(void)state;
	assert_int_equal(ompp_spe_next(&at, &n, 1, &s), 1);
	assert_int_equal(n, 0);
	assert_int_equal(next(extended, sizeof(extended), 1, &s), 1);
	assert_int_equal(s.address, 0);
	at = unknown;
	n = sizeof(unknown);
	assert_int_equal(ompp_spe_next(&at, &n, 1, &s), -EBADMSG);
	assert_int_equal(n, 0);
	assert_int_equal(ompp_spe_is_neoverse(0x413fd0c1), 1);
	assert_int_equal(ompp_spe_is_neoverse(0x411fd400), 1); /* V1 */
	assert_int_equal(ompp_spe_is_neoverse(0x410fd083), 0); /* Cortex-A72 */
	assert_int_equal(ompp_spe_is_neoverse(0x431f0af1), 0); /* another maker */
	assert_int_equal(ompp_spe_is_neoverse(0xc00fd0c1), 0); /* and one with the number of N1 */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_load),
		cmocka_unit_test(cut_off),
		cmocka_unit_test(operations),
		cmocka_unit_test(headers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

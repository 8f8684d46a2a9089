/*
 * Flow compress: ompp flow --compress.  Blocks of a trace are compressed some hundred at a time; the trace stays as it
 * is.
 */
#include "config.h"

#include "reports/traces/flow_command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_ZSTD
#include <zstd.h>

#include "reports/flow/code.h"

enum { LEVEL = 6 };

static int flow_compress_failed(const char *path, const char *what, int error)
{
	ompp_complain(path, "%s: %s", what, error ? strerror(error) : "it is cut off");
	return -1;
}

/* Compresses what was gathered, and writes it as one block. */
static int write_block(FILE *out, const unsigned char *plain, size_t n_plain, unsigned char *packed, size_t most,
                       uint32_t n_events)
{
	size_t n = ZSTD_compress(packed + OMPP_FLOW_BLOCK_HEAD_BYTES, most, plain, n_plain, LEVEL);
	struct ompp_flow_block block = { OMPP_FLOW_BLOCK_ZSTD, (uint32_t)n, (uint32_t)n_plain, n_events, 0 };

	/* then they are copied uncompressed */
	if (ZSTD_isError(n) || n >= n_plain || n_plain / OMPP_FLOW_MOST_RATIO > n)
		return fwrite(plain, 1, n_plain, out) == n_plain ? 0 : -1;
	ompp_flow_block_put(&block, packed + OMPP_FLOW_BLOCK_HEAD_BYTES, packed);
	return fwrite(packed, 1, OMPP_FLOW_BLOCK_HEAD_BYTES + n, out) == OMPP_FLOW_BLOCK_HEAD_BYTES + n ? 0 : -1;
}

/* Copies the undamaged blocks of a trace.  Returns 0 or -1. */
static int flow_compress_copy(const char *from, const char *to, FILE *in, FILE *out)
{
	enum { MOST = OMPP_FLOW_MOST_BLOCK_BYTES };
	size_t room = ZSTD_compressBound(MOST), n_plain = 0;
	unsigned char *plain = malloc(MOST), *packed = malloc(OMPP_FLOW_BLOCK_HEAD_BYTES + room);
	unsigned char *one = malloc(OMPP_FLOW_BLOCK_HEAD_BYTES + MOST);
	struct ompp_flow_block block;
	struct ompp_flow_head head;
	uint32_t n_events = 0;
	int rc = -1;

	if (!plain || !packed || !one) {
		ompp_complain("flow", "not enough memory");
		goto out;
	}
	if (fread(one, 1, OMPP_FLOW_HEAD_BYTES, in) != OMPP_FLOW_HEAD_BYTES ||
	    ompp_flow_head_get(&head, one, OMPP_FLOW_HEAD_BYTES) || head.version != OMPP_FLOW_VERSION) {
		ompp_complain(from, "not a trace; give a file that OMPP_TRACE=1 wrote, whose name ends in .ompp.flow");
		goto out;
	}
	if (fwrite(one, 1, OMPP_FLOW_HEAD_BYTES, out) != OMPP_FLOW_HEAD_BYTES)
		goto not_written;
	while (fread(one, 1, OMPP_FLOW_BLOCK_HEAD_BYTES, in) == OMPP_FLOW_BLOCK_HEAD_BYTES) {
		if (ompp_flow_block_get(&block, one, OMPP_FLOW_BLOCK_HEAD_BYTES) ||
		    fread(one + OMPP_FLOW_BLOCK_HEAD_BYTES, 1, block.n_bytes, in) != block.n_bytes ||
		    !ompp_flow_block_is_whole(&block, one)) {
			ompp_complain(from, "damaged or cut off; what stands before that is compressed");
			break;
		}
		if (block.type == OMPP_FLOW_BLOCK_ZSTD) {
			ompp_complain(from, "is compressed already");
			goto out;
		}
		if (n_plain + OMPP_FLOW_BLOCK_HEAD_BYTES + block.n_bytes > MOST) {
			if (write_block(out, plain, n_plain, packed, room, n_events))
				goto not_written;
			n_plain = n_events = 0;
		}
		if (OMPP_FLOW_BLOCK_HEAD_BYTES + block.n_bytes > MOST)
			break; /* the runtime never writes a block as large */
		memcpy(plain + n_plain, one, OMPP_FLOW_BLOCK_HEAD_BYTES + block.n_bytes);
		n_plain += OMPP_FLOW_BLOCK_HEAD_BYTES + block.n_bytes;
		n_events += block.n_events;
	}
	if ((n_plain && write_block(out, plain, n_plain, packed, room, n_events)) || fflush(out))
		goto not_written;
	rc = 0;
	goto out;
not_written:
	flow_compress_failed(to, "cannot be written", errno);
out:
	free(plain);
	free(packed);
	free(one);
	return rc;
}

int ompp_flow_compress(const char *from, const char *to)
{
	FILE *in = fopen(from, "rbe"), *out;
	int rc;

	if (!in) {
		flow_compress_failed(from, "cannot be read", errno);
		return OMPP_EXIT_FAILED;
	}
	out = fopen(to, "wbxe"); /* never overwrite a file, least of all the trace */
	if (!out) {
		flow_compress_failed(to, "cannot be made", errno);
		fclose(in);
		return OMPP_EXIT_FAILED;
	}
	rc = flow_compress_copy(from, to, in, out);
	if (fclose(out) && !rc)
		rc = flow_compress_failed(to, "cannot be written", errno);
	fclose(in);
	if (rc)
		remove(to);
	return rc ? OMPP_EXIT_FAILED : 0;
}
#else
int ompp_flow_compress(const char *from, const char *to)
{
	(void)from;
	(void)to;
	ompp_complain("--compress", "kinst was built without zstd; install libzstd-dev and build it anew");
	return OMPP_EXIT_FAILED;
}
#endif
